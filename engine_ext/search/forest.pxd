from engine_ext.search.search cimport SearchC

cdef bint plant(SearchC* c) noexcept nogil
cdef void iterate_forest(SearchC* c) noexcept nogil
