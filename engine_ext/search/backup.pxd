from engine_ext.types cimport *
from engine_ext.search.outcome cimport OutcomeC
from engine_ext.search.search cimport SearchC

cdef uint64_t extend_key(uint64_t key, int kind, int argument) noexcept nogil
cdef uint32_t find_beginning(const SearchC* c, uint64_t key) noexcept nogil
cdef void play(SearchC* c, State* s, int16_t* options, int n, OutcomeC* o) noexcept nogil
cdef void back_up(SearchC* c, const uint32_t* path, int depth, int stride, const OutcomeC* o) noexcept nogil
cdef void record(SearchC* c, uint32_t first, const uint64_t* beginnings, int length, const OutcomeC* o) noexcept nogil
