"""The tree: nodes and edges in one arena that grows up to a stated size, addressed by integers."""
from engine_ext.types cimport *

cdef enum:
    NONE = 0                # no such node or edge
    FIRST_BUCKETS = 32768   # a power of two; twice as many whenever there are more nodes than buckets

cdef struct NodeC:          # what the observer knows where a decision waits
    uint32_t next           # the next outcome of the same edge
    uint32_t key            # hash of what the observer saw on the way here from the edge
    uint32_t edge           # the edge that led here
    uint32_t chain          # the next node in the same bucket
    uint32_t edges          # the first one
    uint32_t visits
    int16_t a               # the decision: its frame's arguments, kind and seat
    int16_t b
    int16_t turn
    uint8_t kind            # N_KINDS: the game is over
    int8_t seat

cdef struct EdgeC:          # an action that was legal here in some world
    double value[4]         # sum of rewards, by seat
    uint32_t next           # the next edge of the same node
    uint32_t outcomes       # the first node it led to
    uint32_t visits
    uint32_t available      # visits of the node in whose worlds it was legal
    int16_t argument
    uint16_t weight         # of the cheap policy, when the edge was first listed; 0: not asked yet
    uint32_t place          # of the root's edges: where their statistics lie

cdef struct TreeC:
    char* base
    uint32_t* buckets       # nodes by edge and key: an edge may lead to thousands of them
    uint32_t used           # in units of 8 bytes; the first unit is never handed out
    uint32_t size
    uint32_t limit
    uint32_t nodes
    uint32_t n_buckets

cdef bint make_tree(TreeC* t, uint64_t limit) noexcept nogil
cdef void free_tree(TreeC* t) noexcept nogil
cdef uint32_t allocate(TreeC* t, uint32_t size) noexcept nogil
cdef uint32_t add_node(TreeC* t, const State* s, uint32_t key) noexcept nogil
cdef bint list_edges(TreeC* t, uint32_t node, const int16_t* options, int n, uint32_t* edges) noexcept nogil
cdef void link_outcome(TreeC* t, uint32_t edge, uint32_t node) noexcept nogil
cdef uint32_t find_outcome(const TreeC* t, uint32_t edge, uint32_t key) noexcept nogil


cdef inline NodeC* node_at(const TreeC* t, uint32_t i) noexcept nogil:
    """Valid until the next allocation, which may move the arena."""
    return <NodeC*>(t.base + <uint64_t>i * 8)


cdef inline EdgeC* edge_at(const TreeC* t, uint32_t i) noexcept nogil:
    """Valid until the next allocation, which may move the arena."""
    return <EdgeC*>(t.base + <uint64_t>i * 8)
