"""What an action revealed to a seat, and how an observation is told of it."""
from libc.string cimport memset

from engine_ext cimport types
from engine_ext.types cimport *
from engine_ext.economy cimport draft_taker
from engine_ext.knowledge cimport hidden_pool, may_have_kept


cdef inline int shown_cards(const State* s, int deck) noexcept nogil:
    return s.deck_pos[deck] + (s.face_up >> deck & 1)


cdef list list_revealed(const types.EditionC* e, const State* before, const State* after, int seat):
    """Differences in what lies before the positions of decks, bags and stacks, and cards dealt to the seat."""
    cdef bint opened = before.phase == PHASE_SETUP and after.phase != PHASE_SETUP
    cdef int i
    cdef int j
    out = []
    for i in range(N_DECKS):
        for j in range(shown_cards(before, i) if before.period == after.period else 0, shown_cards(after, i)):
            out.append(("card", after.decks[after.period][i][j]))
    for j in range(before.decree_pos, after.decree_pos):
        out.append(("decree", after.decree_deck[j]))
    for j in range(after.clergy_pos - N_CHURCH if opened else before.clergy_pos, after.clergy_pos):
        out.append(("clergy", after.clergy_bag[j]))
    for i in range(2):
        for j in range(before.building_pos[i] + 2, min(after.building_pos[i] + 2, BUILDING_STACK)):
            out.append(("building", after.buildings[i][j] * 2 + i))
    if after.purple_pos != before.purple_pos:
        for j in range(after.players[seat].n_hand):
            card = after.players[seat].hand[j]
            if card < N_CARDS and e.card_deck[card] == DECK_PURPLE:
                out.append(("card", card))
    if after.draft_pass != before.draft_pass:
        i = (seat - after.draft_pass + 2 * after.seats) % after.seats
        for j in range(after.draft_pass + 1, HAND):
            out.append(("card", after.packets[i][j]))
    return out


cdef list possible_cards(const types.EditionC* e, const State* s, int observer, int seat, int deck):
    """Cards of a dealt deck that a rival may hold: those never seen, and in the draft those that it may have kept."""
    cdef uint8_t pool[128]
    cdef int packet
    cdef int i
    cards = [pool[i] for i in range(hidden_pool(e, s, deck, pool))]
    if not s.options & HAND_DRAFT or deck != DECK_BLUE:
        return cards
    shown = s.shown_blue[0] | s.shown_blue[1] | s.shown_blue[2] | s.shown_blue[3]
    elsewhere = [e.deck_cards[DECK_BLUE][i] for i in range(N_DEALT) if shown >> i & 1]
    elsewhere += [s.players[i].hand[j] for i in range(s.seats) for j in range(s.players[i].n_hand)]
    for packet in range(s.seats):
        for i in range(HAND):
            card = s.packets[packet][i]
            if card != types.UNKNOWN and card not in elsewhere:
                cards.append(card)
    return [card for card in cards if may_have_kept(e, s, observer, seat, card)]


cdef put_in_hand(const types.EditionC* e, State* s, int observer, int seat, int card):
    """Turn one of a seat's hidden cards into a known one. Raises ``ValueError`` with the card, the seat and what is possible."""
    cdef int deck = e.card_deck[card]
    cdef int blank = types.UNKNOWN_BLUE if deck == DECK_BLUE else types.UNKNOWN_PURPLE
    cdef int i
    possible = possible_cards(e, s, observer, seat, deck) if deck == DECK_BLUE or deck == DECK_PURPLE else []
    if blank not in [s.players[seat].hand[i] for i in range(s.players[seat].n_hand)]:
        possible = []
    if card not in possible:
        allowed = ", ".join(map(str, sorted(possible))) or "none"
        raise ValueError(f"card: {card} cannot be in seat {seat}'s hand; allowed: {allowed}")
    for i in range(s.players[seat].n_hand):
        if s.players[seat].hand[i] == blank:
            s.players[seat].hand[i] = <uint8_t>card
            return


cdef hidden_choice(const types.EditionC* e, State* s, const Frame* f, int argument, int observer):
    """Make an action of a rival's hidden cards or tiles possible: what it names is what was there."""
    cdef int card
    if f.seat == observer:
        return
    if f.kind == KEEP_CLERGY:
        s.drawn[f.seat][0] = <uint8_t>argument
        s.drawn[f.seat][1] = types.UNKNOWN
    elif f.kind == PLAY_CARD or (f.kind == DISCARD_HAND and argument != types.STOP):
        card = argument & 127
        if card not in [s.players[f.seat].hand[i] for i in range(s.players[f.seat].n_hand)]:
            put_in_hand(e, s, observer, f.seat, card)


cdef int first_blank(const uint8_t* items, int start, int n) noexcept nogil:
    cdef int i
    for i in range(start, n):
        if items[i] == UNKNOWN:
            return i
    return -1


cdef fill_in(const types.EditionC* e, State* s, revealed):
    """Write what was revealed to the next blank places of its deck, bag or stack. Returns cards dealt to the observer."""
    cdef int i
    cdef int k
    cdef int deck
    dealt = []
    for what, number in revealed:
        i = -1
        if what == "card" and 0 <= number < N_CARDS:
            deck = e.card_deck[number]
            if deck == DECK_BLUE or deck == DECK_PURPLE:
                dealt.append(number)
                continue
            k = 1 if deck == DECK_BROWN else 0
            deck = e.card_noble[number]
            if number in [s.decks[k][deck][j] for j in range(DECK_CARDS)] or k < s.period:
                raise ValueError(f"revealed: card {number} was seen before")
            i = first_blank(s.decks[k][deck], s.deck_pos[deck] if k == s.period else 0, DECK_CARDS)
            if i >= 0:
                s.decks[k][deck][i] = <uint8_t>number
        elif what == "decree" and 0 <= number < N_DECREES:
            if number in [s.decree_deck[j] for j in range(N_DECREES)]:
                raise ValueError(f"revealed: decree {number} was seen before")
            i = first_blank(s.decree_deck, s.decree_pos, N_DECREES)
            if i >= 0:
                s.decree_deck[i] = <uint8_t>number
        elif what == "clergy" and 0 <= number < N_CLERGY:
            if s.phase != PHASE_SETUP and number in [s.clergy_bag[j] for j in range(N_CLERGY)]:
                raise ValueError(f"revealed: clergy tile {number} was seen before")
            i = first_blank(s.clergy_bag, s.clergy_pos, N_CLERGY)
            if i >= 0:
                s.clergy_bag[i] = <uint8_t>number
        elif what == "building" and 0 <= number < 2 * N_BUILDINGS:
            if number >> 1 in [s.buildings[k][j] for k in range(2) for j in range(BUILDING_STACK)]:
                raise ValueError(f"revealed: building {number >> 1} was seen before")
            i = first_blank(s.buildings[number & 1], s.building_pos[number & 1], BUILDING_STACK)
            if i >= 0:
                s.buildings[number & 1][i] = <uint8_t>(number >> 1)
        else:
            raise ValueError(f"revealed: ({what!r}, {number!r}); allowed: a card, decree, clergy or building by its number")
        if i < 0:
            raise ValueError(f"revealed: {what} {number}, but nothing of that kind is left to reveal")
    return dealt


cdef deal_in(const types.EditionC* e, const State* before, State* s, int observer, list dealt):
    """Cards dealt to the observer: a packet of the draft, or new purple cards."""
    cdef Player* p = &s.players[observer]
    cdef int packet
    cdef int first
    cdef int i
    if s.draft_pass != before.draft_pass:
        packet = (observer - s.draft_pass + 2 * s.seats) % s.seats
        first = s.draft_pass + 1
        if len(dealt) != HAND - first:
            raise ValueError(f"revealed: {len(dealt)} cards of the packet passed on; wanted: {HAND - first}")
        kept = [s.packets[packet][i] for i in range(HAND)]
        passed = sorted(card for card in kept if card != types.UNKNOWN and card not in dealt)
        if not all(card in kept or types.UNKNOWN in kept[first:] for card in dealt):
            raise ValueError("revealed: a card that was not in the packet passed on")
        for i in range(first, HAND):
            s.packets[packet][i] = <uint8_t>dealt[i - first]
        old = [card for card in kept[:first] if card in passed or card == types.UNKNOWN]
        late = [card for card in passed if card not in old]
        for i in range(first):      # what left since the last look was taken by the seats in between
            if kept[i] in dealt:
                s.packets[packet][i] = <uint8_t>late.pop(0)
        if s.draft_pass == 3:       # hands were taken up blindly: only the observer's own are known
            for packet in range(s.seats):
                memset(s.players[packet].hand, UNKNOWN_BLUE, HAND)
            p.n_hand = 0
            for packet in range(s.seats):
                for i in range(HAND):
                    if draft_taker(packet, i, s.seats) == observer:
                        p.hand[p.n_hand] = s.packets[packet][i]
                        p.n_hand += 1
        return
    for i in range(p.n_hand):
        if p.hand[i] == types.UNKNOWN_PURPLE:
            if not dealt:
                raise ValueError("revealed: the purple cards dealt to the observer are missing")
            p.hand[i] = <uint8_t>dealt.pop(0)
    if dealt:
        raise ValueError(f"revealed: card {dealt[0]} was not dealt to the observer")


cdef require_complete(const types.EditionC* e, const State* s, int observer):
    """Everything that now shows must have been revealed, and nothing else."""
    cdef int i
    cdef int j

    def told(items, shown, what):
        if types.UNKNOWN in items[:shown]:
            raise ValueError(f"revealed: the {what} that turned up is missing")
        if any(item != types.UNKNOWN for item in items[shown:]):
            raise ValueError(f"revealed: more {what} than turned up")
    if s.phase != PHASE_SETUP:
        told([s.clergy_bag[i] for i in range(N_CLERGY)], s.clergy_pos, "clergy tiles")
        if s.clergy_pos < N_CLERGY and refilled(s) and types.UNKNOWN in [s.church[i] for i in range(N_CHURCH)]:
            raise ValueError("revealed: a clergy tile that turned up is missing")
    told([s.decree_deck[i] for i in range(N_DECREES)], s.decree_pos, "decrees")
    if s.decree_pos < N_DECREES and refilled(s) and types.UNKNOWN in [s.display[i] for i in range(N_DISPLAY)]:
        raise ValueError("revealed: a decree that turned up is missing")
    for i in range(2):
        told([s.buildings[i][j] for j in range(BUILDING_STACK)], min(s.building_pos[i] + 2, BUILDING_STACK), "buildings")
    for i in range(N_DECKS):
        told([s.decks[s.period][i][j] for j in range(DECK_CARDS)], shown_cards(s, i), "cards")
        if refilled(s) and s.deck_pos[i] < DECK_CARDS and not s.face_up >> i & 1:
            raise ValueError("revealed: a card that turned up is missing")


cdef bint refilled(const State* s) noexcept nogil:
    """Whether the displays must be full: a turn has just begun."""
    return s.depth > 0 and s.frames[s.depth - 1].kind == PLAY_CARD


cdef blank_past(State* s):
    """Hidden for good: rejected tiles' places, and the purple deck."""
    memset(s.purple, UNKNOWN, N_DEALT)
    if s.phase == PHASE_SETUP:
        memset(s.clergy_returns, UNKNOWN, s.seats)
