"""The search itself: single-observer information-set Monte Carlo tree search over agenda decisions."""
from engine_ext.types cimport *
from engine_ext.search.outcome cimport StatsC
from engine_ext.search.tree cimport TreeC
from engine_ext.search.value cimport ValueC

cdef enum:
    MAX_DEPTH = 512         # decisions of one iteration inside the tree
    MAX_TURN = 24           # decisions of one seat in one turn that are told apart
    TURN_BUCKETS = 4096

cdef extern from *:
    const uint64_t FIRST_KEY "14695981039346656037ULL"   # of a turn not yet begun

cdef enum:  # Stop: why run() came back
    STOP_ITERATIONS = 0
    STOP_TIME = 1
    STOP_MEMORY = 2
    STOP_CANCELLED = 3

cdef struct BeginningC:     # the first decisions of a turn by the seat that decides first, and what came of them
    uint64_t key
    uint32_t next           # in the same bucket
    uint32_t spare
    StatsC stats

cdef struct SearchC:
    const EditionC* edition
    ObservationC observation
    TreeC tree
    uint32_t root
    uint64_t rng
    double exploration
    bint priors             # selection goes by the cheap policy's weights, and what is untried is not tried first
    double objective
    int playout
    int cut                 # turns that a playout goes on beyond its first; below 0: to the end of the game
    ValueC value            # what a game cut short is worth
    bint by_turn            # keep statistics of longer beginnings of the turn too
    bint restricted         # only the allowed arguments are considered at the root
    int n_allowed
    int16_t allowed[256]
    int n_places
    StatsC* places          # statistics of the root's edges, by place - 1
    uint32_t beginnings[4096]
    uint64_t iterations
    uint64_t decisions      # taken in playouts
    uint64_t depth          # decisions taken inside the tree
    bint full

cdef bint begin(SearchC* c, const EditionC* e, const ObservationC* o, uint64_t seed, uint64_t memory) noexcept nogil
cdef void end(SearchC* c) noexcept nogil
cdef uint64_t extend_key(uint64_t key, int kind, int argument) noexcept nogil
cdef uint32_t find_beginning(const SearchC* c, uint64_t key) noexcept nogil
cdef int run(SearchC* c, uint64_t iterations, double seconds, volatile int* cancelled) noexcept nogil
