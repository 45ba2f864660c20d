from engine_ext.types cimport *

cdef int visit_cost(const EditionC* e, const State* s, int seat, int noble, bint following) noexcept nogil
