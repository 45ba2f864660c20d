from engine_ext.types cimport *

cdef void score_final(const EditionC* e, const State* s, int16_t* ledger) noexcept nogil
cdef int64_t standing(const Player* p) noexcept nogil
cdef int winners(const EditionC* e, const State* s) noexcept nogil
cdef int decree_count(const EditionC* e, const State* s, int seat, const Decree* d) noexcept nogil
