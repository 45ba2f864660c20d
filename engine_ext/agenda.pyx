"""The agenda (ARCHITECTURE.md): one table of frame kinds, one loop that works the stack off.

The top frame is either automatic (it acts and pushes what follows) or a decision (it waits for one of its legal
actions). A *duty* is a frame that must be able to happen once it lies on the stack: sell or trade after tucking a
card, the noble action after paying a visit, paying for land. While one lies below the top, an option is legal
only if the duty can still be met through it; ``certain`` answers that cheaply where it can, and a depth-first
search over copies of the state answers it everywhere else.
"""
from engine_ext.types cimport *


cdef bint always(const EditionC* e, State* s, int seat, int a) noexcept nogil:
    return True


cdef void row(int kind, const char* name, LegalC legal, ApplyC apply, PossibleC possible, CertainC certain, int flags) noexcept:
    """Fill one row of the table; each chapter calls it for its own kinds when it is imported."""
    table[kind].name = name
    table[kind].legal = legal
    table[kind].apply = apply
    table[kind].possible = possible
    table[kind].certain = certain
    table[kind].flags = flags


def empty_rows():
    """Numbers of the kinds that no chapter has filled in."""
    cdef int kind
    return [kind for kind in range(N_KINDS) if table[kind].apply == NULL or table[kind].possible == NULL]


def kind_names():
    """Names of the frame kinds, by number."""
    cdef int kind
    return tuple((<bytes>table[kind].name).decode() for kind in range(N_KINDS))


def duty_disagreements():
    """Checked build: how often a fast test and the exhaustive search disagreed, by kind name. Empty when they never did."""
    cdef int kind
    return {(<bytes>table[kind].name).decode(): disagreements[kind] for kind in range(N_KINDS) if disagreements[kind]}


cdef bint can_meet(const EditionC* e, State* s, int depth) noexcept nogil:
    """Whether some way of playing on works the stack off down to ``depth`` frames. ``s`` is used up."""
    cdef int16_t options[MAX_ACTIONS]
    cdef State t
    cdef Frame f
    cdef RowC* r
    cdef int n
    cdef int i
    while s.depth > depth:
        f = s.frames[s.depth - 1]
        r = &table[f.kind]
        if r.legal == NULL:
            s.depth -= 1
            r.apply(e, s, f, 0)
        else:
            n = r.legal(e, s, &f, options)
            s.depth -= 1
            if n == 0:
                if not r.flags & OPTIONAL:
                    return False
                continue
            for i in range(n - 1):
                t = s[0]
                r.apply(e, &t, f, options[i])
                if not t.dead and can_meet(e, &t, depth):
                    return True
            r.apply(e, s, f, options[n - 1])
        if s.dead:
            return False
    return True


cdef bint can_complete(const EditionC* e, const State* s, int kind, int seat, int a, int b) noexcept nogil:
    """Whether a frame pushed now could be carried out to its end."""
    cdef State t = s[0]
    push(&t, kind, seat, a, b)
    return can_meet(e, &t, s.depth)


cdef int without_dead_ends(const EditionC* e, State* s, int duty, int n, int16_t* out) noexcept nogil:
    """Keep the options through which the duty at stack position ``duty`` can still be met."""
    cdef State t
    cdef Frame f = s.frames[s.depth - 1]
    cdef int kept = 0
    cdef int i
    for i in range(n):
        t = s[0]
        t.depth -= 1
        table[f.kind].apply(e, &t, f, out[i])
        if not t.dead and can_meet(e, &t, duty):
            out[kept] = out[i]
            kept += 1
    return kept


cdef int legal_actions(const EditionC* e, State* s, int16_t* out) noexcept nogil:
    """The legal arguments of the pending decision, into ``out`` (room for MAX_ACTIONS). Returns how many."""
    cdef Frame* f = &s.frames[s.depth - 1]
    cdef int n = table[f.kind].legal(e, s, f, out)
    cdef int duty = -1
    cdef int i
    cdef bint certain = True
    cdef CertainC test
    if n < 2:       # a single option is the way on that an earlier choice was allowed for
        return n
    for i in range(s.depth - 1):
        test = table[s.frames[i].kind].certain
        if test != NULL:
            if duty < 0:
                duty = i
            certain = certain and test(e, s, &s.frames[i])
    if duty < 0 or (certain and not CHECKED):
        return n
    i = without_dead_ends(e, s, duty, n, out)
    if certain and i != n:
        disagreements[f.kind] += 1
    return i


cdef int work_off(const EditionC* e, State* s, int16_t* out) noexcept nogil:
    """Deal with the top frame unless it is a real decision.

    Returns the number of a real decision's legal actions (0: the game is over), AUTOMATIC, or FORCED with the action in out[0].
    Decisions with a single action resolve themselves, except those that depend on a hidden hand.
    """
    cdef Frame f
    cdef RowC* r
    cdef int n
    if s.phase == PHASE_OVER or s.depth == 0 or s.dead:
        return 0
    f = s.frames[s.depth - 1]
    r = &table[f.kind]
    if r.legal == NULL:
        s.depth -= 1
        r.apply(e, s, f, 0)
        return AUTOMATIC
    n = legal_actions(e, s, out)
    if n > 1 or r.flags & WAITS:
        return n
    if n == 0 and not r.flags & OPTIONAL:
        s.dead = 1
        return 0
    s.depth -= 1
    if n == 0:
        return AUTOMATIC
    r.apply(e, s, f, out[0])
    return FORCED


cdef int advance(const EditionC* e, State* s, int16_t* out) noexcept nogil:
    """Work the stack off down to the next real decision; returns its number of legal actions, 0 when the game is over."""
    cdef int n
    while True:
        n = work_off(e, s, out)
        if n >= 0:
            return n


cdef int step(const EditionC* e, State* s, int argument, int16_t* out) noexcept nogil:
    """Apply a legal argument to the pending decision and advance; returns the next decision's number of actions."""
    cdef Frame f = s.frames[s.depth - 1]
    s.depth -= 1
    table[f.kind].apply(e, s, f, argument)
    return advance(e, s, out)
