"""Editions: the printed numbers of the game as data, one folder of TOML files each.

Import from :mod:`lisboa_ai.edition`. Dependency order: names, effects, describe and tables, model, reading, check,
loader.
"""
