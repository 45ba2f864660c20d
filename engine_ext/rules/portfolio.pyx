"""Playing a card into the portfolio (docs/rules.md B4-B15, E1-E5, F8-F10): tuck it, then sell goods or trade with the nobles."""
from engine_ext.types cimport *
from engine_ext.agenda cimport (
    CHECKED, IMPOSSIBLE, POSSIBLE, UNDECIDED, always, can_meet, compared, effect_frame, effect_possible, push,
    push_effects, push_state_action, row, shed_excess, state_action_possible,
)
from engine_ext.economy cimport (
    add_top, change_benefit, discard_from_portfolio, gain_good, hold_space, imax, leave_hand, list_portfolio,
    move_treasury, portfolio_cards, portfolio_limit, set_sail_if_full, total_goods, treasury_reis, warehouse,
)


# --- tucking --------------------------------------------------------------------------------------------------------

cdef inline bint side_full(const EditionC* e, const Player* p, int card) noexcept nogil:
    return (p.n_bottom if e.card_noble[card] == TREASURY else p.n_top) >= N_SLOTS


cdef inline bint needs_room(const EditionC* e, const Player* p, int card) noexcept nogil:
    return side_full(e, p, card) or portfolio_cards(p) >= portfolio_limit(p)


cdef void tuck(const EditionC* e, State* s, Frame f, int argument) noexcept nogil:
    """The subsidy of a treasury card first (B9), then room is made if needed (N3), then the card lies in its slot."""
    cdef Player* p = &s.players[f.seat]
    cdef int card = f.a
    cdef bint treasury = e.card_noble[card] == TREASURY
    if treasury and f.b == 0:
        p.reis += <int16_t>treasury_reis(e, s)
        move_treasury(e, s, -1)
    if needs_room(e, p, card):
        push(s, TUCK, f.seat, card, 1)
        push(s, MAKE_ROOM, f.seat, card, 0)
        return
    s.played = UNKNOWN
    if treasury:
        p.bottom[p.n_bottom] = <uint8_t>card
        p.n_bottom += 1
        change_benefit(e, p, card, 1)
    else:
        add_top(e, p, card, 0, 0)


cdef int legal_make_room(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """One of the three cards of a full side (B13); else any card of the portfolio (B12)."""
    cdef Player* p = &s.players[f.seat]
    cdef int i
    if not side_full(e, p, f.a):
        return list_portfolio(p, out)
    for i in range(N_SLOTS):
        out[i] = p.bottom[i] if e.card_noble[f.a] == TREASURY else p.top[i]
    return N_SLOTS


cdef void make_room(const EditionC* e, State* s, Frame f, int thing) noexcept nogil:
    discard_from_portfolio(e, s, f.seat, thing)


cdef int legal_shed(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """Capacity was lost: any card of the portfolio may go (N16)."""
    return list_portfolio(&s.players[f.seat], out)


cdef void shed(const EditionC* e, State* s, Frame f, int thing) noexcept nogil:
    discard_from_portfolio(e, s, f.seat, thing)
    shed_excess(e, s, f.seat)


# --- the duty to sell or trade ----------------------------------------------------------------------------------------

cdef inline bint open_ship(const EditionC* e, const State* s, int not_of) noexcept nogil:
    """Whether a docked ship has room (F8), leaving out one seat's (-1: nobody's)."""
    cdef int i
    cdef int j
    for i in range(s.seats):
        if i != not_of:
            for j in range(s.players[i].n_top):
                if s.players[i].top[j] >= SHIP_BASE and hold_space(e, &s.players[i], j) > 0:
                    return True
    return False


cdef inline int own_good(int noble) noexcept nogil:
    """What a noble accepts besides gold (E3)."""
    return TOOLS if noble == MAIA else BOOKS if noble == MARQUIS else CLOTH


cdef int payable_goods(const EditionC* e, State* s, int seat, int action, bint benefits) noexcept nogil:
    """Mask of the goods that buy a state action which is still possible once they are paid (E3, N7)."""
    cdef Player* p = &s.players[seat]
    cdef int good
    cdef int held = 0
    cdef int mask = 0
    for good in range(N_GOODS):
        if p.goods[good] > 0:
            if good == GOLD or good == own_good(action >> 1) or (benefits and p.mods[Q_TRADE_ACCEPTED + good]):
                held |= 1 << good
    if held == 0:
        return 0
    if action != SA_SHIP and action != SA_PRODUCE:      # only ships and the warehouse care which good was paid
        return held if state_action_possible(e, s, seat, action) else 0
    for good in range(N_GOODS):
        if held >> good & 1:
            p.goods[good] -= 1
            if state_action_possible(e, s, seat, action):
                mask |= 1 << good
            p.goods[good] += 1
    return mask


cdef bint tradable(const EditionC* e, State* s, int seat, int actions, bint benefits) noexcept nogil:
    """Whether one of a mask of state actions could be traded for now."""
    cdef int action
    for action in range(N_STATE_ACTIONS):
        if actions >> action & 1 and payable_goods(e, s, seat, action, benefits):
            return True
    return False


cdef int untouched_actions(uint32_t kinds) noexcept nogil:
    """State actions that rewards of these kinds cannot make impossible. Building a ship depends on the docks: never."""
    cdef int mask = 63 & ~(1 << SA_SHIP)
    if kinds & (1 << E_OFFICIALS):
        mask &= ~(1 << SA_RECRUIT)
    if kinds & (1 << E_PLAN):
        mask &= ~(1 << SA_PLAN)
    if kinds & (1 << E_FAVOR):
        mask &= ~(1 << SA_FAVOR)
    if kinds & (1 << E_CARDINAL):
        mask &= ~(1 << SA_CARDINAL)
    if kinds & (1 << E_GOOD | 1 << E_GOOD_ANY | 1 << E_PRODUCE | 1 << E_CARDINAL):
        mask &= ~(1 << SA_PRODUCE)      # the warehouse may fill up
    return mask


cdef enum:  # RewardKinds
    # rewards that can take goods or docks away, so that only a search can tell
    DISRUPTIVE = 1 << E_SHIP | 1 << E_STORE | 1 << E_BUILDING | 1 << E_PAY_GOOD
    # rewards that may bring goods
    FRUITFUL = 1 << E_GOOD | 1 << E_GOOD_ANY | 1 << E_PRODUCE | 1 << E_CARDINAL
    # rewards that open no new way to sell or trade
    IDLE = 1 << E_REIS | 1 << E_WIGS | 1 << E_INFLUENCE | 1 << E_TREASURY | 1 << E_PAY_REIS | 1 << E_PAY_INFLUENCE \
        | 1 << E_PAY_WIGS | 1 << E_OFFICIALS | 1 << E_PLAN | 1 << E_FAVOR | 1 << E_DECREE


cdef inline bint sells_or_trades(const EditionC* e, State* s, int seat, int actions) noexcept nogil:
    """Whether a good in the warehouse can be sold, or buys one of these state actions."""
    return total_goods(&s.players[seat]) and (open_ship(e, s, -1) or tradable(e, s, seat, actions, True))


cdef bint with_a_good(const EditionC* e, State* s, int seat, int actions, int n) noexcept nogil:
    """Whether a good could be sold or traded after one of choice comes (n = 1) or goes (n = -1)."""
    cdef Player* p = &s.players[seat]
    cdef int good
    cdef bint found = False
    for good in range(N_GOODS):
        if not found and (p.goods[good] < warehouse(p) if n > 0 else p.goods[good] > 0):
            p.goods[good] += <int8_t>n
            found = sells_or_trades(e, s, seat, actions)
            p.goods[good] -= <int8_t>n
    return found


cdef int sale_test(const EditionC* e, State* s, int seat, int card, const Effect* rewards, int n) noexcept nogil:
    """Can the card be tucked and a good sold or traded after these rewards (B4, B5)?"""
    cdef Player* p = &s.players[seat]
    cdef int8_t before[4]
    cdef uint32_t kinds = 0
    cdef int frame
    cdef int good
    cdef int i
    cdef int actions
    cdef int result = UNDECIDED
    for i in range(n):
        frame = effect_frame(rewards[i].kind)
        if i > 0 or frame < 0 or effect_possible(e, s, seat, &rewards[i]):
            kinds |= <uint32_t>1 << rewards[i].kind     # a first reward that is lost changes nothing
    if kinds & (1 << E_CARDINAL) and not e.tame_clergy:
        return UNDECIDED
    if not kinds & DISRUPTIVE and total_goods(p) and open_ship(e, s, -1):
        return POSSIBLE
    actions = untouched_actions(kinds)
    if not needs_room(e, p, card):
        actions |= 1 << SA_SHIP         # a dock is left either way: an empty one, or the card just tucked
    if kinds == 1 << E_PAY_GOOD and n == 1 and rewards[0].n == 1:
        if total_goods(p) < 2:
            return IMPOSSIBLE
        return POSSIBLE if with_a_good(e, s, seat, actions, -1) else UNDECIDED
    if kinds & DISRUPTIVE:
        return UNDECIDED
    for good in range(N_GOODS):
        before[good] = p.goods[good]
    for i in range(n):
        if rewards[i].kind == E_GOOD:
            gain_good(p, rewards[i].what, rewards[i].n)
    if kinds & (1 << E_PRODUCE):
        for good in range(N_GOODS):
            gain_good(p, good, p.stores[good])
    if sells_or_trades(e, s, seat, actions) or kinds & (1 << E_GOOD_ANY) and with_a_good(e, s, seat, actions, 1):
        result = POSSIBLE
    elif not total_goods(p) and not kinds & FRUITFUL:
        result = IMPOSSIBLE
    elif e.card_noble[card] != TREASURY and not kinds & ~<uint32_t>IDLE and not tradable(e, s, seat, 63, True):
        result = IMPOSSIBLE
    for good in range(N_GOODS):
        p.goods[good] = before[good]
    return result


cdef int tuck_test(const EditionC* e, State* s, int seat, int card) noexcept nogil:
    """Can the card be tucked and a good sold or traded after its reward? Undecided where rewards interfere."""
    cdef const Source* source = &e.sources[card]
    cdef int test
    cdef int best = -1
    cdef int i
    if e.card_noble[card] == TREASURY:
        return sale_test(e, s, seat, card, source.rewards, 0)
    if not source.n_choices:
        return sale_test(e, s, seat, card, source.rewards, source.n_rewards)
    if source.n_rewards:
        return UNDECIDED
    for i in range(source.n_choices):
        if effect_possible(e, s, seat, &source.choices[i]):
            test = sale_test(e, s, seat, card, &source.choices[i], 1)
            if test == POSSIBLE:
                return POSSIBLE
            best = imax(best, test)
    return best if best >= 0 else sale_test(e, s, seat, card, source.rewards, 0)


cdef bint can_tuck(const EditionC* e, State* s, int seat, int card) noexcept nogil:
    """Whether a hand card may be played into the portfolio (B4)."""
    cdef State t
    cdef int test = tuck_test(e, s, seat, card)
    if test != UNDECIDED and not CHECKED:
        return test == POSSIBLE
    t = s[0]
    leave_hand(e, &t, seat, card)
    t.played = <uint8_t>card
    push(&t, SELL_OR_TRADE, seat, card, 0)
    push(&t, TUCK, seat, card, 0)
    if e.card_noble[card] != TREASURY:
        push_effects(e, &t, seat, card, 0)
    return compared(TUCK, test, can_meet(e, &t, s.depth))


cdef bint certain_sell_or_trade(const EditionC* e, State* s, const Frame* f) noexcept nogil:
    """A rival's docked ship, or a trade that neither the rewards still to come nor a lost card can spoil."""
    cdef uint32_t kinds = 0 if e.card_noble[f.a] == TREASURY else e.source_kinds[f.a]
    cdef int top = s.frames[s.depth - 1].kind
    if top != MAKE_ROOM and top != SHED:
        if kinds & DISRUPTIVE or (kinds & (1 << E_CARDINAL) and not e.tame_clergy):
            return False
    else:
        kinds = 1 << E_PRODUCE          # a lost card may shrink the warehouse
    if not total_goods(&s.players[f.seat]):
        return False
    return open_ship(e, s, f.seat) or tradable(e, s, f.seat, untouched_actions(kinds), False)


cdef int legal_sell_or_trade(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """0 sell goods, 1 trade with the nobles; at least one good must change hands (B4, A10)."""
    cdef int n = 0
    if total_goods(&s.players[f.seat]) and open_ship(e, s, -1):
        out[n] = 0
        n += 1
    if tradable(e, s, f.seat, 63, True):
        out[n] = 1
        n += 1
    return n


cdef void sell_or_trade(const EditionC* e, State* s, Frame f, int trade) noexcept nogil:
    push(s, TRADE if trade else SELL, f.seat, 0, 0)


# --- selling --------------------------------------------------------------------------------------------------------

cdef int legal_sell(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """Any good onto any docked ship, own or rival (F8); stopping after at least one. a = goods sold so far."""
    cdef Player* p = &s.players[f.seat]
    cdef int good
    cdef int i
    cdef int j
    cdef int n = 0
    for i in range(s.seats):
        for j in range(s.players[i].n_top):
            if s.players[i].top[j] < SHIP_BASE or hold_space(e, &s.players[i], j) <= 0:
                continue
            for good in range(N_GOODS):
                if p.goods[good] > 0:
                    out[n] = <int16_t>(good * 16 + s.players[i].top[j] - SHIP_BASE)
                    n += 1
    if f.a:
        out[n] = STOP
        n += 1
    return n


cdef void sell(const EditionC* e, State* s, Frame f, int argument) noexcept nogil:
    """Market price plus the ship's and the seller's modifiers (F8); prices stay (F10); a full ship sails (F9)."""
    cdef Player* p = &s.players[f.seat]
    cdef int good
    cdef int ship
    cdef int i
    cdef int j
    if argument == STOP:
        return
    good = argument >> 4
    ship = argument & 15
    for i in range(s.seats):
        for j in range(s.players[i].n_top):
            if s.players[i].top[j] == SHIP_BASE + ship:
                s.players[i].cargo[j] += 1
                set_sail_if_full(e, &s.players[i], j)
    p.goods[good] -= 1
    p.reis += <int16_t>imax(0, s.price[good] + e.ship_price[ship // 3] + p.mods[Q_SELL + good])
    push(s, SELL, f.seat, f.a + 1, 0)


# --- trading ----------------------------------------------------------------------------------------------------------

cdef int legal_trade(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """A state action not covered yet that a good in the warehouse buys (E1, E3, N7); a = actions traded so far."""
    cdef int action
    cdef int n = 0
    for action in range(N_STATE_ACTIONS):
        if not s.banners >> action & 1 and payable_goods(e, s, f.seat, action, True):
            out[n] = <int16_t>action
            n += 1
    if f.a:
        out[n] = STOP
        n += 1
    return n


cdef void trade(const EditionC* e, State* s, Frame f, int action) noexcept nogil:
    if action == STOP:
        return
    if f.a == 0:
        push(s, TRADE, f.seat, 1, 0)        # a second one may follow (E1)
    push(s, TRADE_GOOD, f.seat, action, 0)


cdef int legal_trade_good(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    cdef int mask = payable_goods(e, s, f.seat, f.a, True)
    cdef int good
    cdef int n = 0
    for good in range(N_GOODS):
        if mask >> good & 1:
            out[n] = <int16_t>good
            n += 1
    return n


cdef void trade_good(const EditionC* e, State* s, Frame f, int good) noexcept nogil:
    """The good covers the action until the end of the turn (E5), then the action is taken."""
    s.players[f.seat].goods[good] -= 1
    s.banners |= <uint8_t>(1 << f.a)
    push_state_action(s, f.seat, f.a)


row(TUCK, b"tuck", NULL, tuck, can_tuck, NULL, 0)
row(MAKE_ROOM, b"make_room", legal_make_room, make_room, always, NULL, 0)
row(SHED, b"shed", legal_shed, shed, always, NULL, 0)
row(SELL_OR_TRADE, b"sell_or_trade", legal_sell_or_trade, sell_or_trade, always, certain_sell_or_trade, 0)
row(SELL, b"sell", legal_sell, sell, always, NULL, 0)
row(TRADE, b"trade", legal_trade, trade, always, NULL, 0)
row(TRADE_GOOD, b"trade_good", legal_trade_good, trade_good, always, NULL, 0)
