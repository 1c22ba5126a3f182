"""A withheld number stays withheld: what may be printed of the estimates, given what the gate found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from denominator.records.estimates import Estimate
from denominator.records.seals import Terms
from denominator.records.values import NotMeasured
from denominator.stats.mentions import Hidden, without_mentions, without_numbers

RANGE_CHECK = "GL054 quantile-without-bound"
OF_HOST = (
    "invalid_call_rate", "invalid_task_rate", "no_valid_attempt_rate", "unscoreable_rate", "infra_censor_rate",
    "harness_error_rate", "flaky_rate",
)  # fmt: skip
"""What is shown of the rates above the ceiling of invalid calls: what host and provider did."""
WORDS = ("name", "sentence", "cite_rule", "selection", "claim_id", "rerun", "stopped")
"""Texts of a foreign manifest that are printed as they are."""


def printable(
    estimates: Iterable[Estimate],
    performance: frozenset[str],
    blockers: tuple[str, ...],
    value_hiders: tuple[str, ...],
    telling: frozenset[str] = frozenset(),
) -> tuple[Estimate, ...]:
    """Estimates as they may be printed.

    Blockers take value, interval, parts, method and numerator of every performance metric away (which method was used
    tells whether there was something to measure), and the denominator where that tells as much (`telling`: accepted
    draws). Value hiders take only quotients: the value with its parts, or the two ends of what has no value. What the
    host and the provider did (the other metrics) stays: it is the reason.
    """
    bounded = map(_bounded, estimates)
    listed = (_bare(one, blockers) if blockers and one.metric in telling else one for one in bounded)
    return tuple(_without(one, blockers, value_hiders) if one.metric in performance else one for one in listed)


def withheld_of(estimates: Iterable[Estimate], performance: frozenset[str], over_ceiling: bool) -> frozenset[str]:
    """The metrics that a block withholds: those of performance, above the ceiling all but what host and provider did."""
    return frozenset({one.metric for one in estimates} - set(OF_HOST)) if over_ceiling else performance


def hidden_of(before: Iterable[Estimate], shown: Iterable[Estimate]) -> tuple[Hidden, ...]:
    """What was measured and may not be printed, as mentions to look for in foreign words."""
    after = {one.metric: one for one in shown if one.withheld_by}
    return tuple(_hidden(one, after[one.metric]) for one in before if one.metric in after)


def _hidden(one: Estimate, shown: Estimate) -> Hidden:
    pairs = ((one.value, shown.value), (one.lo, shown.lo), (one.hi, shown.hi))
    decimals = tuple(was for was, now in pairs if isinstance(was, str) and isinstance(now, NotMeasured))
    decimals += tuple(part for _, part in one.by if one.by != shown.by)
    gone = isinstance(shown.numerator, NotMeasured)
    k, n = one.numerator, one.denominator
    return Hidden(decimals, (k, n) if gone and isinstance(k, int) and isinstance(n, int) else None)


def quiet_terms(terms: Terms, hidden: tuple[Hidden, ...], split_hidden: bool) -> Terms:
    """Foreign terms whose words mention no hidden number; with the split hidden they hold no rate at all."""
    if terms.origin == "seal" or not (hidden or split_hidden):
        return terms

    def quiet(text: str) -> str:
        return without_numbers(text) if split_hidden else without_mentions(text, hidden)

    environment = tuple((name, quiet(text)) for name, text in terms.environment)
    words: dict[str, Any] = {name: quiet(getattr(terms, name)) for name in WORDS}
    return replace(terms, **words, environment=environment)


def undigested(estimates: Iterable[Estimate]) -> tuple[Estimate, ...]:
    """The same without the digest of the exits: for a few draws every split can be tried until it fits."""
    return tuple(replace(one, rows_digest="") for one in estimates)


def unbounded(one: Estimate) -> bool:
    """A 95th percentile that has a value and no upper end."""
    return "p95" in one.metric and isinstance(one.value, str) and isinstance(one.hi, NotMeasured)


def _bounded(one: Estimate) -> Estimate:
    """Without an upper end there is no percentile: a range check only, for which the largest value stands elsewhere."""
    if not unbounded(one):
        return one
    gone = NotMeasured("a range check only: there is no upper bound at this size")
    return replace(one, value=gone, withheld_by=(RANGE_CHECK,))


def _bare(one: Estimate, blockers: tuple[str, ...]) -> Estimate:
    return replace(one, denominator=_gone(blockers))


def _gone(rules: tuple[str, ...]) -> NotMeasured:
    return NotMeasured(f"withheld by {', '.join(rules)}")


def _without(one: Estimate, blockers: tuple[str, ...], value_hiders: tuple[str, ...]) -> Estimate:
    if blockers:
        gone = _gone(blockers)
        return replace(one, value=gone, lo=gone, hi=gone, numerator=gone, by=(), method="", withheld_by=blockers)
    if not value_hiders:
        return one
    gone = _gone(value_hiders)
    if not isinstance(one.value, NotMeasured):
        return replace(one, value=gone, by=(), withheld_by=value_hiders)
    if isinstance(one.lo, str) or isinstance(one.hi, str):
        return replace(one, lo=gone, hi=gone, by=(), withheld_by=value_hiders)
    return one
