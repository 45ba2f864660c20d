from engine_ext.types cimport *

cdef void observe(const EditionC* e, const State* s, int seat, ObservationC* out) noexcept nogil
cdef void make_canonical(const EditionC* e, State* s) noexcept nogil
cdef void sample_world(const EditionC* e, const ObservationC* o, uint64_t* rng, State* out) noexcept nogil
cdef int hidden_pool(const EditionC* e, const State* s, int deck, uint8_t* out) noexcept nogil
cdef bint may_have_kept(const EditionC* e, const State* s, int observer, int seat, int card) noexcept nogil
cdef void mask_packet(const EditionC* e, State* s, int packet, int seat) noexcept nogil
