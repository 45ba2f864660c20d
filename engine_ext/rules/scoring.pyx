"""End of the game (docs/rules.md L4-L11): ships, sets, store majorities, money, decrees, officials, favors."""
from engine_ext.types cimport *
from engine_ext.agenda cimport always, row
from engine_ext.economy cimport clergy_held, count_bits, has_bit, hull, imin, imax, different_goods


cdef void share_places(const int* counts, int seats, int first, int second, int third, int* out) noexcept nogil:
    """Wigs by rank of counts: ties add the tied places and share them, rounded down; 0 takes no place (L6-L8)."""
    cdef int prizes[4]
    cdef int i
    cdef int j
    cdef int ahead
    cdef int tied
    cdef int total
    prizes[0] = first
    prizes[1] = second
    prizes[2] = third
    prizes[3] = 0
    for i in range(seats):
        out[i] = 0
        if counts[i] <= 0:
            continue
        ahead = 0
        tied = 0
        for j in range(seats):
            ahead += counts[j] > counts[i]
            tied += counts[j] == counts[i]
        total = 0
        for j in range(ahead, imin(ahead + tied, 4)):
            total += prizes[j]
        out[i] = total // tied


cdef inline int store_prize(int business, int place) noexcept nogil:
    """Printed on the board: gold 3/2/1, tools 6/3/1, cloth and books 9/6/3 (L6)."""
    if business == GOLD:
        return 3 - place
    if business == TOOLS:
        return 6 if place == 0 else 3 if place == 1 else 1
    return 9 - 3 * place


# --- decrees --------------------------------------------------------------------------------------------------------

cdef int count_stores(const EditionC* e, const State* s, int seat, const Decree* d) noexcept nogil:
    cdef int land
    cdef int n = 0
    for land in range(N_LANDS):
        if s.land_owner[land] == seat and d.businesses >> s.land_business[land] & 1 \
                and d.rows >> e.land_row[land] & 1 and d.columns >> e.land_column[land] & 1:
            n += 1
    return n


cdef int count_buildings(const EditionC* e, const State* s, int seat, const Decree* d) noexcept nogil:
    """Public buildings this seat opened, by side, architect and colour."""
    cdef int site
    cdef int tile
    cdef int n = 0
    for site in range(N_SITES):
        tile = s.site_building[site]
        if tile >= 0 and s.site_owner[site] == seat and d.sides >> e.site_side[site] & 1 \
                and d.architects >> (tile & 1) & 1 and d.colours & e.building_colours[tile >> 1][tile & 1]:
            n += 1
    return n


cdef int officials_on_plans(const EditionC* e, const Player* p) noexcept nogil:
    """The numbers printed on completed plans, hired officials included (L9)."""
    cdef int plan
    cdef int n = 0
    for plan in range(N_PLANS):
        if p.completed >> plan & 1:
            n += e.plan_officials[plan]
    return n


cdef int count_top(const EditionC* e, const Player* p, const Decree* d) noexcept nogil:
    """Ships, hulls or noble cards in the docks, by the decree's feature."""
    cdef int i
    cdef int n = 0
    for i in range(p.n_top):
        if p.top[i] >= SHIP_BASE:
            if d.feature == F_SHIPS:
                n += 1
            elif d.feature == F_HULL:
                n += hull(e, p.top[i] - SHIP_BASE)
        elif d.feature == F_NOBLE_CARDS and d.nobles >> e.card_noble[p.top[i]] & 1:
            n += 1
    return n


cdef int decree_count(const EditionC* e, const State* s, int seat, const Decree* d) noexcept nogil:
    """How often a seat has the feature that a decree counts. Réis and influence as they stand before cashing (N28)."""
    cdef const Player* p = &s.players[seat]
    cdef int feature = d.feature
    cdef int i
    cdef int n = 0
    if feature == F_STORES:
        return count_stores(e, s, seat, d)
    if feature == F_BUILDINGS:
        return count_buildings(e, s, seat, d)
    if feature == F_PLANS_COMPLETED:
        return count_bits(p.completed)
    if feature == F_PLANS_UNUSED:
        return count_bits(p.plans)
    if feature == F_OFFICIALS_ON_PLANS:
        return officials_on_plans(e, p)
    if feature == F_OFFICIALS_IN_OFFICES:
        return p.offices[0] + p.offices[1] + p.offices[2]
    if feature == F_OFFICIALS_IN_PLAZAS:
        return p.plazas[0] + p.plazas[1] + p.plazas[2]
    if feature == F_OFFICIALS_ON_BOARD:
        return p.officials
    if feature == F_SHIPS or feature == F_HULL or feature == F_NOBLE_CARDS:
        return count_top(e, p, d)
    if feature == F_TREASURY_CARDS:
        return p.n_bottom
    if feature == F_INFLUENCE:
        return p.influence
    if feature == F_REIS:
        return p.reis
    if feature == F_GOODS:
        for i in range(N_GOODS):
            if d.goods >> i & 1:
                n += p.goods[i]
        return n
    if feature == F_DIFFERENT_GOODS:
        return different_goods(p)
    if feature == F_CUBES:
        for i in range(N_COLOURS):
            if d.colours >> i & 1:
                n += p.cubes[i]
        return n
    if feature == F_SETS:
        return p.sets
    if feature == F_UNPAIRED_CUBES:
        return p.cubes[0] + p.cubes[1] + p.cubes[2] - 3 * p.sets
    if feature == F_CLERGY:
        return clergy_held(p)
    if feature == F_FAVORS:
        return count_bits(p.favors)
    if feature == F_HOUSES:
        return p.houses[0] + p.houses[1] + p.houses[2]
    if feature == F_DECREES:
        return count_bits(p.decrees[0]) + count_bits(p.decrees[1])
    return p.markers


cdef int decree_wigs(const EditionC* e, const State* s, int seat, const Decree* d) noexcept nogil:
    """With ``at_least`` all or nothing, otherwise so many for each, capped; never both (docs/edition.md)."""
    cdef int n = decree_count(e, s, seat, d)
    if d.at_least:
        return d.wigs if n >= d.at_least else 0
    return d.wigs * (imin(n, d.at_most) if d.at_most else n)


# --- the final count ------------------------------------------------------------------------------------------------

cdef void score_final(const EditionC* e, const State* s, int16_t* ledger) noexcept nogil:
    """The ledgers of all seats with the final scoring added, into ``ledger[seat * N_CATEGORIES + category]``."""
    cdef const Player* p
    cdef int16_t* mine
    cdef int counts[4]
    cdef int wigs[4]
    cdef int seat
    cdef int i
    for seat in range(s.seats):
        p = &s.players[seat]
        mine = ledger + seat * N_CATEGORIES
        for i in range(N_CATEGORIES):
            mine[i] = p.ledger[i]
        for i in range(p.n_top):                                    # L4
            if p.top[i] >= SHIP_BASE:
                mine[C_HULLS] += hull(e, p.top[i] - SHIP_BASE)
        mine[C_SETS] += 3 * p.sets                                  # L4
        mine[C_MONEY] += (p.reis + e.cash_value[p.influence]) // 5  # L5
        for i in range(N_DECREES):
            if has_bit(p.decrees, i):
                mine[C_DECREES] += decree_wigs(e, s, seat, &e.decrees[i])
        mine[C_FAVORS] += 2 * count_bits(p.favors)                  # L10
    for i in range(N_GOODS):                                        # L6-L8
        for seat in range(s.seats):
            counts[seat] = s.players[seat].stores[i]
        share_places(counts, s.seats, store_prize(i, 0), store_prize(i, 1 if s.seats > 2 else 2),
                     store_prize(i, 2) if s.seats > 2 else 0, wigs)
        for seat in range(s.seats):
            ledger[seat * N_CATEGORIES + C_GOLD_MAJORITY + i] += <int16_t>wigs[seat]
    for seat in range(s.seats):                                     # L9
        counts[seat] = officials_on_plans(e, &s.players[seat])
    share_places(counts, s.seats, 15, 10 if s.seats > 2 else 5, 5 if s.seats > 2 else 0, wigs)
    for seat in range(s.seats):
        ledger[seat * N_CATEGORIES + C_OFFICIALS] += <int16_t>wigs[seat]


cdef void game_end(const EditionC* e, State* s, Frame f, int argument) noexcept nogil:
    cdef int16_t ledger[72]
    cdef Player* p
    cdef int seat
    cdef int i
    cdef int total
    score_final(e, s, ledger)
    for seat in range(s.seats):
        p = &s.players[seat]
        total = 0
        for i in range(N_CATEGORIES):
            p.ledger[i] = ledger[seat * N_CATEGORIES + i]
            total += p.ledger[i]
        p.wigs = <int16_t>total
    s.phase = PHASE_OVER


cdef inline int total_stores(const Player* p) noexcept nogil:
    return p.stores[0] + p.stores[1] + p.stores[2] + p.stores[3]


cdef int64_t standing(const Player* p) noexcept nogil:
    """A number that orders the seats of a finished game: wigs, then sets, stores, completed plans, réis in hand (L11)."""
    cdef int64_t key = imax(0, p.wigs)
    key = key * 8 + p.sets
    key = key * 16 + total_stores(p)
    key = key * 32 + count_bits(p.completed)
    return key * 32768 + p.reis


cdef int winners(const EditionC* e, const State* s) noexcept nogil:
    """Mask of the winning seats: those of the highest standing, who share the win (L11)."""
    cdef int64_t best = -1
    cdef int64_t key
    cdef int mask = 0
    cdef int seat
    for seat in range(s.seats):
        key = standing(&s.players[seat])
        if key > best:
            best = key
            mask = 0
        if key == best:
            mask |= 1 << seat
    return mask


row(GAME_END, b"game_end", NULL, game_end, always, NULL, 0)
