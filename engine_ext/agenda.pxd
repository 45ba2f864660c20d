"""The agenda: the stack of pending decisions, and the table with one row for every kind of frame."""
from engine_ext.types cimport *
from engine_ext.economy cimport portfolio_cards, portfolio_limit, total_goods

cdef extern from *:
    """
    #ifdef LISBOA_CHECKED
    #define LISBOA_IS_CHECKED 1
    #else
    #define LISBOA_IS_CHECKED 0
    #endif
    """
    const bint CHECKED "LISBOA_IS_CHECKED"

ctypedef int (*LegalC)(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil
ctypedef void (*ApplyC)(const EditionC* e, State* s, Frame f, int argument) noexcept nogil
ctypedef bint (*PossibleC)(const EditionC* e, State* s, int seat, int a) noexcept nogil
ctypedef bint (*CertainC)(const EditionC* e, State* s, const Frame* f) noexcept nogil

cdef enum:  # RowFlag
    WAITS = 1           # stays pending even with a single action: it depends on a hidden hand
    OPTIONAL = 2        # no action at all means there is nothing to do

cdef struct RowC:
    const char* name
    LegalC legal        # NULL for automatic frames
    ApplyC apply
    PossibleC possible  # could this be carried out now?
    CertainC certain    # duties only: is it certain that it can be met, whatever is chosen on the way?
    int flags

cdef enum:  # TestResult: of the fast tests that spare an exhaustive search
    IMPOSSIBLE = 0
    POSSIBLE = 1
    UNDECIDED = 2

cdef enum:  # what work_off did instead of stopping at a decision
    AUTOMATIC = -1
    FORCED = -2

cdef enum:  # asked of OPEN_BUILDING: will the officials already out do?
    STAFFED = -1

cdef enum:  # EffectFlag: added to b of an EFFECTS frame
    IGNORE_PENALTIES = 256

cdef RowC table[64]
cdef int disagreements[64]

cdef void row(int kind, const char* name, LegalC legal, ApplyC apply, PossibleC possible, CertainC certain, int flags) noexcept
cdef bint always(const EditionC* e, State* s, int seat, int a) noexcept nogil
cdef int legal_actions(const EditionC* e, State* s, int16_t* out) noexcept nogil
cdef int step(const EditionC* e, State* s, int argument, int16_t* out) noexcept nogil
cdef int work_off(const EditionC* e, State* s, int16_t* out) noexcept nogil
cdef int advance(const EditionC* e, State* s, int16_t* out) noexcept nogil
cdef bint can_complete(const EditionC* e, const State* s, int kind, int seat, int a, int b) noexcept nogil
cdef bint can_meet(const EditionC* e, State* s, int depth) noexcept nogil


cdef inline void push(State* s, int kind, int seat, int a, int b) noexcept nogil:
    """Put a frame on top: it is dealt with before everything below it. A stack that cannot hold it is a dead end."""
    cdef Frame* f = &s.frames[s.depth]
    if s.depth >= MAX_FRAMES:
        s.dead = 1
        return
    f.kind = <uint8_t>kind
    f.seat = <int8_t>seat
    f.a = <int16_t>a
    f.b = <int16_t>b
    s.depth += 1


cdef inline bint possible(const EditionC* e, State* s, int kind, int seat, int a) noexcept nogil:
    """Could a frame of this kind be carried out now?"""
    return table[kind].possible(e, s, seat, a)


cdef inline bint compared(int kind, int test, bint truth) noexcept nogil:
    """Checked build: note where a fast test was wrong. Returns the truth."""
    if test != UNDECIDED and truth != (test == POSSIBLE):
        disagreements[kind] += 1
    return truth


cdef inline bint agreed(const EditionC* e, const State* s, int test, int kind, int seat, int a, int b) noexcept nogil:
    """Settle a fast test: search exhaustively where it is undecided, and on the checked build always, to compare."""
    if test != UNDECIDED and not CHECKED:
        return test == POSSIBLE
    return compared(kind, test, can_complete(e, s, kind, seat, a, b))


cdef inline void shed_excess(const EditionC* e, State* s, int seat) noexcept nogil:
    """Ask for cards to be given up when the portfolio is over its limit (N16)."""
    if portfolio_cards(&s.players[seat]) > portfolio_limit(&s.players[seat]):
        push(s, SHED, seat, 0, 0)


cdef inline void push_effects(const EditionC* e, State* s, int seat, int source, int flags) noexcept nogil:
    """Ask for the rewards of a card, land, site or tile to be carried out, if it has any."""
    if e.sources[source].n_rewards or e.sources[source].n_choices:
        push(s, EFFECTS, seat, source, flags)


cdef inline int state_action_kind(int action) noexcept nogil:
    if action == SA_RECRUIT:
        return RECRUIT
    if action == SA_PLAN:
        return ACQUIRE_PLAN
    if action == SA_SHIP:
        return BUILD_SHIP
    if action == SA_PRODUCE:
        return PRODUCE
    return MEET_CARDINAL if action == SA_CARDINAL else GET_FAVOR


cdef inline bint state_action_possible(const EditionC* e, State* s, int seat, int action) noexcept nogil:
    """Whether a state action has anything to do (E4). Recruiting and the cardinal go up to two."""
    return possible(e, s, state_action_kind(action), seat, 2)


cdef inline void push_state_action(State* s, int seat, int action) noexcept nogil:
    push(s, state_action_kind(action), seat, 2, 0)


cdef inline int effect_frame(int kind) noexcept nogil:
    """The frame that carries out an effect which needs something to take, place or do (N29); -1 for plain gains."""
    if kind == E_OFFICIALS:
        return RECRUIT
    if kind == E_PLAN:
        return ACQUIRE_PLAN
    if kind == E_SHIP:
        return BUILD_SHIP
    if kind == E_PRODUCE:
        return PRODUCE
    if kind == E_CARDINAL:
        return MEET_CARDINAL
    if kind == E_FAVOR:
        return GET_FAVOR
    if kind == E_RUBBLE:
        return RUBBLE_CUBE
    if kind == E_DECREE:
        return TAKE_DECREE
    if kind == E_STORE:
        return BUILD_STORE
    return OPEN_BUILDING if kind == E_BUILDING else -1


cdef inline bint effect_possible(const EditionC* e, State* s, int seat, const Effect* effect) noexcept nogil:
    """Plain gains always; a penalty if there is something to take (N33); the rest if it can be carried out (N29)."""
    cdef Player* p = &s.players[seat]
    cdef int frame = effect_frame(effect.kind)
    if frame >= 0:
        return possible(e, s, frame, seat, effect.n)
    if effect.kind == E_PAY_REIS:
        return p.reis > 0
    if effect.kind == E_PAY_INFLUENCE:
        return p.influence > 0
    if effect.kind == E_PAY_WIGS:
        return p.wigs > 0
    if effect.kind == E_PAY_GOOD:
        return total_goods(p) > 0
    if effect.kind == E_PAY_OFFICIAL:
        return p.offices[0] + p.offices[1] + p.offices[2] > 0
    return True
