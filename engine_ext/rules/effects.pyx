"""The effect vocabulary (docs/edition.md): what cards, land, sites and tiles do, one effect after the other (N9, N29)."""
from engine_ext.types cimport *
from engine_ext.agenda cimport IGNORE_PENALTIES, OPTIONAL, always, effect_frame, effect_possible, push, row
from engine_ext.economy cimport (
    gain_good, gain_influence, gain_wigs, move_treasury, spend_wigs, taken, warehouse,
)


cdef void carry_out(const EditionC* e, State* s, int seat, const Effect* effect) noexcept nogil:
    """Do an effect that is possible now: plain gains and losses at once, anything else as a frame of its own."""
    cdef Player* p = &s.players[seat]
    cdef int frame = effect_frame(effect.kind)
    if frame >= 0:
        push(s, frame, seat, effect.n, 0)
    elif effect.kind == E_REIS:
        p.reis += effect.n
    elif effect.kind == E_WIGS:
        gain_wigs(p, C_EFFECTS, effect.n)
    elif effect.kind == E_GOOD:
        gain_good(p, effect.what, effect.n)
    elif effect.kind == E_GOOD_ANY:
        push(s, GOOD_ANY, seat, effect.n, 0)
    elif effect.kind == E_INFLUENCE:
        gain_influence(p)
    elif effect.kind == E_TREASURY:
        move_treasury(e, s, effect.n)
    elif effect.kind == E_PAY_REIS:         # cash only, and what there is (B7)
        p.reis -= <int16_t>taken(effect.n, p.reis)
    elif effect.kind == E_PAY_INFLUENCE:
        p.influence -= <int8_t>taken(effect.n, p.influence)
    elif effect.kind == E_PAY_WIGS:
        spend_wigs(p, effect.n)
    elif effect.kind == E_PAY_GOOD:
        push(s, PAY_GOOD, seat, effect.n, 0)
    elif effect.kind == E_PAY_OFFICIAL:
        push(s, PAY_OFFICIAL, seat, effect.n, 0)


cdef inline bint wanted(const EditionC* e, State* s, const Frame* f, const Effect* effect) noexcept nogil:
    """Possible now, and not a penalty where penalties are ignored (K5)."""
    if f.b & IGNORE_PENALTIES and effect.kind >= E_PAY_REIS:
        return False
    return effect_possible(e, s, f.seat, effect)


cdef void effects(const EditionC* e, State* s, Frame f, int argument) noexcept nogil:
    """a = source, b = index of the effect to come. Each is judged when its turn comes, and lost if impossible (N9).

    Nobody may decline what is possible; only choices within are free.
    """
    cdef const Source* source = &e.sources[f.a]
    cdef int i = f.b & 255
    if i >= source.n_rewards:
        push(s, CHOICE, f.seat, f.a, f.b)
        return
    if i + 1 < source.n_rewards or source.n_choices:
        push(s, EFFECTS, f.seat, f.a, f.b + 1)
    if wanted(e, s, &f, &source.rewards[i]):
        carry_out(e, s, f.seat, &source.rewards[i])


cdef int legal_choice(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """One of several effects, only possible ones offered; lost if none is."""
    cdef const Source* source = &e.sources[f.a]
    cdef int i
    cdef int n = 0
    for i in range(source.n_choices):
        if wanted(e, s, f, &source.choices[i]):
            out[n] = <int16_t>i
            n += 1
    return n


cdef void choice(const EditionC* e, State* s, Frame f, int option) noexcept nogil:
    carry_out(e, s, f.seat, &e.sources[f.a].choices[option])


cdef int legal_good_any(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """A good of a type with room (N27). a = how many are still to come."""
    cdef Player* p = &s.players[f.seat]
    cdef int good
    cdef int n = 0
    for good in range(N_GOODS):
        if p.goods[good] < warehouse(p):
            out[n] = <int16_t>good
            n += 1
    return n


cdef void good_any(const EditionC* e, State* s, Frame f, int good) noexcept nogil:
    gain_good(&s.players[f.seat], good, 1)
    if f.a > 1:
        push(s, GOOD_ANY, f.seat, f.a - 1, 0)


cdef int legal_pay_good(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """Penalty: a good of the player's choice. a = how many are still due."""
    cdef int good
    cdef int n = 0
    for good in range(N_GOODS):
        if s.players[f.seat].goods[good] > 0:
            out[n] = <int16_t>good
            n += 1
    return n


cdef void pay_good(const EditionC* e, State* s, Frame f, int good) noexcept nogil:
    s.players[f.seat].goods[good] -= 1
    if f.a > 1:
        push(s, PAY_GOOD, f.seat, f.a - 1, 0)


cdef int legal_pay_official(const EditionC* e, State* s, const Frame* f, int16_t* out) noexcept nogil:
    """Penalty: an official from an office of the player's choice goes back to the board. a = how many are still due."""
    cdef int office
    cdef int n = 0
    for office in range(N_OFFICES):
        if s.players[f.seat].offices[office] > 0:
            out[n] = <int16_t>office
            n += 1
    return n


cdef void pay_official(const EditionC* e, State* s, Frame f, int office) noexcept nogil:
    s.players[f.seat].offices[office] -= 1
    s.players[f.seat].officials += 1
    if f.a > 1:
        push(s, PAY_OFFICIAL, f.seat, f.a - 1, 0)


row(EFFECTS, b"effects", NULL, effects, always, NULL, 0)
row(CHOICE, b"choice", legal_choice, choice, always, NULL, OPTIONAL)
row(GOOD_ANY, b"good_any", legal_good_any, good_any, always, NULL, OPTIONAL)
row(PAY_GOOD, b"pay_good", legal_pay_good, pay_good, always, NULL, OPTIONAL)
row(PAY_OFFICIAL, b"pay_official", legal_pay_official, pay_official, always, NULL, OPTIONAL)
