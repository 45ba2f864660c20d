"""What an iteration leaves behind: the outcome of its playout, in the tree and in the statistics of the candidates."""
from engine_ext.types cimport *
from engine_ext.search.outcome cimport OutcomeC, add_outcome, judge
from engine_ext.search.policy cimport play_out
from engine_ext.search.search cimport LAST_TURN, TURN_BUCKETS, BeginningC, SearchC
from engine_ext.search.tree cimport NONE, EdgeC, allocate, edge_at
from engine_ext.search.value cimport estimate


cdef inline int last_turn(const SearchC* c, const State* s) noexcept nogil:
    """The turn that a playout goes on to: always whole rounds apart, so that all are cut with the same seat to move."""
    cdef int turn = c.observation.state.turn + c.cut
    if c.cut < 0:
        return LAST_TURN
    while turn < s.turn:
        turn += s.seats
    return turn


cdef void play(SearchC* c, State* s, int16_t* options, int n, OutcomeC* o) noexcept nogil:
    """Play a game out, or as far as playouts go, and say what it was worth."""
    c.decisions += <uint64_t>play_out(c.edition, s, options, n, c.playout, last_turn(c, s), &c.rng)
    if s.phase == PHASE_OVER:
        judge(c.edition, s, c.objective, o)
    else:
        estimate(c.edition, s, &c.value, c.objective, o)


cdef void back_up(SearchC* c, const uint32_t* path, int depth, int stride, const OutcomeC* o) noexcept nogil:
    """Add an outcome to the edges of a path."""
    cdef EdgeC* edge
    cdef int i
    for i in range(depth):
        if path[i * stride] == NONE:
            continue
        edge = edge_at(&c.tree, path[i * stride])
        edge.visits += 1
        edge.value[0] += o.reward[0]
        edge.value[1] += o.reward[1]
        edge.value[2] += o.reward[2]
        edge.value[3] += o.reward[3]


# --- statistics of candidates ----------------------------------------------------------------------------------------

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


cdef uint32_t find_place(SearchC* c, int argument) noexcept nogil:
    """Where the statistics of a first action lie, from 1; every world's tree shares them."""
    cdef int i
    for i in range(c.n_places):
        if c.place_arguments[i] == argument:
            return <uint32_t>(i + 1)
    if c.n_places >= MAX_ACTIONS:
        return NONE
    c.place_arguments[c.n_places] = <int16_t>argument
    c.n_places += 1
    return <uint32_t>c.n_places


cdef void record(SearchC* c, uint32_t first, const uint64_t* beginnings, int length, const OutcomeC* o) noexcept nogil:
    """Add an outcome to the statistics of the first action and, if wanted, of longer beginnings of the turn."""
    cdef EdgeC* edge = edge_at(&c.tree, first)
    cdef int i
    if edge.place == NONE:
        edge.place = find_place(c, edge.argument)
    if edge.place != NONE:
        add_outcome(&c.places[edge.place - 1], o, c.observation.state.seats)
    if c.by_turn:
        for i in range(1, length):      # the first decisions have their statistics at the root
            record_beginning(c, beginnings[i], o)
