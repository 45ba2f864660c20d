from engine_ext.types cimport *
from engine_ext.search.search cimport SearchC

cdef void draw_world(SearchC* c, State* out) noexcept nogil
