from engine_ext.types cimport *
from engine_ext.search.search cimport SearchC

cdef bint begin(SearchC* c, const EditionC* e, const ObservationC* o, int algorithm, uint64_t seed,
                uint64_t memory) noexcept nogil
cdef void end(SearchC* c) noexcept nogil
cdef int run(SearchC* c, uint64_t iterations, double seconds, volatile int* cancelled) noexcept nogil
