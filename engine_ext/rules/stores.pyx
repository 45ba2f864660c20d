"""Build a store (docs/rules.md G): tile and land, land reward, one cube, pay, house, wigs."""
from engine_ext.types cimport *
from engine_ext.agenda cimport (
    CHECKED, IMPOSSIBLE, OPTIONAL, POSSIBLE, UNDECIDED, always, compared, can_meet, push, push_effects, row,
)
from engine_ext.economy cimport (
    gain_wigs, imax, imin, money, take_cube,
)
from engine_ext.funds cimport LUCRATIVE, MoneyC, WELCOME, rewarded_money


cdef inline int cube_price(const Player* p, int colour) noexcept nogil:
    """3, 2, 1 réis for brown, red, blue (G5); 0 where a benefit ignores the colour."""
    return 0 if p.mods[Q_LAND_IGNORES + colour] else 3 - colour


cdef inline int line_price(const Player* p, const int8_t* cubes) noexcept nogil:
    return cubes[0] * cube_price(p, 0) + cubes[1] * cube_price(p, 1) + cubes[2] * cube_price(p, 2)


cdef inline int price_before_floor(const EditionC* e, const State* s, const Player* p, int land) noexcept nogil:
    """Treasury value + cubes left at the row's end and the column's foot - benefits (G5)."""
    return e.treasury_reis[s.treasury] - p.mods[Q_LAND] + line_price(p, s.row_cubes[e.land_row[land]]) \
        + line_price(p, s.column_cubes[e.land_column[land]])


cdef int land_price(const EditionC* e, const State* s, int seat, int land) noexcept nogil:
    """What the land costs now: floored once, at the end (N22)."""
    return imax(0, price_before_floor(e, s, &s.players[seat], land))


cdef struct LinesC:
    int base            # treasury value - benefits
    int row[5]          # what the cubes at each row's end and column's foot add to a price
    int column[5]
    int row_best[5]     # the dearest of them
    int column_best[5]


cdef inline void price_line(const int* each, const int8_t* cubes, int* total, int* dearest) noexcept nogil:
    """What the cubes of a line add to a price, and the dearest of them; the colours' prices are worked out already."""
    total[0] = cubes[0] * each[0] + cubes[1] * each[1] + cubes[2] * each[2]
    dearest[0] = imax(each[0] if cubes[0] else 0, imax(each[1] if cubes[1] else 0, each[2] if cubes[2] else 0))


cdef void price_lines(const EditionC* e, const State* s, const Player* p, LinesC* lines) noexcept nogil:
    """The parts of every land's price, for going through all lands."""
    cdef int each[3]
    cdef int i
    for i in range(N_COLOURS):
        each[i] = cube_price(p, i)
    lines.base = e.treasury_reis[s.treasury] - p.mods[Q_LAND]
    for i in range(5):
        price_line(each, s.row_cubes[i], &lines.row[i], &lines.row_best[i])
        price_line(each, s.column_cubes[i], &lines.column[i], &lines.column_best[i])


cdef int best_tile(const EditionC* e, const State* s, const Player* p, int land) noexcept nogil:
    """An upper bound of what a clergy tile from the church takes off a land's price."""
    cdef const Benefit* b
    cdef int best = 0
    cdef int gap
    cdef int colour
    cdef int i
    cdef int off
    for gap in range(N_CHURCH):
        if s.church[gap] == UNKNOWN:
            continue
        b = &e.benefits[CLERGY_HOLDING + s.church[gap]]
        off = 0
        for i in range(b.n):
            colour = b.modifiers[i].quantity - Q_LAND_IGNORES
            if b.modifiers[i].quantity == Q_LAND:
                off += b.modifiers[i].n
            elif 0 <= colour < N_COLOURS:
                off += cube_price(p, colour) * (s.row_cubes[e.land_row[land]][colour]
                                                + s.column_cubes[e.land_column[land]][colour])
        best = imax(best, off)
    return best


cdef inline bint tile_ready(const EditionC* e, const State* s, int land, int business) noexcept nogil:
    """A tile of the right size lies on the display space of that street (G13, G14)."""
    return s.city >> (4 if e.land_half[land] else business) & 1


cdef int land_test(const EditionC* e, State* s, int seat, int land, const LinesC* lines) noexcept nogil:
    """Could this land be paid for after its reward and the best cube (G2, G9)? Undecided where the reward may change the price."""
    cdef Player* p = &s.players[seat]
    cdef MoneyC m
    cdef int west = e.land_row[land]
    cdef int foot = e.land_column[land]
    cdef int price = lines.base + lines.row[west] + lines.column[foot] \
        - imax(lines.row_best[west], lines.column_best[foot])
    cdef uint32_t kinds = e.source_kinds[LAND_SOURCE + land]
    if not kinds & ~<uint32_t>WELCOME:
        if money(e, p) >= price:
            return POSSIBLE
        if not kinds & LUCRATIVE:
            return IMPOSSIBLE
    rewarded_money(e, s, seat, LAND_SOURCE + land, &m)
    if m.unclear:
        return UNDECIDED
    if m.money >= price:
        return POSSIBLE if not m.cardinal or m.money >= price + m.dearer else UNDECIDED
    if m.cardinal and m.tiles_matter and m.money + m.tile_money >= price + imin(0, m.dearer) - best_tile(e, s, p, land):
        return UNDECIDED
    return IMPOSSIBLE


cdef bint can_buy(const EditionC* e, State* s, int seat, int land, int business, const LinesC* lines) noexcept nogil:
    """Whether building here can be carried out to the end."""
    cdef State t
    cdef int test = land_test(e, s, seat, land, lines)
    if test != UNDECIDED and not CHECKED:
        return test == POSSIBLE
    t = s[0]
    begin_store(e, &t, seat, land, business)
    return compared(BUILD_STORE, test, can_meet(e, &t, s.depth))


cdef inline int houses_built(const Player* p) noexcept nogil:
    return p.houses[0] + p.houses[1] + p.houses[2]


cdef bint can_build_store(const EditionC* e, State* s, int seat, int a) noexcept nogil:
    """A house is left and some tile, land and price go together (G10)."""
    cdef LinesC lines
    cdef int land
    cdef int business
    if houses_built(&s.players[seat]) >= N_HOUSES:
        return False
    price_lines(e, s, &s.players[seat], &lines)
    for land in range(N_LANDS):
        if s.land_business[land] != -1:
            continue
        for business in range(N_GOODS):
            if e.land_faces[land] >> business & 1 and tile_ready(e, s, land, business):
                if can_buy(e, s, seat, land, business, &lines):
                    return True
                break           # the price of a land does not depend on the street
    return False


cdef int legal_build_store(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """Frontages land * 4 + business: an empty land on the street of a displayed tile that can be paid for."""
    cdef int land
    cdef int business
    cdef int n = 0
    cdef int affordable
    cdef LinesC lines
    if houses_built(&s.players[f.seat]) >= N_HOUSES:
        return 0
    price_lines(e, s, &s.players[f.seat], &lines)
    for land in range(N_LANDS):
        if s.land_business[land] != -1:
            continue
        affordable = -1
        for business in range(N_GOODS):
            if e.land_faces[land] >> business & 1 and tile_ready(e, s, land, business):
                if affordable < 0:
                    affordable = can_buy(e, s, f.seat, land, business, &lines)
                if affordable:
                    out[n] = <int16_t>(land * 4 + business)
                    n += 1
    return n


cdef inline void begin_store(const EditionC* e, State* s, int seat, int land, int business) noexcept nogil:
    """Tile and land are taken (N10); reward, cube, price and house follow (G1)."""
    s.city &= <uint8_t>(~(1 << (4 if e.land_half[land] else business)))
    s.land_business[land] = <int8_t>business
    push(s, STORE_HOUSE, seat, land, 0)
    push(s, LAND_PRICE, seat, land, 0)
    push(s, STORE_CUBE, seat, land, 0)
    push_effects(e, s, seat, LAND_SOURCE + land, 0)


cdef void build_store(const EditionC* e, State* s, Frame f, int argument) noexcept nogil:
    begin_store(e, s, f.seat, argument >> 2, argument & 3)


cdef int legal_store_cube(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """line * 3 + colour, line 0 the row's end and 1 the column's foot; none left: no cube (G6).

    A cube after which the land could not be paid is not offered (G4, G9): nothing comes between cube and price.
    """
    cdef const Player* p = &s.players[f.seat]
    cdef int price = price_before_floor(e, s, p, f.a) - money(e, p)
    cdef int colour
    cdef int n = 0
    for colour in range(N_COLOURS):
        if s.row_cubes[e.land_row[f.a]][colour] and price <= cube_price(p, colour):
            out[n] = <int16_t>colour
            n += 1
    for colour in range(N_COLOURS):
        if s.column_cubes[e.land_column[f.a]][colour] and price <= cube_price(p, colour):
            out[n] = <int16_t>(3 + colour)
            n += 1
    return n


cdef void store_cube(const EditionC* e, State* s, Frame f, int argument) noexcept nogil:
    if argument < 3:
        s.row_cubes[e.land_row[f.a]][argument] -= 1
    else:
        s.column_cubes[e.land_column[f.a]][argument - 3] -= 1
    take_cube(s, f.seat, argument % 3)


cdef void pay_land(const EditionC* e, State* s, Frame f, int argument) noexcept nogil:
    """The price is reckoned after the cube was taken (G4); not being able to pay is what G9 forbids."""
    cdef int price = land_price(e, s, f.seat, f.a)
    if price > money(e, &s.players[f.seat]):
        s.dead = 1
    elif price:
        push(s, PAY_REIS, f.seat, price, 0)


cdef int dearer_by_cardinal(const EditionC* e, const State* s, int seat, int source) noexcept nogil:
    """By how much the treasury value may rise at most when the cardinal goes as far as a source's rewards let him (J3)."""
    cdef const Source* src = &e.sources[source]
    cdef int further = s.players[seat].mods[Q_CARDINAL_STEPS]
    cdef int steps = 0
    cdef int chosen = 0
    cdef int most = 0
    cdef int i
    for i in range(src.n_rewards):
        if src.rewards[i].kind == E_CARDINAL:
            steps += src.rewards[i].n + further
    for i in range(src.n_choices):
        if src.choices[i].kind == E_CARDINAL:
            chosen = imax(chosen, src.choices[i].n + further)
    for i in range(1, (steps + chosen + N_CHURCH - 1) // N_CHURCH + 1):
        most = imax(most, e.treasury_reis[imin(e.treasury_spaces - 1, s.treasury + i)] - e.treasury_reis[s.treasury])
    return most


cdef bint certain_land_price(const EditionC* e, State* s, const Frame* f) noexcept nogil:
    """Enough for the price with no cube taken, even if a cardinal on the way raises the treasury."""
    cdef uint32_t kinds = e.source_kinds[LAND_SOURCE + f.a]
    cdef const Frame* top = &s.frames[s.depth - 1]
    cdef int dearer = 0
    if top.kind == STORE_CUBE and top.a == f.a:
        return True             # only cubes after which it can be paid are offered
    if kinds & ~(<uint32_t>WELCOME | 1 << E_CARDINAL):
        return False
    if kinds & (1 << E_CARDINAL):
        if not e.tame_clergy:
            return False
        dearer = dearer_by_cardinal(e, s, f.seat, LAND_SOURCE + f.a)
    return money(e, &s.players[f.seat]) >= land_price(e, s, f.seat, f.a) + dearer


cdef int legal_store_house(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """The group whose bottom house is built: left 2, middle 3, right 3 (G11)."""
    cdef Player* p = &s.players[f.seat]
    cdef int group
    cdef int n = 0
    for group in range(3):
        if p.houses[group] < (2 if group == 0 else 3):
            out[n] = <int16_t>group
            n += 1
    return n


cdef void store_house(const EditionC* e, State* s, Frame f, int group) noexcept nogil:
    """From here on the store counts as its owner's (N10), and it scores (G12)."""
    cdef Player* p = &s.players[f.seat]
    cdef int land = f.a
    cdef int business = s.land_business[land]
    cdef int matching = 0
    cdef int site
    cdef int tile
    p.houses[group] += 1
    p.stores[business] += 1
    s.land_owner[land] = f.seat
    for site in range(N_SITES):
        tile = s.site_building[site]
        if tile >= 0 and e.building_colours[tile >> 1][tile & 1] >> business & 1:
            if e.site_row[site] == e.land_row[land] or e.site_street[site] == business:
                matching += 1
    gain_wigs(p, C_STORES, matching * e.scoring_large[s.scoring[e.column_uses[e.land_column[land]]]]
              + p.mods[Q_STORE_WIGS + business])


row(BUILD_STORE, b"build_store", legal_build_store, build_store, can_build_store, NULL, 0)
row(STORE_CUBE, b"store_cube", legal_store_cube, store_cube, always, NULL, OPTIONAL)
row(LAND_PRICE, b"land_price", NULL, pay_land, always, certain_land_price, 0)
row(STORE_HOUSE, b"store_house", legal_store_house, store_house, always, NULL, 0)
