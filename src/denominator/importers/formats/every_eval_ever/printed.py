"""What a document prints of one result, and between which ends its score lies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from denominator.importers.formats.every_eval_ever.documents import Result, table, text
from denominator.importers.measured import count_or
from denominator.records.foreign import Published
from denominator.records.values import NotMeasured


def published(result: Result) -> Iterator[Published]:
    """The score, and the counts that stand beside it."""
    metric, details = result.inner("metric_config"), result.inner("score_details")
    name = text(metric.get("metric_name")) or text(metric.get("metric_id")) or result.text("evaluation_name")
    samples = count_or(table(details.get("uncertainty")).get("num_samples"), "")
    where = f"{result.where}/score_details"
    score = details.get("score")
    if isinstance(score, int | Decimal) and not isinstance(score, bool):
        unit = _unit(metric, Decimal(score))
        rate = unit in ("share", "percent") and metric.get("lower_is_better") is not True
        found = Published(
            metric=name,
            value=str(score),
            unit=unit,
            role="rate" if rate else "other",
            of="num_samples",
            unit_of="draws" if rate and text(metric.get("score_type")) == "binary" else "",
            where=f"{where}/score",
        )
        yield replace(found, out_of=samples) if isinstance(samples, int) and samples else found
    if isinstance(samples, int):
        where = f"{where}/uncertainty/num_samples"
        yield Published(
            metric="num_samples", value=str(samples), unit="count", role="completed", of="samples", where=where
        )
    many = count_or(table(result.document.get("detailed_evaluation_results")).get("total_rows"), "")
    if isinstance(many, int):
        where = f"{result.file}#/detailed_evaluation_results/total_rows"
        yield Published(
            metric="total_rows", value=str(many), unit="count", role="other", of="rows of all results", where=where
        )


def _unit(metric: Mapping[str, Any], score: Decimal) -> str:
    """What a score is, where the document says so; a score from 0 to 1 is a share."""
    said, top = text(metric.get("metric_unit")).lower(), metric.get("max_score")
    if said in ("percent", "percentage", "%") or top == 100:
        return "percent" if 0 <= score <= 100 else "count"
    return "share" if 0 <= score <= 1 and top in (None, 1) else "count"


def ends_of(result: Result) -> tuple[object, object] | NotMeasured:
    """The scores that are wholly wrong and wholly right, or why no score is a verdict."""
    metric = result.inner("metric_config")
    if metric.get("lower_is_better") is True:
        return NotMeasured("less of the metric is wanted")
    low, high = metric.get("min_score"), metric.get("max_score")
    low = low if isinstance(low, int | Decimal) and not isinstance(low, bool) else 0
    high = high if isinstance(high, int | Decimal) and not isinstance(high, bool) else 1
    return (low, high) if low < high else NotMeasured("the metric's ends are no ends")
