from engine_ext.types cimport *

cdef uint64_t broken_invariants(const EditionC* e, const State* s, int observer) noexcept nogil
