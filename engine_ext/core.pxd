from engine_ext cimport types


cdef class Edition:
    cdef types.EditionC c
    cdef readonly str name
    cdef readonly str digest


cdef class View:
    cdef types.State* now
    cdef list forced_steps
    cdef readonly Edition edition

    cdef int sees(self)
    cdef require_sound(self)


cdef class Game(View):
    cdef types.State state
    cdef types.State before
    cdef types.Setup start
    cdef bint has_setup

    cdef begin(self)


cdef class Observation(View):
    cdef types.ObservationC c
