"""The cheap policy: how playouts choose, and in which order the tree tries actions."""
from engine_ext.types cimport *

cdef enum:  # Playout: how playouts choose
    PLAYOUT_SENSIBLE = 0    # by the weights of weigh()
    PLAYOUT_UNIFORM = 1     # every legal action equally
    PLAYOUT_SHARP = 2       # the heavier of two drawn by weight

cdef bint weigh(const EditionC* e, const State* s, const int16_t* options, int n, int* weights) noexcept nogil
cdef int draw(uint64_t* rng, const int* weights, int n) noexcept nogil
cdef int choose(const EditionC* e, const State* s, const int16_t* options, int n, int playout,
                uint64_t* rng) noexcept nogil
cdef int play_out(const EditionC* e, State* s, int16_t* options, int n, int playout, int last_turn,
                  uint64_t* rng) noexcept nogil
