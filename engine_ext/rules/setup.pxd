from engine_ext.types cimport *

cdef void deal(const EditionC* e, int seats, int options, uint64_t seed, Setup* out) noexcept nogil
cdef void lay_out(const EditionC* e, const Setup* setup, State* s) noexcept nogil
