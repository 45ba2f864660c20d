"""What a reward does to the money available for paying right after it: shared by stores and buildings."""
from engine_ext.types cimport *

cdef enum:  # RewardKinds
    # neither cost money or officials, nor take a benefit away, nor change a price
    WELCOME = 1 << E_REIS | 1 << E_WIGS | 1 << E_GOOD | 1 << E_GOOD_ANY | 1 << E_INFLUENCE | 1 << E_OFFICIALS \
        | 1 << E_PLAN | 1 << E_FAVOR | 1 << E_RUBBLE | 1 << E_DECREE | 1 << E_PRODUCE
    # may bring money
    LUCRATIVE = 1 << E_REIS | 1 << E_INFLUENCE | 1 << E_PLAN | 1 << E_FAVOR

cdef struct MoneyC:
    int money           # réis and influence after the reward, in réis
    int officials       # own officials in offices and plazas after it
    bint unclear        # the reward does more than these figures can say
    bint cardinal       # a tame cardinal: a clergy tile of choice, and the treasury may rise by one
    bint tiles_matter   # one of the church's tiles could change what has to be paid
    int dearer          # réis by which the treasury value rises if the cardinal passes its icon
    int tile_money      # an upper bound of what taking one of the church's tiles brings in at once, in réis

cdef void rewarded_money(const EditionC* e, State* s, int seat, int source, MoneyC* m) noexcept nogil
