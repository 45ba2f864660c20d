"""A turn and what ends it (docs/rules.md B, K, L): dock ships, play a card, take a card, upkeep, change of period, end."""
from engine_ext.types cimport *
from engine_ext.agenda cimport (
    IGNORE_PENALTIES, OPTIONAL, WAITS, always, possible, push, push_effects, row,
)
from engine_ext.economy cimport (
    gain_good, gain_wigs, has_bit, hold_space, leave_hand, pull_trigger, refill_church, refill_city, refill_decrees,
    reveal, set_bit,
)


cdef void dock_ships(const EditionC* e, State* s, Frame f, int argument) noexcept nogil:
    """Ships at sea come back empty before anything else (B1); then the turn's steps are laid out."""
    cdef Player* p = &s.players[f.seat]
    cdef int i
    s.active = f.seat
    for i in range(p.n_top):
        if p.top[i] >= SHIP_BASE and hold_space(e, p, i) == 0:
            p.packed[i] = 0
            p.cargo[i] = 0
    lay_out_turn(s, f.seat)


cdef inline void lay_out_turn(State* s, int seat) noexcept nogil:
    """Play a card, draw, church scoring, refills and what was triggered, in this order (silent point 5). Last in, first out."""
    push(s, UPKEEP, seat, 0, 0)
    push(s, CHURCH_SCORING, seat, 0, 0)
    push(s, TAKE_CARD, seat, 0, 0)
    push(s, PLAY_CARD, seat, 0, 0)


# --- playing a card -------------------------------------------------------------------------------------------------

cdef int legal_play_card(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """Each known card for gold, into the portfolio, and to the court, as far as possible (B3, B4, B18, D5, N8)."""
    cdef Player* p = &s.players[f.seat]
    cdef int visit[3]
    cdef int i
    cdef int n = 0
    cdef int card
    cdef int noble
    visit[0] = visit[1] = visit[2] = -1
    for i in range(p.n_hand):
        card = p.hand[i]
        if card >= N_CARDS:
            continue
        out[n] = <int16_t>(PLAY_GOLD * 128 + card)      # always, even if the gold finds no room (B3)
        n += 1
        if possible(e, s, TUCK, f.seat, card):
            out[n] = <int16_t>(PLAY_PORTFOLIO * 128 + card)
            n += 1
        noble = e.card_noble[card]
        if noble == TREASURY:
            if possible(e, s, SPONSOR, f.seat, card):
                out[n] = <int16_t>(PLAY_COURT * 128 + card)
                n += 1
        else:
            if visit[noble] < 0:
                visit[noble] = possible(e, s, VISIT, f.seat, noble)
            if visit[noble]:
                out[n] = <int16_t>(PLAY_COURT * 128 + card)
                n += 1
    return n


cdef void play_card(const EditionC* e, State* s, Frame f, int argument) noexcept nogil:
    """Take a gold for it (B3), tuck it (B4) or play it to the court (D1, B20)."""
    cdef int card = argument & 127
    cdef int mode = argument >> 7
    leave_hand(e, s, f.seat, card)
    if mode == PLAY_PORTFOLIO:
        s.played = <uint8_t>card
        push(s, SELL_OR_TRADE, f.seat, card, 0)
        push(s, TUCK, f.seat, card, 0)
        push_effects_of_tuck(e, s, f.seat, card)
        return
    set_bit(s.gone_cards, card)
    if mode == PLAY_GOLD:
        gain_good(&s.players[f.seat], GOLD, 1)
    elif e.card_noble[card] == TREASURY:
        push(s, SPONSOR, f.seat, card, 0)
    else:
        push(s, FOLLOW_WINDOW, f.seat, e.card_noble[card], 1)
        push(s, VISIT, f.seat, e.card_noble[card], 0)


cdef inline void push_effects_of_tuck(const EditionC* e, State* s, int seat, int card) noexcept nogil:
    """A noble card's reward or penalty comes before the tuck; a treasury card's subsidy belongs to the tuck (B5, B8, B9)."""
    if e.card_noble[card] != TREASURY:
        push_effects(e, s, seat, card, 0)


# --- taking a card ----------------------------------------------------------------------------------------------------

cdef int legal_take_card(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """Any face-up card (B16); none when every deck is empty (B17)."""
    cdef int i
    cdef int n = 0
    if s.players[f.seat].n_hand >= HAND:
        return 0
    for i in range(N_DECKS):
        if s.face_up >> i & 1:
            out[n] = s.decks[s.period][i][s.deck_pos[i]]
            n += 1
    return n


cdef void take_card(const EditionC* e, State* s, Frame f, int card) noexcept nogil:
    """The card comes to hand; the one below stays hidden until upkeep (N26). The third empty deck is a trigger (K1, K4, L1)."""
    cdef Player* p = &s.players[f.seat]
    cdef int deck = e.card_noble[card]
    cdef int i
    cdef int empty = 0
    p.hand[p.n_hand] = <uint8_t>card
    p.n_hand += 1
    s.deck_pos[deck] += 1
    s.face_up &= <uint8_t>(~(1 << deck))
    for i in range(N_DECKS):
        empty += s.deck_pos[i] >= DECK_CARDS
    if empty >= 3:
        pull_trigger(s, f.seat)


# --- upkeep and the next turn -------------------------------------------------------------------------------------------

cdef void upkeep(const EditionC* e, State* s, Frame f, int argument) noexcept nogil:
    """Refill the displays, turn up a card, clear the banners (E5), then see to what was triggered (K1, L1)."""
    cdef int i
    refill_city(s)
    refill_church(s)
    refill_decrees(e, s)
    for i in range(N_DECKS):
        if not s.face_up >> i & 1 and s.deck_pos[i] < DECK_CARDS:
            turn_up(e, s, i)                # not before (N26)
    s.banners = 0
    s.markers_spent = 0
    push(s, NEXT_TURN, f.seat, 0, 0)
    if s.trigger < 0:
        return
    if s.period == 0:
        push(s, PERIOD_END, f.seat, 0, 0)
    else:
        trigger_end(s)


cdef inline void turn_up(const EditionC* e, State* s, int deck) noexcept nogil:
    """Show the top card of a deck; the Queen is out as soon as her card shows (N24)."""
    cdef int card = s.decks[s.period][deck][s.deck_pos[deck]]
    if card == UNKNOWN:                 # an observation that was not told
        return
    s.face_up |= <uint8_t>(1 << deck)
    reveal(s, card)
    if s.options & QUEEN_VARIANT and e.card_queen[card]:
        s.queen = 1


cdef inline void trigger_end(State* s) noexcept nogil:
    """Finish the round counted from the starting player, then one full round more (L1-L3)."""
    s.last_turn = <int16_t>((s.turn // s.seats + 2) * s.seats - 1)
    s.trigger = -1


cdef void next_turn(const EditionC* e, State* s, Frame f, int argument) noexcept nogil:
    """The player after the active one goes on (K6), or the game ends."""
    if s.last_turn >= 0 and s.turn >= s.last_turn:
        push(s, GAME_END, f.seat, 0, 0)
        return
    s.turn += 1
    push(s, DOCK_SHIPS, (s.active + 1) % s.seats, 0, 0)


# --- change of period ----------------------------------------------------------------------------------------------------

cdef void period_end(const EditionC* e, State* s, Frame f, int argument) noexcept nogil:
    """Sets score, red cards and old ships leave, everyone may discard for rewards, a church scoring, new hands (K2, N18)."""
    cdef uint64_t taken[2]
    cdef int i
    cdef int j
    for i in range(s.seats):
        gain_wigs(&s.players[i], C_SETS, 3 * s.players[i].sets)
    taken[0] = taken[1] = 0
    for i in range(N_DECKS):
        for j in range(s.deck_pos[i]):
            set_bit(taken, s.decks[0][i][j])
    for i in range(N_DECKS * DECK_CARDS):   # whatever was not taken leaves the game, seen or unseen (K7)
        if not has_bit(taken, e.deck_cards[DECK_RED][i]):
            set_bit(s.gone_cards, e.deck_cards[DECK_RED][i])
    s.face_up = 0
    s.period = 1
    s.ship_pos = 0
    for i in range(N_DECKS):
        s.deck_pos[i] = 0
    push(s, NEW_PERIOD, s.trigger, 0, 0)
    push(s, CHURCH_SCORING, s.trigger, 0, 0)    # called by a reward: after all discards, before the new hands (N18)
    for i in range(s.seats - 1, -1, -1):    # K4: from the seat that triggered it, clockwise
        push(s, DISCARD_REWARDS, (s.trigger + i) % s.seats, 0, 0)
        push(s, DISCARD_HAND, (s.trigger + i) % s.seats, 0, 0)


cdef int legal_discard_hand(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """Any subset of the hand, asked card by card in ascending order (a = lowest id still allowed)."""
    cdef Player* p = &s.players[f.seat]
    cdef int i
    cdef int n = 0
    for i in range(p.n_hand):
        if p.hand[i] >= f.a and p.hand[i] < N_CARDS:
            out[n] = p.hand[i]
            n += 1
    out[n] = STOP
    return n + 1


cdef void discard_hand(const EditionC* e, State* s, Frame f, int card) noexcept nogil:
    if card == STOP:
        return
    leave_hand(e, s, f.seat, card)
    set_bit(s.gone_cards, card)
    set_bit(s.discarded, card)
    reveal(s, card)
    push(s, DISCARD_HAND, f.seat, card + 1, 0)


cdef void discard_rewards(const EditionC* e, State* s, Frame f, int argument) noexcept nogil:
    """One reward for each noble among the discards: Maia, Marquis, King (K5, N17); a = the noble to come."""
    if f.a >= N_NOBLES:
        s.discarded[0] = 0
        s.discarded[1] = 0
        return
    push(s, DISCARD_REWARDS, f.seat, f.a + 1, 0)
    push(s, DISCARD_REWARD, f.seat, f.a, 0)


cdef int legal_discard_reward(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """The discarded cards of the noble: one of them must be picked (N17)."""
    cdef int i
    cdef int n = 0
    if not s.discarded[0] and not s.discarded[1]:
        return 0
    for i in range(N_CARDS):
        if has_bit(s.discarded, i) and e.card_noble[i] == f.a:
            out[n] = <int16_t>i
            n += 1
    return n


cdef void discard_reward(const EditionC* e, State* s, Frame f, int card) noexcept nogil:
    """The card's reward; penalties are ignored (K5)."""
    push_effects(e, s, f.seat, card, IGNORE_PENALTIES)


cdef void deal_purple(State* s, int first) noexcept nogil:
    """Hands to five from purple, clockwise from the trigger (N19)."""
    cdef int i
    cdef Player* p
    for i in range(s.seats):
        p = &s.players[(first + i) % s.seats]
        while p.n_hand < HAND and s.purple_pos < N_DEALT:
            p.hand[p.n_hand] = s.purple[s.purple_pos] if s.purple[s.purple_pos] != UNKNOWN else UNKNOWN_PURPLE
            p.n_hand += 1
            s.purple_pos += 1


cdef void late_trigger(State* s) noexcept nogil:
    """A fourth set completed during the period change counts for the turn just ended (N20)."""
    cdef int i
    for i in range(s.seats):
        if s.players[i].sets >= 4 and s.last_turn < 0:
            trigger_end(s)


cdef void new_period(const EditionC* e, State* s, Frame f, int argument) noexcept nogil:
    """New hands; brown decks out; displays refilled (K2)."""
    cdef int i
    deal_purple(s, f.seat)
    for i in range(N_DECKS):
        turn_up(e, s, i)
    refill_city(s)
    refill_church(s)
    refill_decrees(e, s)
    s.markers_spent = 0                     # what was spent here is not spent in the next turn (I4)
    s.trigger = -1
    late_trigger(s)


row(DOCK_SHIPS, b"dock_ships", NULL, dock_ships, always, NULL, 0)
row(PLAY_CARD, b"play_card", legal_play_card, play_card, always, NULL, WAITS)
row(TAKE_CARD, b"take_card", legal_take_card, take_card, always, NULL, OPTIONAL)
row(UPKEEP, b"upkeep", NULL, upkeep, always, NULL, 0)
row(PERIOD_END, b"period_end", NULL, period_end, always, NULL, 0)
row(DISCARD_HAND, b"discard_hand", legal_discard_hand, discard_hand, always, NULL, WAITS)
row(DISCARD_REWARDS, b"discard_rewards", NULL, discard_rewards, always, NULL, 0)
row(DISCARD_REWARD, b"discard_reward", legal_discard_reward, discard_reward, always, NULL, OPTIONAL)
row(NEW_PERIOD, b"new_period", NULL, new_period, always, NULL, 0)
row(NEXT_TURN, b"next_turn", NULL, next_turn, always, NULL, 0)
