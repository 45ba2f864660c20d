from engine_ext.types cimport *

cdef illegal(decision, argument, legal)
cdef check_seat(int seat, int seats)
cdef check_seats(int seats)
cdef check_land(int land)
cdef check_noble(int noble)
cdef check_setup(const EditionC* e, const Setup* setup, int observer)
cdef check_state(const State* s)
cdef check_decision(const State* s)
