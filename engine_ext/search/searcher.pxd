"""What other modules of the search may reach of a searcher."""
from engine_ext.core cimport Observation
from engine_ext.search.search cimport SearchC


cdef class CancelFlag:
    cdef volatile int raised


cdef class Searcher:
    cdef SearchC c
    cdef readonly Observation observation
    cdef tuple views        # kept alive: worlds are drawn from them
    cdef bint begun
