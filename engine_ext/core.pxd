from engine_ext cimport types


cdef class Edition:
    cdef types.EditionC c
    cdef readonly str name
    cdef readonly str digest


cdef class Game:
    cdef types.State state
    cdef types.State before
    cdef types.Setup start
    cdef bint has_setup
    cdef list forced_steps
    cdef readonly Edition edition

    cdef begin(self)
    cdef require_sound(self)


cdef class Observation:
    cdef types.ObservationC c
    cdef list forced_steps
    cdef readonly Edition edition

    cdef require_sound(self)
