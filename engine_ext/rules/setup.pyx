"""Set-up (docs/rules.md A): chance draws everything once, the players keep clergy tiles and may draft hands."""
from libc.string cimport memset

from engine_ext.types cimport *
from engine_ext.agenda cimport always, push, row
from engine_ext.economy cimport change_benefit, draft_first, draft_taker, refill_church, refill_decrees, reveal
from engine_ext.rng cimport below, shuffle


cdef void stack_plans(const EditionC* e, const uint8_t* shuffled, int n, uint8_t* out) noexcept nogil:
    """Fewest officials on top; equals keep their shuffled order, which is public from then on (silent point 17)."""
    cdef int i
    cdef int j
    for i in range(n):
        j = i
        while j > 0 and e.plan_officials[out[j - 1]] > e.plan_officials[shuffled[i]]:
            out[j] = out[j - 1]
            j -= 1
        out[j] = shuffled[i]


cdef void deal(const EditionC* e, int seats, int options, uint64_t seed, Setup* out) noexcept nogil:
    """Draw everything that chance decides in a game. Same arguments, same set-up."""
    cdef uint64_t rng = seed
    cdef uint8_t bag[63]
    cdef uint8_t items[90]
    cdef int i
    cdef int j
    cdef int k
    cdef int n
    memset(out, 0, sizeof(Setup))
    out.seats = <uint8_t>seats
    out.options = <uint8_t>options
    # rubble: 3 per row, 3 per column, 2 under the half column, 2 per site, 6 in the pile (A1)
    for i in range(63):
        bag[i] = <uint8_t>(i // 21)
    shuffle(&rng, bag, 63)
    n = 0
    for i in range(N_ROWS):
        for j in range(3):
            out.row_cubes[i][j] = UNKNOWN
            if i < N_ROWS - 1 or seats > 2:
                out.row_cubes[i][j] = bag[n]
                n += 1
    for i in range(N_COLUMNS):
        for j in range(3):
            out.column_cubes[i][j] = UNKNOWN
            if i < N_COLUMNS - 1 or j < 2:
                out.column_cubes[i][j] = bag[n]
                n += 1
    for i in range(N_SITES):
        for j in range(2):
            out.site_cubes[i][j] = UNKNOWN
            if e.site_row[i] < N_ROWS - 1 or seats > 2:
                out.site_cubes[i][j] = bag[n]
                n += 1
    for i in range(6):
        out.pile_cubes[i] = bag[n]
        n += 1
    for i in range(4):
        out.scoring[i] = <uint8_t>i
    shuffle(&rng, out.scoring, 4)
    # buildings: shuffled, then split into a green and a blue stack
    for i in range(N_BUILDINGS):
        items[i] = <uint8_t>i
    shuffle(&rng, items, N_BUILDINGS)
    for i in range(N_BUILDINGS):
        out.buildings[i // BUILDING_STACK][i % BUILDING_STACK] = items[i]
    for k in range(2):
        n = 0
        for i in range(N_PLANS):
            if e.plan_architect[i] == k and not e.plan_starting[i]:
                items[n] = <uint8_t>i
                n += 1
        shuffle(&rng, items, n)
        stack_plans(e, items, n, out.plans[k])
    n = 0
    for i in range(N_PLANS):
        if e.plan_starting[i]:
            items[n] = <uint8_t>i
            n += 1
    shuffle(&rng, items, n)
    for i in range(MAX_SEATS):
        out.starting_plans[i] = items[i] if i < seats else UNKNOWN
    # royal favors: one tile of each noble per player in the bag (A7, A8)
    for i in range(N_NOBLES * seats):
        items[i] = <uint8_t>(i % N_NOBLES)
    shuffle(&rng, items, N_NOBLES * seats)
    for i in range(MAX_SEATS):
        out.favors[i] = items[i] if i < seats else UNKNOWN
    for i in range(N_CLERGY):
        out.clergy[i] = <uint8_t>i
    shuffle(&rng, out.clergy, N_CLERGY)
    for i in range(MAX_SEATS):
        out.clergy_returns[i] = <uint8_t>below(&rng, <uint32_t>(N_CLERGY - 2 * seats + i + 1)) if i < seats else UNKNOWN
    # political cards
    for i in range(N_DEALT):
        items[i] = e.deck_cards[DECK_BLUE][i]
        out.purple[i] = e.deck_cards[DECK_PURPLE][i]
    shuffle(&rng, items, N_DEALT)
    shuffle(&rng, out.purple, N_DEALT)
    for i in range(MAX_SEATS):
        for j in range(HAND):
            out.hands[i][j] = items[i * HAND + j] if i < seats else UNKNOWN
    for k in range(2):
        for i in range(N_DECKS):
            n = 0
            for j in range(N_DECKS * DECK_CARDS):
                if e.card_noble[e.deck_cards[DECK_BROWN if k else DECK_RED][j]] == i:
                    out.decks[k][i][n] = e.deck_cards[DECK_BROWN if k else DECK_RED][j]
                    n += 1
            shuffle(&rng, out.decks[k][i], DECK_CARDS)
    for i in range(N_DECREES):
        out.decrees[i] = <uint8_t>i
    shuffle(&rng, out.decrees, N_DECREES)


cdef inline void add_cube(int8_t* cubes, int colour) noexcept nogil:
    if colour < N_COLOURS:
        cubes[colour] += 1


cdef void lay_out(const EditionC* e, const Setup* setup, State* s) noexcept nogil:
    """The state at the start of a game, with the first decisions pending but not yet advanced to."""
    cdef int n = setup.seats
    cdef int i
    cdef int j
    cdef Player* p
    memset(s, 0, sizeof(State))
    s.seats = setup.seats
    s.options = setup.options
    s.trigger = -1
    s.church_caller = -1
    s.last_turn = -1
    s.played = UNKNOWN
    s.treasury = <int8_t>e.treasury_start
    s.cardinal = <int8_t>e.church_start
    s.neutral = 1 if n == 2 else 0      # A5
    s.city = 31
    s.city_large = <int8_t>(e.city_large - 4)
    s.city_small = <int8_t>(e.city_small - 1)
    for i in range(N_GOODS):
        s.price[i] = e.market_start[i]
    for i in range(N_CHURCH):
        s.church[i] = UNKNOWN
    for i in range(N_ROWS):
        for j in range(3):
            add_cube(s.row_cubes[i], setup.row_cubes[i][j])
    for i in range(N_COLUMNS):
        for j in range(3):
            add_cube(s.column_cubes[i], setup.column_cubes[i][j])
    for i in range(N_SITES):
        s.site_building[i] = -3 if n == 2 and e.site_row[i] == N_ROWS - 1 else -1
        s.site_owner[i] = -1
        for j in range(2):
            add_cube(s.site_cubes[i], setup.site_cubes[i][j])
    for i in range(6):
        add_cube(s.pile, setup.pile_cubes[i])
    if n == 2:                          # A2: what is not placed leaves the game
        for i in range(N_COLOURS):
            s.gone_cubes[i] = 21
            for j in range(N_ROWS):
                s.gone_cubes[i] -= s.row_cubes[j][i] + s.column_cubes[j][i]
            for j in range(N_SITES):
                s.gone_cubes[i] -= s.site_cubes[j][i]
            s.gone_cubes[i] -= s.pile[i]
    for i in range(N_LANDS):
        s.land_business[i] = -2 if n == 2 and e.land_row[i] == N_ROWS - 1 else -1
        s.land_owner[i] = -1
    for i in range(4):
        s.scoring[i] = setup.scoring[i]
    for i in range(N_NOBLES):
        s.favor_stock[i] = <int8_t>n
    for i in range(2):
        for j in range(BUILDING_STACK):
            s.buildings[i][j] = setup.buildings[i][j]
            s.plan_stack[i][j] = setup.plans[i][j]
    for i in range(N_CLERGY):
        s.clergy_bag[i] = setup.clergy[i]
    s.clergy_pos = <uint8_t>(2 * n)
    for i in range(N_DEALT):
        s.purple[i] = setup.purple[i]
    for i in range(N_DECKS):
        for j in range(DECK_CARDS):
            s.decks[0][i][j] = setup.decks[0][i][j]
            s.decks[1][i][j] = setup.decks[1][i][j]
    s.face_up = 15
    for i in range(N_DECREES):
        s.decree_deck[i] = setup.decrees[i]
    for i in range(N_DISPLAY):
        s.display[i] = UNKNOWN
    refill_decrees(e, s)
    for i in range(MAX_SEATS):
        for j in range(HAND):
            s.packets[i][j] = UNKNOWN
    for i in range(n):
        p = &s.players[i]
        p.reis = 10
        p.wigs = 5
        p.ledger[C_START] = 5
        p.influence = e.influence_start[i]
        p.officials = 7
        p.offices[MARQUIS] = 1
        for j in range(N_GOODS):
            p.goods[j] = 1
        p.favors = <uint8_t>(1 << setup.favors[i])
        s.favor_stock[setup.favors[i]] -= 1
        p.plans = (<uint32_t>1) << setup.starting_plans[i]
        s.drawn[i][0] = setup.clergy[2 * i]
        s.drawn[i][1] = setup.clergy[2 * i + 1]
        s.clergy_returns[i] = setup.clergy_returns[i]
        if s.options & HAND_DRAFT:
            for j in range(HAND):
                s.packets[i][j] = setup.hands[i][j]
        else:
            p.n_hand = HAND
            for j in range(HAND):
                p.hand[j] = setup.hands[i][j] if setup.hands[i][j] != UNKNOWN else UNKNOWN_BLUE
    push(s, DOCK_SHIPS, 0, 0, 0)
    if s.options & HAND_DRAFT:          # N2: keep 2 and pass 3, keep 1 and pass 2, keep 1 and pass the last
        push(s, OPENING, 0, 1, 0)
        for j in range(2, -1, -1):
            for i in range(n - 1, -1, -1):
                push(s, DRAFT_KEEP, i, j, 0)
    push(s, OPENING, 0, 0, 0)
    for i in range(n - 1, -1, -1):
        push(s, KEEP_CLERGY, i, 0, 0)


# --- starting clergy tiles ------------------------------------------------------------------------------------------

cdef int legal_keep_clergy(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    out[0] = s.drawn[f.seat][0]
    out[1] = s.drawn[f.seat][1]
    return 2


cdef void keep_clergy(const EditionC* e, State* s, Frame f, int tile) noexcept nogil:
    """Keep one of the two tiles drawn, face up; the other goes back later (A6, N1)."""
    cdef uint8_t other = s.drawn[f.seat][1] if s.drawn[f.seat][0] == tile else s.drawn[f.seat][0]
    s.players[f.seat].clergy |= (<uint64_t>1) << tile
    change_benefit(e, &s.players[f.seat], CLERGY_HOLDING + tile, 1)
    s.drawn[f.seat][0] = other
    s.drawn[f.seat][1] = UNKNOWN
    reveal(s, 640 + tile)


cdef void return_rejected_tiles(State* s) noexcept nogil:
    """Rejected tiles go back into the bag in seat order, each at the place that the set-up fixed (A6, N1)."""
    cdef uint8_t bag[N_CLERGY]
    cdef int n = 0
    cdef int rest
    cdef int i
    cdef int j
    cdef int place
    for i in range(N_CLERGY):           # the tiles kept come first: they count as drawn
        for j in range(s.seats):
            if s.players[j].clergy >> i & 1:
                bag[n] = <uint8_t>i
                n += 1
    rest = n
    for i in range(2 * s.seats, N_CLERGY):
        bag[n] = s.clergy_bag[i]
        n += 1
    for i in range(s.seats):
        place = n if s.clergy_returns[i] == UNKNOWN else rest + s.clergy_returns[i]
        for j in range(n, place, -1):
            bag[j] = bag[j - 1]
        bag[place] = s.drawn[i][0] if s.clergy_returns[i] != UNKNOWN else UNKNOWN
        n += 1
        s.drawn[i][0] = 0
        s.drawn[i][1] = 0
        s.clergy_returns[i] = 0
    for i in range(N_CLERGY):
        s.clergy_bag[i] = bag[i]
    s.clergy_pos = <uint8_t>rest


cdef void opening(const EditionC* e, State* s, Frame f, int argument) noexcept nogil:
    """a = 0: rejected tiles go back and six are drawn for the church (A6). a = 1: drafted hands are taken up."""
    if f.a == 1:
        finish_draft(e, s)
        return
    return_rejected_tiles(s)
    s.phase = PHASE_PLAY
    refill_church(s)


# --- hand draft -----------------------------------------------------------------------------------------------------

cdef inline int packet_of(const State* s, int seat, int pass_) noexcept nogil:
    return (seat - pass_ + 2 * s.seats) % s.seats


cdef int legal_draft_keep(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    cdef int packet = packet_of(s, f.seat, f.a)
    cdef int i
    cdef int n = 0
    for i in range(draft_first(f.a) + f.b, HAND):
        if n and s.packets[packet][i] == UNKNOWN:
            continue
        out[n] = s.packets[packet][i]
        n += 1
    return n


cdef void draft_keep(const EditionC* e, State* s, Frame f, int card) noexcept nogil:
    """Keep a card of the packet in hand; the first pass keeps two (N2). The rest stay in the order of the deck's list."""
    cdef int packet = packet_of(s, f.seat, f.a)
    cdef uint8_t* cards = s.packets[packet]
    cdef int first = draft_first(f.a) + f.b
    cdef int i
    s.draft_pass = <uint8_t>f.a
    for i in range(first, HAND):
        if cards[i] == card:
            while i > first:
                cards[i] = cards[i - 1]
                i -= 1
            cards[first] = <uint8_t>card
            break
    if f.a == 0 and f.b == 0:
        push(s, DRAFT_KEEP, f.seat, 0, 1)
    elif f.seat == s.seats - 1:
        s.draft_pass += 1               # packets pass together


cdef void finish_draft(const EditionC* e, State* s) noexcept nogil:
    """The last card of each packet is taken and the hands are complete."""
    cdef int packet
    cdef int place
    cdef Player* p
    for packet in range(s.seats):
        for place in range(HAND):
            p = &s.players[draft_taker(packet, place, s.seats)]
            p.hand[p.n_hand] = s.packets[packet][place] if s.packets[packet][place] != UNKNOWN else UNKNOWN_BLUE
            p.n_hand += 1


row(KEEP_CLERGY, b"keep_clergy", legal_keep_clergy, keep_clergy, always, NULL, 0)
row(DRAFT_KEEP, b"draft_keep", legal_draft_keep, draft_keep, always, NULL, 1)
row(OPENING, b"opening", NULL, opening, always, NULL, 0)
