"""A small generator (splitmix64). Its whole state is one integer that the caller owns: no seed, no draw."""
from engine_ext.types cimport uint8_t, uint32_t, uint64_t


cdef inline uint64_t next_random(uint64_t* rng) noexcept nogil:
    """Advance and return 64 random bits."""
    cdef uint64_t z
    rng[0] += <uint64_t>0x9E3779B97F4A7C15ULL
    z = rng[0]
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9ULL
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EBULL
    return z ^ (z >> 31)


cdef inline uint32_t below(uint64_t* rng, uint32_t n) noexcept nogil:
    """A number in [0, n), n > 0. The bias of the multiply-shift is below n / 2**32."""
    return <uint32_t>(((next_random(rng) >> 32) * n) >> 32)


cdef inline void shuffle(uint64_t* rng, uint8_t* items, int n) noexcept nogil:
    """Fisher-Yates in place."""
    cdef int i
    cdef int j
    cdef uint8_t kept
    for i in range(n - 1, 0, -1):
        j = <int>below(rng, <uint32_t>(i + 1))
        kept = items[i]
        items[i] = items[j]
        items[j] = kept
