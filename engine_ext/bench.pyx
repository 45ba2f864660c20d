"""Loops for ``bench/engine.py``: what is measured is the engine, not the interpreter around it."""
from engine_ext.types cimport *
from engine_ext.agenda cimport legal_actions, step
from engine_ext.core cimport Edition, Game, Observation
from engine_ext.knowledge cimport sample_world
from engine_ext.rng cimport below, next_random
from engine_ext.rules.setup cimport deal, lay_out


def play_games(Edition edition not None, int seats, seed, int games):
    """Deal and play games uniformly at random, GIL released: (decisions, steps, checksum).

    Decisions have two or more legal actions; steps count every pending one. checksum sums final wigs by seat,
    (seat + 1) each. The games depend on the arguments only. Raises ``ValueError``, ``RuntimeError`` for a dead end.
    """
    cdef uint64_t rng = <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF)
    cdef const EditionC* e = &edition.c
    cdef int16_t options[MAX_ACTIONS]
    cdef Setup start
    cdef State s
    cdef int64_t decisions = 0
    cdef int64_t steps = 0
    cdef int64_t checksum = 0
    cdef int unfinished = 0
    cdef int _i
    cdef int n
    if not 2 <= seats <= MAX_SEATS:
        raise ValueError(f"seats: {seats}; allowed: 2 to {MAX_SEATS}")
    with nogil:
        for _i in range(games):
            deal(e, seats, 0, next_random(&rng), &start)
            lay_out(e, &start, &s)
            n = legal_actions(e, &s, options)
            while n:
                steps += 1
                decisions += n > 1
                n = step(e, &s, options[below(&rng, <uint32_t>n)], options)
            unfinished += s.phase != PHASE_OVER
            for n in range(seats):
                checksum += (n + 1) * s.players[n].wigs
    if unfinished:
        raise RuntimeError(f"{unfinished} of {games} games came to a dead end")
    return decisions, steps, checksum


def copy_states(Game game not None, int count):
    """Copy the game's state ``count`` times, each copy from the one before, GIL released. Returns its turn."""
    cdef State[2] s
    cdef int i
    s[0] = game.state
    with nogil:
        for i in range(count):
            s[(i + 1) & 1] = s[i & 1]
            s[(i + 1) & 1].seen = <uint32_t>i   # each copy differs, so none can be left out
    return s[count & 1].turn


def sample_worlds(Observation observation not None, seed, int count):
    """Sample ``count`` worlds that agree with the observation, GIL released. Returns a checksum of them."""
    cdef uint64_t rng = <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF)
    cdef const EditionC* e = &observation.edition.c
    cdef uint64_t checksum = 0
    cdef State s
    cdef int _i
    with nogil:
        for _i in range(count):
            sample_world(e, &observation.c, &rng, &s)
            checksum = checksum * 31 + s.purple[N_DEALT - 1] + s.decree_deck[N_DECREES - 1]
    return checksum


def state_bytes():
    """Size of the state of a game in bytes."""
    return sizeof(State)
