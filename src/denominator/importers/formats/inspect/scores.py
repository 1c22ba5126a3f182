"""What the scores of a sample say: one verdict, or why there is none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from denominator.importers.formats.inspect.samples import Score

CORRECT, INCORRECT, PARTIAL, NO_ANSWER, UNSCORED, NONE, SEVERAL = (
    "correct", "incorrect", "partial", "no answer", "unscored", "none", "several",
)  # fmt: skip
WORDS = {
    "C": CORRECT, "I": INCORRECT, "P": PARTIAL, "N": NO_ANSWER, "yes": CORRECT, "true": CORRECT, "no": INCORRECT,
    "false": INCORRECT,
}  # fmt: skip
UNCHANGED = "UNCHANGED"


class Headline(NamedTuple):
    """Which score counts: scorer and score as the log names them; "" where it names none."""

    scorer: str = ""
    score: str = ""


class Verdict(NamedTuple):
    """A word of this module; the score that it comes from, its value, and what it was before a person edited it."""

    word: str
    name: str = ""
    value: object = None
    reason: str = ""
    edited: bool = False
    before: object = None
    names: tuple[str, ...] = ()


def word_of(value: object, pass_from: Decimal | None = None) -> str:
    """What one value says. `pass_from` is the least number that has passed, where somebody has drawn such a line."""
    if value is None:
        return UNSCORED
    if isinstance(value, bool):
        return CORRECT if value else INCORRECT
    if isinstance(value, str) and (found := WORDS.get(value) or WORDS.get(value.lower() if len(value) > 1 else "")):
        return found
    number = _number(value)
    if number is not None and pass_from is not None:
        return CORRECT if number >= pass_from else INCORRECT
    return PARTIAL if number is None else CORRECT if number == 1 else INCORRECT if number == 0 else PARTIAL


def verdict_of(scores: Mapping[str, Score] | None, headline: Headline) -> Verdict:
    """The verdict of the score that counts: the headline's, the only one, or what all of them say alike."""
    found = [one for name, score in (scores or {}).items() for one in _values(name, score)]
    if not found:
        return Verdict(NONE)
    chosen = [one for one in found if _is_headline(one.name, headline)] or found
    if len({one.word for one in chosen}) == 1 and len({one.edited for one in chosen}) == 1:
        return chosen[0]
    return Verdict(SEVERAL, names=tuple(f"{one.name} {one.word}" for one in chosen))


def _values(name: str, score: Score) -> Iterator[Verdict]:
    """A score may hold several values under names, or in a row."""
    value, history = score.value, score.history or []
    reason = score.reason if isinstance(score.reason, str) else ""
    if not reason and score.metadata is not None and isinstance(score.metadata.unscored_reason, str):
        reason = score.metadata.unscored_reason
    before = next((one.value for one in history if one.value != UNCHANGED), value)
    if isinstance(value, Mapping):
        pairs = [(f"{name}.{key}", inner, _inner(before, key)) for key, inner in value.items()]
    elif isinstance(value, Sequence) and not isinstance(value, str):
        pairs = [(f"{name}[{place}]", inner, _inner(before, place)) for place, inner in enumerate(value)]
    else:
        pairs = [(name, value, before)]
    for told, now, once in pairs:
        word = word_of(now)
        yield Verdict(word, told, now, reason, edited=bool(history) and word_of(once) != word, before=once)


def _inner(value: object, key: str | int) -> object:
    if isinstance(value, Mapping):
        return value.get(key)
    if isinstance(value, list) and isinstance(key, int):
        return value[key] if key < len(value) else None
    return None


def _is_headline(name: str, headline: Headline) -> bool:
    """Is it the score of the headline? A scorer of a package may stand with or without the package's name."""
    if not headline.scorer and not headline.score:
        return False
    scorer = headline.scorer or headline.score
    names = {scorer, scorer.rpartition("/")[2]}
    return name in names or (bool(headline.score) and name in {f"{one}.{headline.score}" for one in names})


def _number(value: object) -> Decimal | None:
    if isinstance(value, int | Decimal):
        return Decimal(value)
    if not isinstance(value, str) or len(value) > 400:
        return None
    try:
        found = Decimal(value.strip())
    except InvalidOperation:
        return None
    return found if found.is_finite() else None
