"""What a search is: its settings, its trees and its sums. Every part of the search works on this struct."""
from engine_ext.types cimport *
from engine_ext.search.outcome cimport StatsC
from engine_ext.search.tree cimport TreeC
from engine_ext.search.value cimport ValueC

cdef enum:
    MAX_DEPTH = 512         # decisions of one iteration inside the tree
    MAX_TURN = 24           # decisions of one seat in one turn that are told apart
    TURN_BUCKETS = 4096
    N_WORLDS = 16           # of perfect-information search
    LAST_TURN = 32767       # later than any

cdef extern from *:
    const uint64_t FIRST_KEY "14695981039346656037ULL"   # of a turn not yet begun

cdef enum:  # Algorithm
    SINGLE_OBSERVER = 0     # one tree of what the observer sees
    MULTIPLE_OBSERVER = 1   # a tree for each seat, of what that seat sees
    REDETERMINIZING = 2     # the same, and a rival's tree is searched in worlds that agree with what the rival knows
    PERFECT_INFORMATION = 3     # a tree for each of several worlds, everything open (PIMC)
    FLAT = 4                # every first action equally often

cdef enum:  # Stop: why run() came back
    STOP_ITERATIONS = 0
    STOP_TIME = 1
    STOP_MEMORY = 2
    STOP_CANCELLED = 3

cdef struct BeginningC:     # the first decisions of a turn by the seat that decides first, and what came of them
    uint64_t key
    uint32_t next           # in the same bucket
    uint32_t spare
    StatsC stats

cdef struct SearchC:
    const EditionC* edition
    ObservationC observation
    const ObservationC** views  # what worlds are drawn from, if not from the observation: it with guesses added
    int n_views
    TreeC tree
    uint32_t root           # what the observer knows now; of worlds, the first one's
    uint32_t anchors[4]     # MULTIPLE_OBSERVER: an edge for each seat, whose outcomes are the roots by hand
    uint32_t roots[16]      # PERFECT_INFORMATION: by world
    State* worlds
    uint64_t rng
    int algorithm
    double exploration
    bint priors             # selection goes by the cheap policy's weights, and what is untried is not tried first
    double objective
    int playout
    int cut                 # turns that a playout goes on beyond its first; below 0: to the end of the game
    ValueC value            # what a game cut short is worth
    bint by_turn            # keep statistics of longer beginnings of the turn too
    bint restricted         # only the allowed arguments are considered at the root
    int n_allowed
    int16_t allowed[256]
    int n_places
    int16_t place_arguments[256]
    StatsC* places          # statistics of the root's edges, by place - 1
    uint32_t beginnings[4096]
    uint64_t iterations
    uint64_t decisions      # taken in playouts
    uint64_t depth          # decisions taken inside the tree
    bint full
