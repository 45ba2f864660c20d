"""Fit the value function to games: ``python -m lisboa_ai.train``.

``generate`` plays games and looks at them now and then: what every seat has, and what it still got. ``fit`` adds that
up and solves for the weights (``lisboa_ai.values``).
"""
