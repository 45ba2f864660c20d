"""Single-observer ISMCTS (ARCHITECTURE.md, Search).

Each iteration samples a world that agrees with the observation, walks down the tree through decisions that are legal
in that world, adds one node, plays the game out and adds the outcome to every edge on the way: one value for each
seat, and each seat goes for its own. Nothing here sees more than an observation.
"""
from libc.math cimport log, sqrt
from libc.stdlib cimport calloc, free
from libc.string cimport memset
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from engine_ext.types cimport *
from engine_ext.agenda cimport legal_actions, step
from engine_ext.economy cimport imin
from engine_ext.knowledge cimport sample_world
from engine_ext.search.outcome cimport OutcomeC, StatsC, add_outcome, judge
from engine_ext.search.policy cimport choose, draw, play_out, weigh
from engine_ext.search.tree cimport (
    NONE, EdgeC, add_node, allocate, edge_at, find_outcome, free_tree, list_edges, make_tree, node_at,
)
from engine_ext.search.value cimport estimate


cdef enum:
    LAST_TURN = 32767       # later than any


cdef bint begin(SearchC* c, const EditionC* e, const ObservationC* o, uint64_t seed, uint64_t memory) noexcept nogil:
    """An empty search of a position whose game is not over; False if there is no memory for it."""
    memset(c, 0, sizeof(SearchC))
    c.edition = e
    c.observation = o[0]
    c.rng = seed
    c.places = <StatsC*>calloc(MAX_ACTIONS, sizeof(StatsC))
    if c.places == NULL or not make_tree(&c.tree, memory):
        return False
    c.root = add_node(&c.tree, &o.state, 0)
    return c.root != NONE


cdef void end(SearchC* c) noexcept nogil:
    free_tree(&c.tree)
    free(c.places)
    c.places = NULL


# --- what may be chosen ---------------------------------------------------------------------------------------------

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


cdef inline bint hidden(const SearchC* c, const Frame* f) noexcept nogil:
    """Whether the observer is not shown which action is chosen: a rival keeps a card of the draft."""
    return f.kind == DRAFT_KEEP and f.seat != c.observation.observer


# --- walking down ---------------------------------------------------------------------------------------------------

cdef int select_edge(SearchC* c, const State* s, int seat, const int16_t* options, int n,
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


cdef inline uint32_t mix(uint32_t key, int what) noexcept nogil:
    return (key ^ <uint32_t>(what + 1)) * <uint32_t>16777619


cdef uint32_t outcome_key(const SearchC* c, const State* s, int purple_pos, int draft_pass) noexcept nogil:
    """What the observer learns from an action besides the action: what turned up, and cards dealt to him."""
    cdef int observer = c.observation.observer
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


# --- whole turns ----------------------------------------------------------------------------------------------------

cdef uint64_t extend_key(uint64_t key, int kind, int argument) noexcept nogil:
    """The key of a beginning of a turn made one decision longer."""
    return (key ^ (<uint64_t>kind << 16 | <uint16_t>argument)) * <uint64_t>1099511628211ULL


cdef uint32_t find_beginning(const SearchC* c, uint64_t key) noexcept nogil:
    """Where the statistics of a beginning of the turn lie; NONE if it has none."""
    cdef uint32_t place = c.beginnings[(key >> 20) & (TURN_BUCKETS - 1)]
    while place != NONE and (<BeginningC*>edge_at(&c.tree, place)).key != key:
        place = (<BeginningC*>edge_at(&c.tree, place)).next
    return place


cdef void record_beginning(SearchC* c, uint64_t key, const OutcomeC* o) noexcept nogil:
    """Add an outcome to the statistics of a beginning of the turn; one that finds no memory is left out."""
    cdef uint32_t place = find_beginning(c, key)
    cdef uint32_t* bucket = &c.beginnings[(key >> 20) & (TURN_BUCKETS - 1)]
    if place == NONE:
        place = allocate(&c.tree, sizeof(BeginningC))
        if place == NONE:
            c.full = True
            return
        (<BeginningC*>edge_at(&c.tree, place)).key = key
        (<BeginningC*>edge_at(&c.tree, place)).next = bucket[0]
        bucket[0] = place
    add_outcome(&(<BeginningC*>edge_at(&c.tree, place)).stats, o, c.observation.state.seats)


cdef inline int last_turn(const SearchC* c, const State* s) noexcept nogil:
    """The turn that a playout goes on to: always whole rounds apart, so that all are cut with the same seat to move."""
    cdef int turn = c.observation.state.turn + c.cut
    if c.cut < 0:
        return LAST_TURN
    while turn < s.turn:
        turn += s.seats
    return turn


# --- one iteration --------------------------------------------------------------------------------------------------

cdef void iterate(SearchC* c) noexcept nogil:
    cdef State s
    cdef OutcomeC o
    cdef Frame f
    cdef uint64_t beginnings[MAX_TURN]
    cdef uint64_t beginning = FIRST_KEY
    cdef uint32_t path[MAX_DEPTH]
    cdef int16_t options[MAX_ACTIONS]
    cdef uint32_t edges[MAX_ACTIONS]
    cdef EdgeC* edge
    cdef const EditionC* e = c.edition
    cdef uint32_t node = c.root
    cdef uint32_t child
    cdef uint32_t taken
    cdef uint32_t key
    cdef uint32_t place = NONE
    cdef int turn = c.observation.state.turn
    cdef int seats = c.observation.state.seats
    cdef int decider = c.observation.state.frames[c.observation.state.depth - 1].seat
    cdef int last_sale = -1
    cdef int length = 0
    cdef int depth = 0
    cdef int purple_pos
    cdef int draft_pass
    cdef int argument = 0
    cdef int n
    cdef int i
    sample_world(e, &c.observation, &c.rng, &s)
    n = legal_actions(e, &s, options)
    if c.restricted:
        n = keep_allowed(c, options, n)
        if n == 0:                          # not legal in this world: say so by using up the iteration
            c.iterations += 1
            return
    while n and depth < MAX_DEPTH:
        f = s.frames[s.depth - 1]
        if hidden(c, &f):
            argument = options[choose(e, &s, options, n, c.playout, &c.rng)]
            options[0] = UNKNOWN
            n = 1
        elif depth:
            n = prune(&f, last_sale, options, n)
        if not list_edges(&c.tree, node, options, n, edges):
            c.full = True
            break
        if c.priors:
            i = select_likely(c, &s, f.seat, options, n, edges)
        else:
            i = select_edge(c, &s, f.seat, options, n, edges)
        taken = edges[i]
        if not hidden(c, &f):
            argument = options[i]
        path[depth] = taken
        depth += 1
        if f.kind == SELL:
            last_sale = argument
        if f.seat == decider and s.turn == turn and length < MAX_TURN:
            beginning = extend_key(beginning, f.kind, argument)
            beginnings[length] = beginning
            length += 1
        purple_pos = s.purple_pos
        draft_pass = s.draft_pass
        s.seen = 0
        n = step(e, &s, argument, options)
        key = outcome_key(c, &s, purple_pos, draft_pass)
        child = find_outcome(&c.tree, taken, key)
        if child == NONE:
            child = add_node(&c.tree, &s, key)
            if child == NONE:
                c.full = True
                break
            node_at(&c.tree, child).next = edge_at(&c.tree, taken).outcomes
            edge_at(&c.tree, taken).outcomes = child
            node_at(&c.tree, child).visits = 1
            break
        node_at(&c.tree, child).visits += 1
        node = child
    c.decisions += <uint64_t>play_out(e, &s, options, n, c.playout, last_turn(c, &s), &c.rng)
    if s.phase == PHASE_OVER:
        judge(e, &s, c.objective, &o)
    else:
        estimate(e, &s, &c.value, c.objective, &o)
    for i in range(depth):
        edge = edge_at(&c.tree, path[i])
        edge.visits += 1
        edge.value[0] += o.reward[0]
        edge.value[1] += o.reward[1]
        edge.value[2] += o.reward[2]
        edge.value[3] += o.reward[3]
    if depth:
        edge = edge_at(&c.tree, path[0])
        if edge.place == NONE and c.n_places < MAX_ACTIONS:
            c.n_places += 1
            edge.place = <uint32_t>c.n_places
        place = edge.place
    if place != NONE:
        add_outcome(&c.places[place - 1], &o, seats)
    if c.by_turn:
        for i in range(1, length):      # the first decisions have their statistics at the root
            record_beginning(c, beginnings[i], &o)
    node_at(&c.tree, c.root).visits += 1
    c.iterations += 1
    c.depth += <uint64_t>depth


cdef inline double now() noexcept nogil:
    cdef timespec t
    clock_gettime(CLOCK_MONOTONIC, &t)
    return t.tv_sec + 1e-9 * t.tv_nsec


cdef int run(SearchC* c, uint64_t iterations, double seconds, volatile int* cancelled) noexcept nogil:
    """Search on until so many iterations in all were made, or so much time has passed, or the flag is raised.

    ``seconds`` below 0 means no limit. At least one iteration is made in a search that has none yet. Returns a Stop.
    """
    cdef double until = now() + seconds
    while c.iterations < iterations:
        if c.iterations:
            if c.full:
                return STOP_MEMORY
            if cancelled != NULL and cancelled[0]:
                return STOP_CANCELLED
            if seconds >= 0.0 and now() >= until:
                return STOP_TIME
        iterate(c)
    return STOP_ITERATIONS
