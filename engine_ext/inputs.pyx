"""Checks of what comes in from Python: numbers of seats, lands and nobles; set-ups and states that index tables."""
from engine_ext cimport types
from engine_ext.types cimport *
from engine_ext.agenda cimport table


class IllegalAction(ValueError):
    """An argument that is not legal for the pending decision; the message names it and what was legal."""


class BrokenState(ValueError):
    """A state that breaks a law of conservation or a range; the message names every one."""


cdef check_seat(int seat, int seats):
    if not 0 <= seat < seats:
        raise ValueError(f"seat: {seat} is not a seat; allowed: 0 to {seats - 1}")


cdef illegal(decision, argument, legal):
    return IllegalAction(f"argument: {argument} is not legal for {decision}; "
                         f"allowed: {', '.join(map(str, legal)) or 'nothing'}")


cdef check_seats(int seats):
    if seats == 1:
        raise ValueError("seats: 1 player is not supported; allowed: 2 to 4 (the rule texts do not hold the solo rules)")
    if not 2 <= seats <= 4:
        raise ValueError(f"seats: {seats} players; allowed: 2 to 4")


cdef check_land(int land):
    if not 0 <= land < N_LANDS:
        raise ValueError(f"land: {land} is not a land; allowed: 0 to {N_LANDS - 1}")


cdef check_noble(int noble):
    if not 0 <= noble < N_NOBLES:
        raise ValueError(f"noble: {noble} is not a noble; allowed: 0 to {N_NOBLES - 1}")


cdef check_setup(const EditionC* e, const Setup* setup, int observer):
    """Every id must be one of its deck, bag or stack, and there only once; what an observer does not see may be UNKNOWN.

    Raises ``ValueError`` naming the first field that is wrong.
    """
    cdef bint hide = observer >= 0
    seen = set()

    def want(field, value, most, may_hide=False):
        if value > most and not (may_hide and value == types.UNKNOWN):
            raise ValueError(f"setup.{field}: {value}; allowed: 0 to {most}")

    def once(field, what, value, most, may_hide):
        want(field, value, most, may_hide)
        if value != types.UNKNOWN and (what, value) in seen:
            raise ValueError(f"setup.{field}: {value} a second time; allowed: each only once")
        seen.add((what, value))

    def card(field, value, deck, noble, may_hide):
        once(field, "card", value, N_CARDS - 1, may_hide)
        if value < N_CARDS and (e.card_deck[value] != deck or noble not in (-1, e.card_noble[value])):
            raise ValueError(f"setup.{field}: {value}; allowed: cards of its own deck")

    for i in range(4):
        once(f"scoring[{i}]", "scoring", setup.scoring[i], 3, False)
    for i in range(setup.seats):
        once(f"starting_plans[{i}]", "plan", setup.starting_plans[i], N_PLANS - 1, False)
        want(f"favors[{i}]", setup.favors[i], N_NOBLES - 1)
        want(f"clergy_returns[{i}]", setup.clergy_returns[i], N_CLERGY - 2 * setup.seats + i, hide)
        for j in range(HAND):
            card(f"hands[{i}][{j}]", setup.hands[i][j], DECK_BLUE, -1, hide and i != observer)
    for i in range(N_CLERGY):
        once(f"clergy[{i}]", "clergy", setup.clergy[i], N_CLERGY - 1, hide and i // 2 != observer)
    for i in range(N_DECREES):
        once(f"decrees[{i}]", "decree", setup.decrees[i], N_DECREES - 1, hide)
    for i in range(N_DEALT):
        card(f"purple[{i}]", setup.purple[i], DECK_PURPLE, -1, hide)
    for k in range(2):
        for i in range(BUILDING_STACK):
            once(f"buildings[{k}][{i}]", "building", setup.buildings[k][i], N_BUILDINGS - 1, hide)
            once(f"plans[{k}][{i}]", "plan", setup.plans[k][i], N_PLANS - 1, False)
        for i in range(N_DECKS):
            for j in range(DECK_CARDS):
                card(f"decks[{k}][{i}][{j}]", setup.decks[k][i][j], DECK_BROWN if k else DECK_RED, i, hide)


cdef bint in_portfolio(const State* s, const Frame* f) noexcept nogil:
    """Whether what a PLACE_SHIP frame gives up for the ship is there to be given up."""
    cdef const Player* p = &s.players[f.seat]
    cdef int i
    for i in range(min(max(p.n_top, 0), N_SLOTS)):
        if p.top[i] == f.a:
            return True
    for i in range(min(max(p.n_bottom, 0), N_SLOTS)):
        if p.bottom[i] == f.a:
            return True
    return f.a == STOP


cdef check_state(const State* s):
    """Ids and positions that index arrays must be in range before anything else may look at a state."""
    cdef int ships = 0
    bad = []

    def want(field, value, least, most, *others):
        if not least <= value <= most and value not in others:
            bad.append(f"{field}: {value}; allowed: {least} to {most}")
    want("seats", s.seats, 2, 4)
    want("period", s.period, 0, 1)
    want("phase", s.phase, 0, 2)
    want("treasury", s.treasury, 0, MAX_TREASURY - 1)
    want("cardinal", s.cardinal, 0, N_CHURCH - 1)
    want("active", s.active, 0, 3)
    want("depth", s.depth, 0, MAX_FRAMES - 8)       # more than play ever reaches, and room for what follows
    want("decree_pos", s.decree_pos, 0, N_DECREES)
    want("clergy_pos", s.clergy_pos, 0, N_CLERGY)
    want("purple_pos", s.purple_pos, 0, N_DEALT)
    want("draft_pass", s.draft_pass, 0, 3)
    want("played", s.played, 0, N_CARDS - 1, types.UNKNOWN)
    want("trigger", s.trigger, -1, s.seats - 1)
    want("church_caller", s.church_caller, -1, s.seats - 1)
    for i in range(2):
        want(f"building_pos[{i}]", s.building_pos[i], 0, BUILDING_STACK)
        want(f"plan_pos[{i}]", s.plan_pos[i], 0, PLAN_STACK)
        for j in range(PLAN_STACK):
            want(f"plan_stack[{i}][{j}]", s.plan_stack[i][j], 0, N_PLANS - 1)
            want(f"buildings[{i}][{j}]", s.buildings[i][j], 0, N_BUILDINGS - 1, types.UNKNOWN)
        for k in range(N_DECKS):
            for j in range(DECK_CARDS):
                want(f"decks[{i}][{k}][{j}]", s.decks[i][k][j], 0, N_CARDS - 1, types.UNKNOWN)
    want("face_up", s.face_up, 0, (1 << N_DECKS) - 1)
    for i in range(N_DECKS):
        want(f"deck_pos[{i}]", s.deck_pos[i], 0, DECK_CARDS - (s.face_up >> i & 1))
        want(f"scoring[{i}]", s.scoring[i], 0, 3)
    for i in range(N_DECREES):
        want(f"decree_deck[{i}]", s.decree_deck[i], 0, N_DECREES - 1, types.UNKNOWN)
    for i in range(s.decree_pos if s.decree_pos <= N_DECREES else 0):
        want(f"decree_deck[{i}]", s.decree_deck[i], 0, N_DECREES - 1)
    for i in range(N_DISPLAY):
        want(f"display[{i}]", s.display[i], 0, N_DECREES - 1, types.UNKNOWN)
    for i in range(N_CLERGY):
        want(f"clergy_bag[{i}]", s.clergy_bag[i], 0, N_CLERGY - 1, types.UNKNOWN)
    for i in range(N_CHURCH):
        want(f"church[{i}]", s.church[i], 0, N_CLERGY - 1, types.UNKNOWN)
    for i in range(N_DEALT):
        want(f"purple[{i}]", s.purple[i], 0, N_CARDS - 1, types.UNKNOWN)
    for i in range(MAX_SEATS):
        for j in range(HAND):
            want(f"packets[{i}][{j}]", s.packets[i][j], 0, N_CARDS - 1, types.UNKNOWN)
    for i in range(N_LANDS):
        want(f"land_business[{i}]", s.land_business[i], -2, N_GOODS - 1)
        want(f"land_owner[{i}]", s.land_owner[i], -1, 3)
    for i in range(N_SITES):
        want(f"site_building[{i}]", s.site_building[i], -3, 2 * N_BUILDINGS - 1)
        want(f"site_owner[{i}]", s.site_owner[i], -1, 3)
    for i in range(s.depth if s.depth < MAX_FRAMES else 0):
        want(f"frames[{i}].kind", s.frames[i].kind, 0, N_KINDS - 1)
        want(f"frames[{i}].seat", s.frames[i].seat, 0, s.seats - 1)
        check_frame(bad, i, &s.frames[i])
        if s.frames[i].kind == PERIOD_END and s.trigger < 0:
            bad.append(f"trigger: {s.trigger}; allowed: 0 to {s.seats - 1}, who ended the period")
        if s.frames[i].kind == OPENING and s.frames[i].a == 1 and any(s.players[j].n_hand for j in range(MAX_SEATS)):
            bad.append(f"frames[{i}]: cards in hand; allowed: none while hands are drafted")
        if s.frames[i].kind == STORE_HOUSE and 0 <= s.frames[i].a < N_LANDS and s.land_business[s.frames[i].a] < 0:
            bad.append(f"frames[{i}].a: {s.frames[i].a}; allowed: a land with a tile")
        if s.frames[i].kind == PLACE_SHIP or s.frames[i].kind == BUILD_SHIP:
            ships += 1
        if s.frames[i].kind == PLACE_SHIP and 0 <= s.frames[i].seat < 4 and not in_portfolio(s, &s.frames[i]):
            bad.append(f"frames[{i}].a: {s.frames[i].a}; allowed: {types.STOP}, or something in the seat's portfolio")
        if s.frames[i].kind == TAKE_CARD and i == s.depth - 1 and s.players[s.frames[i].seat & 3].n_hand >= HAND:
            bad.append(f"players[{s.frames[i].seat}].n_hand: {HAND}; allowed: at most {HAND - 1} when a card is to be taken")
    for i in range(s.seats if s.seats <= 4 else 0):
        where = f"players[{i}]"
        want(f"{where}.n_hand", s.players[i].n_hand, 0, HAND)
        want(f"{where}.n_top", s.players[i].n_top, 0, N_SLOTS)
        want(f"{where}.n_bottom", s.players[i].n_bottom, 0, N_SLOTS)
        want(f"{where}.influence", s.players[i].influence, 0, MAX_INFLUENCE)
        for j in range(s.players[i].n_hand if 0 <= s.players[i].n_hand <= HAND else 0):
            want(f"{where}.hand[{j}]", s.players[i].hand[j], 0, N_CARDS - 1, types.UNKNOWN_BLUE, types.UNKNOWN_PURPLE)
        for j in range(s.players[i].n_top if 0 <= s.players[i].n_top <= N_SLOTS else 0):
            want(f"{where}.top[{j}]", s.players[i].top[j], 0, N_CARDS - 1,
                 *range(types.SHIP_BASE, types.SHIP_BASE + N_SHIPS))
        for j in range(s.players[i].n_bottom if 0 <= s.players[i].n_bottom <= N_SLOTS else 0):
            want(f"{where}.bottom[{j}]", s.players[i].bottom[j], 0, N_CARDS - 1)
    if 2 <= s.seats <= 4 and ships > max(0, 2 * (s.seats - 1) - s.ship_pos):
        bad.append(f"frames: {ships} ships to be built; allowed: as many as the shipyard has")
    if bad:
        raise BrokenState("; ".join(bad))


cdef check_decision(const State* s):
    """An observation shows a state that waits for somebody: only what is decided has actions to look at."""
    if s.phase != PHASE_OVER and (not s.depth or table[s.frames[s.depth - 1].kind].legal == NULL):
        raise BrokenState(f"frames: {s.depth} of them; allowed: a decision on top")


FRAME_LIMITS = {
    # what the arguments of a frame may be: they index tables
    TUCK: (0, N_CARDS - 1), MAKE_ROOM: (0, N_CARDS - 1), SELL_OR_TRADE: (0, N_CARDS - 1), SPONSOR: (0, N_CARDS - 1),
    TRADE_GOOD: (0, 5), VISIT: (0, 2), VISIT_STATE_ACTION: (0, 2), NOBLE_ACTION: (0, 2), FOLLOW_WINDOW: (0, 2),
    FOLLOW: (0, 2), FOLLOW_ACTION: (0, 2), STORE_CUBE: (0, N_LANDS - 1), LAND_PRICE: (0, N_LANDS - 1),
    STORE_HOUSE: (0, N_LANDS - 1), BUILDING_PLAN: (0, N_SITES - 1), BUILDING_OFFICIALS: (0, N_SITES - 1),
    BUILDING_SCORED: (0, N_SITES - 1), EFFECTS: (0, N_SOURCES - 1), CHOICE: (0, N_SOURCES - 1), DRAFT_KEEP: (0, 2),
    CARDINAL_ICONS: (0, N_CHURCH - 1), RECRUIT: (1, 8), MEET_CARDINAL: (1, 8), VISIT_COST: (0, 31),
    PAY_REIS: (0, 200), DISCARD_REWARD: (0, 2), DISCARD_HAND: (0, N_CARDS), GIVE_CLERGY: (0, N_CLERGY),
}


cdef check_frame(list bad, int i, const Frame* f):
    least, most = FRAME_LIMITS.get(f.kind, (-32768, 32767))
    if not least <= f.a <= most:
        bad.append(f"frames[{i}].a: {f.a}; allowed: {least} to {most}")
    if f.kind in (BUILDING_OFFICIALS, BUILDING_SCORED) and not 0 <= f.b < N_PLANS:
        bad.append(f"frames[{i}].b: {f.b}; allowed: 0 to {N_PLANS - 1}")
    most = {DRAFT_KEEP: 1, FOLLOW_WINDOW: MAX_SEATS}.get(f.kind)
    if most is not None and not 0 <= f.b <= most:
        bad.append(f"frames[{i}].b: {f.b}; allowed: 0 to {most}")
    if f.kind == VISIT_COST and not 0 <= f.b < N_NOBLES:
        bad.append(f"frames[{i}].b: {f.b}; allowed: 0 to {N_NOBLES - 1}")
