"""The numbers that Inspect printed of a log, each with the denominator that it has there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from denominator.importers.formats.inspect.logs import Log, table
from denominator.importers.formats.inspect.stated import epochs_of, listed, text
from denominator.importers.measured import count_or
from denominator.records.foreign import Published
from denominator.records.values import NotMeasured

RATES = ("accuracy", "mean")
"""Where every id has equally many scored epochs, these are a count of draws. Else they are means of means, and no count at all."""
COMPLETED = "completed_samples"


def published(log: Log) -> Iterator[Published]:
    """The numbers that Inspect printed, each with the denominator that it has there."""
    results, where = table(log.header.get("results")), f"{log.head}#/results"
    for name, role in (("total_samples", "scheduled"), (COMPLETED, "other"), ("logged_samples", "other")):
        if isinstance(found := count_or(results.get(name), ""), int):
            yield Published(
                metric=name, value=str(found), unit="count", role=role, of="ids times epochs", where=f"{where}/{name}"
            )
    for place, score in enumerate(map(table, listed(results.get("scores")))):
        yield from _metrics(score, f"{where}/scores/{place}", _draws_of_id(log, score))
    for model, usage in table(table(log.header.get("stats")).get("model_usage")).items():
        for name, value in table(usage).items():
            if isinstance(found := count_or(value, ""), int):
                at = f"{log.head}#/stats/model_usage"
                yield Published(
                    metric=f"{model} {name}", value=str(found), unit="count", role="other", of="all attempts", where=at
                )


def _draws_of_id(log: Log, score: Mapping[str, Any]) -> int:
    """Of how many draws each id's value is the mean, where all of them have as many; else 0."""
    results, epochs = table(log.header.get("results")), epochs_of(log)
    whole = isinstance(results.get(COMPLETED), int) and results.get(COMPLETED) == results.get("total_samples")
    plain = score.get("reducer") in (None, "mean") and not score.get("unscored_samples")
    return epochs if epochs == 1 or (whole and plain) else 0


def _metrics(score: Mapping[str, Any], where: str, draws: int) -> Iterator[Published]:
    reducer = text(score.get("reducer"))
    name = text(score.get("name")) + (f" [{reducer}]" if reducer else "")
    scored, unscored = count_or(score.get("scored_samples"), ""), count_or(score.get("unscored_samples"), "")
    of = f"{scored} ids after reduction" if isinstance(scored, int) else "ids after reduction"
    of += f", {unscored} unscored ids left out" if isinstance(unscored, int) and unscored else ""
    of = str(scored * draws) if draws and isinstance(scored, int) else of
    for key, metric in table(score.get("metrics")).items():
        value = table(metric).get("value")
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            continue
        share = 0 <= value <= 1
        kind = text(table(metric).get("name")).rpartition("/")[2]
        role = "rate" if draws and kind in RATES and share else "other"
        unit = "share" if share else "count"
        yield Published(
            metric=f"{name} {key}", value=str(value), unit=unit, role=role, of=of, where=f"{where}/metrics/{key}"
        )


def total_of(log: Log) -> int | NotMeasured:
    """Tokens of all attempts of all models, as the log counts them."""
    usage = table(table(log.header.get("stats")).get("model_usage"))
    found = [count_or(table(one).get("total_tokens"), "") for one in usage.values()]
    known = [one for one in found if isinstance(one, int)]
    return sum(known) if known and len(known) == len(found) else NotMeasured("the log keeps no sum of its tokens")
