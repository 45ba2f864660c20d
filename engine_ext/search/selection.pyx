"""Which action an iteration takes inside the tree, and what of its consequences is told apart."""
from libc.math cimport log, sqrt

from engine_ext.types cimport *
from engine_ext.economy cimport imin
from engine_ext.search.policy cimport draw, weigh
from engine_ext.search.search cimport FLAT, SearchC
from engine_ext.search.tree cimport EdgeC, edge_at


# --- what may be chosen ----------------------------------------------------------------------------------------------

cdef int keep_allowed(const SearchC* c, int16_t* options, int n) noexcept nogil:
    """Only the arguments that the caller asked for, at the root."""
    cdef int kept = 0
    cdef int i
    cdef int j
    for i in range(n):
        for j in range(c.n_allowed):
            if options[i] == c.allowed[j]:
                options[kept] = options[i]
                kept += 1
                break
    return kept


cdef int prune(const Frame* f, int last_sale, int16_t* options, int n) noexcept nogil:
    """Drop what another order or payment covers: sales are made in rising order, officials leave the plazas first."""
    cdef int kept = 0
    cdef int most = 0
    cdef int i
    if f.kind == SELL and f.a and last_sale >= 0:
        for i in range(n):
            if options[i] >= last_sale:
                options[kept] = options[i]
                kept += 1
        return kept
    if f.kind == BUILDING_OFFICIALS:
        for i in range(n):
            if options[i] // 729 > most:
                most = options[i] // 729
        for i in range(n):
            if options[i] // 729 == most:
                options[kept] = options[i]
                kept += 1
        return kept
    return n


# --- what is chosen --------------------------------------------------------------------------------------------------

cdef int select_untried_first(SearchC* c, const State* s, int seat, const int16_t* options, int n,
                              const uint32_t* edges) noexcept nogil:
    """The option with the highest upper confidence bound; those never tried come first, drawn by the cheap policy.

    An edge's exploration term counts the visits in which it was available, not all of them.
    """
    cdef int weights[MAX_ACTIONS]
    cdef int untried[MAX_ACTIONS]
    cdef EdgeC* edge
    cdef uint32_t available = 0
    cdef double logarithm = 0.0
    cdef double bound
    cdef double best = -1.0
    cdef int chosen = 0
    cdef int fresh = 0
    cdef int i
    for i in range(n):
        edge = edge_at(&c.tree, edges[i])
        edge.available += 1
        if edge.visits == 0:
            untried[fresh] = i
            fresh += 1
        elif fresh == 0:
            if edge.available != available:
                available = edge.available
                logarithm = log(<double>available)
            bound = edge.value[seat] / edge.visits + c.exploration * sqrt(logarithm / edge.visits)
            if bound > best:
                best = bound
                chosen = i
    if fresh == 0:
        return chosen
    if fresh == 1:
        return untried[0]
    if not weigh(c.edition, s, options, n, weights):
        for i in range(n):
            weights[i] = 1
    for i in range(fresh):          # ascending places, so nothing is overwritten before it is read
        weights[i] = weights[untried[i]]
    return untried[draw(&c.rng, weights, fresh)]


cdef void weigh_edges(SearchC* c, const State* s, const int16_t* options, int n, const uint32_t* edges) noexcept nogil:
    """Give the edges that have none yet the cheap policy's weight."""
    cdef int weights[MAX_ACTIONS]
    cdef bint known
    cdef int i
    for i in range(n):
        if edge_at(&c.tree, edges[i]).weight == 0:
            break
    else:
        return
    known = weigh(c.edition, s, options, n, weights)
    for i in range(n):
        if edge_at(&c.tree, edges[i]).weight == 0:
            edge_at(&c.tree, edges[i]).weight = <uint16_t>(imin(65535, 4 * weights[i]) if known else 4)


cdef int select_likely(SearchC* c, const State* s, int seat, const int16_t* options, int n,
                       const uint32_t* edges) noexcept nogil:
    """The option with the highest value plus a bonus for what the cheap policy likes and was seldom tried (PUCT).

    What was never tried is taken to be worth as much as the rest of the node.
    """
    cdef EdgeC* edge
    cdef uint32_t total = 0
    cdef double value = 0.0
    cdef double bound
    cdef double best = -1e9
    cdef uint32_t visits = 0
    cdef int chosen = 0
    cdef int i
    weigh_edges(c, s, options, n, edges)
    for i in range(n):
        edge = edge_at(&c.tree, edges[i])
        edge.available += 1
        value += edge.value[seat]
        visits += edge.visits
        total += edge.weight
    value = value / visits if visits else 0.5
    for i in range(n):
        edge = edge_at(&c.tree, edges[i])
        bound = edge.value[seat] / edge.visits if edge.visits else value
        bound += c.exploration * edge.weight / total * sqrt(<double>edge.available) / (1.0 + edge.visits)
        if bound > best:
            best = bound
            chosen = i
    return chosen


cdef int select_fewest(SearchC* c, const int16_t* options, int n, const uint32_t* edges) noexcept nogil:
    """The option that was tried least."""
    cdef int chosen = 0
    cdef int i
    for i in range(n):
        edge_at(&c.tree, edges[i]).available += 1
        if edge_at(&c.tree, edges[i]).visits < edge_at(&c.tree, edges[chosen]).visits:
            chosen = i
    return chosen


cdef int select_edge(SearchC* c, const State* s, int seat, const int16_t* options, int n,
                     const uint32_t* edges) noexcept nogil:
    """The place of the option that a seat takes inside the tree."""
    if c.algorithm == FLAT:
        return select_fewest(c, options, n, edges)
    if c.priors:
        return select_likely(c, s, seat, options, n, edges)
    return select_untried_first(c, s, seat, options, n, edges)


# --- what is told apart ----------------------------------------------------------------------------------------------

cdef inline uint32_t mix(uint32_t key, int what) noexcept nogil:
    return (key ^ <uint32_t>(what + 1)) * <uint32_t>16777619


cdef uint32_t outcome_key(const State* s, int observer, int purple_pos, int draft_pass) noexcept nogil:
    """What the observer learns from an action besides the action: what turned up, and cards dealt to him."""
    cdef const Player* p = &s.players[observer]
    cdef uint32_t key = s.seen
    cdef int packet
    cdef int i
    if s.phase != PHASE_OVER and s.depth:
        key = mix(key, s.frames[s.depth - 1].kind)
        key = mix(key, s.frames[s.depth - 1].seat)
    if s.purple_pos != purple_pos:
        for i in range(p.n_hand):
            key = mix(key, p.hand[i])
    if s.draft_pass != draft_pass:
        packet = (observer - s.draft_pass + 2 * s.seats) % s.seats
        for i in range(s.draft_pass + 1, HAND):
            key = mix(key, s.packets[packet][i])
    return key
