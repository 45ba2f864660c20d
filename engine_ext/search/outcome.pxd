"""What a finished game was worth to each seat, and sums of it over many games."""
from engine_ext.types cimport *

cdef enum:
    PARTS = 12              # a win or a rank shared by 2, 3 or 4 seats is a whole number of twelfths

cdef struct OutcomeC:       # of one finished game, by seat
    double reward[4]        # the objective, from 0 to 1
    int wins[4]             # twelfths of the win
    int ranks[16]           # twelfths of each place, as [seat * 4 + place]
    int wigs[4]
    int16_t ledger[72]      # [seat * N_CATEGORIES + category]

cdef struct StatsC:         # sums over outcomes
    double rewards[4]
    double reward_squares[4]
    int64_t wigs[4]
    int64_t wig_squares[4]
    int64_t wins[4]
    int64_t win_squares[4]
    uint32_t ranks[16]
    int32_t ledger[72]
    uint32_t visits
    uint32_t spare

cdef void judge(const EditionC* e, const State* s, double objective, OutcomeC* out) noexcept nogil
cdef void add_outcome(StatsC* total, const OutcomeC* o, int seats) noexcept nogil
