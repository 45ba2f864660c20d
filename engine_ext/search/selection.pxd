from engine_ext.types cimport *
from engine_ext.search.search cimport SearchC

cdef int keep_allowed(const SearchC* c, int16_t* options, int n) noexcept nogil
cdef int prune(const Frame* f, int last_sale, int16_t* options, int n) noexcept nogil
cdef int select_edge(SearchC* c, const State* s, int seat, const int16_t* options, int n,
                     const uint32_t* edges) noexcept nogil
cdef uint32_t outcome_key(const State* s, int observer, int purple_pos, int draft_pass) noexcept nogil
