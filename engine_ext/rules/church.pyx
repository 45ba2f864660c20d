"""Church scoring (docs/rules.md J4-J12, N15, N18)."""
from engine_ext.types cimport *
from engine_ext.agenda cimport always, push, row, shed_excess
from engine_ext.economy cimport change_benefit, gain_influence, gain_wigs


cdef void church_scoring(const EditionC* e, State* s, Frame f, int argument) noexcept nogil:
    """If the cardinal met his influence icon: everyone decides, clockwise from who moved him first (J6)."""
    cdef int i
    if s.church_caller < 0:
        return
    for i in range(s.seats - 1, -1, -1):
        push(s, GIVE_CLERGY, (s.church_caller + i) % s.seats, 0, 0)
    s.church_caller = -1


cdef int legal_give_clergy(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """Any subset of the own tiles, asked tile by tile in ascending order (a = lowest id still allowed); none is allowed (J8)."""
    cdef int tile
    cdef int n = 0
    for tile in range(f.a, N_CLERGY):
        if s.players[f.seat].clergy >> tile & 1:
            out[n] = <int16_t>tile
            n += 1
    out[n] = STOP
    return n + 1


cdef inline void leave_game(State* s, Player* p, int tile) noexcept nogil:
    """A tile given up is out of the game, not back in the bag (J12)."""
    p.clergy &= ~((<uint64_t>1) << tile)
    s.gone_clergy |= (<uint64_t>1) << tile


cdef inline void close_scoring(Player* p, int given) noexcept nogil:
    """One gain of influence for all tiles given up, which no longer help it (J7, N15); none given, no gain (J8)."""
    if given:
        gain_influence(p)


cdef void give_clergy(const EditionC* e, State* s, Frame f, int tile) noexcept nogil:
    """A tile given up earns its back's wigs and stops working. b = tiles given so far."""
    cdef Player* p = &s.players[f.seat]
    if tile == STOP:
        close_scoring(p, f.b)
        return
    leave_game(s, p, tile)
    gain_wigs(p, C_CHURCH, e.clergy_wigs[tile])
    change_benefit(e, p, CLERGY_HOLDING + tile, -1)
    push(s, GIVE_CLERGY, f.seat, tile + 1, f.b + 1)
    shed_excess(e, s, f.seat)


row(CHURCH_SCORING, b"church_scoring", NULL, church_scoring, always, NULL, 0)
row(GIVE_CLERGY, b"give_clergy", legal_give_clergy, give_clergy, always, NULL, 0)
