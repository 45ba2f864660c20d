"""Several searches on the same sampled worlds, so that differences of what they find hold little of the worlds' luck.

Each search is a tree of its own, restricted to one action, and makes one iteration in each world: before it, its
random numbers are set anew from the same sequence. So world and, as far as the games run alike, play-outs are common.
"""
from libc.string cimport memset
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

cimport cython

from engine_ext.types cimport *
from engine_ext.rng cimport next_random
from engine_ext.search.ismcts cimport run
from engine_ext.search.outcome cimport StatsC
from engine_ext.search.search cimport STOP_MEMORY, SearchC
from engine_ext.search.searcher cimport CancelFlag, Searcher


cdef enum:
    MOST = 16               # searches led together
    WIDTH = 80              # numbers kept of one seat: win, wigs, reward, 4 places, one for each category


MOST_COMPARED = int(MOST)


cdef struct SampleC:        # of one game, by seat: see WIDTH
    double numbers[4 * 80]


cdef struct SumsC:
    double sums[4 * 80]
    double squares[4 * 80]


cdef inline double now() noexcept nogil:
    cdef timespec t
    clock_gettime(CLOCK_MONOTONIC, &t)
    return t.tv_sec + 1e-9 * t.tv_nsec


cdef void outcome(const StatsC* before, const StatsC* after, int seats, SampleC* out) noexcept nogil:
    """What one more game added to the statistics. All but the reward are whole numbers, so nothing is lost."""
    cdef double* row
    cdef int seat
    cdef int i
    for seat in range(seats):
        row = &out.numbers[seat * WIDTH]
        row[0] = <double>(after.wins[seat] - before.wins[seat])
        row[1] = <double>(after.wigs[seat] - before.wigs[seat])
        row[2] = after.rewards[seat] - before.rewards[seat]
        for i in range(4):
            row[3 + i] = <double>after.ranks[seat * 4 + i] - <double>before.ranks[seat * 4 + i]
        for i in range(N_CATEGORIES):
            row[7 + i] = <double>after.ledger[seat * N_CATEGORIES + i] - <double>before.ledger[seat * N_CATEGORIES + i]


cdef void add(SumsC* total, const SampleC* sample, const SampleC* less, int seats) noexcept nogil:
    """Add a game's numbers, or its differences from another one's."""
    cdef double x
    cdef int seat
    cdef int i
    for seat in range(seats):
        for i in range(seat * WIDTH, seat * WIDTH + 7 + N_CATEGORIES):
            x = sample.numbers[i] - (less.numbers[i] if less != NULL else 0.0)
            total.sums[i] += x
            total.squares[i] += x * x


cdef dict read(const SumsC* total, int seats):
    names = ("wins", "wigs", "rewards")
    out = {}
    for which, name in enumerate(names):
        out[name] = [total.sums[seat * WIDTH + which] for seat in range(seats)]
        out[name + "_squares"] = [total.squares[seat * WIDTH + which] for seat in range(seats)]
    out["ranks"] = [[total.sums[seat * WIDTH + 3 + i] for i in range(seats)] for seat in range(seats)]
    for name, numbers in (("ledger", True), ("ledger_squares", False)):
        out[name] = [
            [total.sums[seat * WIDTH + 7 + i] if numbers else total.squares[seat * WIDTH + 7 + i]
             for i in range(N_CATEGORIES)]
            for seat in range(seats)
        ]
    return out


@cython.final
@cython.auto_pickle(False)
cdef class Paired:
    """Searchers that are led through the same worlds. Not to be shared between threads.

    searchers: at least two and at most MOST_COMPARED, of equal observations, each restricted to one action, none of
    them run yet; they belong to this object from now on. seed: any integer, taken modulo 2**64.
    The same searchers, seed and number of worlds give the same numbers, however run() was sliced.
    """

    cdef list searchers
    cdef SumsC own[MOST]
    cdef SumsC less[MOST]
    cdef uint64_t seeds
    cdef int count
    cdef int seats
    cdef readonly object worlds
    cdef readonly object tried

    def __cinit__(self, searchers, seed=0):
        cdef Searcher one
        if not 2 <= len(searchers) <= MOST:
            raise ValueError(f"searchers: {len(searchers)}; allowed: 2 to {MOST}")
        self.searchers = list(searchers)
        self.count = len(self.searchers)
        self.seeds = <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF)
        self.worlds = 0
        self.tried = 0
        memset(self.own, 0, sizeof(self.own))
        memset(self.less, 0, sizeof(self.less))
        for one in self.searchers:
            if one.c.n_allowed != 1 or one.c.iterations:
                raise ValueError("searchers: one is not restricted to one action, or has run; allowed: fresh ones")
            self.seats = one.c.observation.state.seats

    def run(self, worlds, seconds=None, CancelFlag cancel=None):
        """Go on until ``worlds`` in all were tried, ``seconds`` have passed or ``cancel`` is set; GIL released.

        Returns why it came back: "iterations", "time", "memory" or "cancelled". The first world is always tried. A
        world in which some action is not legal is tried, but counts for none of them.
        """
        cdef SearchC* searches[MOST]
        cdef SampleC samples[MOST]
        cdef StatsC before
        cdef Searcher one
        cdef uint64_t most = worlds
        cdef uint64_t tried = self.tried
        cdef uint64_t counted = self.worlds
        cdef uint64_t seed
        cdef double until = 0.0
        cdef bint timed = seconds is not None
        cdef volatile int* flag = NULL
        cdef int stop = 0
        cdef int legal
        cdef int i
        memset(samples, 0, sizeof(samples))
        for i in range(self.count):
            one = self.searchers[i]
            searches[i] = &one.c
        if cancel is not None:
            flag = &cancel.raised
        if timed:
            until = now() + <double>seconds
        with nogil:
            while tried < most:
                if tried:
                    if flag != NULL and flag[0]:
                        stop = 1
                        break
                    if timed and now() >= until:
                        stop = 2
                        break
                seed = next_random(&self.seeds)
                legal = 0
                for i in range(self.count):
                    before = searches[i].places[0]
                    searches[i].rng = seed
                    if run(searches[i], searches[i].iterations + 1, -1.0, NULL) == STOP_MEMORY:
                        stop = 3
                        break
                    if searches[i].places[0].visits == before.visits:
                        continue
                    outcome(&before, &searches[i].places[0], self.seats, &samples[i])
                    legal += 1
                if stop:
                    break
                tried += 1
                if legal < self.count:
                    continue
                counted += 1
                for i in range(self.count):
                    add(&self.own[i], &samples[i], NULL, self.seats)
                    add(&self.less[i], &samples[i], &samples[0], self.seats)
        self.tried = tried
        self.worlds = counted
        return ("iterations", "cancelled", "time", "memory")[stop]

    def sums(self):
        """By action: sums over the worlds, and sums of the differences from the first action, both as dicts.

        By seat: wins (in PARTS), wigs (in WIG_PARTS), rewards, each with its squares; ranks [seat][place] (in PARTS);
        ledger and ledger_squares [seat][category] (in WIG_PARTS).
        """
        return [(read(&self.own[i], self.seats), read(&self.less[i], self.seats)) for i in range(self.count)]
