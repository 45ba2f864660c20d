"""From a finished game to rewards and statistics. Everything but the rewards is a whole number, so sums are exact."""
from engine_ext.types cimport *
from engine_ext.economy cimport imax
from engine_ext.rules.scoring cimport standing

cdef enum:
    MARGIN = 60             # a margin of so many wigs, or more, is worth all that the objective gives for margins


cdef void reward(OutcomeC* o, int seats, double objective) noexcept nogil:
    """(1 - objective) * win share + objective * margin: own wigs minus the best rival's, cut at MARGIN, as 0 to 1."""
    cdef double margin
    cdef int rival
    cdef int seat
    cdef int i
    for seat in range(MAX_SEATS):
        o.reward[seat] = 0.0
    for seat in range(seats):
        rival = -32000 * WIG_PARTS
        for i in range(seats):
            if i != seat:
                rival = imax(rival, o.wigs[i])
        margin = (o.wigs[seat] - rival) / <double>WIG_PARTS
        margin = -1.0 * MARGIN if margin < -MARGIN else 1.0 * MARGIN if margin > MARGIN else margin
        o.reward[seat] = (1.0 - objective) * o.wins[seat] / PARTS + objective * (margin + MARGIN) / (2.0 * MARGIN)


cdef void judge(const EditionC* e, const State* s, double objective, OutcomeC* out) noexcept nogil:
    """The outcome of a game that is over. Ties are broken as the rules say and then shared (docs/rules.md L11)."""
    cdef int64_t keys[4]
    cdef int seats = s.seats
    cdef int seat
    cdef int i
    cdef int ahead
    cdef int level
    for seat in range(seats):
        keys[seat] = standing(&s.players[seat])
        out.wigs[seat] = 0
        for i in range(N_CATEGORIES):
            out.ledger[seat * N_CATEGORIES + i] = s.players[seat].ledger[i] * WIG_PARTS
            out.wigs[seat] += out.ledger[seat * N_CATEGORIES + i]
    for seat in range(seats):
        ahead = 0
        level = 0
        for i in range(seats):
            ahead += keys[i] > keys[seat]
            level += keys[i] == keys[seat]
        for i in range(4):
            out.ranks[seat * 4 + i] = PARTS // level if ahead <= i < ahead + level else 0
        out.wins[seat] = out.ranks[seat * 4]
    reward(out, seats, objective)


cdef void add_outcome(StatsC* total, const OutcomeC* o, int seats) noexcept nogil:
    cdef int seat
    cdef int i
    total.visits += 1
    for seat in range(seats):
        total.rewards[seat] += o.reward[seat]
        total.reward_squares[seat] += o.reward[seat] * o.reward[seat]
        total.wigs[seat] += o.wigs[seat]
        total.wig_squares[seat] += <int64_t>o.wigs[seat] * o.wigs[seat]
        total.wins[seat] += o.wins[seat]
        total.win_squares[seat] += <int64_t>o.wins[seat] * o.wins[seat]
    for i in range(4 * seats):
        total.ranks[i] += o.ranks[i]
    for i in range(N_CATEGORIES * seats):
        total.ledger[i] += o.ledger[i]
