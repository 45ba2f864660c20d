"""The vocabulary of effects and lasting benefits: reading it, writing it, saying it in plain English.

A vocabulary is a list of forms such as ``good TYPE N`` or ``visit NOBLE -N``. Reading matches a text against every form
word by word; writing fills the form in again, so that every value has exactly one spelling.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from .names import COLOURS, GOODS, NOBLES, EffectKind, Quantity

NOBLE_NAMES: Final = ("Maia", "the Marquis", "the King")
_ONE_GOOD: Final = ("gold", "cloth", "book", "tool")
_STEPS: Final[Mapping[int, str]] = MappingProxyType({1: "1 step", 2: "1 or 2 steps"})
_WORDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({"TYPE": GOODS, "COLOUR": COLOURS, "NOBLE": NOBLES})
_SIGNS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {"N": ("",), "+N": ("+",), "-N": ("-",), "±N": ("+", "-")}
)


class VocabularyError(ValueError):
    """A text that is not in the vocabulary; ``allowed`` says what would have been."""

    def __init__(self, text: str, allowed: str) -> None:
        super().__init__(f"{text!r} is not in the vocabulary; allowed: {allowed}")
        self.text = text
        self.allowed = allowed


@dataclass(frozen=True, slots=True)
class _Form:
    """One way to write something: ``key`` is its enum value, ``low`` and ``high`` bound the number's size."""

    key: int
    text: str
    low: int = 1
    high: int = 9

    def match(self, words: Sequence[str]) -> tuple[int | None, int] | None:
        """The (named thing, number) in ``words``, None if the form does not fit; n is 1 if unwritten."""
        parts = self.text.split()
        if len(parts) != len(words):
            return None
        what, n = None, 1
        for part, word in zip(parts, words, strict=True):
            if part in _WORDS:
                if word not in _WORDS[part]:
                    return None
                what = _WORDS[part].index(word)
            elif part in _SIGNS:
                sign, digits = (word[0], word[1:]) if word[0] in "+-" else ("", word)
                if sign not in _SIGNS[part] or not (digits.isascii() and digits.isdigit()):
                    return None
                n = int(digits) if part != "±N" else int(word)
            elif part != word:
                return None
        return what, n

    def write(self, what: int | None, n: int) -> str:
        filled = []
        for part in self.text.split():
            if part in _WORDS:
                filled.append(_WORDS[part][what or 0])
            elif part in _SIGNS:
                filled.append(f"{n:+d}" if part == "±N" else f"{_SIGNS[part][0]}{n}")
            else:
                filled.append(part)
        return " ".join(filled)

    @property
    def names_something(self) -> bool:
        return any(part in _WORDS for part in self.text.split())

    @property
    def range(self) -> str:
        size = f"{self.low} to {self.high}" if self.low != self.high else str(self.low)
        return f"{self.text} with N {size}"


EFFECT_FORMS: Final = (
    _Form(EffectKind.REIS, "reis N", high=50),
    _Form(EffectKind.WIGS, "wigs N", high=50),
    _Form(EffectKind.GOOD, "good TYPE N"),
    _Form(EffectKind.GOOD_ANY, "good any N"),
    _Form(EffectKind.INFLUENCE, "influence"),
    _Form(EffectKind.OFFICIALS, "officials N", high=3),
    _Form(EffectKind.PLAN, "plan"),
    _Form(EffectKind.SHIP, "ship"),
    _Form(EffectKind.PRODUCE, "produce"),
    _Form(EffectKind.CARDINAL, "cardinal N", high=6),
    _Form(EffectKind.FAVOR, "favor"),
    _Form(EffectKind.RUBBLE, "rubble"),
    _Form(EffectKind.TREASURY, "treasury ±N", high=15),
    _Form(EffectKind.DECREE, "decree"),
    _Form(EffectKind.STORE, "store"),
    _Form(EffectKind.BUILDING, "building"),
    _Form(EffectKind.PAY_REIS, "pay reis N", high=50),
    _Form(EffectKind.PAY_INFLUENCE, "pay influence N", high=10),
    _Form(EffectKind.PAY_WIGS, "pay wigs N", high=50),
    _Form(EffectKind.PAY_GOOD, "pay good any N"),
    _Form(EffectKind.PAY_OFFICIAL, "pay official N", high=8),
)

BENEFIT_FORMS: Final = (
    _Form(Quantity.LAND, "land -N"),
    _Form(Quantity.LAND_IGNORES, "land ignores COLOUR"),
    _Form(Quantity.HIRE, "hire -N"),
    _Form(Quantity.SPONSOR, "sponsor -N"),
    _Form(Quantity.SELL, "sell TYPE +N"),
    _Form(Quantity.SELL, "sell all +N"),
    _Form(Quantity.VISIT, "visit NOBLE -N"),
    _Form(Quantity.VISIT_IGNORES, "visit NOBLE ignores officials"),
    _Form(Quantity.FOLLOW, "follow -N"),
    _Form(Quantity.SHIP_GOODS, "ship goods -N", high=4),
    _Form(Quantity.PRODUCE, "produce TYPE +N"),
    _Form(Quantity.RECRUIT, "recruit +N", high=2),
    _Form(Quantity.CARDINAL_STEPS, "cardinal steps +N", high=5),
    _Form(Quantity.TRADE_ACCEPTED, "trade TYPE accepted by all"),
    _Form(Quantity.BUILDING_OFFICIALS, "building officials -N", high=8),
    _Form(Quantity.INFLUENCE_GAIN, "influence gain +N"),
    _Form(Quantity.WAREHOUSE, "capacity warehouse +N", high=5),
    _Form(Quantity.PORTFOLIO, "capacity portfolio +N", high=4),
    _Form(Quantity.STORE_WIGS, "store wigs +N"),
    _Form(Quantity.STORE_WIGS, "store wigs +N TYPE"),
    _Form(Quantity.BUILDING_WIGS, "building wigs +N"),
    _Form(Quantity.DECREE_WIGS, "decree wigs +N"),
    _Form(Quantity.SAIL_WIGS, "sail wigs +N"),
    _Form(Quantity.PLAN_REIS, "plan reis +N"),
    _Form(Quantity.FAVOR_REIS, "favor reis +N"),
)

_PER_GOOD: Final = frozenset({Quantity.SELL, Quantity.STORE_WIGS})
"""Quantities kept per good; a benefit that names none means all four."""


@dataclass(frozen=True, slots=True)
class Effect:
    """One effect: ``what`` is the good it names, or 0; ``n`` its number (1 if none is printed; negative only for
    ``treasury``)."""

    kind: EffectKind
    what: int = 0
    n: int = 1

    def __str__(self) -> str:
        form = next(form for form in EFFECT_FORMS if form.key == self.kind)
        return form.write(self.what, self.n)


@dataclass(frozen=True, slots=True)
class Benefit:
    """One lasting benefit: ``what`` is the good, colour or noble it names, None if it names none; ``n`` is its size,
    never negative (``land -2`` has size 2; yes-or-no benefits have size 1)."""

    quantity: Quantity
    what: int | None = None
    n: int = 1

    def __str__(self) -> str:
        forms = [form for form in BENEFIT_FORMS if form.key == self.quantity]
        form = next(form for form in forms if form.names_something == (self.what is not None))
        return form.write(self.what, self.n)

    @property
    def modifiers(self) -> tuple[tuple[int, int], ...]:
        """The engine's (quantity number, size) pairs: one, or one per good where all goods are meant."""
        if self.what is None and self.quantity in _PER_GOOD:
            return tuple((self.quantity + good, self.n) for good in range(len(GOODS)))
        return ((self.quantity + (self.what or 0), self.n),)


def _parse(text: str, forms: Sequence[_Form]) -> tuple[int, int | None, int]:
    words = text.replace("\N{MINUS SIGN}", "-").split()
    for form in forms:
        found = form.match(words)
        if found is not None:
            if not form.low <= abs(found[1]) <= form.high:
                raise VocabularyError(text, form.range)
            return form.key, *found
    related = [form.text for form in forms if words and form.text.split()[0] == words[0]]
    allowed = ", ".join(related or [form.text for form in forms])
    notes = [f"{word}: {', '.join(values)}" for word, values in _WORDS.items() if word in allowed.split(" ")]
    raise VocabularyError(text, f"{allowed}{' (' + '; '.join(notes) + ')' if notes else ''}")


def parse_effect(text: str) -> Effect:
    """Read one effect, such as ``good any 2`` or ``treasury -2``; raises VocabularyError."""
    key, what, n = _parse(text, EFFECT_FORMS)
    return Effect(EffectKind(key), what or 0, n)


def parse_benefit(text: str) -> Benefit:
    """Read one lasting benefit, such as ``sell all +1`` or ``visit maia ignores officials``; raises VocabularyError."""
    key, what, n = _parse(text, BENEFIT_FORMS)
    return Benefit(Quantity(key), what, n)


def count(n: int, one: str, many: str) -> str:
    """``1 real``, ``2 réis``."""
    return f"{n} {one if n == 1 else many}"


def reis(n: int) -> str:
    """An amount of money in words."""
    return count(n, "real", "réis")


def wigs(n: int) -> str:
    """An amount of wigs in words."""
    return count(n, "wig", "wigs")


def _goods(n: int) -> str:
    return count(n, "good", "goods") + " of your choice"


_EFFECT_WORDS: Final[Mapping[EffectKind, Callable[[Effect], str]]] = MappingProxyType(
    {
        EffectKind.REIS: lambda e: f"gain {reis(e.n)}",
        EffectKind.WIGS: lambda e: f"gain {wigs(e.n)}",
        EffectKind.GOOD: lambda e: f"gain {count(e.n, _ONE_GOOD[e.what], GOODS[e.what])}",
        EffectKind.GOOD_ANY: lambda e: f"gain {_goods(e.n)}",
        EffectKind.INFLUENCE: lambda e: "gain the influence of your top row",
        EffectKind.OFFICIALS: lambda e: (
            "place 1 official in an office" if e.n == 1 else f"place up to {e.n} officials in different offices"
        ),
        EffectKind.PLAN: lambda e: "acquire a plan",
        EffectKind.SHIP: lambda e: "build a ship at its cost",
        EffectKind.PRODUCE: lambda e: "produce goods",
        EffectKind.CARDINAL: lambda e: (
            f"move the cardinal {_STEPS.get(e.n) or f'1 to {e.n} steps'} and take a clergy tile"
        ),
        EffectKind.FAVOR: lambda e: "get a royal favor",
        EffectKind.RUBBLE: lambda e: "take a rubble cube of your choice from the pile",
        EffectKind.TREASURY: lambda e: f"{'raise' if e.n > 0 else 'lower'} the treasury by {abs(e.n)}",
        EffectKind.DECREE: lambda e: "take a decree",
        EffectKind.STORE: lambda e: "build a store at its cost",
        EffectKind.BUILDING: lambda e: "open a public building at its cost",
        EffectKind.PAY_REIS: lambda e: f"pay {reis(e.n)}",
        EffectKind.PAY_INFLUENCE: lambda e: f"pay {e.n} influence",
        EffectKind.PAY_WIGS: lambda e: f"pay {wigs(e.n)}",
        EffectKind.PAY_GOOD: lambda e: f"pay {_goods(e.n)}",
        EffectKind.PAY_OFFICIAL: lambda e: (
            f"return {count(e.n, 'official', 'officials')} from the offices to your board"
        ),
    }
)


def _sale(b: Benefit) -> str:
    return f"selling {'any good' if b.what is None else GOODS[b.what]} earns {reis(b.n)} more each"


def _store_wigs(b: Benefit) -> str:
    return f"{wigs(b.n)} for every {'store' if b.what is None else GOODS[b.what] + ' store'} you build"


_BENEFIT_WORDS: Final[Mapping[Quantity, Callable[[Benefit], str]]] = MappingProxyType(
    {
        Quantity.LAND: lambda b: f"land costs you {reis(b.n)} less",
        Quantity.LAND_IGNORES: lambda b: f"{COLOURS[b.what or 0]} rubble does not raise your land price",
        Quantity.HIRE: lambda b: f"hiring costs you {reis(b.n)} less",
        Quantity.SPONSOR: lambda b: f"sponsoring an event costs you {reis(b.n)} less",
        Quantity.SELL: _sale,
        Quantity.VISIT: lambda b: f"visiting or following {NOBLE_NAMES[b.what or 0]} costs you {b.n} influence less",
        Quantity.VISIT_IGNORES: lambda b: (
            f"rival officials do not raise your cost of visiting or following {NOBLE_NAMES[b.what or 0]}"
        ),
        Quantity.FOLLOW: lambda b: f"following a noble costs you {b.n} influence less",
        Quantity.SHIP_GOODS: lambda b: f"ships cost you {count(b.n, 'good', 'goods')} less",
        Quantity.PRODUCE: lambda b: f"whenever you produce {GOODS[b.what or 0]}, gain {b.n} more",
        Quantity.RECRUIT: lambda b: f"place {b.n} more when you recruit",
        Quantity.CARDINAL_STEPS: lambda b: f"move the cardinal up to {count(b.n, 'step', 'steps')} further",
        Quantity.TRADE_ACCEPTED: lambda b: f"every noble accepts your {GOODS[b.what or 0]} in a trade",
        Quantity.BUILDING_OFFICIALS: lambda b: f"opening a building takes {count(b.n, 'official', 'officials')} fewer",
        Quantity.INFLUENCE_GAIN: lambda b: f"every influence gain of yours is {b.n} higher",
        Quantity.WAREHOUSE: lambda b: f"your warehouse holds {b.n} more of each good",
        Quantity.PORTFOLIO: lambda b: f"your portfolio holds {count(b.n, 'more card', 'more cards')}",
        Quantity.STORE_WIGS: _store_wigs,
        Quantity.BUILDING_WIGS: lambda b: f"{wigs(b.n)} for every public building you open",
        Quantity.DECREE_WIGS: lambda b: f"{wigs(b.n)} for every decree you take",
        Quantity.SAIL_WIGS: lambda b: f"{wigs(b.n)} more for every ship of yours that sails",
        Quantity.PLAN_REIS: lambda b: f"{reis(b.n)} for every plan you acquire",
        Quantity.FAVOR_REIS: lambda b: f"{reis(b.n)} for every royal favor you get",
    }
)


def describe_effect(effect: Effect) -> str:
    """One effect in plain English: ``gain 2 réis``."""
    return _EFFECT_WORDS[effect.kind](effect)


def describe_benefit(benefit: Benefit) -> str:
    """One lasting benefit in plain English: ``land costs you 2 réis less``."""
    return _BENEFIT_WORDS[benefit.quantity](benefit)


def describe_effects(rewards: Sequence[Effect], choices: Sequence[Effect] = ()) -> str:
    """A row's effects in plain English: the rewards in order, then the choice; ``nothing`` if there are none."""
    parts = [describe_effect(effect) for effect in rewards]
    if choices:
        parts.append("choose one: " + " or ".join(describe_effect(effect) for effect in choices))
    return ", then ".join(parts) or "nothing"


def describe_benefits(benefits: Sequence[Benefit]) -> str:
    """A thing's lasting benefits in plain English; ``nothing`` if it has none."""
    return "; ".join(describe_benefit(benefit) for benefit in benefits) or "nothing"
