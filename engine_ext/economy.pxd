"""Prices, gains, capacities: small inline functions over the structs. They decide nothing and push nothing."""
from engine_ext.types cimport *


cdef inline int imin(int a, int b) noexcept nogil:
    return a if a < b else b


cdef inline int imax(int a, int b) noexcept nogil:
    return a if a > b else b


cdef inline void reveal(State* s, int what) noexcept nogil:
    """Mix something shown to everybody into the running hash that the search keys its nodes with."""
    s.seen = (s.seen ^ <uint32_t>(what + 1)) * <uint32_t>16777619


# --- bit sets of ids -------------------------------------------------------------------------------------------

cdef inline bint has_bit(const uint64_t* bits, int i) noexcept nogil:
    return (bits[i >> 6] >> (i & 63)) & 1


cdef inline void set_bit(uint64_t* bits, int i) noexcept nogil:
    bits[i >> 6] |= (<uint64_t>1) << (i & 63)


cdef inline int count_bits(uint64_t bits) noexcept nogil:
    cdef int n = 0
    while bits:
        bits &= bits - 1
        n += 1
    return n


# --- tracks ----------------------------------------------------------------------------------------------------

cdef inline int treasury_reis(const EditionC* e, const State* s) noexcept nogil:
    """The treasury value, in réis."""
    return e.treasury_reis[s.treasury]


cdef inline void move_treasury(const EditionC* e, State* s, int n) noexcept nogil:
    """The marker stays within its track (B9, B10)."""
    s.treasury = <int8_t>imax(0, imin(e.treasury_spaces - 1, s.treasury + n))


cdef inline int money(const EditionC* e, const Player* p) noexcept nogil:
    """Réis in hand plus what influence can make (C4, C5). Paying lowers it by exactly the amount, however split."""
    return p.reis + e.cash_value[p.influence]


# --- gains -----------------------------------------------------------------------------------------------------

cdef inline void gain_wigs(Player* p, int category, int n) noexcept nogil:
    p.wigs += <int16_t>n
    p.ledger[category] += <int16_t>n


cdef inline int taken(int due, int there) noexcept nogil:
    """A penalty that can be paid only in part takes what there is (B7, N33)."""
    return imin(due, imax(there, 0))


cdef inline void spend_wigs(Player* p, int n) noexcept nogil:
    """At most what there is: the score may drop below the five of the start, never below 0 (C16)."""
    gain_wigs(p, C_PAID, -taken(n, p.wigs))


cdef inline int influence_gain(const Player* p) noexcept nogil:
    """What one gain of influence is worth: the total of the top row, plus lasting benefits."""
    return p.top_influence + p.mods[Q_INFLUENCE_GAIN]


cdef inline bint earns_a_wig(const Player* p, int gain) noexcept nogil:
    """A gain that ends on 10 earns a wig, also from 10 (C1, C2); a gain of nothing does not (C3)."""
    return gain > 0 and p.influence + gain >= MAX_INFLUENCE


cdef inline void gain_influence(Player* p) noexcept nogil:
    """One gain of influence."""
    cdef int n = imax(0, influence_gain(p))
    if earns_a_wig(p, n):
        gain_wigs(p, C_INFLUENCE, 1)
    p.influence = <int8_t>imin(MAX_INFLUENCE, p.influence + n)


cdef inline int warehouse(const Player* p) noexcept nogil:
    """How many goods of each type fit."""
    return 2 + p.sets + p.mods[Q_WAREHOUSE]


cdef inline int gain_good(Player* p, int good, int n) noexcept nogil:
    """Take up to n goods of a type; what does not fit is lost (N27). Returns how many were kept."""
    cdef int kept = imax(0, imin(n, warehouse(p) - p.goods[good]))
    p.goods[good] += <int8_t>kept
    return kept


cdef inline int total_goods(const Player* p) noexcept nogil:
    return p.goods[0] + p.goods[1] + p.goods[2] + p.goods[3]


cdef inline int different_goods(const Player* p) noexcept nogil:
    return (p.goods[0] > 0) + (p.goods[1] > 0) + (p.goods[2] > 0) + (p.goods[3] > 0)


cdef inline int plaza_pool(const Player* p) noexcept nogil:
    """Own officials in the plazas, which are one pool when officials go home (N12)."""
    return p.plazas[0] + p.plazas[1] + p.plazas[2]


cdef inline int officials_out(const Player* p) noexcept nogil:
    """Own officials in offices and plazas (E9)."""
    return p.offices[0] + p.offices[1] + p.offices[2] + plaza_pool(p)


# --- rubble ----------------------------------------------------------------------------------------------------

cdef inline void pull_trigger(State* s, int seat) noexcept nogil:
    """The period or the game ends after this turn; of several triggers in a turn the first holds (N21)."""
    if s.trigger < 0 and s.last_turn < 0:
        s.trigger = <int8_t>seat


cdef inline void take_cube(State* s, int seat, int colour) noexcept nogil:
    """A cube goes to its seat's board, or out of the game when five of the colour lie there (G7).

    A completed set moves its marker to the Marquis at once (I2). The second set of anybody in period 1, the fourth
    in any period, triggers the end of the period or the game (K1, L1).
    """
    cdef Player* p = &s.players[seat]
    cdef int sets
    if p.cubes[colour] >= MAX_CUBES:
        s.gone_cubes[colour] += 1
        return
    p.cubes[colour] += 1
    sets = imin(p.cubes[0], imin(p.cubes[1], p.cubes[2]))
    if sets > p.sets:
        p.sets = <int8_t>sets
        p.markers += 1
        if sets >= (2 if s.period == 0 else 4):
            pull_trigger(s, seat)


# --- lasting benefits and the portfolio --------------------------------------------------------------------------

cdef inline void change_benefit(const EditionC* e, Player* p, int holding, int sign) noexcept nogil:
    """Add (+1) or remove (-1) the lasting benefits of a card or clergy tile, and fit the warehouse to them (N16)."""
    cdef const Benefit* b = &e.benefits[holding]
    cdef int i
    for i in range(b.n):
        p.mods[b.modifiers[i].quantity] += <int8_t>(sign * b.modifiers[i].n)
    if sign < 0:
        for i in range(N_GOODS):
            p.goods[i] = <int8_t>imin(p.goods[i], warehouse(p))


cdef inline int portfolio_limit(const Player* p) noexcept nogil:
    """How many cards the portfolio holds in all (B11)."""
    return imin(2 + p.sets + p.mods[Q_PORTFOLIO], 2 * N_SLOTS)


cdef inline int portfolio_cards(const Player* p) noexcept nogil:
    return p.n_top + p.n_bottom


cdef inline int hull(const EditionC* e, int ship) noexcept nogil:
    return e.ship_hull[ship // 3]


cdef inline int hold_space(const EditionC* e, const Player* p, int slot) noexcept nogil:
    """Free spaces of the ship in a top slot; 0 means it is at sea (B2)."""
    return hull(e, p.top[slot] - SHIP_BASE) - p.cargo[slot] - p.packed[slot]


cdef inline int top_value(const EditionC* e, int thing) noexcept nogil:
    """Influence printed on a noble card or ship."""
    return e.ship_influence[(thing - SHIP_BASE) // 3] if thing >= SHIP_BASE else e.card_influence[thing]


cdef inline void add_top(const EditionC* e, Player* p, int thing, int cargo, int packed) noexcept nogil:
    p.top[p.n_top] = <uint8_t>thing
    p.cargo[p.n_top] = <uint8_t>cargo
    p.packed[p.n_top] = <uint8_t>packed
    p.n_top += 1
    p.top_influence += <int8_t>top_value(e, thing)


cdef inline int find_top(const Player* p, int thing) noexcept nogil:
    cdef int i
    for i in range(p.n_top):
        if p.top[i] == thing:
            return i
    return -1


cdef inline void remove_top(const EditionC* e, Player* p, int slot) noexcept nogil:
    """Take a noble card or ship out of its dock; what lay under it goes to the supply (B14)."""
    cdef int i
    p.top_influence -= <int8_t>top_value(e, p.top[slot])
    p.n_top -= 1
    for i in range(slot, p.n_top):
        p.top[i] = p.top[i + 1]
        p.cargo[i] = p.cargo[i + 1]
        p.packed[i] = p.packed[i + 1]
    p.top[p.n_top] = 0
    p.cargo[p.n_top] = 0
    p.packed[p.n_top] = 0


cdef inline void discard_from_portfolio(const EditionC* e, State* s, int seat, int thing) noexcept nogil:
    """A noble card, ship or treasury card leaves the portfolio and the game; its benefit stops at once (B14, B15)."""
    cdef Player* p = &s.players[seat]
    cdef int i
    cdef int slot = find_top(p, thing)
    if slot >= 0:
        remove_top(e, p, slot)
        if thing < SHIP_BASE:
            set_bit(s.gone_cards, thing)
        return
    for i in range(p.n_bottom):
        if p.bottom[i] == thing:
            slot = i
    p.n_bottom -= 1
    for i in range(slot, p.n_bottom):
        p.bottom[i] = p.bottom[i + 1]
    p.bottom[p.n_bottom] = 0
    set_bit(s.gone_cards, thing)
    change_benefit(e, p, thing, -1)


cdef inline int list_portfolio(const Player* p, int16_t* out) noexcept nogil:
    """Everything in the portfolio, as action arguments."""
    cdef int i
    cdef int n = 0
    for i in range(p.n_top):
        out[n] = p.top[i]
        n += 1
    for i in range(p.n_bottom):
        out[n] = p.bottom[i]
        n += 1
    return n


# --- ships -------------------------------------------------------------------------------------------------------

cdef inline int ships_left(const State* s) noexcept nogil:
    return 2 * (s.seats - 1) - s.ship_pos


cdef inline int next_ship(const State* s) noexcept nogil:
    """The ship on top of the shipyard stack: the period's first colour over its second (A3). Only if one is left."""
    cdef int copies = s.seats - 1
    return (2 * s.period + s.ship_pos // copies) * 3 + s.ship_pos % copies


cdef inline void set_sail_if_full(const EditionC* e, Player* p, int slot) noexcept nogil:
    """A full ship packs its cargo: a wig for each newly packed crate, at once (F8), and it is at sea."""
    if hold_space(e, p, slot) > 0:
        return
    gain_wigs(p, C_SAILED, p.cargo[slot] + p.mods[Q_SAIL_WIGS])
    p.packed[slot] += p.cargo[slot]
    p.cargo[slot] = 0


# --- hands -------------------------------------------------------------------------------------------------------

cdef inline void leave_hand(const EditionC* e, State* s, int seat, int card) noexcept nogil:
    """A card is shown and leaves its hand; where it goes is the caller's business."""
    cdef Player* p = &s.players[seat]
    cdef int i
    cdef int j
    for i in range(p.n_hand):
        if p.hand[i] == card:
            p.n_hand -= 1
            for j in range(i, p.n_hand):
                p.hand[j] = p.hand[j + 1]
            p.hand[p.n_hand] = 0
            break
    if s.options & HAND_DRAFT and e.card_deck[card] == DECK_BLUE:
        for i in range(N_DEALT):
            if e.deck_cards[DECK_BLUE][i] == card:
                s.shown_blue[seat] |= (<uint32_t>1) << i


cdef inline int clergy_held(const Player* p) noexcept nogil:
    return count_bits(p.clergy)


cdef inline bint decree_on_display(const State* s) noexcept nogil:
    cdef int i
    for i in range(N_DISPLAY):
        if s.display[i] != UNKNOWN:
            return True
    return False


# --- refills: set-up, upkeep and the period change ----------------------------------------------------------------

cdef inline void refill_decrees(const EditionC* e, State* s) noexcept nogil:
    """Fill the display up to 8, in deck order (N30); with 2 players a restricted decree is replaced at once (A9)."""
    cdef int i
    cdef uint8_t decree
    for i in range(N_DISPLAY):
        while s.display[i] == UNKNOWN and s.decree_pos < N_DECREES:
            decree = s.decree_deck[s.decree_pos]
            if decree == UNKNOWN:       # an observation that was not told
                return
            s.decree_pos += 1
            reveal(s, 512 + decree)
            if s.seats == 2 and e.decrees[decree].not_for_2:
                continue
            s.display[i] = decree


cdef inline void refill_church(State* s) noexcept nogil:
    """Fill empty church spaces clockwise from the first (N30); with an empty bag they stay empty (J12)."""
    cdef int i
    for i in range(N_CHURCH):
        if s.church[i] == UNKNOWN and s.clergy_pos < N_CLERGY:
            if s.clergy_bag[s.clergy_pos] == UNKNOWN:
                return
            s.church[i] = s.clergy_bag[s.clergy_pos]
            s.clergy_pos += 1
            reveal(s, 640 + s.church[i])


cdef inline void refill_city(State* s) noexcept nogil:
    """Fill empty spaces of the city-tile display, gold to small tools (N30)."""
    cdef int i
    for i in range(5):
        if not s.city >> i & 1:
            if i < 4 and s.city_large:
                s.city_large -= 1
                s.city |= <uint8_t>(1 << i)
            elif i == 4 and s.city_small:
                s.city_small -= 1
                s.city |= <uint8_t>(1 << i)


# --- the hand draft ----------------------------------------------------------------------------------------------

cdef inline int draft_first(int pass_) noexcept nogil:
    """Cards taken from every packet before a pass: 2 in the first, 1 in each that follows (N2)."""
    return pass_ + 1 if pass_ else 0


cdef inline int draft_taker(int packet, int place, int seats) noexcept nogil:
    """Who takes the card at a place of a packet: the dealt seat takes 2, the next seats to the left 1 each (N2)."""
    return (packet + (place - 1 if place else 0)) % seats
