"""What a reward does to the money available for paying right after it: shared by stores and buildings.

Exact for the plain rewards (réis, influence, goods, plans, favors, ...); says ``unclear`` for any other.
"""
from engine_ext.types cimport *
from engine_ext.agenda cimport possible
from engine_ext.economy cimport imax, imin, influence_gain, officials_out


cdef bint matters(const EditionC* e, int tile) noexcept nogil:
    """Whether a clergy tile changes what land or hiring costs, or brings money or officials."""
    cdef const Benefit* b = &e.benefits[CLERGY_HOLDING + tile]
    cdef int i
    if e.source_kinds[CLERGY_SOURCE + tile]:
        return True
    for i in range(b.n):
        if b.modifiers[i].quantity <= Q_HIRE or b.modifiers[i].quantity == Q_BUILDING_OFFICIALS:
            return True
    return False


cdef int tile_money(const EditionC* e, int tile) noexcept nogil:
    """An upper bound of what a tile's own reward brings, in réis: its réis, and all that influence can make."""
    cdef const Source* src = &e.sources[CLERGY_SOURCE + tile]
    cdef int total = 0
    cdef int best = 0
    cdef int i
    for i in range(src.n_rewards + src.n_choices):
        if i < src.n_rewards:
            total += effect_money(e, &src.rewards[i])
        else:
            best = imax(best, effect_money(e, &src.choices[i - src.n_rewards]))
    return total + best


cdef inline int effect_money(const EditionC* e, const Effect* effect) noexcept nogil:
    return effect.n if effect.kind == E_REIS else e.cash_value[MAX_INFLUENCE] if effect.kind == E_INFLUENCE else 0


cdef void rewarded_money(const EditionC* e, State* s, int seat, int source, MoneyC* m) noexcept nogil:
    cdef Player* p = &s.players[seat]
    cdef const Source* src = &e.sources[source]
    cdef int reis = p.reis
    cdef int influence = p.influence
    cdef uint32_t met = 0
    cdef int i
    cdef int n
    cdef int kind
    m.unclear = False
    m.cardinal = False
    m.tiles_matter = False
    m.officials = officials_out(p)
    m.dearer = 0
    m.tile_money = 0
    for i in range(src.n_rewards):
        kind = src.rewards[i].kind
        n = src.rewards[i].n
        if kind == E_REIS:
            reis += n
        elif kind == E_INFLUENCE:
            influence = imin(MAX_INFLUENCE, influence + imax(0, influence_gain(p)))
        elif kind == E_OFFICIALS:
            m.officials += imin(N_OFFICES, imin(n + p.mods[Q_RECRUIT], p.officials))
        elif (kind == E_PLAN or kind == E_FAVOR) and met >> kind & 1:
            m.unclear = True            # the second one may be the first that is not there any more
            return
        elif kind == E_PLAN:
            met |= <uint32_t>1 << kind
            if p.mods[Q_PLAN_REIS] and possible(e, s, ACQUIRE_PLAN, seat, 0):
                reis += p.mods[Q_PLAN_REIS]
        elif kind == E_FAVOR:
            met |= <uint32_t>1 << kind
            if p.mods[Q_FAVOR_REIS] and possible(e, s, GET_FAVOR, seat, 0):
                reis += p.mods[Q_FAVOR_REIS]
        elif kind == E_CARDINAL:
            if possible(e, s, MEET_CARDINAL, seat, n):
                if not e.tame_clergy or i < src.n_rewards - 1:
                    for kind in range(i + 1, src.n_rewards):
                        if src.rewards[kind].kind != E_WIGS and src.rewards[kind].kind != E_GOOD:
                            m.unclear = True
                            return
                    if not e.tame_clergy:
                        m.unclear = True
                        return
                m.cardinal = True
        elif kind != E_WIGS and kind != E_GOOD and kind != E_GOOD_ANY and kind != E_RUBBLE and kind != E_DECREE:
            m.unclear = True
            return
    if m.cardinal:
        m.dearer = e.treasury_reis[imin(e.treasury_spaces - 1, s.treasury + 1)] - e.treasury_reis[s.treasury]
        for i in range(N_CHURCH):
            if s.church[i] != UNKNOWN and matters(e, s.church[i]):
                m.tiles_matter = True
                m.tile_money = imax(m.tile_money, tile_money(e, s.church[i]))
    m.money = reis + e.cash_value[influence]
    n = 0
    for i in range(src.n_choices):      # chosen last: the one that fetches most
        kind = src.choices[i].kind
        if kind == E_REIS:
            n = imax(n, src.choices[i].n)
        elif kind == E_INFLUENCE:
            n = imax(n, e.cash_value[imin(MAX_INFLUENCE, influence + imax(0, influence_gain(p)))] - e.cash_value[influence])
        elif kind != E_WIGS and kind != E_GOOD and kind != E_GOOD_ANY:
            m.unclear = True
            return
    if n and m.cardinal:
        m.unclear = True                # a tile may raise the influence to choose
    m.money += n
