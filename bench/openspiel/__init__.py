"""Lisboa as OpenSpiel sees a game, and OpenSpiel's ``ISMCTSBot`` as a player of the arena.

``game`` needs no OpenSpiel; ``players`` does. Nothing of ``lisboa_ai`` imports either.
"""
