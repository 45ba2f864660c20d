"""The six state actions (docs/rules.md E6-E13, F1-F7, F11-F14, J1-J4): recruit, plan, ship, produce, cardinal, favor."""
from engine_ext.types cimport *
from engine_ext.agenda cimport OPTIONAL, always, push, push_effects, row, shed_excess
from engine_ext.economy cimport (
    add_top, change_benefit, clergy_held, count_bits, different_goods, discard_from_portfolio, find_top, gain_good,
    gain_influence, hull, imax, imin, list_portfolio, move_treasury, next_ship, portfolio_cards, portfolio_limit,
    set_sail_if_full, ships_left, warehouse,
)


# --- Maia: recruit state officials ----------------------------------------------------------------------------------

cdef bint can_recruit(const EditionC* e, State* s, int seat, int n) noexcept nogil:
    """There is an official on the board to place (E10)."""
    return s.players[seat].officials > 0


cdef int legal_recruit(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """Sets of different offices, up to a + benefits of them, as masks (E6)."""
    cdef Player* p = &s.players[f.seat]
    cdef int most = imin(f.a + p.mods[Q_RECRUIT], p.officials)
    cdef int mask
    cdef int n = 0
    for mask in range(1, 1 << N_OFFICES):
        if count_bits(mask) <= most:
            out[n] = <int16_t>mask
            n += 1
    return n


cdef void make_way(const EditionC* e, State* s, int office) noexcept nogil:
    """In a full office one official of each colour tied for most goes to the plaza, my own too (E7); neutrals stay (E8)."""
    cdef int total = s.neutral
    cdef int most = 0
    cdef int i
    for i in range(s.seats):
        total += s.players[i].offices[office]
        most = imax(most, s.players[i].offices[office])
    if total < e.office_spaces or most == 0:
        return
    for i in range(s.seats):
        if s.players[i].offices[office] == most:
            s.players[i].offices[office] -= 1
            s.players[i].plazas[office] += 1


cdef void recruit(const EditionC* e, State* s, Frame f, int mask) noexcept nogil:
    cdef Player* p = &s.players[f.seat]
    cdef int office
    for office in range(N_OFFICES):
        if mask >> office & 1:
            make_way(e, s, office)
            p.officials -= 1
            p.offices[office] += 1


# --- Maia: acquire a plan ---------------------------------------------------------------------------------------------

cdef bint can_acquire_plan(const EditionC* e, State* s, int seat, int a) noexcept nogil:
    """Not when both stacks are empty (E11)."""
    return s.plan_pos[0] < PLAN_STACK or s.plan_pos[1] < PLAN_STACK


cdef int legal_acquire_plan(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    cdef int i
    cdef int n = 0
    for i in range(2):
        if s.plan_pos[i] < PLAN_STACK:
            out[n] = <int16_t>i
            n += 1
    return n


cdef void acquire_plan(const EditionC* e, State* s, Frame f, int architect) noexcept nogil:
    """The top plan of a stack; the next one is there at once (D14)."""
    cdef Player* p = &s.players[f.seat]
    p.plans |= (<uint32_t>1) << s.plan_stack[architect][s.plan_pos[architect]]
    s.plan_pos[architect] += 1
    p.reis += p.mods[Q_PLAN_REIS]


# --- Marquis: build a ship --------------------------------------------------------------------------------------------

cdef inline int goods_due(const EditionC* e, const State* s, const Player* p, int replaced) noexcept nogil:
    """max(0, hull - replaced hull - discounts) different goods (F1, F2, N22); none with the third middle house (F3)."""
    cdef int due = hull(e, next_ship(s)) - p.mods[Q_SHIP_GOODS]
    if p.houses[1] >= 3:
        return 0
    if p.houses[1] >= 1:
        due -= 1
    if replaced >= SHIP_BASE:
        due -= hull(e, replaced - SHIP_BASE)
    return imax(0, due)


cdef inline bint may_be_given_up(const Player* p, int thing, bint on_top, bint full) noexcept nogil:
    """For a new ship: any ship; a card only where room is needed, and where the docks are full only one of theirs (N3, B13)."""
    if thing >= SHIP_BASE:
        return True
    return on_top if p.n_top >= N_SLOTS else full


cdef int legal_build_ship(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """The dock: an empty slot (STOP), an old ship to replace, or a card to give up (N5)."""
    cdef Player* p = &s.players[f.seat]
    cdef int16_t things[6]
    cdef int have = different_goods(p)
    cdef bint top_full = p.n_top >= N_SLOTS
    cdef bint full = portfolio_cards(p) >= portfolio_limit(p)
    cdef int i
    cdef int n = 0
    if not ships_left(s):
        return 0
    if not top_full and not full and goods_due(e, s, p, 0) <= have:
        out[n] = STOP
        n += 1
    for i in range(list_portfolio(p, things)):
        if may_be_given_up(p, things[i], i < p.n_top, full) and goods_due(e, s, p, things[i]) <= have:
            out[n] = things[i]
            n += 1
    return n


cdef bint can_build_ship(const EditionC* e, State* s, int seat, int a) noexcept nogil:
    """A ship is left (F5) and its price can be paid on some dock."""
    cdef int16_t docks[8]
    cdef Frame f
    f.seat = <int8_t>seat
    return legal_build_ship(e, s, &f, docks) > 0


cdef void build_ship(const EditionC* e, State* s, Frame f, int dock) noexcept nogil:
    push(s, PLACE_SHIP, f.seat, dock, 0)
    push(s, SHIP_GOODS, f.seat, goods_due(e, s, &s.players[f.seat], dock if dock != STOP else 0), 0)


cdef int legal_ship_goods(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """Sets of a different goods, as masks; gold is one type like any other (F1)."""
    cdef Player* p = &s.players[f.seat]
    cdef int have = 0
    cdef int mask
    cdef int n = 0
    for mask in range(N_GOODS):
        if p.goods[mask] > 0:
            have |= 1 << mask
    for mask in range(1 << N_GOODS):
        if mask & ~have == 0 and count_bits(mask) == f.a:
            out[n] = <int16_t>mask
            n += 1
    return n


cdef void ship_goods(const EditionC* e, State* s, Frame f, int mask) noexcept nogil:
    cdef int good
    for good in range(N_GOODS):
        if mask >> good & 1:
            s.players[f.seat].goods[good] -= 1


cdef inline void move_cargo(const Player* p, int slot, int space, int* cargo, int* packed) noexcept nogil:
    """What moves over from any ship given up for a new one (F6, N4): crates first (N32); the rest goes to the supply (N6)."""
    packed[0] = imin(p.packed[slot], space)
    cargo[0] = imin(p.cargo[slot], space - packed[0])


cdef void place_ship(const EditionC* e, State* s, Frame f, int argument) noexcept nogil:
    """Card discarded, ship placed, treasury up, influence with the new ship (F4, N5).

    A hold that is full with the cargo of the replaced ship sails at once, and only what is newly packed earns wigs (F7, N6, N32).
    """
    cdef Player* p = &s.players[f.seat]
    cdef int ship = next_ship(s)
    cdef int space = hull(e, ship)
    cdef int cargo = 0
    cdef int packed = 0
    if f.a != STOP:
        if f.a >= SHIP_BASE:
            move_cargo(p, find_top(p, f.a), space, &cargo, &packed)
        discard_from_portfolio(e, s, f.seat, f.a)
    s.ship_pos += 1
    add_top(e, p, SHIP_BASE + ship, cargo, packed)
    set_sail_if_full(e, p, p.n_top - 1)
    move_treasury(e, s, 1)
    gain_influence(p)
    shed_excess(e, s, f.seat)


# --- Marquis: produce goods ---------------------------------------------------------------------------------------------

cdef bint can_produce(const EditionC* e, State* s, int seat, int a) noexcept nogil:
    """Some store's good has room in the warehouse (E4)."""
    cdef Player* p = &s.players[seat]
    cdef int good
    for good in range(N_GOODS):
        if p.stores[good] and p.goods[good] < warehouse(p):
            return True
    return False


cdef void produce(const EditionC* e, State* s, Frame f, int argument) noexcept nogil:
    """Goods from stores, lasting benefits, house bonus, price falls (N13). A type counts if a good of a store was kept (F12)."""
    cdef Player* p = &s.players[f.seat]
    cdef int good
    cdef int produced = 0
    cdef bint room = False
    for good in range(N_GOODS):
        if p.stores[good] and gain_good(p, good, p.stores[good]):
            produced |= 1 << good
            gain_good(p, good, p.mods[Q_PRODUCE + good] + (1 if p.houses[2] >= 3 else 0))
            room = room or p.goods[good] < warehouse(p)
    if room and 1 <= p.houses[2] < 3:
        push(s, PRODUCE_BONUS, f.seat, produced, 0)
    else:
        lower_prices(e, s, produced)


cdef inline void lower_prices(const EditionC* e, State* s, int produced) noexcept nogil:
    """The price of each type produced falls by one, down to its lowest step (F11, F14)."""
    cdef int good
    for good in range(N_GOODS):
        if produced >> good & 1:
            s.price[good] = <int8_t>imax(e.market_lowest[good], s.price[good] - 1)


cdef int legal_produce_bonus(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """One more good of a type produced now, if there is room (F13). a = mask of the types produced."""
    cdef Player* p = &s.players[f.seat]
    cdef int good
    cdef int n = 0
    for good in range(N_GOODS):
        if f.a >> good & 1 and p.goods[good] < warehouse(p):
            out[n] = <int16_t>good
            n += 1
    return n


cdef void produce_bonus(const EditionC* e, State* s, Frame f, int good) noexcept nogil:
    gain_good(&s.players[f.seat], good, 1)
    lower_prices(e, s, f.a)


# --- King: meet the cardinal ----------------------------------------------------------------------------------------------

cdef inline bint tile_beside(const State* s, int gap) noexcept nogil:
    """Gap g lies before tile g and after tile g - 1."""
    return s.church[gap] != UNKNOWN or s.church[(gap + N_CHURCH - 1) % N_CHURCH] != UNKNOWN


cdef int legal_meet_cardinal(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """Step counts up to a + benefits that leave a tile to take (J1, D15)."""
    cdef int steps
    cdef int n = 0
    for steps in range(1, f.a + s.players[f.seat].mods[Q_CARDINAL_STEPS] + 1):
        if tile_beside(s, (s.cardinal + steps) % N_CHURCH):
            out[n] = <int16_t>steps
            n += 1
    return n


cdef bint can_meet_cardinal(const EditionC* e, State* s, int seat, int n) noexcept nogil:
    """Not with four tiles (E13, J11), nor when no step count leaves a tile (N14)."""
    cdef int steps
    if clergy_held(&s.players[seat]) >= MAX_CLERGY:
        return False
    for steps in range(1, n + s.players[seat].mods[Q_CARDINAL_STEPS] + 1):
        if tile_beside(s, (s.cardinal + steps) % N_CHURCH):
            return True
    return False


cdef void meet_cardinal(const EditionC* e, State* s, Frame f, int steps) noexcept nogil:
    """Move, take a tile, then see what was landed on or passed."""
    push(s, CARDINAL_ICONS, f.seat, s.cardinal, steps)
    push(s, CLERGY_TILE, f.seat, 0, 0)
    s.cardinal = <int8_t>((s.cardinal + steps) % N_CHURCH)


cdef int legal_clergy_tile(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """One of the two neighbours, mandatory (J2)."""
    cdef int n = 0
    cdef uint8_t ahead = s.church[s.cardinal]
    cdef uint8_t behind = s.church[(s.cardinal + N_CHURCH - 1) % N_CHURCH]
    if behind != UNKNOWN:
        out[n] = behind
        n += 1
    if ahead != UNKNOWN:
        out[n] = ahead
        n += 1
    return n


cdef void clergy_tile(const EditionC* e, State* s, Frame f, int tile) noexcept nogil:
    """The tile is held and works from now on (J2); its own reward comes at once (N31)."""
    cdef int i
    for i in range(N_CHURCH):
        if s.church[i] == tile:
            s.church[i] = UNKNOWN
    s.players[f.seat].clergy |= (<uint64_t>1) << tile
    change_benefit(e, &s.players[f.seat], CLERGY_HOLDING + tile, 1)
    push_effects(e, s, f.seat, CLERGY_SOURCE + tile, 0)


cdef inline void call_church_scoring(State* s, int seat) noexcept nogil:
    """One scoring at the end of the turn, however often it is called (J5); the first to call it decides first (J6)."""
    if s.church_caller < 0:
        s.church_caller = <int8_t>seat


cdef void cardinal_icons(const EditionC* e, State* s, Frame f, int argument) noexcept nogil:
    """Landing on or passing an icon (J3, J4); leaving one does not count. a = the gap left, b = steps."""
    cdef int step
    cdef int gap
    for step in range(1, f.b + 1):
        gap = (f.a + step) % N_CHURCH
        if gap == e.church_treasury:
            move_treasury(e, s, 1)
        if gap == e.church_influence:
            call_church_scoring(s, f.seat)


# --- King: get a royal favor ------------------------------------------------------------------------------------------------

cdef int legal_get_favor(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """A noble whose favor the player lacks and that still has a tile (E12, A8)."""
    cdef int noble
    cdef int n = 0
    for noble in range(N_NOBLES):
        if not s.players[f.seat].favors >> noble & 1 and s.favor_stock[noble] > 0:
            out[n] = <int16_t>noble
            n += 1
    return n


cdef bint can_get_favor(const EditionC* e, State* s, int seat, int a) noexcept nogil:
    cdef int noble
    for noble in range(N_NOBLES):
        if not s.players[seat].favors >> noble & 1 and s.favor_stock[noble] > 0:
            return True
    return False


cdef void get_favor(const EditionC* e, State* s, Frame f, int noble) noexcept nogil:
    cdef Player* p = &s.players[f.seat]
    p.favors |= <uint8_t>(1 << noble)
    s.favor_stock[noble] -= 1
    p.reis += p.mods[Q_FAVOR_REIS]


row(RECRUIT, b"recruit", legal_recruit, recruit, can_recruit, NULL, 0)
row(ACQUIRE_PLAN, b"acquire_plan", legal_acquire_plan, acquire_plan, can_acquire_plan, NULL, 0)
row(BUILD_SHIP, b"build_ship", legal_build_ship, build_ship, can_build_ship, NULL, 0)
row(SHIP_GOODS, b"ship_goods", legal_ship_goods, ship_goods, always, NULL, 0)
row(PLACE_SHIP, b"place_ship", NULL, place_ship, always, NULL, 0)
row(PRODUCE, b"produce", NULL, produce, can_produce, NULL, 0)
row(PRODUCE_BONUS, b"produce_bonus", legal_produce_bonus, produce_bonus, always, NULL, OPTIONAL)
row(MEET_CARDINAL, b"meet_cardinal", legal_meet_cardinal, meet_cardinal, can_meet_cardinal, NULL, 0)
row(CLERGY_TILE, b"clergy_tile", legal_clergy_tile, clergy_tile, always, NULL, 0)
row(CARDINAL_ICONS, b"cardinal_icons", NULL, cardinal_icons, always, NULL, 0)
row(GET_FAVOR, b"get_favor", legal_get_favor, get_favor, can_get_favor, NULL, 0)
