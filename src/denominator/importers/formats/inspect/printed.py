"""The numbers that Inspect printed of a log, each with the denominator that it has there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from denominator.importers.formats.inspect.logs import Log, table
from denominator.importers.formats.inspect.stated import headline, listed, text
from denominator.importers.measured import count_or
from denominator.records.foreign import UNSAID, Published
from denominator.records.values import NotMeasured

RATES = ("accuracy", "mean")
"""Means over ids of what each one's draws were reduced to."""
COMPLETED = "completed_samples"


def published(log: Log) -> Iterator[Published]:
    """The numbers that Inspect printed, each with the denominator that it has there."""
    results, where = table(log.header.get("results")), f"{log.head}#/results"
    for name, role in (("total_samples", "scheduled"), (COMPLETED, "other"), ("logged_samples", "other")):
        if isinstance(found := count_or(results.get(name), ""), int):
            yield Published(
                metric=name, value=str(found), unit="count", role=role, of="ids times epochs", where=f"{where}/{name}"
            )
    scores = [table(one) for one in listed(results.get("scores"))]
    several = len({_scorer(one) for one in scores}) > 1
    for place, score in enumerate(scores):
        yield from _metrics(log, score, f"{where}/scores/{place}", several)
    for model, usage in table(table(log.header.get("stats")).get("model_usage")).items():
        for name, value in table(usage).items():
            if isinstance(found := count_or(value, ""), int):
                at = f"{log.head}#/stats/model_usage"
                yield Published(
                    metric=f"{model} {name}", value=str(found), unit="count", role="other", of="all attempts", where=at
                )


def _metrics(log: Log, score: Mapping[str, Any], where: str, several: bool) -> Iterator[Published]:
    """Inspect reduces the draws of an id to one value, and takes the mean over the ids that have one."""
    reducer = text(score.get("reducer"))
    name = text(score.get("name")) + (f" [{reducer}]" if reducer else "")
    scored, unscored = count_or(score.get("scored_samples"), ""), count_or(score.get("unscored_samples"), "")
    of = f"{scored} ids after reduction" if isinstance(scored, int) else "ids after reduction"
    of += f", {unscored} unscored ids left out" if isinstance(unscored, int) and unscored else ""
    ours = not several or _is_headline(log, score)
    for key, metric in table(score.get("metrics")).items():
        value = table(metric).get("value")
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            continue
        share = 0 <= value <= 1
        rate = share and text(table(metric).get("name")).rpartition("/")[2] in RATES
        yield Published(
            metric=f"{name} {key}", value=str(value), unit="share" if share else "count", role="rate" if rate else "other",
            of=of, where=f"{where}/metrics/{key}", out_of=scored if rate and isinstance(scored, int) else UNSAID,
            unit_of="" if not rate else "tasks" if ours else "other", reducer=reducer[:80],
        )  # fmt: skip


def _scorer(score: Mapping[str, Any]) -> tuple[str, str]:
    return text(score.get("scorer")).rpartition("/")[2], text(score.get("name")).rpartition("/")[2]


def _is_headline(log: Log, score: Mapping[str, Any]) -> bool:
    """Is it of the score by which samples are held to have passed?"""
    chosen = headline(log)
    return bool({chosen.scorer.rpartition("/")[2], chosen.score} & {*_scorer(score)} - {""})


def total_of(log: Log) -> int | NotMeasured:
    """Tokens of all attempts of all models, as the log counts them."""
    usage = table(table(log.header.get("stats")).get("model_usage"))
    found = [count_or(table(one).get("total_tokens"), "") for one in usage.values()]
    known = [one for one in found if isinstance(one, int)]
    return sum(known) if known and len(known) == len(found) else NotMeasured("the log keeps no sum of its tokens")
