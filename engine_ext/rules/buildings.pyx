"""Open a public building (docs/rules.md H): site and cubes, reward, plan and tile, officials, stores scored."""
from engine_ext.types cimport *
from engine_ext.agenda cimport (
    CHECKED, IMPOSSIBLE, POSSIBLE, STAFFED, UNDECIDED, always, can_meet, compared, push, push_effects, row,
)
from engine_ext.economy cimport gain_wigs, imax, imin, money, officials_out, plaza_pool, reveal, take_cube
from engine_ext.funds cimport LUCRATIVE, MoneyC, WELCOME, rewarded_money


cdef enum:
    NO_PLAN = 100


cdef inline int tile_on_offer(const State* s, int architect) noexcept nogil:
    """building * 2 + side displayed by an architect, -1 when his stack is used up (H13)."""
    if s.building_pos[architect] >= BUILDING_STACK:
        return -1
    return s.buildings[architect][s.building_pos[architect]] * 2 + architect


cdef inline bint tile_fits(const EditionC* e, const State* s, int site, int architect) noexcept nogil:
    """A north site needs its street among the tile's colours; west and east take any tile (H4)."""
    cdef int tile = tile_on_offer(s, architect)
    if tile < 0:
        return False
    return e.site_street[site] < 0 or e.building_colours[tile >> 1][tile & 1] >> e.site_street[site] & 1


cdef inline int officials_needed(const EditionC* e, const Player* p, int plan) noexcept nogil:
    return imax(0, e.plan_officials[plan] - p.mods[Q_BUILDING_OFFICIALS])


cdef inline int hiring_price(const EditionC* e, const Player* p, int hired, int treasury) noexcept nogil:
    """Each missing official costs the treasury value less benefits, floored once (H7, N22)."""
    return hired * imax(0, e.treasury_reis[treasury] - p.mods[Q_HIRE])


cdef void fewest_officials(const EditionC* e, const State* s, const Player* p, int* fewest) noexcept nogil:
    """Officials asked for by the easiest held plan of each architect who has a tile; NO_PLAN if there is none."""
    cdef int plan
    cdef int architect
    cdef int needed
    fewest[0] = fewest[1] = NO_PLAN
    for plan in range(N_PLANS):
        if p.plans >> plan & 1:
            architect = e.plan_architect[plan]
            needed = officials_needed(e, p, plan)
            if needed < fewest[architect] and tile_on_offer(s, architect) >= 0:
                fewest[architect] = needed


cdef inline int fewest_at(const EditionC* e, const State* s, int site, const int* fewest) noexcept nogil:
    """The fewest officials with which a site can be opened, by the plans held now."""
    cdef int best = NO_PLAN
    cdef int architect
    for architect in range(2):
        if fewest[architect] < best and tile_fits(e, s, site, architect):
            best = fewest[architect]
    return best


cdef bint opens_with_every_tile(const EditionC* e, const State* s, const Player* p, int needed, const MoneyC* m) noexcept nogil:
    """Would the officials and the money do if every tile in the church helped at once? An upper bound of what one can do."""
    cdef const Benefit* b
    cdef int price = imin(e.treasury_reis[s.treasury], e.treasury_reis[s.treasury] + m.dearer) - p.mods[Q_HIRE]
    cdef int gap
    cdef int i
    for gap in range(N_CHURCH):
        if s.church[gap] == UNKNOWN:
            continue
        b = &e.benefits[CLERGY_HOLDING + s.church[gap]]
        for i in range(b.n):
            if b.modifiers[i].quantity == Q_HIRE:
                price -= b.modifiers[i].n
            elif b.modifiers[i].quantity == Q_BUILDING_OFFICIALS:
                needed -= b.modifiers[i].n
    return imax(0, needed - m.officials) * imax(0, price) <= m.money + m.tile_money


cdef int site_test(const EditionC* e, State* s, int seat, int site, int needed) noexcept nogil:
    """Could a building be opened here with a plan held now, after cubes and reward (N11, H3)?"""
    cdef Player* p = &s.players[seat]
    cdef MoneyC m
    cdef int price
    cdef uint32_t kinds = e.source_kinds[SITE_SOURCE + site]
    if needed <= officials_out(p) and harmless(e, site):
        return POSSIBLE
    if not kinds & ~<uint32_t>WELCOME:
        if hiring_price(e, p, needed - officials_out(p), s.treasury) <= money(e, p):
            return POSSIBLE
        if not kinds & (LUCRATIVE | <uint32_t>1 << E_OFFICIALS):
            return IMPOSSIBLE
    rewarded_money(e, s, seat, SITE_SOURCE + site, &m)
    if m.unclear:
        return UNDECIDED
    price = hiring_price(e, p, imax(0, needed - m.officials), s.treasury)
    if price == 0 or m.money >= price:
        if not m.cardinal or needed <= m.officials:
            return POSSIBLE
        return POSSIBLE if m.money >= price + m.dearer * (needed - m.officials) else UNDECIDED
    if m.tiles_matter:
        return UNDECIDED if opens_with_every_tile(e, s, p, needed, &m) else IMPOSSIBLE
    return IMPOSSIBLE


cdef inline int plans_held_by_now(const State* s) noexcept nogil:
    """Where the plan stacks stand, as b of a BUILDING_PLAN frame: plans acquired from here on do not count there."""
    return 1 + s.plan_pos[0] + (PLAN_STACK + 1) * s.plan_pos[1]


cdef bint held_by_then(const EditionC* e, const State* s, int plan, int then) noexcept nogil:
    """Whether a plan held now was held when the stacks stood as ``then`` says (0: any plan will do)."""
    cdef int architect = e.plan_architect[plan]
    cdef int i
    if then == 0:
        return True
    then -= 1
    for i in range(then // (PLAN_STACK + 1) if architect else then % (PLAN_STACK + 1), s.plan_pos[architect]):
        if s.plan_stack[architect][i] == plan:
            return False
    return True


cdef inline void begin_building(const EditionC* e, State* s, int seat, int site, int plans) noexcept nogil:
    """Both cubes come first (H1, H2), then the site's reward, then the plan."""
    cdef int colour
    s.site_building[site] = -2
    push(s, BUILDING_PLAN, seat, site, plans)
    push_effects(e, s, seat, SITE_SOURCE + site, 0)
    for colour in range(N_COLOURS):
        while s.site_cubes[site][colour]:
            s.site_cubes[site][colour] -= 1
            take_cube(s, seat, colour)


cdef bint can_open_at(const EditionC* e, State* s, int seat, int site, const int* fewest) noexcept nogil:
    """A free site, and a plan held by now with which the opening can be completed after cubes and reward (N11)."""
    cdef State t
    cdef int needed
    cdef int test
    if s.site_building[site] != -1:
        return False
    needed = fewest_at(e, s, site, fewest)
    if needed == NO_PLAN:
        return False
    test = site_test(e, s, seat, site, needed)
    if test != UNDECIDED and not CHECKED:
        return test == POSSIBLE
    t = s[0]
    begin_building(e, &t, seat, site, plans_held_by_now(s))
    return compared(OPEN_BUILDING, test, can_meet(e, &t, s.depth))


cdef bint can_open_building(const EditionC* e, State* s, int seat, int a) noexcept nogil:
    """Some site can be opened; with a = STAFFED, whatever the site's reward and a cardinal on the way do."""
    cdef Player* p = &s.players[seat]
    cdef int fewest[2]
    cdef int site
    if not p.plans:
        return False
    fewest_officials(e, s, p, fewest)
    for site in range(N_SITES):
        if a == STAFFED:
            if s.site_building[site] == -1 and staffed_or_paid(e, s, p, site, fewest_at(e, s, site, fewest)):
                return True
        elif can_open_at(e, s, seat, site, fewest):
            return True
    return False


cdef inline bint staffed_or_paid(const EditionC* e, const State* s, const Player* p, int site, int needed) noexcept nogil:
    """Officials enough already out and a harmless reward; or money for the rest even if a cardinal raises the treasury."""
    cdef int dearest
    if needed == NO_PLAN or not harmless(e, site):
        return False
    if needed <= officials_out(p):
        return True
    if e.source_kinds[SITE_SOURCE + site] & ~<uint32_t>WELCOME or p.mods[Q_CARDINAL_STEPS] > N_CHURCH - 3:
        return False
    dearest = imax(e.treasury_reis[s.treasury], e.treasury_reis[imin(e.treasury_spaces - 1, s.treasury + 1)])
    return (needed - officials_out(p)) * imax(0, dearest - p.mods[Q_HIRE]) <= money(e, p)


cdef int legal_open_building(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """Free sites at which the opening can be completed."""
    cdef int fewest[2]
    cdef int site
    cdef int n = 0
    if not s.players[f.seat].plans:
        return 0
    fewest_officials(e, s, &s.players[f.seat], fewest)
    for site in range(N_SITES):
        if can_open_at(e, s, f.seat, site, fewest):
            out[n] = <int16_t>site
            n += 1
    return n


cdef void open_building(const EditionC* e, State* s, Frame f, int site) noexcept nogil:
    begin_building(e, s, f.seat, site, 0)


cdef int legal_building_plan(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """Any incomplete plan whose architect's tile fits and whose missing officials can be hired; one just won included (H5, N11)."""
    cdef Player* p = &s.players[f.seat]
    cdef int hired
    cdef int plan
    cdef int n = 0
    for plan in range(N_PLANS):
        if p.plans >> plan & 1 and tile_fits(e, s, f.a, e.plan_architect[plan]) and held_by_then(e, s, plan, f.b):
            hired = imax(0, officials_needed(e, p, plan) - officials_out(p))
            if hiring_price(e, p, hired, s.treasury) <= money(e, p):
                out[n] = <int16_t>plan
                n += 1
    return n


cdef void building_plan(const EditionC* e, State* s, Frame f, int plan) noexcept nogil:
    """The plan is revealed and the tile placed; enough officials go home (H6), or all and the rest is hired (H7, H8)."""
    cdef Player* p = &s.players[f.seat]
    cdef int architect = e.plan_architect[plan]
    cdef int needed = officials_needed(e, p, plan)
    cdef int out = officials_out(p)
    cdef int i
    cdef int price
    s.site_building[f.a] = <int8_t>tile_on_offer(s, architect)
    s.site_owner[f.a] = f.seat
    s.building_pos[architect] += 1
    if s.building_pos[architect] < BUILDING_STACK - 1:
        reveal(s, 700 + s.buildings[architect][s.building_pos[architect] + 1])
    push(s, BUILDING_SCORED, f.seat, f.a, plan)
    if out >= needed:
        push(s, BUILDING_OFFICIALS, f.seat, f.a, plan)
        return
    for i in range(N_OFFICES):
        p.officials += p.offices[i] + p.plazas[i]
        p.offices[i] = 0
        p.plazas[i] = 0
    price = hiring_price(e, p, needed - out, s.treasury)
    if price:
        push(s, PAY_REIS, f.seat, price, 0)


cdef inline bint harmless(const EditionC* e, int site) noexcept nogil:
    """Nothing in the site's reward can take officials or plans away."""
    cdef uint32_t kinds = <uint32_t>WELCOME | 1 << E_SHIP
    if e.tame_lands:
        kinds |= 1 << E_STORE
    if e.tame_clergy:
        kinds |= 1 << E_CARDINAL
    return not e.source_kinds[SITE_SOURCE + site] & ~kinds


cdef bint certain_building_plan(const EditionC* e, State* s, const Frame* f) noexcept nogil:
    """Officials or money enough for a held plan, and nothing in the site's reward that could take them away."""
    cdef Player* p = &s.players[f.seat]
    cdef int fewest[2]
    fewest_officials(e, s, p, fewest)
    return staffed_or_paid(e, s, p, f.a, fewest_at(e, s, f.a, fewest))


cdef int legal_building_officials(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """Which officials go home: a + 9b + 81c + 729p from the three offices and the plazas as one pool (H6, N12)."""
    cdef Player* p = &s.players[f.seat]
    cdef int needed = officials_needed(e, p, f.b)
    cdef int a
    cdef int b
    cdef int c
    cdef int rest
    cdef int pool = plaza_pool(p)
    cdef int n = 0
    for a in range(imin(needed, p.offices[0]) + 1):
        for b in range(imin(needed - a, p.offices[1]) + 1):
            for c in range(imin(needed - a - b, p.offices[2]) + 1):
                rest = needed - a - b - c
                if rest <= pool:
                    out[n] = <int16_t>(a + 9 * b + 81 * c + 729 * rest)
                    n += 1
    return n


cdef void building_officials(const EditionC* e, State* s, Frame f, int argument) noexcept nogil:
    cdef Player* p = &s.players[f.seat]
    cdef int rest = argument // 729
    cdef int i
    cdef int n
    p.officials += rest
    for i in range(N_OFFICES):
        n = argument % 9
        argument //= 9
        p.offices[i] -= n
        p.officials += n
    for i in range(N_OFFICES):      # the plazas are one pool: nothing in the rules tells them apart
        n = imin(rest, p.plazas[i])
        p.plazas[i] -= n
        rest -= n


cdef void building_scored(const EditionC* e, State* s, Frame f, int argument) noexcept nogil:
    """The plan is completed; every owner's matching stores score, whoever opened (H9-H11). a = site, b = plan."""
    cdef Player* p = &s.players[f.seat]
    cdef int tile = s.site_building[f.a]
    cdef int colours = e.building_colours[tile >> 1][tile & 1]
    cdef int land
    p.plans &= ~((<uint32_t>1) << f.b)
    p.completed |= (<uint32_t>1) << f.b
    for land in range(N_LANDS):
        if s.land_owner[land] < 0:
            continue
        if e.site_row[f.a] == e.land_row[land] and colours >> s.land_business[land] & 1 \
                or e.site_street[f.a] == s.land_business[land]:
            gain_wigs(&s.players[s.land_owner[land]], C_BUILDINGS,
                      e.scoring_large[s.scoring[e.column_uses[e.land_column[land]]]])
    gain_wigs(p, C_BUILDINGS, p.mods[Q_BUILDING_WIGS])


row(OPEN_BUILDING, b"open_building", legal_open_building, open_building, can_open_building, NULL, 0)
row(BUILDING_PLAN, b"building_plan", legal_building_plan, building_plan, always, certain_building_plan, 0)
row(BUILDING_OFFICIALS, b"building_officials", legal_building_officials, building_officials, always, NULL, 0)
row(BUILDING_SCORED, b"building_scored", NULL, building_scored, always, NULL, 0)
