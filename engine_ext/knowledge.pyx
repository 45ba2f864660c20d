"""What a seat may know (ARCHITECTURE.md, Knowledge): from the truth to an observation, and from an observation to a world.

An observation is a state whose hidden ids are UNKNOWN and whose order is canonical, so that equal knowledge is
equal bytes: whatever lies before a deck's position has been seen, and is sorted; whatever lies behind it is blank.
"""
from libc.string cimport memset

from engine_ext.types cimport *
from engine_ext.economy cimport draft_first, draft_taker, has_bit, set_bit
from engine_ext.rng cimport below, shuffle


cdef inline void sort_ids(uint8_t* items, int n) noexcept nogil:
    cdef int i
    cdef int j
    cdef uint8_t item
    for i in range(1, n):
        item = items[i]
        j = i
        while j > 0 and items[j - 1] > item:
            items[j] = items[j - 1]
            j -= 1
        items[j] = item


cdef inline void swap(uint8_t* a, uint8_t* b) noexcept nogil:
    cdef uint8_t kept = a[0]
    a[0] = b[0]
    b[0] = kept


cdef inline int kept_by(const State* s, int seat, int pass_) noexcept nogil:
    """Cards of a packet that are gone once a seat has had its look in a pass, in the order of taking."""
    cdef int i
    if pass_ > 2:
        return HAND
    if pass_ == s.draft_pass:
        for i in range(s.depth):
            if s.frames[i].kind == DRAFT_KEEP and s.frames[i].seat == seat and s.frames[i].a == pass_:
                return draft_first(pass_) + s.frames[i].b       # still to choose, or between two choices
    return draft_first(pass_ + 1)


cdef inline int blue_bit(const EditionC* e, int card) noexcept nogil:
    """Place of a blue card in its deck's list, the bit it has in ``shown_blue``; -1 for any other card."""
    cdef int i
    for i in range(N_DEALT):
        if e.deck_cards[DECK_BLUE][i] == card:
            return i
    return -1


cdef inline bint located(const EditionC* e, const State* s, int seat, int card) noexcept nogil:
    """Whether a blue card is known to be, or to have been, in just this seat's hand."""
    cdef int i
    cdef int place = blue_bit(e, card)
    if place >= 0 and s.shown_blue[seat] >> place & 1:
        return True
    for i in range(s.players[seat].n_hand):
        if s.players[seat].hand[i] == card:
            return True
    return False


# --- the hand draft: who may hold what ---------------------------------------------------------------------------

cdef void settle_group(const EditionC* e, State* s, int packet, int start, int end) noexcept nogil:
    """Move each card of a group whose holder is known (shown since, or assumed) to its holder's place."""
    cdef uint8_t* cards = s.packets[packet]
    cdef int i
    cdef int j
    for i in range(start, end):
        j = start
        while j < end:
            if i != j and cards[i] < N_CARDS and located(e, s, draft_taker(packet, j, s.seats), cards[i]) \
                    and not located(e, s, draft_taker(packet, j, s.seats), cards[j]):
                swap(&cards[i], &cards[j])
                j = start           # what came to i may belong to a place gone by; each swap settles one card for good
            else:
                j += 1


cdef bint may_have_kept(const EditionC* e, const State* s, int observer, int seat, int card) noexcept nogil:
    """Whether a seat may have kept a blue card in the draft, as far as the observer can tell (N2).

    Of the cards that left between two of his looks each seat in between took one; of a packet's unseen places it took its own.
    """
    cdef const uint8_t* cards
    cdef int packet
    cdef int first
    cdef int look
    cdef int start
    cdef int end
    cdef int i
    cdef int own
    cdef bint there
    cdef int unseen = 0
    cdef uint64_t passed[2]
    passed[0] = passed[1] = 0
    for packet in range(s.seats):
        cards = s.packets[packet]
        first = (observer - packet + s.seats) % s.seats
        for i in range(HAND):
            if cards[i] < N_CARDS:
                set_bit(passed, cards[i])
            elif draft_taker(packet, i, s.seats) == seat:
                unseen += 1
        look = first
        while look <= 3 and first <= s.draft_pass:
            start = kept_by(s, observer, look)
            end = draft_first(look + s.seats) if look + s.seats <= s.draft_pass and look + s.seats <= 3 else HAND
            own = 0
            there = False
            for i in range(start, end):
                own += draft_taker(packet, i, s.seats) == seat
                if cards[i] == card:
                    there = True
                elif cards[i] < N_CARDS and located(e, s, seat, cards[i]):
                    own -= 1
            if there:
                return own > 0
            if end == HAND:
                break
            look += s.seats
    if has_bit(passed, card):
        return False                # kept by the observer himself
    for i in range(N_DEALT):
        if located(e, s, seat, e.deck_cards[DECK_BLUE][i]) and not has_bit(passed, e.deck_cards[DECK_BLUE][i]):
            unseen -= 1
    return unseen > 0


cdef void mask_packet(const EditionC* e, State* s, int packet, int seat) noexcept nogil:
    """Blank what a seat never saw of a packet, and sort what it only knows to be spread over others.

    A seat sees a packet each time it passes; what left between two of its looks was taken by the seats in between,
    one card each, and cards shown since then are known to have been whose they were.
    """
    cdef uint8_t* cards = s.packets[packet]
    cdef uint8_t group[5]
    cdef int first = (seat - packet + s.seats) % s.seats
    cdef int start
    cdef int end
    cdef int look
    cdef int i
    cdef int n
    if first > s.draft_pass:
        for i in range(HAND):
            cards[i] = UNKNOWN
        return
    for i in range(draft_first(first)):
        cards[i] = UNKNOWN
    look = first
    while look <= 3:
        start = kept_by(s, seat, look)
        end = draft_first(look + s.seats) if look + s.seats <= s.draft_pass and look + s.seats <= 3 else HAND
        if look == 0 and start >= 2:
            sort_ids(cards, 2)
        settle_group(e, s, packet, start, end)
        n = 0
        for i in range(start, end):
            if cards[i] != UNKNOWN and not located(e, s, draft_taker(packet, i, s.seats), cards[i]):
                group[n] = cards[i]
                n += 1
        sort_ids(group, n)
        n = 0
        for i in range(start, end):
            if cards[i] != UNKNOWN and not located(e, s, draft_taker(packet, i, s.seats), cards[i]):
                cards[i] = group[n]
                n += 1
        if end == HAND:
            return
        look += s.seats


# --- observing -----------------------------------------------------------------------------------------------------

cdef void make_canonical(const EditionC* e, State* s) noexcept nogil:
    """Put everything whose order means nothing into a fixed order, and blank what is past."""
    cdef Player* p
    cdef int seat
    cdef int i
    cdef int j
    s.seen = 0
    memset(&s.frames[s.depth], 0, (MAX_FRAMES - s.depth) * sizeof(Frame))
    for seat in range(s.seats):
        p = &s.players[seat]
        sort_ids(p.hand, p.n_hand)
        sort_ids(p.bottom, p.n_bottom)
        for i in range(1, p.n_top):
            j = i
            while j > 0 and p.top[j - 1] > p.top[j]:
                swap(&p.top[j], &p.top[j - 1])
                swap(&p.cargo[j], &p.cargo[j - 1])
                swap(&p.packed[j], &p.packed[j - 1])
                j -= 1
        for i in range(p.n_hand, HAND):
            p.hand[i] = 0
    sort_ids(s.display, N_DISPLAY)
    sort_ids(s.decree_deck, s.decree_pos)
    if s.phase == PHASE_SETUP:
        for seat in range(s.seats):
            sort_ids(s.drawn[seat], 2)
    else:
        sort_ids(s.clergy_bag, s.clergy_pos)
    for i in range(2):
        sort_ids(s.buildings[i], s.building_pos[i])
        sort_ids(s.plan_stack[i], s.plan_pos[i])
    for i in range(N_DECKS):
        if s.period == 1:
            memset(s.decks[0][i], 0, DECK_CARDS)
        sort_ids(s.decks[s.period][i], s.deck_pos[i])


cdef void observe(const EditionC* e, const State* truth, int seat, ObservationC* out) noexcept nogil:
    """Everything a seat may know, and nothing else (docs/rules.md, who sees what)."""
    cdef State* s = &out.state
    cdef Player* p
    cdef int i
    cdef int j
    cdef int deck
    memset(out, 0, sizeof(ObservationC))
    s[0] = truth[0]
    out.observer = <int8_t>seat
    for i in range(s.seats):
        if i == seat:
            continue
        p = &s.players[i]
        for j in range(p.n_hand):
            if p.hand[j] < N_CARDS:
                deck = e.card_deck[p.hand[j]]
                if deck == DECK_BLUE:
                    p.hand[j] = UNKNOWN_BLUE
                elif deck == DECK_PURPLE:
                    p.hand[j] = UNKNOWN_PURPLE
        if s.phase == PHASE_SETUP:
            s.drawn[i][0] = UNKNOWN
            s.drawn[i][1] = UNKNOWN
    if s.options & HAND_DRAFT:
        for i in range(s.seats):
            mask_packet(e, s, i, seat)
    if s.phase == PHASE_SETUP:
        memset(s.clergy_bag, UNKNOWN, N_CLERGY)
        memset(s.clergy_returns, UNKNOWN, s.seats)
    for i in range(s.clergy_pos, N_CLERGY):
        s.clergy_bag[i] = UNKNOWN
    for i in range(N_DECKS):
        for j in range(s.deck_pos[i] + (s.face_up >> i & 1), DECK_CARDS):
            s.decks[s.period][i][j] = UNKNOWN
        if s.period == 0:
            memset(s.decks[1][i], UNKNOWN, DECK_CARDS)
    for i in range(s.decree_pos, N_DECREES):
        s.decree_deck[i] = UNKNOWN
    for i in range(2):
        for j in range(s.building_pos[i] + 2, BUILDING_STACK):
            s.buildings[i][j] = UNKNOWN
    memset(s.purple, UNKNOWN, N_DEALT)
    make_canonical(e, s)


# --- sampling ------------------------------------------------------------------------------------------------------

cdef int hidden_pool(const EditionC* e, const State* s, int deck, uint8_t* out) noexcept nogil:
    """The cards of a dealt deck that have not been seen by the observer, into ``out`` (room for 21). Returns how many."""
    cdef uint64_t seen[2]
    cdef const Player* p
    cdef int i
    cdef int j
    cdef int n = 0
    seen[0] = s.gone_cards[0]
    seen[1] = s.gone_cards[1]
    if s.played < N_CARDS:
        set_bit(seen, s.played)
    for i in range(s.seats):
        p = &s.players[i]
        for j in range(p.n_hand):
            if p.hand[j] < N_CARDS:
                set_bit(seen, p.hand[j])
        for j in range(p.n_top):
            if p.top[j] < N_CARDS:
                set_bit(seen, p.top[j])
        for j in range(p.n_bottom):
            set_bit(seen, p.bottom[j])
        if s.options & HAND_DRAFT:
            for j in range(HAND):
                if s.packets[i][j] < N_CARDS:
                    set_bit(seen, s.packets[i][j])
    for i in range(N_DEALT):
        if not has_bit(seen, e.deck_cards[deck][i]):
            out[n] = e.deck_cards[deck][i]
            n += 1
    return n


cdef void fill_packets(const EditionC* e, State* s, int observer, uint64_t* rng, uint8_t* pool, int n) noexcept nogil:
    """A deal of the draft's packets that agrees with everything seen, uniform over all of them."""
    cdef uint8_t group[5]
    cdef int places[5]
    cdef uint64_t placed[2]
    cdef uint8_t* cards
    cdef uint8_t blanks[20]
    cdef int packet
    cdef int first
    cdef int look
    cdef int end
    cdef int start
    cdef int seat
    cdef int card
    cdef int i
    cdef int j
    cdef int m
    placed[0] = placed[1] = 0
    for packet in range(s.seats):
        cards = s.packets[packet]
        first = (observer - packet + s.seats) % s.seats
        look = first
        while look <= 3 and first <= s.draft_pass:
            start = kept_by(s, observer, look)
            end = draft_first(look + s.seats) if look + s.seats <= s.draft_pass and look + s.seats <= 3 else HAND
            settle_group(e, s, packet, start, end)
            m = 0
            for i in range(start, end):
                if cards[i] < N_CARDS and not located(e, s, draft_taker(packet, i, s.seats), cards[i]):
                    group[m] = cards[i]
                    places[m] = i
                    m += 1
            if look != s.draft_pass or s.draft_pass == 3:
                shuffle(rng, group, m)
            for i in range(m):
                cards[places[i]] = group[i]
            if end == HAND:
                break
            look += s.seats
        for i in range(HAND):
            if cards[i] < N_CARDS:
                set_bit(placed, cards[i])
    for seat in range(s.seats):
        m = 0
        for packet in range(s.seats):
            for i in range(HAND):
                if s.packets[packet][i] == UNKNOWN and draft_taker(packet, i, s.seats) == seat:
                    blanks[m] = <uint8_t>(packet * HAND + i)
                    m += 1
        shuffle(rng, blanks, m)
        for j in range(N_DEALT):            # what the seat has shown or is assumed to hold came from any of its places
            card = e.deck_cards[DECK_BLUE][j]
            if m and not has_bit(placed, card) and located(e, s, seat, card):
                m -= 1
                s.packets[blanks[m] // HAND][blanks[m] % HAND] = <uint8_t>card
                set_bit(placed, card)
        for i in range(m):
            n -= 1
            s.packets[blanks[i] // HAND][blanks[i] % HAND] = pool[n]
    for packet in range(s.seats):
        for i in range(HAND):
            seat = draft_taker(packet, i, s.seats)
            card = s.packets[packet][i]
            if not located(e, s, seat, card):
                for j in range(s.players[seat].n_hand):
                    if s.players[seat].hand[j] == UNKNOWN_BLUE:
                        s.players[seat].hand[j] = <uint8_t>card
                        break


cdef void sample_world(const EditionC* e, const ObservationC* o, uint64_t* rng, State* out) noexcept nogil:
    """A complete state, uniform over the deals that agree with an observation. Advances ``rng``."""
    cdef State* s = out
    cdef uint8_t pool[128]
    cdef uint64_t seen[2]
    cdef Player* p
    cdef int i
    cdef int j
    cdef int k
    cdef int n
    s[0] = o.state
    # hands: blue, then purple with what is left of its deck
    n = hidden_pool(e, s, DECK_BLUE, pool)
    shuffle(rng, pool, n)
    if s.options & HAND_DRAFT:
        fill_packets(e, s, o.observer, rng, pool, n)
        n = 0
    for i in range(s.seats):
        p = &s.players[i]
        for j in range(p.n_hand):
            if p.hand[j] == UNKNOWN_BLUE and n > 0:
                n -= 1
                p.hand[j] = pool[n]
    n = hidden_pool(e, s, DECK_PURPLE, pool)
    shuffle(rng, pool, n)
    for i in range(s.seats):
        p = &s.players[i]
        for j in range(p.n_hand):
            if p.hand[j] == UNKNOWN_PURPLE and n > 0:
                n -= 1
                p.hand[j] = pool[n]
    for i in range(N_DEALT - 1, -1, -1):    # the deck's end is what was not dealt; what lies before it is in play or gone
        s.purple[i] = 0
        if n > 0 and i >= s.purple_pos:
            n -= 1
            s.purple[i] = pool[n]
    # display decks below what shows
    for k in range(s.period, 2):
        for i in range(N_DECKS):
            seen[0] = seen[1] = 0
            for j in range(DECK_CARDS):
                if s.decks[k][i][j] < N_CARDS:
                    set_bit(seen, s.decks[k][i][j])
            n = 0
            for j in range(N_DECKS * DECK_CARDS):
                if e.card_noble[e.deck_cards[DECK_BROWN if k else DECK_RED][j]] == i \
                        and not has_bit(seen, e.deck_cards[DECK_BROWN if k else DECK_RED][j]):
                    pool[n] = e.deck_cards[DECK_BROWN if k else DECK_RED][j]
                    n += 1
            shuffle(rng, pool, n)
            for j in range(DECK_CARDS - 1, -1, -1):
                if s.decks[k][i][j] == UNKNOWN and n > 0:
                    n -= 1
                    s.decks[k][i][j] = pool[n]
    # decrees
    seen[0] = seen[1] = 0
    for i in range(s.decree_pos):
        set_bit(seen, s.decree_deck[i])
    n = 0
    for i in range(N_DECREES):
        if not has_bit(seen, i):
            pool[n] = <uint8_t>i
            n += 1
    shuffle(rng, pool, n)
    for i in range(n):
        s.decree_deck[s.decree_pos + i] = pool[i]
    # clergy tiles
    seen[0] = seen[1] = 0
    if s.phase == PHASE_SETUP:
        for i in range(s.seats):
            seen[0] |= s.players[i].clergy
            for j in range(2):
                if s.drawn[i][j] != UNKNOWN:
                    set_bit(seen, s.drawn[i][j])
    else:
        for i in range(s.clergy_pos):
            set_bit(seen, s.clergy_bag[i])
    n = 0
    for i in range(N_CLERGY):
        if not has_bit(seen, i):
            pool[n] = <uint8_t>i
            n += 1
    shuffle(rng, pool, n)
    if s.phase == PHASE_SETUP:
        for i in range(s.seats):
            if i != o.observer:
                for j in range(1 if s.players[i].clergy else 2):
                    n -= 1
                    s.drawn[i][j] = pool[n]
            s.clergy_returns[i] = <uint8_t>below(rng, <uint32_t>(N_CLERGY - 2 * s.seats + i + 1))
    for i in range(n):
        s.clergy_bag[s.clergy_pos + i] = pool[i]
    # buildings below the two that show
    seen[0] = 0
    for i in range(2):
        for j in range(BUILDING_STACK):
            if s.buildings[i][j] != UNKNOWN:
                seen[0] |= (<uint64_t>1) << s.buildings[i][j]
    n = 0
    for i in range(N_BUILDINGS):
        if not seen[0] >> i & 1:
            pool[n] = <uint8_t>i
            n += 1
    shuffle(rng, pool, n)
    for i in range(2):
        for j in range(BUILDING_STACK):
            if s.buildings[i][j] == UNKNOWN and n > 0:
                n -= 1
                s.buildings[i][j] = pool[n]
