"""A finished game, or one that is going on, judged decision by decision.

>>> from lisboa_ai import edition, review
>>> from lisboa_ai.analysis import SearchLimits
>>> from lisboa_ai.record import GameRecord
>>> record = GameRecord.new(edition.load("house"), 2, seed=1)
>>> record = record.append("keep clergy-7")
>>> found = review.collect(review.review(record, SearchLimits(iterations=40, seed=1)))
>>> found.decisions[0].played.text, len(found.summaries)
('keep clergy-7', 2)

**What is judged.** Every decision that was asked for. In a record of the truth each is judged from what its seat could
know then, never from the hidden cards. In an observer's record only the observer's own decisions are judged; those of
rivals are evaluated from what the observer knew, and their verdict is ``not_judged``: a rival knows its own hand, so
what looks like a mistake from outside need not be one.

**How.** Half of a decision's budget goes to a search for the best action. If something else was played, the other half
goes to comparing the two (``lisboa_ai.compare``): two searches, one that begins with the best action and one with the
played one, are led through the same sampled worlds. They are fresh, so that the best action is not flattered by having
been chosen for its luck in the first search. The *loss* is the difference of the two in the deciding seat's win share,
and in its wigs; its standard error comes from the differences world by world. All errors of a review are such errors of
sampling: they say whether the search itself would judge otherwise in other worlds. What the search is off by in one
decision (its model error, ``docs/honesty.md``) is larger than most losses; with it hardly a single decision could be
judged, so a verdict is the search's own, and sums over many decisions say more than each of them.

**Verdicts**, by loss of win share: ``best`` (what the search would have played, or proved better than it), ``good``
(under 2 %), ``inaccuracy`` (under 5 %), ``mistake`` (under 10 %), ``blunder``; ``not_distinguishable`` where the loss
is within 1.96 standard errors of nothing; ``forced`` where one action was legal.

**Luck.** Where an action of a seat revealed something to it (a card, a decree, a clergy tile or a building turned up,
cards dealt), luck is the evaluation after the revelation less the evaluation before it, both made with that seat's
knowledge. After: the position that the seat then saw, evaluated. Before: the position with the played action still to
be carried out, that is the mean of the same evaluation over worlds drawn from what the seat knew, in each of which the
action is carried out and something else may turn up. An evaluation's win shares add up to 1 over the seats, so luck
adds up to 0: what one seat gains by a card turned up, the others lose. In an observer's record both evaluations are
the observer's, whoever acted; worlds in which a rival could not have acted so are passed over, so that a card which a
rival played counts as known before. Rivals' hidden hands never show at one moment that could be told apart from what
the rivals choose, so their part of luck is in the summary's ``rest``.

**The balance** of a seat, all in its win share: ``start`` (its evaluation at its first judged decision) less its own
``loss``, plus what rivals' losses ``given`` to it, plus ``luck``, plus ``rest``, is its ``final`` share. The rest is
computed from the others: rivals' hidden hands, what the searches did not foresee, and their errors. In an observer's
record it also holds what rivals' play gave or took, as that is not judged.

**Accuracy** is the mean over the judged decisions of 100 less ten for every percent of win share lost, never below 0:
100 for a loss that is none or cannot be told from none, 0 from a loss of 10 % on. Forced decisions do not count.

Seeds are derived from the limits' seed and the decision's number, so that with a limit of iterations the result is
the same for every executor and any number of workers.
"""

from .model import (
    BOUNDS,
    VERDICTS,
    Choice,
    Decision,
    Loss,
    Luck,
    Option,
    Review,
    SeatSummary,
    Shares,
    Verdict,
    collect,
)
from .reviewing import DEFAULT_ITERATIONS, review

__all__ = [
    "BOUNDS",
    "DEFAULT_ITERATIONS",
    "VERDICTS",
    "Choice",
    "Decision",
    "Loss",
    "Luck",
    "Option",
    "Review",
    "SeatSummary",
    "Shares",
    "Verdict",
    "collect",
    "review",
]
