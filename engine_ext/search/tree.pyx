"""The tree of a search (ARCHITECTURE.md, Search): an arena without pointers, so that growing is a copy."""
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memset

from engine_ext.types cimport *


cdef bint make_tree(TreeC* t, uint64_t limit) noexcept nogil:
    """An empty arena of at most ``limit`` bytes (32 GiB at most); False if there is no memory for its first piece."""
    memset(t, 0, sizeof(TreeC))
    if limit > (<uint64_t>1 << 35) - 8:
        limit = (<uint64_t>1 << 35) - 8
    t.limit = <uint32_t>(limit >> 3)
    t.used = 1
    t.n_buckets = FIRST_BUCKETS
    t.buckets = <uint32_t*>calloc(FIRST_BUCKETS, sizeof(uint32_t))
    return t.buckets != NULL and grow(t, 1 << 13)


cdef void free_tree(TreeC* t) noexcept nogil:
    free(t.base)
    free(t.buckets)
    t.base = NULL
    t.buckets = NULL


cdef bint grow(TreeC* t, uint64_t size) noexcept nogil:
    """Room for ``size`` units or, if that is over the limit, for as many as allowed."""
    cdef char* base
    if size > t.limit:
        size = t.limit
    if size <= t.size:
        return False
    base = <char*>realloc(t.base, size * 8)
    if base == NULL:
        return False
    t.base = base
    t.size = <uint32_t>size
    return True


cdef uint32_t allocate(TreeC* t, uint32_t size) noexcept nogil:
    """Place for ``size`` bytes, zeroed; NONE when the memory is used up."""
    cdef uint32_t units = (size + 7) >> 3
    cdef uint32_t place = t.used
    if <uint64_t>t.used + units > t.size:
        if not grow(t, <uint64_t>t.size * 2) or <uint64_t>t.used + units > t.size:
            return NONE
    t.used += units
    memset(t.base + <uint64_t>place * 8, 0, units * 8)
    return place


cdef uint32_t add_node(TreeC* t, const State* s, uint32_t key) noexcept nogil:
    """A node for the decision pending in a state; NONE when the memory is used up."""
    cdef uint32_t i = allocate(t, sizeof(NodeC))
    cdef NodeC* node
    cdef const Frame* f
    if i == NONE:
        return NONE
    t.nodes += 1
    node = node_at(t, i)
    node.key = key
    node.turn = s.turn
    node.kind = N_KINDS
    if s.phase != PHASE_OVER and s.depth:
        f = &s.frames[s.depth - 1]
        node.a = f.a
        node.b = f.b
        node.kind = f.kind
        node.seat = f.seat
    return i


cdef bint list_edges(TreeC* t, uint32_t node, const int16_t* options, int n, uint32_t* edges) noexcept nogil:
    """The edge of each option, made where it is new; False when the memory is used up.

    Worlds mostly agree on what is legal and in which order, so the edges are walked along with the options.
    """
    cdef uint32_t cursor = node_at(t, node).edges
    cdef uint32_t found
    cdef uint32_t last
    cdef int i
    for i in range(n):
        if cursor != NONE and edge_at(t, cursor).argument == options[i]:
            edges[i] = cursor
            cursor = edge_at(t, cursor).next
            continue
        last = NONE
        found = node_at(t, node).edges
        while found != NONE and edge_at(t, found).argument != options[i]:
            last = found
            found = edge_at(t, found).next
        if found == NONE:
            found = allocate(t, sizeof(EdgeC))
            if found == NONE:
                return False
            edge_at(t, found).argument = options[i]
            if last == NONE:
                node_at(t, node).edges = found
            else:
                edge_at(t, last).next = found
        edges[i] = found
        cursor = edge_at(t, found).next
    return True


cdef inline uint32_t* bucket(const TreeC* t, uint32_t edge, uint32_t key) noexcept nogil:
    cdef uint32_t mixed = (key ^ edge * <uint32_t>0x9E3779B1) * <uint32_t>0x85EBCA6B
    return &t.buckets[(mixed ^ mixed >> 15) & (t.n_buckets - 1)]


cdef void more_buckets(TreeC* t) noexcept nogil:
    """Twice as many buckets, so that chains stay short; without memory for them they just get longer."""
    cdef uint32_t* old = t.buckets
    cdef uint32_t* fresh = <uint32_t*>calloc(2 * <uint64_t>t.n_buckets, sizeof(uint32_t))
    cdef uint32_t* first
    cdef uint32_t i
    cdef uint32_t node
    cdef uint32_t following
    if fresh == NULL:
        return
    t.buckets = fresh
    t.n_buckets *= 2
    for i in range(t.n_buckets // 2):
        node = old[i]
        while node != NONE:
            following = node_at(t, node).chain
            first = bucket(t, node_at(t, node).edge, node_at(t, node).key)
            node_at(t, node).chain = first[0]
            first[0] = node
            node = following
    free(old)


cdef void link_outcome(TreeC* t, uint32_t edge, uint32_t node) noexcept nogil:
    """Make a node one of those that an edge leads to."""
    cdef NodeC* child = node_at(t, node)
    cdef uint32_t* first
    if t.nodes > t.n_buckets:
        more_buckets(t)
    first = bucket(t, edge, child.key)
    child.edge = edge
    child.chain = first[0]
    first[0] = node
    child.next = edge_at(t, edge).outcomes
    edge_at(t, edge).outcomes = node


cdef uint32_t find_outcome(const TreeC* t, uint32_t edge, uint32_t key) noexcept nogil:
    """The node an edge led to when the observer saw just this; NONE if it never has."""
    cdef uint32_t i = bucket(t, edge, key)[0]
    while i != NONE and (node_at(t, i).key != key or node_at(t, i).edge != edge):
        i = node_at(t, i).chain
    return i
