"""The data of a game: plain C structs, the enums that name their values, and sizes. Nothing else.

Every id is the row number of the thing in its edition table (cards 0-81, decrees 0-69, ...), so it means
the same in every sampled world. ``UNKNOWN`` stands for a hidden id in an observation.
"""
from libc.stdint cimport int16_t, int32_t, int64_t, uint16_t, uint32_t, uint64_t

cdef extern from "<stdint.h>":
    # one byte each in C; declared wider here because Cython would turn arrays of char into Python bytes, not lists
    ctypedef unsigned short uint8_t
    ctypedef short int8_t

cdef enum:  # Size
    MAX_SEATS = 4
    N_NOBLES = 3
    N_OFFICES = 3
    N_GOODS = 4
    N_COLOURS = 3
    N_ROWS = 5
    N_COLUMNS = 5
    N_LANDS = 24
    N_SITES = 14
    N_CARDS = 82
    N_DEALT = 21            # cards in the blue deck, and in the purple deck
    N_DECKS = 4
    DECK_CARDS = 5
    N_SHIPS = 12
    N_SHIP_COLOURS = 4
    N_PLANS = 20
    PLAN_STACK = 8
    N_BUILDINGS = 16
    BUILDING_STACK = 8
    N_CLERGY = 37
    N_DECREES = 70
    N_DISPLAY = 8           # face-up decrees
    N_CHURCH = 6            # tiles, and gaps, around the church
    HAND = 5
    N_SLOTS = 3             # portfolio slots a side
    MAX_CLERGY = 4          # clergy tiles a seat may hold
    MAX_CUBES = 5           # cubes of one colour a seat may hold
    MAX_INFLUENCE = 10
    N_HOUSES = 8
    MAX_TREASURY = 16
    MAX_EFFECTS = 4
    MAX_MODIFIERS = 8
    N_SOURCES = 157         # 82 cards, 24 lands, 14 sites, 37 clergy tiles
    LAND_SOURCE = 82
    SITE_SOURCE = 106
    CLERGY_SOURCE = 120
    N_HOLDINGS = 119        # things with a lasting benefit: 82 cards, then 37 clergy tiles
    CLERGY_HOLDING = 82
    SHIP_BASE = 128         # a portfolio slot or action argument holding ship s says SHIP_BASE + s
    MAX_FRAMES = 32
    STATE_BYTES = 1344      # core refuses to load if the compiler makes it anything else
    MAX_ACTIONS = 256
    UNKNOWN = 255           # a hidden id of a deck, bag or stack in an observation
    UNKNOWN_BLUE = 254      # a hidden hand card with a blue back
    UNKNOWN_PURPLE = 253    # a hidden hand card with a purple back

cdef enum:  # Noble
    MAIA = 0
    MARQUIS = 1
    KING = 2
    TREASURY = 3            # the fourth deck: cards without a noble

cdef enum:  # Business: also the goods, the streets and the building colours, west to east
    GOLD = 0
    CLOTH = 1
    BOOKS = 2
    TOOLS = 3

cdef enum:  # Colour
    BROWN = 0
    RED = 1
    BLUE = 2

cdef enum:  # DeckColour
    DECK_BLUE = 0
    DECK_RED = 1
    DECK_PURPLE = 2
    DECK_BROWN = 3

cdef enum:  # Side
    WEST = 0
    NORTH = 1
    EAST = 2

cdef enum:  # Architect
    GREEN_ARCHITECT = 0
    BLUE_ARCHITECT = 1

cdef enum:  # Phase
    PHASE_SETUP = 0
    PHASE_PLAY = 1
    PHASE_OVER = 2

cdef enum:  # Option: bits of State.options
    QUEEN_VARIANT = 1
    HAND_DRAFT = 2

cdef enum:  # EffectKind
    E_NONE = 0
    E_REIS = 1
    E_WIGS = 2
    E_GOOD = 3              # what = good
    E_GOOD_ANY = 4
    E_INFLUENCE = 5
    E_OFFICIALS = 6
    E_PLAN = 7
    E_SHIP = 8
    E_PRODUCE = 9
    E_CARDINAL = 10
    E_FAVOR = 11
    E_RUBBLE = 12
    E_TREASURY = 13         # n may be negative
    E_DECREE = 14
    E_STORE = 15
    E_BUILDING = 16
    E_PAY_REIS = 17
    E_PAY_INFLUENCE = 18
    E_PAY_WIGS = 19
    E_PAY_GOOD = 20
    E_PAY_OFFICIAL = 21
    N_EFFECT_KINDS = 22

cdef enum:  # Quantity: what a lasting benefit changes; amounts are stored as benefits, never negative
    Q_LAND = 0
    Q_LAND_IGNORES = 1      # + colour
    Q_HIRE = 4
    Q_SPONSOR = 5
    Q_SELL = 6              # + good
    Q_VISIT = 10            # + noble
    Q_VISIT_IGNORES = 13    # + noble
    Q_FOLLOW = 16
    Q_SHIP_GOODS = 17
    Q_PRODUCE = 18          # + good
    Q_RECRUIT = 22
    Q_CARDINAL_STEPS = 23
    Q_TRADE_ACCEPTED = 24   # + good
    Q_BUILDING_OFFICIALS = 28
    Q_INFLUENCE_GAIN = 29
    Q_WAREHOUSE = 30
    Q_PORTFOLIO = 31
    Q_STORE_WIGS = 32       # + business
    Q_BUILDING_WIGS = 36
    Q_DECREE_WIGS = 37
    Q_SAIL_WIGS = 38
    Q_PLAN_REIS = 39
    Q_FAVOR_REIS = 40
    N_QUANTITIES = 41

cdef enum:  # Feature: what a decree counts
    F_STORES = 0
    F_BUILDINGS = 1
    F_PLANS_COMPLETED = 2
    F_PLANS_UNUSED = 3
    F_OFFICIALS_ON_PLANS = 4
    F_OFFICIALS_IN_OFFICES = 5
    F_OFFICIALS_IN_PLAZAS = 6
    F_OFFICIALS_ON_BOARD = 7
    F_SHIPS = 8
    F_HULL = 9
    F_NOBLE_CARDS = 10
    F_TREASURY_CARDS = 11
    F_INFLUENCE = 12
    F_REIS = 13
    F_GOODS = 14
    F_DIFFERENT_GOODS = 15
    F_CUBES = 16
    F_SETS = 17
    F_UNPAIRED_CUBES = 18
    F_CLERGY = 19
    F_FAVORS = 20
    F_HOUSES = 21
    F_DECREES = 22
    F_SET_MARKERS = 23
    N_FEATURES = 24

cdef enum:  # Category: where wigs come from; a seat's ledger adds up to its wigs
    C_START = 0
    C_SAILED = 1
    C_STORES = 2
    C_BUILDINGS = 3
    C_CHURCH = 4
    C_INFLUENCE = 5
    C_SETS = 6
    C_HULLS = 7
    C_GOLD_MAJORITY = 8     # + business
    C_MONEY = 12
    C_DECREES = 13
    C_OFFICIALS = 14
    C_FAVORS = 15
    C_EFFECTS = 16
    C_PAID = 17             # wigs spent: never positive
    N_CATEGORIES = 18

cdef enum:  # Kind: the rows of the agenda's table; see agenda.pyx and docs/rules.md
    # setup
    KEEP_CLERGY = 0
    DRAFT_KEEP
    OPENING
    # turn
    DOCK_SHIPS
    PLAY_CARD
    TAKE_CARD
    UPKEEP
    PERIOD_END
    DISCARD_HAND
    DISCARD_REWARDS
    DISCARD_REWARD
    NEW_PERIOD
    NEXT_TURN
    # portfolio
    TUCK
    MAKE_ROOM
    SHED
    SELL_OR_TRADE
    SELL
    TRADE
    TRADE_GOOD
    # court
    VISIT
    VISIT_COST
    VISIT_STATE_ACTION
    NOBLE_ACTION
    FOLLOW_WINDOW
    FOLLOW
    FOLLOW_ACTION
    SPONSOR
    # state actions
    RECRUIT
    ACQUIRE_PLAN
    BUILD_SHIP
    SHIP_GOODS
    PLACE_SHIP
    PRODUCE
    PRODUCE_BONUS
    MEET_CARDINAL
    CLERGY_TILE
    CARDINAL_ICONS
    GET_FAVOR
    # stores
    BUILD_STORE
    STORE_CUBE
    LAND_PRICE
    STORE_HOUSE
    # buildings
    OPEN_BUILDING
    BUILDING_PLAN
    BUILDING_OFFICIALS
    BUILDING_SCORED
    # decrees
    TAKE_DECREE
    SPEND_MARKER
    # church
    CHURCH_SCORING
    GIVE_CLERGY
    # rubble
    RUBBLE_CUBE
    # payments
    PAY_REIS
    # effects
    EFFECTS
    CHOICE
    GOOD_ANY
    PAY_GOOD
    PAY_OFFICIAL
    # scoring
    GAME_END
    N_KINDS

cdef enum:  # PlayMode: the argument of PLAY_CARD is mode * 128 + card
    PLAY_GOLD = 0
    PLAY_PORTFOLIO = 1
    PLAY_COURT = 2

cdef enum:  # StateAction: in the order of the nobles that offer them, two each
    SA_RECRUIT = 0
    SA_PLAN = 1
    SA_SHIP = 2
    SA_PRODUCE = 3
    SA_CARDINAL = 4
    SA_FAVOR = 5
    N_STATE_ACTIONS = 6
    SA_NOBLE_ACTION = 6     # the third thing a follower may do

cdef enum:  # Answer: arguments of yes/no and stop answers
    NO = 0
    YES = 1
    STOP = 999              # "done", "stop", "none" in decisions whose arguments are ids

cdef struct Effect:
    uint8_t kind
    uint8_t what
    int8_t n

cdef struct Source:
    uint8_t n_rewards
    uint8_t n_choices
    Effect rewards[4]       # carried out in order
    Effect choices[4]       # then one of these

cdef struct Modifier:
    uint8_t quantity
    int8_t n

cdef struct Benefit:
    uint8_t n
    Modifier modifiers[8]

cdef struct Decree:
    int8_t wigs
    uint8_t feature
    int8_t at_least         # 0: not set
    int8_t at_most          # 0: no cap
    uint8_t not_for_2
    uint8_t businesses      # masks; all bits set where the decree does not narrow
    uint8_t rows
    uint8_t columns
    uint8_t sides
    uint8_t architects
    uint8_t colours         # building colours (businesses) or rubble colours, by feature
    uint8_t nobles
    uint8_t goods

cdef struct EditionC:
    # cards
    uint8_t card_deck[82]           # DeckColour
    uint8_t card_noble[82]          # Noble, TREASURY for treasury cards
    int8_t card_influence[82]
    uint8_t card_queen[82]
    uint8_t deck_cards[4][21]       # card ids by deck colour, in file order (20 in red and brown)
    Source sources[157]
    Benefit benefits[119]
    int8_t clergy_wigs[37]
    Decree decrees[70]
    # plans and buildings
    uint8_t plan_architect[20]
    uint8_t plan_officials[20]
    uint8_t plan_starting[20]
    uint8_t building_colours[16][2]  # mask of businesses; [0] green side, [1] blue side
    # ships, by ship colour
    uint8_t ship_period[4]
    uint8_t ship_hull[4]
    int8_t ship_price[4]
    int8_t ship_influence[4]
    # board
    uint8_t land_row[24]
    uint8_t land_column[24]         # from 0
    uint8_t land_half[24]
    uint8_t land_faces[24]          # mask of businesses
    uint8_t site_side[14]
    int8_t site_row[14]             # -1 for north sites
    int8_t site_street[14]          # -1 for west and east sites
    int8_t scoring_large[4]
    int8_t scoring_small[4]
    uint8_t column_uses[5]          # from 0
    uint8_t treasury_spaces
    uint8_t treasury_start          # from 0
    int8_t treasury_reis[16]
    int8_t treasury_influence[16]
    int8_t cash_value[11]           # réis that influence 0..10 can make (C4)
    int8_t next_reis_space[11]      # where the marker lands after paying one more real; -1: none left
    int8_t influence_start[4]
    int8_t market_start[4]
    int8_t market_lowest[4]
    uint8_t office_spaces
    uint8_t church_start
    uint8_t church_influence
    uint8_t church_treasury
    uint8_t city_large
    uint8_t city_small
    # derived by core.Edition
    uint32_t source_kinds[157]      # bit per EffectKind among a source's rewards and choices
    uint8_t tame_clergy             # tiles' own rewards only ever give réis, wigs, goods or influence
    uint8_t tame_lands              # no land's reward, nor a tile's that it may bring, builds, opens or sends officials home

cdef struct Setup:                  # everything that chance decides, by id; UNKNOWN where a record does not know
    uint8_t seats
    uint8_t options
    uint8_t row_cubes[5][3]         # the 3 cubes at each row's end, as colours
    uint8_t column_cubes[5][3]      # column 5 has 2: its third is UNKNOWN
    uint8_t site_cubes[14][2]
    uint8_t pile_cubes[6]
    uint8_t scoring[4]              # scoring tile under columns 1-4
    uint8_t buildings[2][8]         # top first; [0] green side up
    uint8_t plans[2][8]             # top first
    uint8_t starting_plans[4]       # by seat
    uint8_t favors[4]               # by seat: the noble
    uint8_t clergy[37]              # order of drawing: seat 0's two, seat 1's two, ..., then the bag
    uint8_t clergy_returns[4]       # by seat: the place in the bag where the rejected tile goes (0 = next to be drawn)
    uint8_t hands[4][5]             # blue cards dealt, by seat
    uint8_t purple[21]
    uint8_t decks[2][4][5]          # [period][noble], top first
    uint8_t decrees[70]

cdef struct Frame:
    uint8_t kind
    int8_t seat
    int16_t a
    int16_t b

cdef struct Player:                 # widest fields first and no padding: equal players are equal bytes
    uint64_t clergy                 # bit per tile held
    uint64_t decrees[2]             # bit per decree owned
    uint32_t plans                  # bit per plan: held, not completed
    uint32_t completed
    int16_t reis
    int16_t wigs
    int16_t ledger[18]              # wigs by Category
    int8_t influence
    int8_t officials                # on the player's own board
    int8_t offices[3]
    int8_t plazas[3]
    int8_t goods[4]
    int8_t cubes[3]
    int8_t sets                     # min(cubes)
    int8_t markers                  # set markers on the Marquis' portrait, unspent
    int8_t houses[3]                # built, by group: left, middle, right
    uint8_t favors                  # bit per noble
    int8_t n_hand
    uint8_t hand[5]
    int8_t n_top
    uint8_t top[3]                  # noble card id, or SHIP_BASE + ship
    uint8_t cargo[3]                # goods on the dock under the ship in that slot
    uint8_t packed[3]               # crates aboard; cargo + packed == hull means at sea
    int8_t n_bottom
    uint8_t bottom[3]               # treasury card ids
    # derived, kept up to date
    int8_t stores[4]                # by business, from the house step on (N10)
    int8_t top_influence            # total of the top row
    int8_t mods[41]                 # sum of lasting benefits, by Quantity
    uint8_t spare[1]

cdef struct State:                  # widest fields first and no padding: equal states are equal bytes
    uint64_t discarded[2]           # cards discarded in this seat's period-end discard
    uint64_t gone_cards[2]          # cards out of play
    uint64_t gone_clergy
    Player players[4]
    uint32_t shown_blue[4]          # hand draft: blue cards (bit = place in the blue deck's list) shown by each seat
    uint32_t seen                   # running hash of what was revealed to everybody; zeroed by whoever reads it
    int16_t turn                    # turns finished so far
    int16_t last_turn               # number of the last turn once the end is triggered; -1
    Frame frames[32]
    uint8_t seats
    uint8_t options
    uint8_t phase
    uint8_t period                  # 0 or 1
    int8_t active                   # whose turn it is
    int8_t trigger                  # seat that triggered the end of the period or game this turn; -1
    int8_t church_caller            # first seat to move the cardinal onto the influence icon; -1
    uint8_t queen                   # the Queen rules (M10)
    uint8_t dead                    # a duty could not be met: only ever seen inside the agenda's own search
    uint8_t played                  # card on its way into a portfolio; UNKNOWN
    uint8_t banners                 # bit per state action covered with a good this turn
    uint8_t markers_spent           # bit per seat: set marker spent this turn
    # tracks
    int8_t treasury                 # space, from 0
    int8_t price[4]
    int8_t cardinal                 # gap
    uint8_t church[6]               # tile after gap g; UNKNOWN: empty
    int8_t favor_stock[3]
    int8_t neutral                  # neutral officials per office (2 players)
    # city
    int8_t row_cubes[5][3]
    int8_t column_cubes[5][3]
    int8_t site_cubes[14][3]
    int8_t pile[3]
    int8_t gone_cubes[3]            # cubes out of the game
    int8_t land_business[24]        # -1: free
    int8_t land_owner[24]           # -1 until the house is placed
    int8_t site_building[14]        # building * 2 + side; -1: free; -2: being opened
    int8_t site_owner[14]
    uint8_t scoring[4]
    uint8_t city                    # bit per display space: gold, cloth, books, tools, small tools
    int8_t city_large               # tiles left in the stack
    int8_t city_small
    # decks, bags and stacks: what lies before the position has been seen
    uint8_t decks[2][4][5]
    uint8_t deck_pos[4]             # cards taken from each deck this period
    uint8_t face_up                 # bit per deck: its top card is shown
    uint8_t decree_deck[70]
    uint8_t decree_pos
    uint8_t display[8]              # UNKNOWN: empty
    uint8_t clergy_bag[37]
    uint8_t clergy_pos
    # A row more than seats: Cython's dict-to-struct code shares one buffer between arrays of arrays that differ only in
    # the inner size, and would write packets[4][5] over the end of a drawn[4][2].
    uint8_t drawn[5][2]             # starting clergy tiles while they are chosen, by seat
    uint8_t clergy_returns[4]
    uint8_t buildings[2][8]
    uint8_t building_pos[2]         # tile at the position is displayed, the one after it is shown too
    uint8_t plan_stack[2][8]
    uint8_t plan_pos[2]
    uint8_t ship_pos                # ships taken from this period's stack
    uint8_t purple[21]
    uint8_t purple_pos
    uint8_t draft_pass              # 0-3 while hands are drafted
    uint8_t packets[4][5]           # hand draft: cards by packet in the order they were taken
    # the agenda
    uint8_t depth
    uint8_t spare[2]

cdef struct ObservationC:
    State state                     # hidden ids are UNKNOWN, everything else as every player sees it, in canonical order
    int8_t observer
