"""The royal court (docs/rules.md C, D, B19, B20): visit a noble, follow a visit, sponsor an event."""
from engine_ext.types cimport *
from engine_ext.agenda cimport (
    CHECKED, IMPOSSIBLE, POSSIBLE, STAFFED, UNDECIDED, agreed, always, can_meet, compared, effect_possible, possible,
    push, push_effects, push_state_action, row, state_action_possible,
)
from engine_ext.economy cimport clergy_held, decree_on_display, imax, imin, money, spend_wigs, treasury_reis


# --- the price of an audience --------------------------------------------------------------------------------------

cdef inline int officials_against(const State* s, int seat, int noble) noexcept nogil:
    """Rivals' and neutral officials inside the office (C15, A5); a benefit that ignores officials ignores neutrals too (N30)."""
    cdef int total = s.neutral
    cdef int i
    if s.players[seat].mods[Q_VISIT_IGNORES + noble]:
        return 0
    for i in range(s.seats):
        if i != seat:
            total += s.players[i].offices[noble]
    return total


cdef int visit_cost(const EditionC* e, const State* s, int seat, int noble, bint following) noexcept nogil:
    """Treasury influence + officials against - benefits, floored once (C14, N22)."""
    cdef const Player* p = &s.players[seat]
    cdef int cost = e.treasury_influence[s.treasury] + officials_against(s, seat, noble) - p.mods[Q_VISIT + noble]
    if following:
        cost -= p.mods[Q_FOLLOW]
    return imax(0, cost)


cdef inline bint pays_with_reis(const Player* p) noexcept nogil:
    """The second left-group house lets réis stand for influence (C11)."""
    return p.houses[0] >= 2


cdef inline int reis_for_visit(const Player* p, int cost) noexcept nogil:
    """At most so many réis: those in hand, since influence is not turned into réis to pay influence (C13)."""
    return imin(cost, p.reis) if pays_with_reis(p) else 0


cdef inline int wigs_for_visit(const Player* p, int cost, int reis) noexcept nogil:
    """Wigs pay what influence and the chosen réis leave, however many réis are left in hand (C7, C8, C12)."""
    return imax(0, cost - reis - p.influence)


cdef inline bint can_pay_visit(const Player* p, int cost) noexcept nogil:
    return wigs_for_visit(p, cost, reis_for_visit(p, cost)) <= p.wigs


cdef int legal_visit_cost(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """Splits r * 32 + w: r réis, w wigs, the rest influence."""
    cdef Player* p = &s.players[f.seat]
    cdef int r
    cdef int w
    cdef int n = 0
    for r in range(reis_for_visit(p, f.a) + 1):
        w = wigs_for_visit(p, f.a, r)
        if w <= p.wigs:
            out[n] = <int16_t>(r * 32 + w)
            n += 1
    return n


cdef void pay_visit(const EditionC* e, State* s, Frame f, int split) noexcept nogil:
    cdef Player* p = &s.players[f.seat]
    p.reis -= <int16_t>(split >> 5)
    spend_wigs(p, split & 31)
    p.influence -= <int8_t>(f.a - (split >> 5) - (split & 31))


# --- visiting --------------------------------------------------------------------------------------------------------

cdef void visit(const EditionC* e, State* s, Frame f, int argument) noexcept nogil:
    """Cost, optional state action, noble action (D1)."""
    push(s, NOBLE_ACTION, f.seat, f.a, 0)
    push(s, VISIT_STATE_ACTION, f.seat, f.a, 0)
    push(s, VISIT_COST, f.seat, visit_cost(e, s, f.seat, f.a, False), f.a)


cdef int legal_visit_state_action(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """One of the noble's two state actions without a good, or none (D1, D3)."""
    cdef int action
    cdef int n = 1
    out[0] = STOP
    for action in range(2 * f.a, 2 * f.a + 2):
        if state_action_possible(e, s, f.seat, action):
            out[n] = <int16_t>action
            n += 1
    return n


cdef void visit_state_action(const EditionC* e, State* s, Frame f, int action) noexcept nogil:
    if action != STOP:
        push_state_action(s, f.seat, action)


cdef enum:  # NobleAction: the argument of NOBLE_ACTION
    DO_STORE = 0
    DO_BUILDING = 1
    DO_DECREE = 2


cdef inline int noble_action_kind(int action) noexcept nogil:
    return BUILD_STORE if action == DO_STORE else OPEN_BUILDING if action == DO_BUILDING else TAKE_DECREE


cdef int legal_noble_action(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """A store with Maia, a building with the King, a decree with the Marquis; it is mandatory (D1, D5).

    With the Queen out the Marquis offers store and building instead (M10).
    """
    cdef bint queen = s.queen and f.a == MARQUIS
    cdef int action
    cdef int n = 0
    for action in range(3):
        if (action == DO_STORE and (f.a == MAIA or queen)) or (action == DO_BUILDING and (f.a == KING or queen)) \
                or (action == DO_DECREE and f.a == MARQUIS and not queen):
            if possible(e, s, noble_action_kind(action), f.seat, 0):
                out[n] = <int16_t>action
                n += 1
    return n


cdef void noble_action(const EditionC* e, State* s, Frame f, int action) noexcept nogil:
    push(s, noble_action_kind(action), f.seat, 0, 0)


cdef bint can_do_noble_action(const EditionC* e, State* s, int seat, int noble) noexcept nogil:
    cdef int16_t choices[2]
    cdef Frame f
    f.seat = <int8_t>seat
    f.a = <int16_t>noble
    return legal_noble_action(e, s, &f, choices) > 0


cdef bint certain_noble_action(const EditionC* e, State* s, const Frame* f) noexcept nogil:
    """Decrees stay; recruiting and plans cannot hurt a store. The cardinal may raise what hiring costs, so ask anew there."""
    if f.a == MARQUIS and not s.queen:
        return decree_on_display(s)
    if s.frames[s.depth - 1].kind == VISIT_COST:
        return False
    if f.a == MAIA:
        return e.tame_lands and possible(e, s, BUILD_STORE, f.seat, 0)
    if s.frames[s.depth - 1].kind == GET_FAVOR and possible(e, s, OPEN_BUILDING, f.seat, 0):
        return True
    return e.tame_clergy and possible(e, s, OPEN_BUILDING, f.seat, STAFFED)


cdef bint may_help(const EditionC* e, State* s, int seat, int noble) noexcept nogil:
    """Whether one of a noble's state actions could make an impossible noble action possible (D5, second half)."""
    cdef Player* p = &s.players[seat]
    cdef int i
    cdef int j
    cdef const Benefit* b
    if noble == MARQUIS:
        return s.queen
    if noble == MAIA:
        return not e.tame_lands or (p.mods[Q_PLAN_REIS] > 0 and state_action_possible(e, s, seat, SA_PLAN))
    if e.tame_clergy and not p.plans:
        return False                        # neither of the King's state actions brings a plan (N11)
    if p.mods[Q_FAVOR_REIS] > 0 and state_action_possible(e, s, seat, SA_FAVOR):
        return True
    if clergy_held(p) >= MAX_CLERGY:
        return False
    for i in range(N_CHURCH):
        if s.church[i] == UNKNOWN:
            continue
        if e.source_kinds[CLERGY_SOURCE + s.church[i]]:
            return True
        b = &e.benefits[CLERGY_HOLDING + s.church[i]]
        for j in range(b.n):
            if b.modifiers[j].quantity in (Q_HIRE, Q_BUILDING_OFFICIALS, Q_RECRUIT, Q_CARDINAL_STEPS, Q_INFLUENCE_GAIN,
                                           Q_PLAN_REIS, Q_FAVOR_REIS):
                return True
    return False


cdef bint can_act_after_paying(const EditionC* e, State* s, int seat, int noble, int cost) noexcept nogil:
    """Whether some split of the cost leaves the noble action possible at once."""
    cdef Player* p = &s.players[seat]
    cdef int16_t reis = p.reis
    cdef int16_t wigs = p.wigs
    cdef int8_t influence = p.influence
    cdef int r
    cdef int w
    cdef bint found = False
    for r in range(reis_for_visit(p, cost) + 1):
        p.influence = influence
        w = wigs_for_visit(p, cost, r)
        if w > wigs:
            continue
        p.reis = <int16_t>(reis - r)
        p.wigs = <int16_t>(wigs - w)
        p.influence = <int8_t>(influence - (cost - r - w))
        found = can_do_noble_action(e, s, seat, noble)
        if found:
            break
    p.reis = reis
    p.wigs = wigs
    p.influence = influence
    return found


cdef bint can_visit(const EditionC* e, State* s, int seat, int noble) noexcept nogil:
    """Whether the cost can be paid and the noble action carried out afterwards (C9, D5)."""
    cdef int cost = visit_cost(e, s, seat, noble, False)
    cdef int test = IMPOSSIBLE
    if can_pay_visit(&s.players[seat], cost):
        if noble == MARQUIS and not s.queen:
            test = POSSIBLE if decree_on_display(s) else IMPOSSIBLE
        elif can_act_after_paying(e, s, seat, noble, cost):
            test = POSSIBLE
        elif may_help(e, s, seat, noble):
            test = UNDECIDED
    return agreed(e, s, test, VISIT, seat, noble, 0)


# --- following -------------------------------------------------------------------------------------------------------

cdef void follow_window(const EditionC* e, State* s, Frame f, int argument) noexcept nogil:
    """Rivals clockwise from the visitor, each with that noble's favor who can pay and act (D6, N25). b = who is next."""
    cdef int i
    cdef int seat
    for i in range(f.b, s.seats):
        seat = (f.seat + i) % s.seats
        if s.players[seat].favors >> f.a & 1 and possible(e, s, FOLLOW, seat, f.a):
            push(s, FOLLOW_WINDOW, f.seat, f.a, i + 1)
            push(s, FOLLOW, seat, f.a, 0)
            return


cdef int legal_follow(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    out[0] = NO
    out[1] = YES
    return 2


cdef void follow(const EditionC* e, State* s, Frame f, int yes) noexcept nogil:
    """The favor goes back first, then the cost as it is now (D6, D7, D9), then one of three actions."""
    if not yes:
        return
    s.players[f.seat].favors &= <uint8_t>(~(1 << f.a))
    s.favor_stock[f.a] += 1
    push(s, FOLLOW_ACTION, f.seat, f.a, 0)
    push(s, VISIT_COST, f.seat, visit_cost(e, s, f.seat, f.a, True), f.a)


cdef int legal_follow_action(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """Exactly one of the noble's three actions (D8)."""
    cdef int action
    cdef int n = 0
    for action in range(2 * f.a, 2 * f.a + 2):
        if state_action_possible(e, s, f.seat, action):
            out[n] = <int16_t>action
            n += 1
    if can_do_noble_action(e, s, f.seat, f.a):
        out[n] = SA_NOBLE_ACTION
        n += 1
    return n


cdef void follow_action(const EditionC* e, State* s, Frame f, int action) noexcept nogil:
    if action == SA_NOBLE_ACTION:
        push(s, NOBLE_ACTION, f.seat, f.a, 0)
    else:
        push_state_action(s, f.seat, action)


cdef bint certain_follow_action(const EditionC* e, State* s, const Frame* f) noexcept nogil:
    """A state action that paying the cost cannot spoil."""
    return state_action_possible(e, s, f.seat, 2 * f.a) or state_action_possible(e, s, f.seat, 2 * f.a + 1)


cdef bint can_follow(const EditionC* e, State* s, int seat, int noble) noexcept nogil:
    """A favor holder who can pay and then complete one of the three actions (N25)."""
    cdef Player* p = &s.players[seat]
    cdef State t
    cdef int cost = visit_cost(e, s, seat, noble, True)
    cdef int test = UNDECIDED
    if not can_pay_visit(p, cost):
        test = IMPOSSIBLE
    elif noble == KING:
        test = POSSIBLE                     # the favor just returned can be taken again (D9)
    elif state_action_possible(e, s, seat, 2 * noble) or state_action_possible(e, s, seat, 2 * noble + 1):
        test = POSSIBLE
    elif noble == MARQUIS and not s.queen:
        test = POSSIBLE if decree_on_display(s) else IMPOSSIBLE
    if test != UNDECIDED and not CHECKED:
        return test == POSSIBLE
    t = s[0]
    t.players[seat].favors &= <uint8_t>(~(1 << noble))
    t.favor_stock[noble] += 1
    push(&t, FOLLOW_ACTION, seat, noble, 0)
    push(&t, VISIT_COST, seat, cost, noble)
    return compared(FOLLOW, test, can_meet(e, &t, s.depth))


# --- sponsoring an event -----------------------------------------------------------------------------------------------

cdef inline int sponsor_price(const EditionC* e, const State* s, const Player* p) noexcept nogil:
    """The treasury value less benefits, floored once (B20, N22)."""
    return imax(0, treasury_reis(e, s) - p.mods[Q_SPONSOR])


cdef bint event_possible(const EditionC* e, State* s, int seat, int card, uint32_t but) noexcept nogil:
    """At least one of the event's effects, other than those of some kinds, can be carried out now (N8)."""
    cdef const Source* source = &e.sources[card]
    cdef int i
    for i in range(source.n_rewards):
        if not but >> source.rewards[i].kind & 1 and effect_possible(e, s, seat, &source.rewards[i]):
            return True
    for i in range(source.n_choices):
        if not but >> source.choices[i].kind & 1 and effect_possible(e, s, seat, &source.choices[i]):
            return True
    return False


cdef void sponsor(const EditionC* e, State* s, Frame f, int argument) noexcept nogil:
    """Pay the treasury value, which does not move the marker (B20), then the event; nobody can follow (B19). b = 1: paid."""
    if f.b == 0:
        push(s, SPONSOR, f.seat, f.a, 1)
        push(s, PAY_REIS, f.seat, sponsor_price(e, s, &s.players[f.seat]), 0)
    elif event_possible(e, s, f.seat, f.a, 0):
        push_effects(e, s, f.seat, f.a, 0)
    else:
        s.dead = 1


cdef bint certain_sponsor(const EditionC* e, State* s, const Frame* f) noexcept nogil:
    """Some effect is possible now that paying réis cannot spoil, as it may stores, buildings and payments."""
    cdef uint32_t spoilt = 1 << E_STORE | 1 << E_BUILDING | 1 << E_PAY_REIS | 1 << E_PAY_INFLUENCE
    return event_possible(e, s, f.seat, f.a, spoilt)


cdef bint can_sponsor(const EditionC* e, State* s, int seat, int card) noexcept nogil:
    """The treasury value can be paid, and something of the event be done after that (N8).

    How it is paid matters only for what is bought with the rest, where a later gain of influence may fetch more or less.
    """
    cdef Player* p = &s.players[seat]
    cdef uint32_t penalties = 1 << E_PAY_REIS | 1 << E_PAY_INFLUENCE
    cdef uint32_t purchases = 1 << E_STORE | 1 << E_BUILDING
    cdef int price = sponsor_price(e, s, p)
    cdef int16_t reis = p.reis
    cdef int8_t influence = p.influence
    cdef int test = IMPOSSIBLE
    cdef int by_influence
    if money(e, p) >= price:
        for by_influence in range(imin(price, e.cash_value[influence]) + 1):
            if by_influence:
                p.influence = e.next_reis_space[p.influence]
            if price - by_influence > reis:
                continue
            p.reis = <int16_t>(reis - (price - by_influence))
            if event_possible(e, s, seat, card, 0):
                test = POSSIBLE
            if test == POSSIBLE or not e.source_kinds[card] & purchases:
                break
        if test == IMPOSSIBLE and e.source_kinds[card] & penalties:
            test = UNDECIDED
        p.reis = reis
        p.influence = influence
    return agreed(e, s, test, SPONSOR, seat, card, 0)


row(VISIT, b"visit", NULL, visit, can_visit, NULL, 0)
row(VISIT_COST, b"visit_cost", legal_visit_cost, pay_visit, always, NULL, 0)
row(VISIT_STATE_ACTION, b"visit_state_action", legal_visit_state_action, visit_state_action, always, NULL, 0)
row(NOBLE_ACTION, b"noble_action", legal_noble_action, noble_action, can_do_noble_action, certain_noble_action, 0)
row(FOLLOW_WINDOW, b"follow_window", NULL, follow_window, always, NULL, 0)
row(FOLLOW, b"follow", legal_follow, follow, can_follow, NULL, 0)
row(FOLLOW_ACTION, b"follow_action", legal_follow_action, follow_action, always, certain_follow_action, 0)
row(SPONSOR, b"sponsor", NULL, sponsor, can_sponsor, certain_sponsor, 0)
