"""Paying réis (docs/rules.md C4-C6, C10): any part may come from influence, never from wigs."""
from engine_ext.types cimport *
from engine_ext.agenda cimport always, row
from engine_ext.economy cimport imax, imin


cdef int legal_pay_reis(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """How many of the a réis influence makes; the rest is cash. Nothing if the two do not reach."""
    cdef Player* p = &s.players[f.seat]
    cdef int by_influence
    cdef int n = 0
    for by_influence in range(imax(0, f.a - p.reis), imin(f.a, e.cash_value[p.influence]) + 1):
        out[n] = <int16_t>by_influence
        n += 1
    return n


cdef void pay_reis(const EditionC* e, State* s, Frame f, int by_influence) noexcept nogil:
    """Each real moves the marker to the next lower space that shows one (C4)."""
    cdef Player* p = &s.players[f.seat]
    cdef int _real
    for _real in range(by_influence):
        p.influence = e.next_reis_space[p.influence]
    p.reis -= <int16_t>(f.a - by_influence)


row(PAY_REIS, b"pay_reis", legal_pay_reis, pay_reis, always, NULL, 0)
