"""What a game was worth to each seat, finished or estimated, and sums of it over many games."""
from engine_ext.types cimport *

cdef enum:
    PARTS = 12288           # a win or a place is counted in whole parts: ties of 2, 3 or 4 seats and estimates alike
    WIG_PARTS = 16          # so are wigs, in sixteenths

cdef struct OutcomeC:       # of one game, by seat
    double reward[4]        # the objective, from 0 to 1
    int wins[4]             # parts of the win
    int ranks[16]           # parts of each place, as [seat * 4 + place]
    int wigs[4]             # parts of wigs
    int ledger[72]          # the same by category, as [seat * N_CATEGORIES + category]

cdef struct StatsC:         # sums over outcomes
    double rewards[4]
    double reward_squares[4]
    int64_t wigs[4]
    int64_t wig_squares[4]
    int64_t wins[4]
    int64_t win_squares[4]
    int64_t ranks[16]
    int64_t ledger[72]
    uint32_t visits
    uint32_t spare

cdef void judge(const EditionC* e, const State* s, double objective, OutcomeC* out) noexcept nogil
cdef void reward(OutcomeC* o, int seats, double objective) noexcept nogil
cdef void add_outcome(StatsC* total, const OutcomeC* o, int seats) noexcept nogil
