"""Token counts of a foreign row under one convention: cached tokens are part of the prompt."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.importers.columns import Cells
from denominator.importers.values import BadValueError, count, number
from denominator.records.rows import Count, Usage
from denominator.records.values import NotMeasured

ABSENT = NotMeasured("no such column in the source")
ANSWERS = ("response_words", "response_chars", "response_bytes", "output_words", "output_chars", "calls")
"""Columns that measure an answer apart from its tokens."""
CONVENTIONS = ("cached_in_input", "disjoint")


def usage_of(cells: Cells) -> Usage:
    """Usage of a row; what contradicts itself is unknown, and the row's problems say so."""
    parts = _from_object(cells) if cells.table("usage") else _from_columns(cells)
    if not parts:
        return Usage()
    prompt, completion = parts.get("prompt"), parts.get("completion")
    total, limit = parts.get("total"), cells.number("max_tokens")
    if total is not None and prompt is not None and completion is not None and total != prompt + completion:
        return _anomaly(cells, f"total {total} is not input {prompt} + output {completion}")
    if completion is not None and limit is not None and completion > limit:
        return _anomaly(cells, f"{completion} output tokens under a limit of {limit}")
    if prompt is not None and parts.get("cached_read", 0) > prompt:
        return _anomaly(cells, f"{parts['cached_read']} cached tokens in a prompt of {prompt}")
    if prompt == 0 and (completion or _answered(cells)):
        why = NotMeasured("0 input tokens for an answer: the source lost its usage")
        return Usage(prompt=why, completion=why, complete=False)
    names = ("prompt", "completion", "cached_read", "cache_write", "reasoning", "calls")
    known: dict[str, Count] = {name: parts.get(name, ABSENT) for name in names}
    return Usage(**known, complete=prompt is not None and completion is not None)


def _answered(cells: Cells) -> bool:
    """Does the row itself say that a model answered?"""
    told = [cells.raw.value.get(name) for name in ANSWERS]
    return any(_above_zero(one) for one in told)


def _above_zero(value: object) -> bool:
    try:
        return number(value) > 0
    except BadValueError:
        return False


def _anomaly(cells: Cells, what: str) -> Usage:
    cells.problems.append(f"usage: accounting anomaly: {what}")
    why = NotMeasured(f"accounting anomaly: {what}")
    return Usage(prompt=why, completion=why, complete=False)


def _from_columns(cells: Cells) -> dict[str, int]:
    columns = {
        "prompt": "prompt_tokens",
        "completion": "completion_tokens",
        "cached_read": "cached_tokens",
        "reasoning": "reasoning_tokens",
        "total": "total_tokens",
        "calls": "calls",
    }
    return {part: found for part, column in columns.items() if (found := cells.number(column)) is not None}


def _from_object(cells: Cells) -> dict[str, int]:
    """A provider's usage object. Its convention is named by the row or follows from the field names."""
    told = cells.table("usage")
    convention = cells.text("usage_convention") or ("disjoint" if "cache_read_input_tokens" in told else "")
    if convention and convention not in CONVENTIONS:
        cells.problems.append(f"usage_convention: {convention!r} is none of {', '.join(CONVENTIONS)}")
        return {}
    prompt = _count(cells, told, "prompt_tokens", "input_tokens")
    cached = _count(cells, _inner(told, "prompt_tokens_details", "input_tokens_details"), "cached_tokens")
    cached = _count(cells, told, "cache_read_input_tokens") if cached is None else cached
    write = _count(cells, told, "cache_creation_input_tokens")
    if prompt is not None and convention == "disjoint":
        prompt += (cached or 0) + (write or 0)
    reasoning = _count(cells, _inner(told, "completion_tokens_details", "output_tokens_details"), "reasoning_tokens")
    parts = {
        "prompt": prompt,
        "completion": _count(cells, told, "completion_tokens", "output_tokens"),
        "cached_read": cached,
        "cache_write": write,
        "reasoning": reasoning,
        "total": _count(cells, told, "total_tokens"),
        "calls": cells.number("calls"),
    }
    return {name: found for name, found in parts.items() if found is not None}


def _inner(told: Mapping[str, object], *names: str) -> Mapping[str, object]:
    return next((found for name in names if isinstance(found := told.get(name), dict)), {})


def _count(cells: Cells, told: Mapping[str, object], *names: str) -> int | None:
    for name in names:
        if told.get(name) is not None:
            try:
                return count(told[name])
            except BadValueError as error:
                cells.problems.append(f"usage.{name}: {error}")
                return None
    return None
