"""The cheap policy: integer weights for the legal actions of a decision, by rules of thumb (docs/rules.md, hints).

A weight says how often a playout takes an action; the tree uses the same weights as the order in which it tries
actions. What matters is speed: nothing here simulates, and every kind without a rule is uniform.
"""
from engine_ext.types cimport *
from engine_ext.agenda cimport step
from engine_ext.economy cimport count_bits, imax, imin, portfolio_cards, portfolio_limit
from engine_ext.rng cimport below
from engine_ext.rules.court cimport visit_cost
from engine_ext.rules.scoring cimport decree_count
from engine_ext.rules.stores cimport land_price


# --- the turn and the court -----------------------------------------------------------------------------------------

cdef void weigh_play_card(const EditionC* e, const State* s, int seat, const int16_t* options, int n,
                          int* w) noexcept nogil:
    """Visits first, the portfolio for influence and réis, a lone gold hardly ever."""
    cdef const Player* p = &s.players[seat]
    cdef uint32_t scoring = 1 << E_STORE | 1 << E_BUILDING | 1 << E_DECREE
    cdef int visit[3]
    cdef int i
    cdef int card
    cdef int mode
    cdef int noble
    cdef int cost
    cdef bint full = portfolio_cards(p) >= portfolio_limit(p)
    visit[0] = visit[1] = visit[2] = -1
    for i in range(n):
        card = options[i] & 127
        mode = options[i] >> 7
        noble = e.card_noble[card]
        if mode == PLAY_GOLD:
            w[i] = 1
        elif mode == PLAY_PORTFOLIO:
            if noble == TREASURY:
                w[i] = 4 + 2 * e.treasury_reis[s.treasury]
                if full or p.n_bottom >= N_SLOTS:
                    w[i] >>= 1
            else:
                w[i] = 6 + 4 * e.card_influence[card] + (10 if p.influence < 3 else 0)
                if full or p.n_top >= N_SLOTS:
                    w[i] >>= 2
        elif noble == TREASURY:
            w[i] = 24 if e.source_kinds[card] & scoring else 8
        else:
            if visit[noble] < 0:
                cost = visit_cost(e, s, seat, noble, False) - p.influence
                visit[noble] = 40 if noble == KING else 32 if noble == MAIA else 24
                if cost > 0:
                    visit[noble] //= 1 + cost
            w[i] = visit[noble]


cdef void weigh_follow(const EditionC* e, const State* s, int seat, int noble, int* w) noexcept nogil:
    """An unspent favor is worth 2 wigs (L10): follow when the cost takes no wigs."""
    cdef int cost = visit_cost(e, s, seat, noble, True) - s.players[seat].influence
    w[0] = 2 if cost <= 0 else 4 + 4 * cost
    w[1] = 6


cdef void weigh_visit_cost(const int16_t* options, int n, int* w) noexcept nogil:
    """Few wigs, then few réis."""
    cdef int i
    for i in range(n):
        w[i] = imax(1, 64 - 8 * (options[i] & 31) - (options[i] >> 5))


cdef inline int state_action_weight(int action) noexcept nogil:
    if action == SA_SHIP or action == SA_PRODUCE:
        return 8
    return 2 if action == SA_FAVOR else 5


# --- the portfolio --------------------------------------------------------------------------------------------------

cdef void weigh_sell(const EditionC* e, const State* s, int seat, const int16_t* options, int n, int* w) noexcept nogil:
    """On own ships before rivals', dear goods before cheap ones."""
    cdef const Player* p = &s.players[seat]
    cdef int own = 0
    cdef int i
    for i in range(p.n_top):
        if p.top[i] >= SHIP_BASE:
            own |= 1 << (p.top[i] - SHIP_BASE)
    for i in range(n):
        if options[i] == STOP:
            w[i] = 4
        else:
            w[i] = 2 * s.price[options[i] >> 4] + (16 if own >> (options[i] & 15) & 1 else 2)


cdef void weigh_give_up(const EditionC* e, const int16_t* options, int n, int* w) noexcept nogil:
    """Give up cards of little influence before ships, which score their hull (L4)."""
    cdef int i
    for i in range(n):
        if options[i] >= SHIP_BASE:
            w[i] = 1
        else:
            w[i] = imax(1, 10 - 2 * e.card_influence[options[i]])


cdef void weigh_goods(const State* s, const Player* p, const int16_t* options, int n, bint give, int* w) noexcept nogil:
    """Give what is cheap and plentiful; gain what is missing."""
    cdef int i
    for i in range(n):
        if give:
            w[i] = imax(1, 8 - s.price[options[i]]) * (1 + p.goods[options[i]])
        else:
            w[i] = 6 if p.goods[options[i]] == 0 else 2


cdef void weigh_build_ship(const EditionC* e, const int16_t* options, int n, int* w) noexcept nogil:
    cdef int i
    for i in range(n):
        if options[i] == STOP:
            w[i] = 12
        elif options[i] >= SHIP_BASE:
            w[i] = 6 - e.ship_hull[(options[i] - SHIP_BASE) // 3]
        else:
            w[i] = 2
        w[i] = imax(1, w[i])


# --- cubes, stores and buildings ------------------------------------------------------------------------------------

cdef inline int cube_weight(const Player* p, int colour) noexcept nogil:
    """The colour a set is short of; the dear ones make the land cheaper on top (G4, G5)."""
    if p.cubes[colour] >= MAX_CUBES:
        return 1
    if p.cubes[colour] == p.sets:
        return 12 - colour
    return 5 - colour if p.cubes[colour] == p.sets + 1 else 2


cdef inline int column_wigs(const EditionC* e, const State* s, int land) noexcept nogil:
    return e.scoring_large[s.scoring[e.column_uses[e.land_column[land]]]]


cdef void weigh_build_store(const EditionC* e, const State* s, int seat, const int16_t* options, int n,
                            int* w) noexcept nogil:
    """Most immediate wigs, in columns and businesses that will pay again, for little money."""
    cdef int by_row[5][4]
    cdef int by_street[4]
    cdef int site
    cdef int tile
    cdef int business
    cdef int land = -1
    cdef int price = 0
    cdef int worth = 0
    cdef int wigs
    cdef int i
    for i in range(N_GOODS):
        by_street[i] = 0
        for site in range(N_ROWS):
            by_row[site][i] = 0
    for site in range(N_SITES):
        tile = s.site_building[site]
        if tile < 0:
            continue
        for business in range(N_GOODS):
            if e.building_colours[tile >> 1][tile & 1] >> business & 1:
                if e.site_row[site] >= 0:
                    by_row[e.site_row[site]][business] += 1
                elif e.site_street[site] == business:
                    by_street[business] += 1
    for i in range(n):
        business = options[i] & 3
        if options[i] >> 2 != land:
            land = options[i] >> 2
            price = land_price(e, s, seat, land)
            worth = column_wigs(e, s, land)
        wigs = (by_row[e.land_row[land]][business] + by_street[business]) * worth
        w[i] = imax(1, 6 + worth + (2 if business else 0) - price // 2) + 2 * wigs * (wigs + 2)


cdef int tile_wigs(const EditionC* e, const State* s, int seat, int site, int tile) noexcept nogil:
    """Own wigs minus the mean rival's from opening a tile at a site, times the number of rivals (H9, H10)."""
    cdef int colours = e.building_colours[tile >> 1][tile & 1]
    cdef int total = 0
    cdef int land
    for land in range(N_LANDS):
        if s.land_owner[land] >= 0 and (
                e.site_street[site] == s.land_business[land]
                or (e.site_row[site] == e.land_row[land] and colours >> s.land_business[land] & 1)):
            if s.land_owner[land] == seat:
                total += (s.seats - 1) * column_wigs(e, s, land)
            else:
                total -= column_wigs(e, s, land)
    return total


cdef inline int building_weight(const EditionC* e, const State* s, const Player* p, int site, int wigs) noexcept nogil:
    """From the wigs of opening there and the cubes that lie there."""
    cdef int colour
    cdef int w = 8
    for colour in range(N_COLOURS):
        if s.site_cubes[site][colour]:
            w += cube_weight(p, colour)
    wigs //= s.seats - 1
    if wigs > 0:
        w += 6 * wigs * (wigs + 2)
    elif wigs < 0:
        w = imax(1, w + 3 * wigs)
    return w


cdef void weigh_open_building(const EditionC* e, const State* s, int seat, const int16_t* options, int n,
                              int* w) noexcept nogil:
    """Own wigs minus rivals', by the better of the tiles that the plans held allow."""
    cdef const Player* p = &s.players[seat]
    cdef int tiles[2]
    cdef int architect
    cdef int plan
    cdef int best
    cdef int i
    tiles[0] = tiles[1] = -1
    for plan in range(N_PLANS):
        if p.plans >> plan & 1:
            architect = e.plan_architect[plan]
            if s.building_pos[architect] < BUILDING_STACK:
                tiles[architect] = s.buildings[architect][s.building_pos[architect]] * 2 + architect
    for i in range(n):
        best = -10000
        for architect in range(2):
            if tiles[architect] >= 0:
                best = imax(best, tile_wigs(e, s, seat, options[i], tiles[architect]))
        w[i] = building_weight(e, s, p, options[i], best)


cdef void weigh_building_plan(const EditionC* e, const State* s, int seat, int site, const int16_t* options, int n,
                              int* w) noexcept nogil:
    """The tile that pays, then the plan that counts most in the officials race (L9)."""
    cdef int architect
    cdef int tile
    cdef int wigs
    cdef int i
    for i in range(n):
        architect = e.plan_architect[options[i]]
        tile = s.buildings[architect][s.building_pos[architect]] * 2 + architect
        wigs = tile_wigs(e, s, seat, site, tile) // (s.seats - 1)
        w[i] = imax(1, 8 + 3 * e.plan_officials[options[i]] + 4 * wigs)


# --- decrees and the church -----------------------------------------------------------------------------------------

cdef void weigh_take_decree(const EditionC* e, const State* s, int seat, const int16_t* options, int n,
                            int* w) noexcept nogil:
    """What it would pay now; a threshold not reached yet counts in part."""
    cdef const Decree* d
    cdef int count
    cdef int wigs
    cdef int i
    for i in range(n):
        d = &e.decrees[options[i]]
        count = decree_count(e, s, seat, d)
        if d.at_least:
            wigs = d.wigs if count >= d.at_least else d.wigs * count // (2 * d.at_least)
        else:
            wigs = d.wigs * (imin(count, d.at_most) if d.at_most else count)
        w[i] = 1 + wigs * wigs * (wigs + 2)


cdef void weigh_give_clergy(const EditionC* e, const State* s, const Player* p, const int16_t* options, int n,
                            int given, int* w) noexcept nogil:
    """One tile for the influence gain, all of them near the end, when they are worth nothing else (J7, J10)."""
    cdef bint late = s.last_turn >= 0
    cdef int i
    for i in range(n):
        if options[i] == STOP:
            w[i] = 1 if late else 12 if given else 1
        else:
            w[i] = e.clergy_wigs[options[i]] * (8 if late else 2)


# --- choosing -------------------------------------------------------------------------------------------------------

cdef bint weigh(const EditionC* e, const State* s, const int16_t* options, int n, int* w) noexcept nogil:
    """Positive weights of the pending decision's legal actions; False, and nothing written, where all are equal."""
    cdef const Frame* f = &s.frames[s.depth - 1]
    cdef const Player* p = &s.players[f.seat]
    cdef int kind = f.kind
    cdef int i
    if kind == PLAY_CARD:
        weigh_play_card(e, s, f.seat, options, n, w)
    elif kind == TAKE_CARD:
        for i in range(n):
            w[i] = 3 if e.card_noble[options[i]] == TREASURY else 1 + e.card_influence[options[i]]
    elif kind == DISCARD_HAND:      # hands are filled up again, and the discards pay
        for i in range(n):
            w[i] = 1 if options[i] == STOP else 3
    elif kind == MAKE_ROOM or kind == SHED:
        weigh_give_up(e, options, n, w)
    elif kind == SELL_OR_TRADE:
        for i in range(n):
            w[i] = 3 if options[i] == 0 else 4
    elif kind == SELL:
        weigh_sell(e, s, f.seat, options, n, w)
    elif kind == TRADE or kind == VISIT_STATE_ACTION:
        for i in range(n):
            w[i] = 1 if options[i] == STOP else state_action_weight(options[i])
    elif kind == TRADE_GOOD or kind == PAY_GOOD:
        weigh_goods(s, p, options, n, True, w)
    elif kind == GOOD_ANY or kind == PRODUCE_BONUS:
        weigh_goods(s, p, options, n, False, w)
    elif kind == VISIT_COST:
        weigh_visit_cost(options, n, w)
    elif kind == FOLLOW:
        weigh_follow(e, s, f.seat, f.a, w)
    elif kind == FOLLOW_ACTION:
        for i in range(n):
            w[i] = 16 if options[i] == SA_NOBLE_ACTION else state_action_weight(options[i])
    elif kind == RECRUIT:
        for i in range(n):
            w[i] = 1 << (3 * count_bits(options[i]))
    elif kind == BUILD_SHIP:
        weigh_build_ship(e, options, n, w)
    elif kind == BUILD_STORE:
        weigh_build_store(e, s, f.seat, options, n, w)
    elif kind == STORE_CUBE:
        for i in range(n):
            w[i] = cube_weight(p, options[i] % 3)
    elif kind == RUBBLE_CUBE:
        for i in range(n):
            w[i] = cube_weight(p, options[i])
    elif kind == OPEN_BUILDING:
        weigh_open_building(e, s, f.seat, options, n, w)
    elif kind == BUILDING_PLAN:
        weigh_building_plan(e, s, f.seat, f.a, options, n, w)
    elif kind == BUILDING_OFFICIALS:    # from the plazas first: an official in an office taxes rivals
        for i in range(n):
            w[i] = 1 << (2 * imin(7, options[i] // 729))
    elif kind == TAKE_DECREE:
        weigh_take_decree(e, s, f.seat, options, n, w)
    elif kind == SPEND_MARKER:
        w[0] = 1
        w[1] = 9
    elif kind == GIVE_CLERGY:
        weigh_give_clergy(e, s, p, options, n, f.b, w)
    elif kind == PAY_REIS:              # cash first: influence pays for visits
        for i in range(n):
            w[i] = 6 if i == 0 else 1
    else:
        return False
    return True


cdef int draw(uint64_t* rng, const int* weights, int n) noexcept nogil:
    """An index drawn in proportion to the weights."""
    cdef int total = 0
    cdef int i
    cdef int left
    for i in range(n):
        total += weights[i]
    left = <int>below(rng, <uint32_t>total)
    for i in range(n):
        left -= weights[i]
        if left < 0:
            return i
    return n - 1


cdef int choose(const EditionC* e, const State* s, const int16_t* options, int n, int playout,
                uint64_t* rng) noexcept nogil:
    """The index of the action that a playout takes."""
    cdef int weights[MAX_ACTIONS]
    cdef int one
    cdef int other
    if n < 2:
        return 0
    if playout == PLAYOUT_UNIFORM or not weigh(e, s, options, n, weights):
        return <int>below(rng, <uint32_t>n)
    one = draw(rng, weights, n)
    if playout == PLAYOUT_SHARP:
        other = draw(rng, weights, n)
        if weights[other] > weights[one]:
            return other
    return one


cdef int play_out(const EditionC* e, State* s, int16_t* options, int n, int playout, int last_turn,
                  uint64_t* rng) noexcept nogil:
    """Play on from a decision with n legal options, to the end of a turn or of the game; returns the decisions taken."""
    cdef int decisions = 0
    while n and s.turn <= last_turn:
        decisions += n > 1
        n = step(e, s, options[choose(e, s, options, n, playout, rng)], options)
    return decisions
