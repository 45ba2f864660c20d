"""Multiple-observer search: a tree for each seat, of what that seat sees, its own hand included.

An iteration walks down all trees at the same time, and a decision is made in the tree of the seat whose decision it
is. So a rival's choice rests on what the rival sees, hand and all, and not on what the observer holds.

With re-determinizing a rival's tree is searched by passes of its own: the observer's world says what the rival holds,
and everything else is drawn again from what a seat with that hand may know. A pass changes no tree but the one it is
made for; the other seats act in it as their own passes have found, or by the cheap policy.
"""
from engine_ext.types cimport *
from engine_ext.agenda cimport legal_actions, step
from engine_ext.knowledge cimport observe, sample_world
from engine_ext.search.backup cimport back_up, extend_key, play, record
from engine_ext.search.outcome cimport OutcomeC
from engine_ext.search.policy cimport choose
from engine_ext.search.search cimport FIRST_KEY, MAX_DEPTH, MAX_TURN, REDETERMINIZING, SearchC
from engine_ext.search.selection cimport keep_allowed, outcome_key, prune, select_edge
from engine_ext.search.tree cimport (
    NONE, EdgeC, add_node, allocate, edge_at, find_outcome, link_outcome, list_edges, node_at,
)
from engine_ext.search.worlds cimport draw_world


cdef bint plant(SearchC* c) noexcept nogil:
    """An anchor for each seat's roots; False if there is no memory for them."""
    cdef int seat
    for seat in range(c.observation.state.seats):
        c.anchors[seat] = allocate(&c.tree, sizeof(EdgeC))
        if c.anchors[seat] == NONE:
            return False
    return c.root != NONE


cdef uint32_t hand_key(const State* s, int seat) noexcept nogil:
    """The same for the same cards in whatever order."""
    cdef const Player* p = &s.players[seat]
    cdef uint64_t key = 0
    cdef int i
    for i in range(p.n_hand):
        key += (<uint64_t>p.hand[i] + 1) * <uint64_t>0x9E3779B97F4A7C15ULL ^ (<uint64_t>p.hand[i] << 40)
    return <uint32_t>(key >> 24)


cdef uint32_t find_or_add(SearchC* c, uint32_t edge, const State* s, uint32_t key, bint* fresh) noexcept nogil:
    """The node an edge leads to, made if it is new; NONE when the memory is used up."""
    cdef uint32_t child = find_outcome(&c.tree, edge, key)
    fresh[0] = child == NONE
    if child == NONE:
        child = add_node(&c.tree, s, key)
        if child == NONE:
            c.full = True
            return NONE
        link_outcome(&c.tree, edge, child)
    node_at(&c.tree, child).visits += 1
    return child


cdef int known_best(SearchC* c, const State* s, uint32_t node, const int16_t* options, int n) noexcept nogil:
    """What a tree that is not searched now takes: its most visited option, the cheap policy's choice if it has none."""
    cdef uint32_t most = 0
    cdef uint32_t edge
    cdef int chosen = -1
    cdef int i
    if node != NONE:
        edge = node_at(&c.tree, node).edges
        while edge != NONE:
            if edge_at(&c.tree, edge).visits > most:
                for i in range(n):
                    if options[i] == edge_at(&c.tree, edge).argument:
                        most = edge_at(&c.tree, edge).visits
                        chosen = i
                        break
            edge = edge_at(&c.tree, edge).next
    return chosen if chosen >= 0 else choose(c.edition, s, options, n, c.playout, &c.rng)


cdef uint32_t follow(SearchC* c, uint32_t node, int argument, uint32_t key) noexcept nogil:
    """Where an action leads in a tree that is not searched now; NONE where it ends."""
    cdef uint32_t edge
    if node == NONE:
        return NONE
    edge = node_at(&c.tree, node).edges
    while edge != NONE and edge_at(&c.tree, edge).argument != argument:
        edge = edge_at(&c.tree, edge).next
    return NONE if edge == NONE else find_outcome(&c.tree, edge, key)


cdef bint walk(SearchC* c, State* s, int perspective) noexcept nogil:
    """One pass: down the trees, until the perspective's own one ends, and back up. False if no first action is legal."""
    cdef OutcomeC o
    cdef Frame f
    cdef uint64_t beginnings[MAX_TURN]
    cdef uint64_t beginning = FIRST_KEY
    cdef uint32_t paths[4 * MAX_DEPTH]
    cdef uint32_t nodes[4]
    cdef bint searched[4]
    cdef int16_t options[MAX_ACTIONS]
    cdef uint32_t edges[MAX_ACTIONS]
    cdef const EditionC* e = c.edition
    cdef uint32_t taken
    cdef int observer = c.observation.observer
    cdef int turn = c.observation.state.turn
    cdef int decider = c.observation.state.frames[c.observation.state.depth - 1].seat
    cdef int seats = s.seats
    cdef bint fresh = False
    cdef bint new_node = False
    cdef int16_t seen
    cdef int last_sale = -1
    cdef int length = 0
    cdef int depth = 0
    cdef int purple_pos
    cdef int draft_pass
    cdef int argument
    cdef int seat
    cdef int i
    cdef int n = legal_actions(e, s, options)
    if c.restricted:
        n = keep_allowed(c, options, n)
        if n == 0:
            return False
    for seat in range(seats):
        searched[seat] = c.algorithm != REDETERMINIZING or seat == perspective
        if seat == observer and perspective == observer:
            nodes[seat] = c.root
        elif searched[seat]:
            nodes[seat] = find_or_add(c, c.anchors[seat], s, hand_key(s, seat), &fresh)
        else:
            nodes[seat] = find_outcome(&c.tree, c.anchors[seat], hand_key(s, seat))
    while n and depth < MAX_DEPTH and not new_node and not c.full:
        f = s.frames[s.depth - 1]
        if depth:
            n = prune(&f, last_sale, options, n)
        taken = NONE
        if searched[f.seat]:
            if not list_edges(&c.tree, nodes[f.seat], options, n, edges):
                c.full = True
                break
            i = select_edge(c, s, f.seat, options, n, edges)
            taken = edges[i]
        else:
            i = known_best(c, s, nodes[f.seat], options, n)
        argument = options[i]
        for seat in range(seats):
            paths[depth * 4 + seat] = NONE
            if not searched[seat]:
                continue
            paths[depth * 4 + seat] = taken
            if seat != f.seat:
                seen = <int16_t>(UNKNOWN if f.kind == DRAFT_KEEP else argument)
                if not list_edges(&c.tree, nodes[seat], &seen, 1, &paths[depth * 4 + seat]):
                    c.full = True
                    paths[depth * 4 + seat] = NONE
                    continue
                edge_at(&c.tree, paths[depth * 4 + seat]).available += 1
        if f.kind == SELL:
            last_sale = argument
        if f.seat == decider and s.turn == turn and length < MAX_TURN:
            beginning = extend_key(beginning, f.kind, argument)
            beginnings[length] = beginning
            length += 1
        purple_pos = s.purple_pos
        draft_pass = s.draft_pass
        s.seen = 0
        n = step(e, s, argument, options)
        for seat in range(seats):
            taken = paths[depth * 4 + seat]
            if searched[seat] and taken != NONE:
                nodes[seat] = find_or_add(c, taken, s, outcome_key(s, seat, purple_pos, draft_pass), &fresh)
                if seat == perspective:
                    new_node = fresh
            else:
                nodes[seat] = follow(c, nodes[seat], UNKNOWN if f.kind == DRAFT_KEEP and seat != f.seat else argument,
                                     outcome_key(s, seat, purple_pos, draft_pass))
        depth += 1
    play(c, s, options, n, &o)
    for seat in range(seats):
        back_up(c, &paths[seat], depth, 4, &o)
    if perspective == observer:
        if depth and paths[observer] != NONE:
            record(c, paths[observer], beginnings, length, &o)
        node_at(&c.tree, c.root).visits += 1
        c.depth += <uint64_t>depth
    return True


cdef void iterate_forest(SearchC* c) noexcept nogil:
    """A pass for the observer; with re-determinizing, a pass for each rival before it."""
    cdef State world
    cdef State s
    cdef ObservationC view
    cdef int observer = c.observation.observer
    cdef int seat
    draw_world(c, &world)
    if c.algorithm == REDETERMINIZING:
        for seat in range(world.seats):
            if seat != observer:
                observe(c.edition, &world, seat, &view)
                sample_world(c.edition, &view, &c.rng, &s)
                walk(c, &s, seat)
    walk(c, &world, observer)
    c.iterations += 1
