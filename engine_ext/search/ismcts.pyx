"""Information-set Monte Carlo tree search (ARCHITECTURE.md, Search).

Each iteration samples a world that agrees with the observation, walks down the tree through decisions that are legal
in that world, adds one node, plays the game out and adds the outcome to every edge on the way: one value for each
seat, and each seat goes for its own. Nothing here sees more than an observation.

Here are the search with one tree of what the observer sees, and two baselines that share its walk: perfect-information
Monte Carlo, which has a tree for each of a few worlds, and flat Monte Carlo, whose tree ends after the first action.
"""
from libc.stdlib cimport calloc, free
from libc.string cimport memset
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from engine_ext.types cimport *
from engine_ext.agenda cimport legal_actions, step
from engine_ext.knowledge cimport sample_world
from engine_ext.search.backup cimport back_up, extend_key, play, record
from engine_ext.search.forest cimport iterate_forest, plant
from engine_ext.search.outcome cimport OutcomeC, StatsC
from engine_ext.search.policy cimport choose
from engine_ext.search.search cimport (
    FIRST_KEY, FLAT, MAX_DEPTH, MAX_TURN, MULTIPLE_OBSERVER, N_WORLDS, PERFECT_INFORMATION, REDETERMINIZING, STOP_CANCELLED,
    STOP_ITERATIONS, STOP_MEMORY, STOP_TIME, SearchC,
)
from engine_ext.search.selection cimport keep_allowed, outcome_key, prune, select_edge
from engine_ext.search.tree cimport (
    NONE, add_node, find_outcome, free_tree, link_outcome, list_edges, make_tree, node_at,
)
from engine_ext.search.worlds cimport draw_world


cdef bint begin(SearchC* c, const EditionC* e, const ObservationC* o, int algorithm, uint64_t seed,
                uint64_t memory) noexcept nogil:
    """An empty search of a position whose game is not over; False if there is no memory for it."""
    memset(c, 0, sizeof(SearchC))
    c.edition = e
    c.observation = o[0]
    c.algorithm = algorithm
    c.rng = seed
    c.places = <StatsC*>calloc(MAX_ACTIONS, sizeof(StatsC))
    if c.places == NULL or not make_tree(&c.tree, memory):
        return False
    c.root = add_node(&c.tree, &o.state, 0)
    if algorithm == PERFECT_INFORMATION:
        return open_worlds(c)
    if algorithm == MULTIPLE_OBSERVER or algorithm == REDETERMINIZING:
        return plant(c)
    return c.root != NONE


cdef bint open_worlds(SearchC* c) noexcept nogil:
    """The worlds of perfect-information search and their roots, chained."""
    cdef int i
    c.worlds = <State*>calloc(N_WORLDS, sizeof(State))
    if c.worlds == NULL:
        return False
    for i in range(N_WORLDS):
        sample_world(c.edition, &c.observation, &c.rng, &c.worlds[i])
        c.roots[i] = c.root if i == 0 else add_node(&c.tree, &c.worlds[i], 0)
        if c.roots[i] == NONE:
            return False
        if i:
            node_at(&c.tree, c.roots[i - 1]).next = c.roots[i]
    return True


cdef void end(SearchC* c) noexcept nogil:
    free_tree(&c.tree)
    free(c.places)
    free(c.worlds)
    free(c.views)
    c.places = NULL
    c.worlds = NULL
    c.views = NULL


cdef inline bint hidden(const SearchC* c, const Frame* f) noexcept nogil:
    """Whether the observer is not shown which action is chosen: a rival keeps a card of the draft."""
    return f.kind == DRAFT_KEEP and f.seat != c.observation.observer and c.algorithm != PERFECT_INFORMATION


cdef void iterate(SearchC* c) noexcept nogil:
    cdef State s
    cdef OutcomeC o
    cdef Frame f
    cdef uint64_t beginnings[MAX_TURN]
    cdef uint64_t beginning = FIRST_KEY
    cdef uint32_t path[MAX_DEPTH]
    cdef int16_t options[MAX_ACTIONS]
    cdef uint32_t edges[MAX_ACTIONS]
    cdef const EditionC* e = c.edition
    cdef uint32_t node = c.root
    cdef uint32_t child
    cdef uint32_t taken
    cdef uint32_t key
    cdef int observer = c.observation.observer
    cdef int turn = c.observation.state.turn
    cdef int decider = c.observation.state.frames[c.observation.state.depth - 1].seat
    cdef int deepest = 1 if c.algorithm == FLAT else MAX_DEPTH
    cdef int last_sale = -1
    cdef int length = 0
    cdef int depth = 0
    cdef int purple_pos
    cdef int draft_pass
    cdef int argument = 0
    cdef int n
    cdef int i
    if c.algorithm == PERFECT_INFORMATION:
        i = <int>(c.iterations % N_WORLDS)
        s = c.worlds[i]
        node = c.roots[i]
    else:
        draw_world(c, &s)
    n = legal_actions(e, &s, options)
    if c.restricted:
        n = keep_allowed(c, options, n)
        if n == 0:                          # not legal in this world: say so by using up the iteration
            c.iterations += 1
            return
    while n and depth < deepest:
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
        key = outcome_key(&s, observer, purple_pos, draft_pass)
        child = find_outcome(&c.tree, taken, key)
        if child == NONE:
            child = add_node(&c.tree, &s, key)
            if child == NONE:
                c.full = True
                break
            link_outcome(&c.tree, taken, child)
            node_at(&c.tree, child).visits = 1
            break
        node_at(&c.tree, child).visits += 1
        node = child
    play(c, &s, options, n, &o)
    back_up(c, path, depth, 1, &o)
    if depth:
        record(c, path[0], beginnings, length, &o)
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
        if c.algorithm == MULTIPLE_OBSERVER or c.algorithm == REDETERMINIZING:
            iterate_forest(c)
        else:
            iterate(c)
    return STOP_ITERATIONS
