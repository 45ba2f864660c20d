"""The gRPC service: rules, advice, health and metrics in one process. Installed as ``lisboa_ai.server``.

>>> from lisboa_ai.server import Settings, run            # doctest: +SKIP
>>> run(Settings(port=50051))                             # doctest: +SKIP
"""

from .app import Server, run
from .settings import Limits, Settings, SettingsError

__all__ = ["Limits", "Server", "Settings", "SettingsError", "run"]
