"""A rubble reward (docs/rules.md I6): one cube of choice from the pile. Sets: economy.take_cube."""
from engine_ext.types cimport *
from engine_ext.agenda cimport row
from engine_ext.economy cimport take_cube


cdef bint can_take_rubble(const EditionC* e, State* s, int seat, int a) noexcept nogil:
    return s.pile[0] + s.pile[1] + s.pile[2] > 0


cdef int legal_rubble_cube(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    cdef int colour
    cdef int n = 0
    for colour in range(N_COLOURS):
        if s.pile[colour]:
            out[n] = <int16_t>colour
            n += 1
    return n


cdef void rubble_cube(const EditionC* e, State* s, Frame f, int colour) noexcept nogil:
    s.pile[colour] -= 1
    take_cube(s, f.seat, colour)


row(RUBBLE_CUBE, b"rubble_cube", legal_rubble_cube, rubble_cube, can_take_rubble, NULL, 0)
