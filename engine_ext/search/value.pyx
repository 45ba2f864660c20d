"""The value function: the final score of a game that is cut short, from what every seat has and how long it lasts.

A seat's final ledger is its ledger with the final scoring of the position as it stands, plus the wigs still to come:
linear in the seat's features, with weights for each scoring category. Every feature counts twice, alone and times the
seat's turns left, so a weight can be worth something at the end, or for as long as the game goes on. The weights are
data (``lisboa_ai/values.py``). How likely each order of the seats is follows from the differences of their scores.
"""
from libc.math cimport floor, sqrt
from libc.string cimport memset

from engine_ext.types cimport *
from engine_ext.economy cimport (
    clergy_held, count_bits, hold_space, hull, imax, imin, officials_out, total_goods,
)
from engine_ext.rules.scoring cimport score_final
from engine_ext.search.outcome cimport PARTS, WIG_PARTS, OutcomeC, reward

BASE_FEATURES = (
    "one", "influence", "influence_squared", "reis", "first_reis", "top_influence", "goods", "goods_price", "hold",
    "shippable", "hulls", "ships", "officials_home", "officials_in_offices", "officials_in_plazas", "plans",
    "plan_officials", "staff_short", "completed_officials", "race_lead", "gold_stores", "cloth_stores", "books_stores",
    "tools_stores", "gold_lead", "cloth_lead", "books_lead", "tools_lead", "open_sites", "spare_cubes", "sets",
    "markers", "clergy", "clergy_wigs", "favors", "decrees", "decree_wigs", "noble_cards", "treasury_cards",
    "left_houses", "middle_houses", "right_houses", "hand", "benefits", "visit_tax", "stores_price", "period_sets",
    "period_cubes",
)
VALUE_FEATURES = (*BASE_FEATURES, *(f"{name}_by_turns" for name in BASE_FEATURES))

if len(BASE_FEATURES) != N_BASE or len(VALUE_FEATURES) != N_VALUES:
    raise ImportError("value features: names and numbers differ")


# --- how long the game lasts -----------------------------------------------------------------------------------------

cdef double period_left(const State* s) noexcept nogil:
    """Turns until the period's end is triggered: by the third empty deck, or by somebody's sets (K1, L1)."""
    cdef int left[4]
    cdef int least = 100
    cdef int wanted = 2 if s.period == 0 else 4
    cdef int missing
    cdef int total = 0
    cdef int most = 0
    cdef int i
    cdef int j
    cdef double turns
    for i in range(N_DECKS):
        left[i] = DECK_CARDS - s.deck_pos[i]
        total += left[i]
        most = imax(most, left[i])
    turns = total - most + 0.4 * most
    for i in range(s.seats):
        missing = 0
        for j in range(N_COLOURS):
            missing += imax(0, wanted - s.players[i].cubes[j])
        least = imin(least, missing)
    return turns if turns < 1.2 * least * s.seats else 1.2 * least * s.seats


cdef double turns_left(const State* s) noexcept nogil:
    """Turns of all seats that are still to come, the one that goes on now included."""
    if s.phase == PHASE_OVER:
        return 0.0
    if s.last_turn >= 0:
        return s.last_turn - s.turn + 1
    return period_left(s) + 1.5 * s.seats + (17.0 if s.period == 0 else 0.0)


cdef double own_turns_left(const State* s, int seat, double turns) noexcept nogil:
    """A seat's share of them: who is next has the bigger one."""
    cdef int wait = (seat - s.active + s.seats) % s.seats
    cdef double own = (turns - wait + 0.5 * (s.seats - 1)) / s.seats
    return own if own > 0.0 else 0.0


# --- the features ----------------------------------------------------------------------------------------------------

cdef int open_sites(const EditionC* e, const State* s, int seat) noexcept nogil:
    """Wigs that own stores would get from buildings at the sites still free, if their colours match (H9, H10)."""
    cdef int by_row[5]
    cdef int by_street[4]
    cdef int total = 0
    cdef int i
    for i in range(N_ROWS):
        by_row[i] = 0
    for i in range(N_GOODS):
        by_street[i] = 0
    for i in range(N_SITES):
        if s.site_building[i] == -1:
            if e.site_row[i] >= 0:
                by_row[e.site_row[i]] += 1
            else:
                by_street[e.site_street[i]] += 1
    for i in range(N_LANDS):
        if s.land_owner[i] == seat:
            total += e.scoring_large[s.scoring[e.column_uses[e.land_column[i]]]] \
                * (by_row[e.land_row[i]] + by_street[s.land_business[i]])
    return total


cdef int printed_officials(const EditionC* e, uint32_t plans) noexcept nogil:
    cdef int total = 0
    cdef int i
    for i in range(N_PLANS):
        if plans >> i & 1:
            total += e.plan_officials[i]
    return total


cdef int staff_short(const EditionC* e, const Player* p) noexcept nogil:
    """Officials that the easiest plan held still needs; without a plan 5, the most that any asks for."""
    cdef int least = 5
    cdef int out = officials_out(p)
    cdef int i
    for i in range(N_PLANS):
        if p.plans >> i & 1:
            least = imin(least, imax(0, e.plan_officials[i] - out))
    return least


cdef void describe(const EditionC* e, const State* s, int seat, double* x) noexcept nogil:
    """The base features of a seat: everything but decree_wigs, which the final scoring knows."""
    cdef const Player* p = &s.players[seat]
    cdef const Player* rival
    cdef int i
    cdef int j
    cdef int best
    cdef int total
    memset(x, 0, N_BASE * sizeof(double))
    x[V_ONE] = 1.0
    x[V_INFLUENCE] = p.influence
    x[V_INFLUENCE_SQUARED] = 0.1 * p.influence * p.influence
    x[V_REIS] = p.reis
    x[V_FIRST_REIS] = imin(8, p.reis)
    x[V_TOP_INFLUENCE] = p.top_influence
    x[V_GOODS] = total_goods(p)
    for i in range(N_GOODS):
        x[V_GOODS_PRICE] += p.goods[i] * s.price[i]
        x[V_STORES + i] = p.stores[i]
        x[V_STORES_PRICE] += p.stores[i] * s.price[i]
        best = 0
        for j in range(s.seats):
            if j != seat:
                best = imax(best, s.players[j].stores[i])
        x[V_STORES_LEAD + i] = imax(-2, imin(2, p.stores[i] - best))
    for i in range(p.n_top):
        if p.top[i] >= SHIP_BASE:
            x[V_SHIPS] += 1.0
            x[V_HULLS] += hull(e, p.top[i] - SHIP_BASE)
            x[V_HOLD] += hold_space(e, p, i)
        else:
            x[V_NOBLE_CARDS] += 1.0
    x[V_SHIPPABLE] = x[V_HOLD] if x[V_HOLD] < x[V_GOODS] else x[V_GOODS]
    x[V_OFFICIALS_HOME] = p.officials
    x[V_OFFICIALS_IN_OFFICES] = p.offices[0] + p.offices[1] + p.offices[2]
    x[V_OFFICIALS_IN_PLAZAS] = p.plazas[0] + p.plazas[1] + p.plazas[2]
    x[V_PLANS] = count_bits(p.plans)
    x[V_PLAN_OFFICIALS] = printed_officials(e, p.plans)
    x[V_STAFF_SHORT] = staff_short(e, p)
    total = printed_officials(e, p.completed)
    best = 0
    for j in range(s.seats):
        if j != seat:
            rival = &s.players[j]
            best = imax(best, printed_officials(e, rival.completed))
            x[V_VISIT_TAX] += rival.offices[0] + rival.offices[1] + rival.offices[2]
    x[V_COMPLETED_OFFICIALS] = total
    x[V_RACE_LEAD] = imax(-6, imin(6, total - best))
    x[V_OPEN_SITES] = open_sites(e, s, seat)
    for i in range(N_COLOURS):
        x[V_SPARE_CUBES] += p.cubes[i] > p.sets
        x[V_HOUSES + i] = p.houses[i]
    x[V_SETS] = p.sets
    x[V_MARKERS] = p.markers
    x[V_CLERGY] = clergy_held(p)
    for i in range(N_CLERGY):
        if p.clergy >> i & 1:
            x[V_CLERGY_WIGS] += e.clergy_wigs[i]
    x[V_FAVORS] = count_bits(p.favors)
    x[V_DECREES] = count_bits(p.decrees[0]) + count_bits(p.decrees[1])
    x[V_TREASURY_CARDS] = p.n_bottom
    x[V_HAND] = p.n_hand
    for i in range(N_QUANTITIES):
        x[V_BENEFITS] += imin(3, p.mods[i])
    if s.period == 0:
        x[V_PERIOD_SETS] = p.sets
        x[V_PERIOD_CUBES] = x[V_SPARE_CUBES]


# --- from scores to places -------------------------------------------------------------------------------------------

cdef inline double exponential(double x) noexcept nogil:
    """e ** x for -40 <= x <= 0, by squaring: the same to the last bit wherever arithmetic is IEEE's."""
    cdef int _i
    x = 1.0 + x / 1024.0
    for _i in range(10):
        x *= x
    return x


cdef void place(OutcomeC* out, const double* strength, int seats) noexcept nogil:
    """Parts of each place by seat: every order of the seats as likely as drawing one place after the other says.

    Orders get whole parts, and the rest of the rounding goes to the likeliest, so seats and places both add up.
    """
    cdef int order[4]
    cdef int likeliest[4]
    cdef double likely
    cdef double most = -1.0
    cdef double left
    cdef int rest = PARTS
    cdef int parts
    cdef int code
    cdef int used
    cdef int i
    cdef int j
    memset(out.ranks, 0, sizeof(out.ranks))
    for code in range(1 << (2 * seats)):        # two bits for the seat at each place
        used = 0
        likely = 1.0
        for i in range(seats):
            order[i] = code >> (2 * i) & 3
            if order[i] >= seats or used >> order[i] & 1:
                likely = -1.0
                break
            left = 0.0                          # added up anew: differences of tiny strengths would be noise
            for j in range(seats):
                if not used >> j & 1:
                    left += strength[j]
            likely *= strength[order[i]] / left
            used |= 1 << order[i]
        if likely < 0.0:
            continue
        parts = imin(rest, <int>(likely * PARTS))
        rest -= parts
        for i in range(seats):
            out.ranks[order[i] * 4 + i] += parts
        if likely > most:
            most = likely
            for i in range(seats):
                likeliest[i] = order[i]
    for i in range(seats):
        out.ranks[likeliest[i] * 4 + i] += rest
    for i in range(seats):
        out.wins[i] = out.ranks[i * 4]


cdef void estimate(const EditionC* e, const State* s, const ValueC* v, double objective, OutcomeC* out) noexcept nogil:
    """The expected outcome of a game that is not over."""
    cdef int16_t ledger[72]
    cdef double x[96]
    cdef double coming[18]
    cdef double strength[4]
    cdef double turns = turns_left(s)
    cdef double own
    cdef double scale = v.spread[0] + v.spread[1] * sqrt(turns / s.seats)
    cdef int seats = s.seats
    cdef int best = -1000000
    cdef int seat
    cdef int i
    cdef int j
    score_final(e, s, ledger)
    for seat in range(seats):
        describe(e, s, seat, x)
        x[V_DECREE_WIGS] = ledger[seat * N_CATEGORIES + C_DECREES]
        own = 0.1 * own_turns_left(s, seat, turns)
        for j in range(N_CATEGORIES):
            coming[j] = 0.0
        for i in range(N_BASE):
            if x[i] != 0.0:
                for j in range(N_CATEGORIES):
                    coming[j] += x[i] * (v.weights[i][j] + own * v.weights[N_BASE + i][j])
        out.wigs[seat] = 0
        for j in range(N_CATEGORIES):
            i = ledger[seat * N_CATEGORIES + j] * WIG_PARTS + <int>floor(coming[j] * WIG_PARTS + 0.5)
            out.ledger[seat * N_CATEGORIES + j] = i
            out.wigs[seat] += i
        best = imax(best, out.wigs[seat])
    for seat in range(seats):
        strength[seat] = (out.wigs[seat] - best) / (WIG_PARTS * scale)
        strength[seat] = exponential(strength[seat] if strength[seat] > -40.0 else -40.0)
    place(out, strength, seats)
    reward(out, seats, objective)
