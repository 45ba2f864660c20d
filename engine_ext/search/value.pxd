"""The value function: what a game that is not over is worth, from named features and a table of weights."""
from engine_ext.types cimport *
from engine_ext.search.outcome cimport OutcomeC

cdef enum:  # BaseFeature: what describes a seat; VALUE_FEATURES in value.pyx names them
    V_ONE = 0
    V_INFLUENCE
    V_INFLUENCE_SQUARED
    V_REIS
    V_FIRST_REIS
    V_TOP_INFLUENCE
    V_GOODS
    V_GOODS_PRICE
    V_HOLD
    V_SHIPPABLE
    V_HULLS
    V_SHIPS
    V_OFFICIALS_HOME
    V_OFFICIALS_IN_OFFICES
    V_OFFICIALS_IN_PLAZAS
    V_PLANS
    V_PLAN_OFFICIALS
    V_STAFF_SHORT
    V_COMPLETED_OFFICIALS
    V_RACE_LEAD
    V_STORES                # + business
    V_STORES_LEAD = 24      # + business
    V_OPEN_SITES = 28
    V_SPARE_CUBES
    V_SETS
    V_MARKERS
    V_CLERGY
    V_CLERGY_WIGS
    V_FAVORS
    V_DECREES
    V_DECREE_WIGS
    V_NOBLE_CARDS
    V_TREASURY_CARDS
    V_HOUSES                # + group
    V_HAND = 42
    V_BENEFITS
    V_VISIT_TAX
    V_STORES_PRICE
    V_PERIOD_SETS
    V_PERIOD_CUBES
    N_BASE = 48
    N_VALUES = 96           # each of them alone, then times the seat's turns left

cdef struct ValueC:
    double weights[96][18]  # wigs still to come by Category, for each feature
    double spread[2]        # scale of the difference of final scores: spread[0] + spread[1] * sqrt(turns left)

cdef double own_turns_left(const State* s, int seat, double turns) noexcept nogil
cdef double turns_left(const State* s) noexcept nogil
cdef void describe(const EditionC* e, const State* s, int seat, double* x) noexcept nogil
cdef void estimate(const EditionC* e, const State* s, const ValueC* v, double objective, OutcomeC* out) noexcept nogil
