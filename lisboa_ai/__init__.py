"""Lisboa: given what one player can see of a game, find the best move and say why."""

from importlib.metadata import version

__all__ = ["__version__"]

__version__ = version("lisboa-ai")
