# cython: auto_pickle=False
"""Thin Python faces of the rules engine: Edition, Game (the truth) and Observation (what one seat may know).

Everything here speaks integer ids; names and text live in ``lisboa_ai``. Nothing here is safe to share between
threads while it changes; an Edition never changes.
"""
from importlib import import_module

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.string cimport memcmp, memset

from engine_ext cimport types
from engine_ext.types cimport *
from engine_ext.agenda cimport CHECKED as IS_CHECKED
from engine_ext.agenda cimport FORCED, advance, legal_actions, step, table, work_off
from engine_ext.check cimport broken_invariants
from engine_ext.inputs cimport check_decision, check_land, check_noble, check_seat, check_seats, check_setup, check_state, illegal
from engine_ext.knowledge cimport hidden_pool, make_canonical, mask_packet, observe, sample_world
from engine_ext.revelations cimport (
    blank_past, deal_in, fill_in, hidden_choice, list_revealed, possible_cards, put_in_hand, require_complete,
)
from engine_ext.rng cimport below
from engine_ext.rules.court cimport visit_cost
from engine_ext.rules.scoring cimport score_final, winners
from engine_ext.rules.setup cimport deal, lay_out
from engine_ext.rules.stores cimport land_price

from engine_ext import agenda as _agenda
from engine_ext import check as _check
from engine_ext import inputs as _inputs

CHAPTERS = ("setup", "turn", "portfolio", "court", "state_actions", "stores", "buildings", "decrees", "church", "rubble",
            "payments", "effects", "scoring")
for _chapter in CHAPTERS:       # importing a chapter fills in its rows of the agenda's table
    import_module(f"engine_ext.rules.{_chapter}")

if _agenda.empty_rows():
    raise ImportError(f"agenda kinds without a row: {_agenda.empty_rows()}")

if sizeof(Player) != 160 or sizeof(State) != STATE_BYTES:
    raise ImportError("padding in State or Player: observations could differ in bytes that mean nothing")

KINDS = _agenda.kind_names()
CATEGORIES = (
    "start", "sailed", "stores", "buildings", "church", "influence", "sets", "hulls", "gold_majority",
    "cloth_majority", "books_majority", "tools_majority", "money", "decrees", "officials", "favors", "effects", "paid",
)
LAWS = _check.LAWS
IllegalAction = _inputs.IllegalAction
BrokenState = _inputs.BrokenState
CHECKED = bool(IS_CHECKED)
# the C constants of the same names cannot be assigned to here
globals().update(STOP=int(types.STOP), SHIP_BASE=int(types.SHIP_BASE), UNKNOWN=int(types.UNKNOWN),
                 UNKNOWN_BLUE=int(types.UNKNOWN_BLUE), UNKNOWN_PURPLE=int(types.UNKNOWN_PURPLE))


def duty_disagreements():
    """Checked build: where a fast test and the exhaustive search disagreed, by kind. Empty when they never did."""
    return _agenda.duty_disagreements()


cdef class Edition:
    """The printed numbers of one edition, read-only, as the engine wants them.

    ``tables`` has the fields of the C struct ``Edition`` (types.pxd), every array at full length.
    Raises ``ValueError``, ``KeyError`` or ``TypeError`` when a field is missing or has the wrong shape.
    """

    def __cinit__(self, str name, str digest, tables):
        cdef uint32_t harmless = 1 << E_REIS | 1 << E_WIGS | 1 << E_GOOD | 1 << E_GOOD_ANY | 1 << E_INFLUENCE
        cdef uint32_t wild = 1 << E_STORE | 1 << E_BUILDING | 1 << E_PAY_OFFICIAL
        cdef uint32_t lands = 0
        cdef const Source* source
        cdef int i
        cdef int j
        self.name = name
        self.digest = digest
        self.c = dict(tables, source_kinds=[0] * N_SOURCES, tame_clergy=1, tame_lands=1)
        for i in range(N_SOURCES):
            source = &self.c.sources[i]
            for j in range(source.n_rewards):
                self.c.source_kinds[i] |= <uint32_t>1 << source.rewards[j].kind
            for j in range(source.n_choices):
                self.c.source_kinds[i] |= <uint32_t>1 << source.choices[j].kind
            if i >= CLERGY_SOURCE and (source.n_choices or self.c.source_kinds[i] & ~harmless):
                self.c.tame_clergy = 0
        for i in range(N_LANDS):
            lands |= self.c.source_kinds[LAND_SOURCE + i]
        if lands & wild or (lands & 1 << E_CARDINAL and not self.c.tame_clergy):
            self.c.tame_lands = 0

    def tables(self):
        """The struct as nested dicts and lists, derived fields included."""
        return self.c

    def __reduce__(self):
        tables = self.c
        return Edition, (self.name, self.digest, tables)


cdef list carry_out(const types.EditionC* e, State* s, int argument):
    """Apply a legal argument and advance; returns the steps that resolved themselves as (kind, (a, b), argument)."""
    cdef int16_t options[MAX_ACTIONS]
    cdef Frame f = s.frames[s.depth - 1]
    cdef int n
    forced = []
    s.depth -= 1
    table[f.kind].apply(e, s, f, argument)
    while True:
        if s.depth:
            f = s.frames[s.depth - 1]
        n = work_off(e, s, options)
        if n >= 0:
            return forced
        if n == FORCED:
            forced.append((f.kind, (f.a, f.b), options[0]))


cdef list ledger_rows(const int16_t* ledger, int seats):
    return [[ledger[seat * N_CATEGORIES + i] for i in range(N_CATEGORIES)] for seat in range(seats)]


cdef list scored(const types.EditionC* e, State* s):
    cdef int16_t ledger[72]
    cdef int i
    if s.phase == PHASE_OVER:
        return [[s.players[seat].ledger[i] for i in range(N_CATEGORIES)] for seat in range(s.seats)]
    score_final(e, s, ledger)
    return ledger_rows(ledger, s.seats)


cdef decision_name(int kind):
    return KINDS[kind] if kind >= 0 else "a finished game"


cdef inline Frame* pending(State* s) noexcept nogil:
    return &s.frames[s.depth - 1]


cdef class View:
    """A state of a game and who looks at it: the truth (``Game``) or what one seat may know (``Observation``).

    ``now`` is the state that the subclass holds; its questions are the same for both.
    """

    def __cinit__(self):
        if type(self) is View:
            raise TypeError("a View is a Game or an Observation")

    @property
    def seats(self):
        return self.now.seats

    @property
    def over(self):
        return self.now.phase == PHASE_OVER

    @property
    def kind(self):
        """Number of the pending decision's kind (index into KINDS); -1 when the game is over."""
        return pending(self.now).kind if self.now.depth and not self.over else -1

    @property
    def seat(self):
        """The seat that decides; -1 when the game is over."""
        return pending(self.now).seat if self.now.depth and not self.over else -1

    @property
    def context(self):
        """The pending frame's (a, b): what the decision is about."""
        if self.now.depth == 0 or self.over:
            return (0, 0)
        return (pending(self.now).a, pending(self.now).b)

    @property
    def turn(self):
        """Turns finished so far."""
        return self.now.turn

    @property
    def period(self):
        """0 or 1."""
        return self.now.period

    @property
    def active(self):
        """The seat whose turn it is."""
        return self.now.active

    def fields(self):
        """The whole state as nested dicts and lists, named as in types.pxd; what an observer does not know is UNKNOWN."""
        return self.now[0]

    def forced(self):
        """The steps with a single legal action that resolved themselves in the last ``apply``: (kind, (a, b), argument)."""
        return list(self.forced_steps or ())

    def wigs(self):
        """Wigs on the score track, by seat; final when the game is over."""
        return [self.now.players[i].wigs for i in range(self.now.seats)]

    def ledger(self):
        """Wigs so far as ``[seat][category]`` (CATEGORIES)."""
        return [[self.now.players[i].ledger[j] for j in range(N_CATEGORIES)] for i in range(self.now.seats)]

    def score_now(self):
        """``ledger`` with the final scoring of the position as it stands added; the final ledger when over."""
        return scored(&self.edition.c, self.now)

    def broken(self):
        """Names of the laws of conservation that do not hold; empty for a sound state."""
        return _check.law_names(broken_invariants(&self.edition.c, self.now, self.sees()))

    def land_price(self, int seat, int land):
        """What a land costs a seat now, in réis, with no cube taken (docs/rules.md G5)."""
        check_seat(seat, self.now.seats)
        check_land(land)
        return land_price(&self.edition.c, self.now, seat, land)

    def visit_cost(self, int seat, int noble):
        """The influence a seat pays to visit a noble (0-2) now, or to follow if it is not the active one (C14, D7)."""
        check_seat(seat, self.now.seats)
        check_noble(noble)
        return visit_cost(&self.edition.c, self.now, seat, noble, seat != self.now.active)

    cdef int sees(self):
        """The seat that looks; -1 for the truth."""
        return -1

    cdef require_sound(self):
        broken = self.broken()
        if broken:
            raise BrokenState("; ".join(broken))


# --- the truth -------------------------------------------------------------------------------------------------------

cdef class Game(View):
    """The truth: a complete state of one game. Copy it instead of sharing it between threads.

    Made by ``deal``, ``from_setup`` or ``from_fields``. Decisions with a single legal action resolve themselves,
    except ``play_card`` and ``discard_hand``, which depend on hidden hands.
    """

    def __cinit__(self):
        self.now = &self.state
        self.has_setup = False

    def __init__(self):
        raise TypeError("a Game is made by deal, from_setup or from_fields")

    @staticmethod
    def deal(Edition edition not None, int seats, seed, *, bint queen=False, bint draft=False):
        """A new game with everything that chance decides drawn from ``seed`` (any integer, taken modulo 2**64)."""
        cdef Game game = Game.__new__(Game)
        check_seats(seats)
        game.edition = edition
        deal(&edition.c, seats, QUEEN_VARIANT * queen | HAND_DRAFT * draft, <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF),
             &game.start)
        game.begin()
        return game

    @staticmethod
    def from_setup(Edition edition not None, setup):
        """A new game from an explicit set-up: the fields of the C struct ``Setup``, by id. Raises ``BrokenState``."""
        cdef Game game = Game.__new__(Game)
        game.edition = edition
        game.start = setup
        check_seats(game.start.seats)
        check_setup(&edition.c, &game.start, -1)
        game.begin()
        game.require_sound()
        return game

    @staticmethod
    def from_fields(Edition edition not None, fields):
        """The state with these fields (the C struct ``State``), advanced to its next decision. Raises ``BrokenState``."""
        cdef int16_t options[MAX_ACTIONS]
        cdef Game game = Game.__new__(Game)
        game.edition = edition
        game.state = fields
        check_seats(game.state.seats)
        check_state(&game.state)
        game.require_sound()
        advance(&edition.c, &game.state, options)
        game.before = game.state
        return game

    cdef begin(self):
        cdef int16_t options[MAX_ACTIONS]
        lay_out(&self.edition.c, &self.start, &self.state)
        advance(&self.edition.c, &self.state, options)
        self.before = self.state
        self.has_setup = True

    def setup(self):
        """The explicit set-up this game began with, or None for a game made from fields."""
        return self.start if self.has_setup else None

    def copy(self):
        """An independent copy."""
        cdef Game game = Game.__new__(Game)
        game.edition = self.edition
        game.state = self.state
        game.before = self.before
        game.start = self.start
        game.has_setup = self.has_setup
        return game

    def legal(self):
        """Arguments of the legal actions, in the engine's order; empty when the game is over."""
        cdef int16_t options[MAX_ACTIONS]
        cdef int n
        if self.over:
            return []
        n = legal_actions(&self.edition.c, &self.state, options)
        return [options[i] for i in range(n)]

    def apply(self, int argument):
        """Carry out a legal action and everything that follows from it, up to the next decision.

        Raises ``IllegalAction`` (nothing changes), and on the checked build ``BrokenState``.
        """
        legal = self.legal()
        if argument not in legal:
            raise illegal(decision_name(self.kind), argument, legal)
        self.before = self.state
        self.state.seen = 0
        self.forced_steps = carry_out(&self.edition.c, &self.state, argument)
        if IS_CHECKED:
            self.require_sound()

    def revealed(self, int seat):
        """What the last ``apply`` showed to a seat, in order: ("card" | "decree" | "clergy" | "building", id).

        A building's id is building * 2 + side. "card" covers cards turned up and the seat's own dealt cards.
        """
        check_seat(seat, self.state.seats)
        return list_revealed(&self.edition.c, &self.before, &self.state, seat)

    def observe(self, int seat):
        """What a seat may know now."""
        cdef Observation o = Observation.__new__(Observation)
        check_seat(seat, self.state.seats)
        o.edition = self.edition
        observe(&self.edition.c, &self.state, seat, &o.c)
        return o

    def winners(self):
        """The seats that win a finished game, several if tied to the end (docs/rules.md L11)."""
        if not self.over:
            raise ValueError("winners: the game is not over")
        mask = winners(&self.edition.c, &self.state)
        return [i for i in range(self.state.seats) if mask >> i & 1]

    def play_out(self, seed):
        """Play uniformly at random to the end; returns the number of decisions with two or more legal actions."""
        cdef uint64_t rng = <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF)
        cdef int16_t options[MAX_ACTIONS]
        cdef int n
        cdef int decisions = 0
        cdef const types.EditionC* e = &self.edition.c
        cdef State* s = &self.state
        if self.over:
            return 0
        with nogil:
            n = legal_actions(e, s, options)
            while n:
                decisions += n > 1
                n = step(e, s, options[below(&rng, <uint32_t>n)], options)
        if s.phase != PHASE_OVER:
            raise BrokenState(f"dead end at {KINDS[pending(s).kind]}")
        return decisions

    def __eq__(self, other):
        if not isinstance(other, Game):
            return NotImplemented
        return memcmp(&self.state, &(<Game>other).state, sizeof(State)) == 0

    __hash__ = None

    def __repr__(self):
        what = "over" if self.over else f"{KINDS[self.kind]} by seat {self.seat}"
        return f"<Game {self.seats} players, turn {self.turn}, {what}>"


# --- observations ----------------------------------------------------------------------------------------------------

cdef class Observation(View):
    """What one seat may know, in canonical form: equal knowledge gives equal bytes. The searcher accepts nothing else.

    Made by ``Game.observe``, by ``start`` from a set-up with blanks, or by ``from_fields``; carried on by ``apply``
    with what an action revealed. Copy it instead of sharing it between threads.
    """

    def __cinit__(self):
        self.now = &self.c.state

    def __init__(self):
        raise TypeError("an Observation is made by Game.observe, start or from_fields")

    @staticmethod
    def start(Edition edition not None, setup, int observer):
        """The first observation of a game of which only one seat's view of the set-up is known (UNKNOWN elsewhere)."""
        cdef Observation o = Observation.__new__(Observation)
        cdef Setup start = setup
        cdef State s
        cdef int16_t options[MAX_ACTIONS]
        check_seats(start.seats)
        check_seat(observer, start.seats)
        check_setup(&edition.c, &start, observer)
        o.edition = edition
        lay_out(&edition.c, &start, &s)
        advance(&edition.c, &s, options)
        observe(&edition.c, &s, observer, &o.c)
        o.require_sound()
        return o

    @staticmethod
    def from_fields(Edition edition not None, fields, int observer):
        """The observation with these fields (C struct ``State`` with UNKNOWN ids), put into canonical form.

        Raises ``BrokenState`` naming every field out of range or every law that does not hold.
        """
        cdef Observation o = Observation.__new__(Observation)
        cdef State s = fields
        check_seats(s.seats)
        check_seat(observer, s.seats)
        check_state(&s)
        check_decision(&s)
        memset(&o.c, 0, sizeof(types.ObservationC))
        o.edition = edition
        o.c.state = s
        o.c.observer = <int8_t>observer
        make_canonical(&edition.c, &o.c.state)
        o.require_sound()
        return o

    @property
    def observer(self):
        """The seat whose knowledge this is."""
        return self.c.observer

    cdef int sees(self):
        return self.c.observer

    def copy(self):
        """An independent copy."""
        cdef Observation o = Observation.__new__(Observation)
        o.edition = self.edition
        o.c = self.c
        return o

    def legal(self):
        """Arguments of the actions that are legal as far as the observer can tell.

        For a rival with hidden cards: every action of every card the rival may hold.
        """
        cdef int16_t options[MAX_ACTIONS]
        cdef State s
        cdef int n
        cdef int i
        cdef int j
        cdef int k
        cdef Frame f
        if self.over:
            return []
        f = pending(&self.c.state)[0]
        if f.kind == DRAFT_KEEP and f.seat != self.c.observer:
            return [int(types.UNKNOWN)]     # what a rival keeps is not shown
        if f.kind == KEEP_CLERGY and f.seat != self.c.observer:
            seen = [self.c.state.drawn[i][j] for i in range(self.c.state.seats) for j in range(2)]
            held = 0
            for i in range(self.c.state.seats):
                held |= self.c.state.players[i].clergy
            return [tile for tile in range(N_CLERGY) if tile not in seen and not held >> tile & 1]
        n = legal_actions(&self.edition.c, &self.c.state, options)
        out = [options[i] for i in range(n)]
        if f.kind != PLAY_CARD and f.kind != DISCARD_HAND:
            return out
        for deck, blank in ((DECK_BLUE, types.UNKNOWN_BLUE), (DECK_PURPLE, types.UNKNOWN_PURPLE)):
            s = self.c.state
            for i in range(s.players[f.seat].n_hand):
                if s.players[f.seat].hand[i] == blank:
                    break
            else:
                continue
            for card in possible_cards(&self.edition.c, &self.c.state, self.c.observer, f.seat, deck):
                s.players[f.seat].hand[i] = card
                n = legal_actions(&self.edition.c, &s, options)
                for k in range(n):
                    if options[k] not in out and options[k] & 127 == card:
                        out.append(options[k])
        return sorted(out)

    def apply(self, int argument, revealed=()):
        """Carry out an action seen at the table, with what it revealed to the observer (as ``Game.revealed`` lists it).

        Raises ``IllegalAction`` or ``ValueError`` (too little or too much revealed, an id seen before); nothing changes then.
        """
        cdef State s = self.c.state
        cdef State before = s
        cdef Frame f
        cdef Observation result
        cdef int i
        legal = self.legal()
        if argument not in legal:
            raise illegal(decision_name(self.kind), argument, legal)
        f = pending(&s)[0]
        hidden_choice(&self.edition.c, &s, &f, argument, self.c.observer)
        dealt = fill_in(&self.edition.c, &s, revealed)
        s.seen = 0
        forced = carry_out(&self.edition.c, &s, argument)
        deal_in(&self.edition.c, &before, &s, self.c.observer, dealt)
        require_complete(&self.edition.c, &s, self.c.observer)
        result = Observation.__new__(Observation)
        result.edition = self.edition
        memset(&result.c, 0, sizeof(types.ObservationC))
        result.c.state = s
        result.c.observer = self.c.observer
        blank_past(&result.c.state)
        if s.options & HAND_DRAFT:
            for i in range(s.seats):
                mask_packet(&self.edition.c, &result.c.state, i, self.c.observer)
        make_canonical(&self.edition.c, &result.c.state)
        result.require_sound()
        self.c = result.c
        self.forced_steps = forced

    def assume(self, int seat, cards):
        """A copy in which a rival is known to hold some cards from the hidden pool. Raises ``ValueError``."""
        cdef Observation o = self.copy()
        cdef int card
        check_seat(seat, self.c.state.seats)
        for card in cards:
            if not 0 <= card < N_CARDS:
                raise ValueError(f"assumptions: {card} is not a card; allowed: 0 to {N_CARDS - 1}")
            if card in [o.c.state.players[seat].hand[i] for i in range(o.c.state.players[seat].n_hand)]:
                continue
            put_in_hand(&self.edition.c, &o.c.state, self.c.observer, seat, card)
        make_canonical(&self.edition.c, &o.c.state)
        return o

    def sample_world(self, seed):
        """A complete game that agrees with this observation, uniform over all that do."""
        cdef Game game = Game.__new__(Game)
        cdef uint64_t rng = <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF)
        game.edition = self.edition
        sample_world(&self.edition.c, &self.c, &rng, &game.state)
        game.before = game.state
        return game

    def pool(self, int deck):
        """Ids of the cards of a dealt deck (0 blue, 2 purple) whose place the observer does not know."""
        cdef uint8_t out[128]
        if deck not in (DECK_BLUE, DECK_PURPLE):
            raise ValueError(f"deck: {deck}; allowed: {DECK_BLUE} (blue), {DECK_PURPLE} (purple)")
        return [out[i] for i in range(hidden_pool(&self.edition.c, &self.c.state, deck, out))]

    def __bytes__(self):
        return PyBytes_FromStringAndSize(<char*>&self.c, sizeof(types.ObservationC))

    def __eq__(self, other):
        if not isinstance(other, Observation):
            return NotImplemented
        return memcmp(&self.c, &(<Observation>other).c, sizeof(types.ObservationC)) == 0

    def __hash__(self):
        return hash(bytes(self))

    def __repr__(self):
        what = "over" if self.over else f"{KINDS[self.kind]} by seat {self.seat}"
        return f"<Observation by seat {self.observer} of {self.seats}, turn {self.turn}, {what}>"
