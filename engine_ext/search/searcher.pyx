"""The Python face of the search: one tree, run in slices with the GIL released, read out as plain numbers."""
cimport cython
from libc.stdlib cimport calloc

from engine_ext cimport types
from engine_ext.types cimport *
from engine_ext.core cimport Game, Observation
from engine_ext.agenda cimport legal_actions, step
from engine_ext.knowledge cimport sample_world
from engine_ext.search.backup cimport extend_key, find_beginning
from engine_ext.search.ismcts cimport begin, end, run
from engine_ext.search.outcome cimport PARTS as C_PARTS
from engine_ext.search.outcome cimport WIG_PARTS as C_WIG_PARTS
from engine_ext.search.outcome cimport StatsC
from engine_ext.search.policy cimport play_out, weigh
from engine_ext.search.search cimport (
    FIRST_KEY, STOP_CANCELLED, STOP_MEMORY, STOP_TIME, BeginningC,
)
from engine_ext.search.tree cimport NONE, EdgeC, NodeC, edge_at, node_at
from engine_ext.rules.scoring cimport score_final
from engine_ext.search.value cimport N_BASE, N_VALUES, V_DECREE_WIGS, ValueC, describe, own_turns_left, turns_left

from engine_ext.search import value as value_module

ALGORITHMS = ("single", "multiple", "redeterminizing", "pimc", "flat")     # in the order of Algorithm in search.pxd
PLAYOUTS = ("sensible", "uniform", "sharp")       # in the order of Playout in policy.pxd
MIN_MEMORY = 1 << 20
PARTS = int(C_PARTS)
WIG_PARTS = int(C_WIG_PARTS)
VALUE_FEATURES = value_module.VALUE_FEATURES
VALUE_SIZE = int(N_VALUES) * int(N_CATEGORIES) + 2


@cython.final
@cython.auto_pickle(False)
cdef class CancelFlag:
    """Stops searches at their next iteration, from any thread. Once set it stays set."""

    def __cinit__(self):
        self.raised = 0

    def set(self):
        """Ask every search that was given this flag to stop."""
        self.raised = 1

    @property
    def is_set(self):
        return self.raised != 0


cdef list rows(const int64_t* numbers, int seats, int width, int stride):
    return [[numbers[seat * stride + i] for i in range(width)] for seat in range(seats)]


cdef dict sums(const StatsC* stats, int seats):
    """Whole sums over a candidate's iterations; wins and ranks in PARTS, wigs and ledger in WIG_PARTS."""
    return {
        "visits": stats.visits,
        "rewards": [stats.rewards[i] for i in range(seats)],
        "reward_squares": [stats.reward_squares[i] for i in range(seats)],
        "wigs": [stats.wigs[i] for i in range(seats)],
        "wig_squares": [stats.wig_squares[i] for i in range(seats)],
        "wins": [stats.wins[i] for i in range(seats)],
        "win_squares": [stats.win_squares[i] for i in range(seats)],
        "ranks": [[stats.ranks[seat * 4 + i] for i in range(seats)] for seat in range(seats)],
        "ledger": rows(stats.ledger, seats, N_CATEGORIES, N_CATEGORIES),
    }


cdef int read_value(value, ValueC* out) except -1:
    """Weights from a flat sequence."""
    cdef const double[::1] numbers = value
    cdef int i
    if numbers.shape[0] != VALUE_SIZE:
        raise ValueError(f"value: {numbers.shape[0]} weights; allowed: {VALUE_SIZE}")
    for i in range(N_VALUES * N_CATEGORIES):
        out.weights[i // N_CATEGORIES][i % N_CATEGORIES] = numbers[i]
    out.spread[0] = numbers[N_VALUES * N_CATEGORIES]
    out.spread[1] = numbers[N_VALUES * N_CATEGORIES + 1]
    return 0


@cython.final
@cython.auto_pickle(False)
cdef class Searcher:
    """One search tree over an observation. Not to be shared between threads; several may run in as many threads.

    observation: whose game is not over. seed: any integer, taken modulo 2**64. objective: 0 win share to 1 margin in
    wigs. exploration: constant of the upper confidence bound. playout: one of PLAYOUTS. memory: bytes for the
    tree. by_turn: keep statistics of several decisions in a row too. allowed: the only arguments considered first,
    None for all. cut: turns that a playout goes on beyond its first before ``value`` says what the game is worth; below
    0 it goes on to the end. value: VALUE_SIZE weights, [feature][category] and then the two of the spread.
    priors: select by the cheap policy's weights too, instead of trying everything once.
    algorithm: one of ALGORITHMS. views: observations to draw worlds from instead, each as likely as any other: the same one
    with assumptions about rivals' hands (``Observation.assume``); not with "pimc".
    The same arguments and number of iterations give the same numbers, however run() was sliced.
    Raises ``ValueError`` naming the argument, ``MemoryError``.
    """

    def __cinit__(self, Observation observation not None, *, seed=0, double objective=0.5, double exploration=0.6,
                  str playout="sharp", memory=256 << 20, bint by_turn=False, allowed=None, int cut=-1,
                  value=None, bint priors=False, str algorithm="single", views=()):
        cdef Observation view
        self.begun = False
        if observation.over:
            raise ValueError("observation: the game is over; allowed: one with a pending decision")
        if not 0.0 <= objective <= 1.0:
            raise ValueError(f"objective: {objective}; allowed: 0 (win share) to 1 (margin in wigs)")
        if not exploration >= 0.0:
            raise ValueError(f"exploration: {exploration}; allowed: 0 or more")
        if playout not in PLAYOUTS:
            raise ValueError(f"playout: {playout!r}; allowed: {', '.join(PLAYOUTS)}")
        if algorithm not in ALGORITHMS:
            raise ValueError(f"algorithm: {algorithm!r}; allowed: {', '.join(ALGORITHMS)}")
        if memory < MIN_MEMORY:
            raise ValueError(f"memory: {memory} bytes; allowed: {MIN_MEMORY} or more")
        if allowed is not None and len(allowed) > MAX_ACTIONS:
            raise ValueError(f"allowed: {len(allowed)} arguments; allowed: at most {MAX_ACTIONS}")
        if cut >= 0 and value is None:
            raise ValueError(f"value: None; allowed: {VALUE_SIZE} weights where playouts are cut")
        if views and algorithm == "pimc":
            raise ValueError(f"views: {len(views)} with 'pimc'; allowed: none")
        self.observation = observation.copy()
        self.begun = True
        if not begin(&self.c, &observation.edition.c, &self.observation.c, ALGORITHMS.index(algorithm),
                     <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF), <uint64_t>min(memory, 1 << 35)):
            raise MemoryError(f"no memory for a search tree of {memory} bytes")
        self.c.objective = objective
        self.c.exploration = exploration
        self.c.playout = PLAYOUTS.index(playout)
        self.c.by_turn = by_turn
        self.c.cut = cut
        self.c.priors = priors
        if value is not None:
            read_value(value, &self.c.value)
        if views:
            self.views = tuple(views)
            self.c.views = <const ObservationC**>calloc(len(self.views), sizeof(ObservationC*))
            if self.c.views == NULL:
                raise MemoryError(f"no memory for {len(self.views)} views")
            for view in self.views:
                self.c.views[self.c.n_views] = &view.c
                self.c.n_views += 1
        if allowed is not None:
            self.c.restricted = True
            for argument in allowed:
                self.c.allowed[self.c.n_allowed] = argument
                self.c.n_allowed += 1

    def __dealloc__(self):
        if self.begun:
            end(&self.c)

    def run(self, iterations, seconds=None, CancelFlag cancel=None):
        """Search until ``iterations`` in all were made, ``seconds`` have passed or ``cancel`` is set; GIL released.

        Returns why it came back: "iterations", "time", "memory" or "cancelled". The first iteration is always made.
        """
        cdef uint64_t most = iterations
        cdef double limit = -1.0 if seconds is None else max(0.0, seconds)
        cdef volatile int* flag = NULL
        cdef int stop
        if cancel is not None:
            flag = &cancel.raised
        with nogil:
            stop = run(&self.c, most, limit, flag)
        if stop == STOP_TIME:
            return "time"
        if stop == STOP_MEMORY:
            return "memory"
        return "cancelled" if stop == STOP_CANCELLED else "iterations"

    @property
    def iterations(self):
        """Iterations made so far."""
        return self.c.iterations

    @property
    def nodes(self):
        """Nodes in the tree."""
        return self.c.tree.nodes

    @property
    def memory_used(self):
        """Bytes of the tree in use."""
        return <uint64_t>self.c.tree.used * 8

    @property
    def playout_decisions(self):
        """Decisions with two or more legal actions that playouts have taken."""
        return self.c.decisions

    @property
    def tree_decisions(self):
        """Decisions taken inside the tree."""
        return self.c.depth

    def candidates(self):
        """The first decision's visited actions: [(step, available, sums)], step = (kind, seat, a, b, argument).

        ``sums`` adds up outcomes: visits, and by seat rewards, reward_squares, wigs, wig_squares, wins and win_squares
        (in PARTS, 1/12), ranks [seat][place] (in PARTS), ledger [seat][category].
        """
        cdef NodeC* root = node_at(&self.c.tree, self.c.root)
        cdef EdgeC* edge
        cdef uint32_t tree = self.c.root
        cdef uint32_t i
        cdef int place
        available = [0] * self.c.n_places
        while tree != NONE:             # one, but for the worlds of "pimc"
            i = node_at(&self.c.tree, tree).edges
            while i != NONE:
                edge = edge_at(&self.c.tree, i)
                for place in range(self.c.n_places):
                    if self.c.place_arguments[place] == edge.argument:
                        available[place] += edge.available
                i = edge.next
            tree = node_at(&self.c.tree, tree).next
        return [((root.kind, root.seat, root.a, root.b, self.c.place_arguments[place]), available[place],
                 sums(&self.c.places[place], self.c.observation.state.seats)) for place in range(self.c.n_places)]

    def priors(self):
        """How much the cheap policy prefers each first action that was legal in some world: {argument: part of 1}.

        Empty if the search does not go by it.
        """
        cdef EdgeC* edge
        cdef uint32_t tree = self.c.root
        cdef uint32_t i
        weights = {}
        while tree != NONE:             # one, but for the worlds of "pimc"
            i = node_at(&self.c.tree, tree).edges
            while i != NONE:
                edge = edge_at(&self.c.tree, i)
                if edge.weight:
                    weights[edge.argument] = weights.get(edge.argument, 0) + edge.weight
                i = edge.next
            tree = node_at(&self.c.tree, tree).next
        total = sum(weights.values())
        return {argument: weight / total for argument, weight in weights.items()}

    def beginning(self, decisions):
        """Sums over the iterations that began with these decisions of the first decider: ((kind, argument), ...).

        None if there were none. Two or more decisions need ``by_turn``.
        """
        cdef uint64_t key = FIRST_KEY
        cdef uint32_t place
        if len(decisions) == 1:
            for step, _, found in self.candidates():
                if step[4] == decisions[0][1]:
                    return found
            return None
        for kind, argument in decisions:
            key = extend_key(key, kind, argument)
        place = find_beginning(&self.c, key)
        if place == NONE:
            return None
        return sums(&(<const BeginningC*>edge_at(&self.c.tree, place)).stats, self.c.observation.state.seats)

    def look(self, arguments):
        """The decision after these arguments of all seats: ((kind, seat, a, b), turn, visits).

        visits = {argument: visits} of the actions visited there. What turned up on the way is what was seen most.
        None where the tree does not reach or the game is over.
        """
        cdef NodeC* node = node_at(&self.c.tree, self.c.root)
        cdef uint32_t i
        cdef int wanted
        for wanted in arguments:
            i = node.edges
            while i != NONE and edge_at(&self.c.tree, i).argument != wanted:
                i = edge_at(&self.c.tree, i).next
            if i == NONE:
                return None
            i = edge_at(&self.c.tree, i).outcomes
            if i == NONE:
                return None
            node = node_at(&self.c.tree, i)
            while i != NONE:
                if node_at(&self.c.tree, i).visits > node.visits:
                    node = node_at(&self.c.tree, i)
                i = node_at(&self.c.tree, i).next
        if node.kind == N_KINDS:
            return None
        visits = {}
        i = node.edges
        while i != NONE:
            if edge_at(&self.c.tree, i).visits:
                visits[edge_at(&self.c.tree, i).argument] = edge_at(&self.c.tree, i).visits
            i = edge_at(&self.c.tree, i).next
        return (node.kind, node.seat, node.a, node.b), node.turn, visits


def features(Game game not None, int seat):
    """The features of a seat that the value function multiplies with its weights, in the order of VALUE_FEATURES."""
    cdef double x[N_VALUES]
    cdef int16_t ledger[72]
    cdef int i
    if not 0 <= seat < game.state.seats:
        raise ValueError(f"seat: {seat}; allowed: 0 to {game.state.seats - 1}")
    score_final(&game.edition.c, &game.state, ledger)
    describe(&game.edition.c, &game.state, seat, x)
    x[V_DECREE_WIGS] = ledger[seat * N_CATEGORIES + C_DECREES]
    own = 0.1 * own_turns_left(&game.state, seat, turns_left(&game.state))
    for i in range(N_BASE):
        x[N_BASE + i] = own * x[i]
    return [x[i] for i in range(N_VALUES)]


def expected_turns(Game game not None):
    """The turns of all seats that the value function expects to come, the one that goes on now included."""
    return turns_left(&game.state)


def card_weights(Observation view not None, cards):
    """How the cheap policy would weigh playing each card, all ways of it together, if the seat that decides held it.

    Everything else of its hand stays as it is in a world that agrees with the view.
    """
    cdef types.State s
    cdef uint64_t rng = 0
    cdef const types.EditionC* e = &view.edition.c
    cdef Player* p
    cdef int blank = -1
    cdef int kept
    cdef int card
    cdef int i
    if view.over or view.kind != PLAY_CARD:
        raise ValueError("view: no card is to be played; allowed: one where the pending decision is play_card")
    sample_world(e, &view.c, &rng, &s)
    p = &s.players[view.seat]
    for i in range(p.n_hand):
        if view.c.state.players[view.seat].hand[i] >= N_CARDS:
            blank = i
    found = []
    for card in cards:
        for i in range(p.n_hand):
            if p.hand[i] == card:
                found.append(card_weight(e, &s, card))
                break
        else:
            if blank < 0:
                raise ValueError(f"cards: {card} is not in a hand of which all is known; allowed: the cards it holds")
            kept = p.hand[blank]
            p.hand[blank] = <uint8_t>card
            found.append(card_weight(e, &s, card))
            p.hand[blank] = <uint8_t>kept
    return found


cdef int card_weight(const types.EditionC* e, types.State* s, int card) noexcept nogil:
    cdef int16_t options[MAX_ACTIONS]
    cdef int weights[MAX_ACTIONS]
    cdef int n = legal_actions(e, s, options)
    cdef int total = 0
    cdef int i
    weigh(e, s, options, n, weights)
    for i in range(n):
        if options[i] & 127 == card:
            total += weights[i]
    return total


def sample_hands(Observation observation not None, seed, int count):
    """Of so many worlds that agree with an observation, each seat's cards that it does not show: [world][seat]."""
    cdef types.State s
    cdef uint64_t rng = <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF)
    cdef const types.State* seen = &observation.c.state
    cdef int i
    cdef int j
    found = []
    for _ in range(count):
        sample_world(&observation.edition.c, &observation.c, &rng, &s)
        found.append([[s.players[i].hand[j] for j in range(s.players[i].n_hand) if seen.players[i].hand[j] >= N_CARDS]
                      for i in range(s.seats)])
    return found


def play_on(Game game not None, int last_turn, seed, str playout="sensible"):
    """Let the cheap policy play a game on to the end of a turn, or of the game; returns the decisions it took."""
    cdef uint64_t rng = <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF)
    cdef int16_t options[MAX_ACTIONS]
    if playout not in PLAYOUTS:
        raise ValueError(f"playout: {playout!r}; allowed: {', '.join(PLAYOUTS)}")
    return play_out(&game.edition.c, &game.state, options, legal_actions(&game.edition.c, &game.state, options),
                    PLAYOUTS.index(playout), last_turn, &rng)


def finish_turn(Observation observation not None, arguments, seed=0):
    """Carry out arguments, then the cheap policy's first choices to the turn's end: [(kind, seat, a, b, argument)].

    In one world that agrees with the observation. Stops early where an argument is not legal in it.
    """
    cdef types.State s
    cdef uint64_t rng = <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF)
    cdef int16_t options[MAX_ACTIONS]
    cdef int weights[MAX_ACTIONS]
    cdef const types.EditionC* e = &observation.edition.c
    cdef Frame f
    cdef int turn = observation.turn
    cdef int n
    cdef int i
    cdef int best
    out = []
    left = list(arguments)
    if observation.over:
        return out
    sample_world(e, &observation.c, &rng, &s)
    n = legal_actions(e, &s, options)
    while n and s.turn == turn:
        f = s.frames[s.depth - 1]
        best = 0
        if left:
            argument = left.pop(0)
            for i in range(n):
                if options[i] == argument:
                    best = i
            if options[best] != argument:
                break
        elif weigh(e, &s, options, n, weights):
            for i in range(n):
                if weights[i] > weights[best]:
                    best = i
        out.append((f.kind, f.seat, f.a, f.b, options[best]))
        n = step(e, &s, options[best], options)
    return out
