"""Where the world of an iteration comes from: what was observed, or one of several views that add a guess to it."""
from engine_ext.types cimport *
from engine_ext.knowledge cimport sample_world
from engine_ext.rng cimport below
from engine_ext.search.search cimport SearchC


cdef void draw_world(SearchC* c, State* out) noexcept nogil:
    """A complete state that agrees with what was observed; with views, each of them is as likely as any other."""
    if c.n_views:
        sample_world(c.edition, c.views[below(&c.rng, <uint32_t>c.n_views)], &c.rng, out)
    else:
        sample_world(c.edition, &c.observation, &c.rng, out)
