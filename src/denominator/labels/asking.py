"""The judge: families of rules in order; in each the first that applies wins, except for tags, which all may hold.

A rule that crashes has said nothing, so its axes are unknown and the rules after it are not asked: a later one would only
guess. Tags are independent of each other: there a crash makes one tag unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from denominator.labels.shape import ENDING, Asked, Ending, No, Rule, Said, View
from denominator.records.judgements import UNKNOWN
from denominator.records.words import Axis

ENDING_AXES = (Axis.OUTCOME, Axis.ORIGIN, Axis.REASON)


@dataclass(frozen=True, slots=True)
class Family:
    """Rules of one axis, in order. `asks` says for which rows; `every` asks all of them instead of up to the first."""

    axis: str
    rules: tuple[Rule, ...]
    asks: Callable[[View], bool] = lambda _view: True
    every: bool = False


def ask(view: View, families: Iterable[Family]) -> tuple[Asked, ...]:
    """Every rule that was asked, with its answer, in order; a later family sees what earlier ones said."""
    asked: list[Asked] = []
    said: dict[str, tuple[str, ...]] = {}
    for family in families:
        now = replace(view, said=dict(said))
        if not family.asks(now):
            continue
        for one in _ask_family(now, family):
            asked.append(one)
            for judgement in one.said:
                said[judgement.axis] = (*said.get(judgement.axis, ()), judgement.value)
    return tuple(asked)


def _ask_family(view: View, family: Family) -> Iterable[Asked]:
    for rule in family.rules:
        one = _ask(rule, view)
        yield one
        if one.said and not family.every:
            return


def _ask(rule: Rule, view: View) -> Asked:
    try:
        answer = rule.judge(view)
    except Exception as error:
        why = f"the rule {rule.by} failed: {type(error).__name__}: {error}"
        axes = ENDING_AXES if rule.axis == ENDING else (rule.axis,)
        return Asked(rule, tuple(Said(UNKNOWN, why, (), "low", "", axis) for axis in axes), No(""))
    if isinstance(answer, No):
        return Asked(rule, (), answer)
    answer = replace(answer, would_change=answer.would_change or rule.would_change)
    if isinstance(answer, Ending):
        return Asked(rule, answer.said(), No(""))
    return Asked(rule, (replace(answer, axis=rule.axis),), No(""))
