"""From a finished game to rewards and statistics. Everything but the rewards is a whole number, so sums are exact."""
from engine_ext.types cimport *
from engine_ext.economy cimport imax, imin
from engine_ext.rules.scoring cimport score_final, standing

cdef enum:
    MARGIN = 60             # a margin of so many wigs, or more, is worth all that the objective gives for margins


cdef void judge(const EditionC* e, const State* s, double objective, OutcomeC* out) noexcept nogil:
    """The outcome of a game that is over.

    The reward is (1 - objective) * win share + objective * margin, where the margin is own wigs minus the best
    rival's, cut at MARGIN and scaled to 0..1. Ties are broken as the rules say and then shared (docs/rules.md L11).
    """
    cdef int64_t keys[4]
    cdef int seats = s.seats
    cdef int seat
    cdef int i
    cdef int ahead
    cdef int level
    cdef int rival
    for i in range(MAX_SEATS):
        out.reward[i] = 0.0
    if s.phase == PHASE_OVER:
        for seat in range(seats):
            for i in range(N_CATEGORIES):
                out.ledger[seat * N_CATEGORIES + i] = s.players[seat].ledger[i]
    else:
        score_final(e, s, out.ledger)
    for seat in range(seats):
        keys[seat] = standing(&s.players[seat])
        out.wigs[seat] = 0
        for i in range(N_CATEGORIES):
            out.wigs[seat] += out.ledger[seat * N_CATEGORIES + i]
    for seat in range(seats):
        ahead = 0
        level = 0
        rival = -32000
        for i in range(seats):
            ahead += keys[i] > keys[seat]
            level += keys[i] == keys[seat]
            if i != seat:
                rival = imax(rival, out.wigs[i])
        for i in range(4):
            out.ranks[seat * 4 + i] = PARTS // level if ahead <= i < ahead + level else 0
        out.wins[seat] = out.ranks[seat * 4]
        out.reward[seat] = (1.0 - objective) * out.wins[seat] / PARTS \
            + objective * (imax(-MARGIN, imin(MARGIN, out.wigs[seat] - rival)) + MARGIN) / (2.0 * MARGIN)


cdef void add_outcome(StatsC* total, const OutcomeC* o, int seats) noexcept nogil:
    cdef int seat
    cdef int i
    total.visits += 1
    for seat in range(seats):
        total.rewards[seat] += o.reward[seat]
        total.reward_squares[seat] += o.reward[seat] * o.reward[seat]
        total.wigs[seat] += o.wigs[seat]
        total.wig_squares[seat] += o.wigs[seat] * o.wigs[seat]
        total.wins[seat] += o.wins[seat]
        total.win_squares[seat] += o.wins[seat] * o.wins[seat]
    for i in range(4 * seats):
        total.ranks[i] += o.ranks[i]
    for i in range(N_CATEGORIES * seats):
        total.ledger[i] += o.ledger[i]
