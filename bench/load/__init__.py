"""Load for the service: calls that arrive whether or not the earlier ones were answered, and what becomes of them.

``python -m bench.load run --serve --call legal --rate 200 --count 2000`` starts a service of its own on loopback and
sends calls at fixed intervals or at random (Poisson) ones, seeded. A call's latency counts from when it was meant to
start, so that a service, or a tool, that falls behind cannot hide it. ``python -m bench.load checks`` measures what the
service promises: health checks and refusals while all workers search, how soon a cancelled search frees its worker,
and that advice over RPC is the advice of a search in this process.
"""

from .arrivals import arrivals
from .calls import CALLS, Call
from .generator import End, Load, send
from .report import Report, percentile, report_of

__all__ = ["CALLS", "Call", "End", "Load", "Report", "arrivals", "percentile", "report_of", "send"]
