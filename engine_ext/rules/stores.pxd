from engine_ext.types cimport *

cdef int land_price(const EditionC* e, const State* s, int seat, int land) noexcept nogil
