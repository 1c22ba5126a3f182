"""What an envelope adds to the rules: `[[clause]]` of the house, `[[loosen]]` with reasons, the declared comparison."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from difflib import get_close_matches

from denominator.envelopes.directions import DIRECTIONS, neutral
from denominator.envelopes.loosening import known_field
from denominator.errors import Problem
from denominator.records.envelopes import Clause, Comparison, Envelope
from denominator.stats.decimals import finite_decimal

PARTS = ("value", "lower", "upper", "numerator")
QUESTIONS = ("difference", "non_inferior", "equivalent")
TESTS = ("exact", "midp")


def addition_problems(envelope: Envelope) -> Iterator[Problem]:
    """Everything that is wrong with them. Texts of blanks and placeholders are found with all other fields."""
    names = Counter(clause.name for clause in envelope.clause)
    for number, clause in enumerate(envelope.clause):
        yield from _clause(f"clause[{number}]", clause, names[clause.name])
    for number, reason in enumerate(envelope.loosen):
        where = f"loosen[{number}]"
        for name in ("why", "who"):
            if getattr(reason, name) == "":
                yield Problem(f"{where}.{name}", "is not filled in", "say why it is weaker, and who answers for it")
        if not known_field(reason.field):
            near = get_close_matches(reason.field, [key for key, way in DIRECTIONS.items() if way is not neutral], 3)
            hint = f"did you mean {', '.join(near)}?" if near else "the path of a field, as in budget.wall_s"
            yield Problem(f"{where}.field", f"{reason.field!r} is no field that can be weaker", hint)
    yield from _comparison(envelope.comparison)


def _clause(where: str, clause: Clause, times: int) -> Iterator[Problem]:
    for name in ("name", "metric", "why"):
        if getattr(clause, name) == "":
            yield Problem(f"{where}.{name}", "is not filled in", "say what is bounded, and why")
    if times > 1:
        yield Problem(f"{where}.name", f'"{clause.name}" names two clauses', "give each clause a name of its own")
    if clause.of not in PARTS:
        yield Problem(f"{where}.of", f'"{clause.of}" is not a known word', "one of: " + ", ".join(PARTS))
    limits = [(name, getattr(clause, name)) for name in ("at_least", "at_most") if getattr(clause, name)]
    if not limits:
        yield Problem(f"{where}.at_least", "there is no bound", "at_least, at_most, or both")
    for name, value in limits:
        if finite_decimal(value) is None:
            yield Problem(f"{where}.{name}", f"{value!r} is no number", 'a decimal number, as in "0.5"')


def _comparison(given: Comparison) -> Iterator[Problem]:
    for name, words in (("question", QUESTIONS), ("test", TESTS)):
        if getattr(given, name) not in words:
            what = f'"{getattr(given, name)}" is not a known word'
            yield Problem(f"comparison.{name}", what, "one of: " + ", ".join(words))
    alpha, floor, margin = (finite_decimal(text) for text in (given.alpha, given.delivered_floor, given.margin))
    if alpha is None or not 0 < alpha < 1:
        yield Problem("comparison.alpha", f"is {given.alpha}", "between 0 and 1, both excluded")
    if floor is None or not 0 <= floor <= 1:
        yield Problem("comparison.delivered_floor", f"is {given.delivered_floor}", "a share between 0 and 1")
    if given.question in QUESTIONS[1:] and (margin is None or not 0 < margin < 1):
        what = "has no margin" if not given.margin else f"is {given.margin}"
        yield Problem("comparison.margin", what, "a share of draws between 0 and 1, both excluded")
