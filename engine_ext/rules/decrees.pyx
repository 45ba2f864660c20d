"""Take a decree (docs/rules.md I3-I5, N23)."""
from engine_ext.types cimport *
from engine_ext.agenda cimport always, push, row
from engine_ext.economy cimport decree_on_display, gain_wigs, set_bit


cdef bint can_take_decree(const EditionC* e, State* s, int seat, int a) noexcept nogil:
    """One lies in the display, and the Queen has not put an end to it (M10, N24)."""
    return not s.queen and decree_on_display(s)


cdef int legal_take_decree(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """Any decree left in the display: no refill within the turn (D12)."""
    cdef int i
    cdef int n = 0
    if s.queen:
        return 0
    for i in range(N_DISPLAY):
        if s.display[i] != UNKNOWN:
            out[n] = s.display[i]
            n += 1
    return n


cdef inline bint may_spend_marker(const State* s, int seat) noexcept nogil:
    """After any Take a Decree, also one by reward (N23): one marker per player and turn, however it came to that (I4)."""
    return s.players[seat].markers > 0 and not s.markers_spent >> seat & 1 and decree_on_display(s)


cdef void take_decree(const EditionC* e, State* s, Frame f, int decree) noexcept nogil:
    """b = 1: this is already the extra one that a marker paid for."""
    cdef Player* p = &s.players[f.seat]
    cdef int i
    for i in range(N_DISPLAY):
        if s.display[i] == decree:
            s.display[i] = UNKNOWN
    set_bit(p.decrees, decree)
    gain_wigs(p, C_DECREES, p.mods[Q_DECREE_WIGS])
    if not f.b and may_spend_marker(s, f.seat):
        push(s, SPEND_MARKER, f.seat, 0, 0)


cdef int legal_spend_marker(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    out[0] = NO
    out[1] = YES
    return 2


cdef void spend_marker(const EditionC* e, State* s, Frame f, int yes) noexcept nogil:
    """A set marker on the Marquis buys a second decree, once per player and turn (I4); the set itself stays (I3)."""
    if yes:
        s.players[f.seat].markers -= 1
        s.markers_spent |= <uint8_t>(1 << f.seat)
        push(s, TAKE_DECREE, f.seat, 0, 1)


row(TAKE_DECREE, b"take_decree", legal_take_decree, take_decree, can_take_decree, NULL, 0)
row(SPEND_MARKER, b"spend_marker", legal_spend_marker, spend_marker, always, NULL, 0)
