"""Conservation laws and ranges: what must hold in every state, one bit each. The checked build asks after every apply.

Totals are those of docs/edition.md; goods and coins are unlimited (docs/rules.md F15).
"""
from engine_ext.types cimport *
from engine_ext.economy cimport clergy_held, count_bits, has_bit, hold_space, imin, portfolio_cards, portfolio_limit, warehouse

LAWS = (
    "cubes: 21 of each colour",
    "officials: 8 of each player",
    "houses: as many stores as houses",
    "favors: one of each noble per player",
    "cards: each in one place",
    "hands: at most 5",
    "plans: 20, each in one place",
    "buildings: 16, each in one place",
    "clergy: 37, each in one place, at most 4 held",
    "decrees: each in one place",
    "ships: each in one place",
    "city tiles: 22 large and 5 small",
    "portfolio: within its slots and its limit",
    "warehouse: goods within their spaces",
    "tracks: markers within their tracks",
    "wigs: the ledger adds up",
    "derived values: sets, influence, benefits and stores",
    "offices: within their spaces",
    "agenda: within the stack, seats and kinds that exist",
    "holds: cargo and crates within the hull",
)


cdef inline bint once(uint64_t* seen, int i) noexcept nogil:
    """Mark an id as met; False if it was met before."""
    if has_bit(seen, i):
        return False
    seen[i >> 6] |= (<uint64_t>1) << (i & 63)
    return True


cdef bint cubes_hold(const State* s) noexcept nogil:
    cdef int colour
    cdef int i
    cdef int n
    for colour in range(N_COLOURS):
        n = s.pile[colour] + s.gone_cubes[colour]
        for i in range(N_ROWS):
            n += s.row_cubes[i][colour] + s.column_cubes[i][colour]
        for i in range(N_SITES):
            n += s.site_cubes[i][colour]
        for i in range(s.seats):
            if s.players[i].cubes[colour] < 0 or s.players[i].cubes[colour] > MAX_CUBES:
                return False
            n += s.players[i].cubes[colour]
        if n != 21:
            return False
    return True


cdef bint cards_hold(const EditionC* e, const State* s) noexcept nogil:
    """Every known card lies in one place only."""
    cdef uint64_t seen[4]
    cdef const Player* p
    cdef int i
    cdef int j
    seen[0] = s.gone_cards[0]
    seen[1] = s.gone_cards[1]
    seen[2] = seen[3] = 0
    if s.played < N_CARDS and not once(seen, s.played):
        return False
    for i in range(s.seats):
        p = &s.players[i]
        for j in range(p.n_hand):
            if p.hand[j] < N_CARDS and not once(seen, p.hand[j]):
                return False
        for j in range(p.n_top):
            if p.top[j] < SHIP_BASE and not once(seen, p.top[j]):
                return False
        for j in range(p.n_bottom):
            if not once(seen, p.bottom[j]):
                return False
    for i in range(N_DECKS):
        for j in range(s.deck_pos[i], DECK_CARDS):
            if s.decks[s.period][i][j] < N_CARDS and not once(seen, s.decks[s.period][i][j]):
                return False
        if s.deck_pos[i] > DECK_CARDS:
            return False
    if s.period == 0:
        for i in range(N_DECKS):
            for j in range(DECK_CARDS):
                if s.decks[1][i][j] < N_CARDS and not once(seen, s.decks[1][i][j]):
                    return False
    for i in range(s.purple_pos, N_DEALT):
        if s.purple[i] < N_CARDS and s.purple[i] and not once(seen, s.purple[i]):
            return False
    return True


cdef bint plans_hold(const EditionC* e, const State* s) noexcept nogil:
    cdef uint64_t seen[2]
    cdef int i
    cdef int j
    seen[0] = seen[1] = 0
    for i in range(2):
        if s.plan_pos[i] > PLAN_STACK:
            return False
        for j in range(s.plan_pos[i], PLAN_STACK):
            if not once(seen, s.plan_stack[i][j]):
                return False
    for i in range(s.seats):
        for j in range(N_PLANS):
            if (s.players[i].plans >> j & 1) + (s.players[i].completed >> j & 1) > 1:
                return False
            if (s.players[i].plans | s.players[i].completed) >> j & 1 and not once(seen, j):
                return False
    return count_bits(seen[0]) == 2 * PLAN_STACK + s.seats


cdef bint buildings_hold(const State* s) noexcept nogil:
    cdef uint64_t seen[2]
    cdef int placed = 0
    cdef int i
    cdef int j
    seen[0] = seen[1] = 0
    for i in range(N_SITES):
        if s.site_building[i] >= 0:
            placed += 1
            if not once(seen, s.site_building[i] >> 1) or s.site_owner[i] < 0:
                return False
    for i in range(2):
        for j in range(s.building_pos[i], BUILDING_STACK):
            if s.buildings[i][j] < N_BUILDINGS and not once(seen, s.buildings[i][j]):
                return False
    return placed == s.building_pos[0] + s.building_pos[1]


cdef bint starting_clergy_holds(const State* s, int observer) noexcept nogil:
    """While starting tiles are chosen: two drawn, one of them kept, by each seat that is seen (A6)."""
    cdef uint64_t seen = 0
    cdef int known
    cdef int i
    cdef int j
    for i in range(s.seats):
        if clergy_held(&s.players[i]) > 1 or seen & s.players[i].clergy:
            return False
        seen |= s.players[i].clergy
    for i in range(s.seats):
        known = 0
        for j in range(2):
            if s.drawn[i][j] < N_CLERGY:
                known += 1
                if seen >> s.drawn[i][j] & 1:
                    return False
                seen |= (<uint64_t>1) << s.drawn[i][j]
        if known != (2 - clergy_held(&s.players[i]) if observer < 0 or observer == i else 0):
            return False
    return s.clergy_pos == 2 * s.seats


cdef bint clergy_hold(const State* s, int observer) noexcept nogil:
    cdef uint64_t seen[2]
    cdef uint64_t drawn[2]
    cdef int known = 0
    cdef int i
    if s.phase == PHASE_SETUP:
        return starting_clergy_holds(s, observer)
    seen[0] = s.gone_clergy
    seen[1] = drawn[0] = drawn[1] = 0
    for i in range(s.seats):
        if clergy_held(&s.players[i]) > MAX_CLERGY or seen[0] & s.players[i].clergy:
            return False
        seen[0] |= s.players[i].clergy
    for i in range(N_CHURCH):
        if s.church[i] != UNKNOWN and not once(seen, s.church[i]):
            return False
    known = count_bits(seen[0])
    for i in range(s.clergy_pos):           # what has left the bag is what lies about
        if s.clergy_bag[i] >= N_CLERGY or not has_bit(seen, s.clergy_bag[i]) or not once(drawn, s.clergy_bag[i]):
            return False
    for i in range(s.clergy_pos, N_CLERGY):
        if s.clergy_bag[i] < N_CLERGY and not once(seen, s.clergy_bag[i]):
            return False
    return known == s.clergy_pos


cdef bint decrees_hold(const EditionC* e, const State* s) noexcept nogil:
    cdef uint64_t seen[2]
    cdef uint64_t drawn[2]
    cdef int restricted = 0
    cdef int i
    cdef int j
    seen[0] = seen[1] = drawn[0] = drawn[1] = 0
    for i in range(s.seats):
        for j in range(N_DECREES):
            if has_bit(s.players[i].decrees, j) and not once(seen, j):
                return False
    for i in range(N_DISPLAY):
        if s.display[i] != UNKNOWN and not once(seen, s.display[i]):
            return False
    for i in range(s.decree_pos):
        if s.decree_deck[i] >= N_DECREES or not once(drawn, s.decree_deck[i]):
            return False
        if s.seats == 2 and e.decrees[s.decree_deck[i]].not_for_2:
            restricted += 1
        elif not has_bit(seen, s.decree_deck[i]):
            return False
    if count_bits(seen[0]) + count_bits(seen[1]) + restricted != s.decree_pos:
        return False
    for i in range(s.decree_pos, N_DECREES):
        if s.decree_deck[i] < N_DECREES and not once(seen, s.decree_deck[i]):
            return False
    return True


cdef bint ships_hold(const EditionC* e, const State* s) noexcept nogil:
    cdef uint64_t seen[2]
    cdef int ship
    cdef int i
    cdef int j
    seen[0] = seen[1] = 0
    if s.ship_pos > 2 * (s.seats - 1):
        return False
    for i in range(s.seats):
        for j in range(s.players[i].n_top):
            if s.players[i].top[j] < SHIP_BASE:
                continue
            ship = s.players[i].top[j] - SHIP_BASE
            if ship >= N_SHIPS or ship % 3 >= s.seats - 1 or not once(seen, ship):
                return False
            if e.ship_period[ship // 3] > s.period:
                return False
            if e.ship_period[ship // 3] == s.period \
                    and (ship // 3 - 2 * s.period) * (s.seats - 1) + ship % 3 >= s.ship_pos:
                return False
    return True


cdef bint holds_hold(const EditionC* e, const State* s) noexcept nogil:
    cdef int i
    cdef int j
    for i in range(s.seats):
        for j in range(s.players[i].n_top):
            if s.players[i].top[j] >= SHIP_BASE:
                if hold_space(e, &s.players[i], j) < 0:
                    return False
            elif s.players[i].cargo[j] or s.players[i].packed[j]:
                return False
    return True


cdef bint derived_hold(const EditionC* e, const State* s) noexcept nogil:
    """Recount what the state keeps up to date: sets, top row, benefits, stores."""
    cdef const Player* p
    cdef int mods[41]
    cdef int stores[4]
    cdef int total
    cdef int i
    cdef int j
    cdef int k
    for i in range(s.seats):
        p = &s.players[i]
        if p.sets != imin(p.cubes[0], imin(p.cubes[1], p.cubes[2])) or p.markers < 0 or p.markers > p.sets:
            return False
        total = 0
        for j in range(p.n_top):
            total += e.ship_influence[(p.top[j] - SHIP_BASE) // 3] if p.top[j] >= SHIP_BASE else e.card_influence[p.top[j]]
        if total != p.top_influence:
            return False
        for j in range(N_QUANTITIES):
            mods[j] = 0
        for j in range(p.n_bottom):
            for k in range(e.benefits[p.bottom[j]].n):
                mods[e.benefits[p.bottom[j]].modifiers[k].quantity] += e.benefits[p.bottom[j]].modifiers[k].n
        for j in range(N_CLERGY):
            if p.clergy >> j & 1:
                for k in range(e.benefits[CLERGY_HOLDING + j].n):
                    mods[e.benefits[CLERGY_HOLDING + j].modifiers[k].quantity] += \
                        e.benefits[CLERGY_HOLDING + j].modifiers[k].n
        for j in range(N_QUANTITIES):
            if mods[j] != p.mods[j]:
                return False
        for j in range(N_GOODS):
            stores[j] = 0
        for j in range(N_LANDS):
            if s.land_owner[j] == i and s.land_business[j] >= 0:
                stores[s.land_business[j]] += 1
        for j in range(N_GOODS):
            if stores[j] != p.stores[j]:
                return False
    return True


cdef bint agenda_holds(const State* s) noexcept nogil:
    cdef int i
    if s.depth >= MAX_FRAMES or (s.depth == 0 and s.phase != PHASE_OVER):
        return False
    for i in range(s.depth):
        if s.frames[i].kind >= N_KINDS or s.frames[i].seat < 0 or s.frames[i].seat >= s.seats:
            return False
    return not s.dead and 0 <= s.active < s.seats


cdef uint64_t broken_invariants(const EditionC* e, const State* s, int observer) noexcept nogil:
    """A bit for each of LAWS that does not hold; 0 for a sound state. Works on observations too (observer >= 0)."""
    cdef uint64_t broken = 0
    cdef const Player* p
    cdef int i
    cdef int j
    cdef int n
    cdef int large = s.city_large
    cdef int small = s.city_small
    cdef int total
    if not cubes_hold(s):
        broken |= 1 << 0
    for i in range(N_NOBLES):
        n = s.favor_stock[i]
        for j in range(s.seats):
            n += s.players[j].favors >> i & 1
        if n != s.seats or s.favor_stock[i] < 0:
            broken |= 1 << 3
    if not cards_hold(e, s):
        broken |= 1 << 4
    if not plans_hold(e, s):
        broken |= 1 << 6
    if not buildings_hold(s):
        broken |= 1 << 7
    if not clergy_hold(s, observer):
        broken |= 1 << 8
    if not decrees_hold(e, s):
        broken |= 1 << 9
    if not ships_hold(e, s):
        broken |= 1 << 10
    for i in range(N_LANDS):
        if s.land_business[i] >= 0:
            large += not e.land_half[i]
            small += e.land_half[i]
        if s.land_owner[i] >= 0 and s.land_business[i] < 0 or s.land_owner[i] >= s.seats:
            broken |= 1 << 2
    for i in range(5):
        if i < 4:
            large += s.city >> i & 1
        else:
            small += s.city >> i & 1
    if large != e.city_large or small != e.city_small or s.city_large < 0 or s.city_small < 0:
        broken |= 1 << 11
    if s.treasury < 0 or s.treasury >= e.treasury_spaces or s.cardinal < 0 or s.cardinal >= N_CHURCH:
        broken |= 1 << 14
    for i in range(N_GOODS):
        if s.price[i] < e.market_lowest[i] or s.price[i] > e.market_start[i]:
            broken |= 1 << 14
    for i in range(N_OFFICES):
        n = s.neutral
        for j in range(s.seats):
            n += s.players[j].offices[i]
        if n > e.office_spaces:
            broken |= 1 << 17
    if not derived_hold(e, s):
        broken |= 1 << 16
    if not agenda_holds(s):
        broken |= 1 << 18
    if not holds_hold(e, s):
        broken |= 1 << 19
    for i in range(s.seats):
        p = &s.players[i]
        n = p.officials
        for j in range(N_OFFICES):
            n += p.offices[j] + p.plazas[j]
            if p.offices[j] < 0 or p.plazas[j] < 0:
                broken |= 1 << 1
        if n != 8 or p.officials < 0:
            broken |= 1 << 1
        if p.houses[0] + p.houses[1] + p.houses[2] != p.stores[0] + p.stores[1] + p.stores[2] + p.stores[3] \
                or p.houses[0] > 2 or p.houses[1] > 3 or p.houses[2] > 3:
            broken |= 1 << 2
        if p.n_hand > HAND or p.n_hand < 0:
            broken |= 1 << 5
        if p.n_top > N_SLOTS or p.n_bottom > N_SLOTS \
                or (portfolio_cards(p) > portfolio_limit(p) and not sheds(s, i)):
            broken |= 1 << 12
        for j in range(N_GOODS):
            if p.goods[j] < 0 or p.goods[j] > warehouse(p):
                broken |= 1 << 13
        if p.influence < 0 or p.influence > MAX_INFLUENCE or p.reis < 0 or p.wigs < 0:
            broken |= 1 << 14
        total = 0
        for j in range(N_CATEGORIES):
            total += p.ledger[j]
        if total != p.wigs:
            broken |= 1 << 15
    return broken


cdef inline bint sheds(const State* s, int seat) noexcept nogil:
    """Whether a seat is about to bring its portfolio down to its limit."""
    cdef int i
    for i in range(s.depth):
        if s.frames[i].seat == seat and (s.frames[i].kind == SHED or s.frames[i].kind == TUCK):
            return True
    return False


def law_names(uint64_t broken):
    """Names of the laws whose bits are set."""
    return [law for i, law in enumerate(LAWS) if broken >> i & 1]
