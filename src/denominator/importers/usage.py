"""Token counts of a foreign row under one convention: cached tokens are part of the prompt, reasoning of the completion."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.importers.columns import Cells
from denominator.importers.values import BadValueError, count, number
from denominator.records.facts import OwnAccount
from denominator.records.rows import Count, Usage
from denominator.records.values import NotMeasured

ABSENT = NotMeasured("no such column in the source")
ANSWERS = ("response_words", "response_chars", "response_bytes", "output_words", "output_chars", "calls")
"""Columns that measure an answer apart from its tokens."""
INSIDE, DISJOINT, BESIDE = "cached_in_input", "disjoint", "reasoning_beside"
CONVENTIONS = (INSIDE, DISJOINT, BESIDE)
CACHE_APART = ("cache_read_input_tokens", "cache_creation_input_tokens")
"""Names under which a provider counts cached tokens beside the input."""
NO_SOURCE = "none"
SPENT_OUT = ("timeout", "budget")
NAMES = ("prompt", "completion", "cached_read", "cache_write", "reasoning", "calls")


def usage_of(cells: Cells) -> Usage:
    """Usage of a row; what contradicts itself is unknown, and the row's problems say so."""
    parts = _from_object(cells) if cells.table("usage") else _from_columns(cells)
    if cells.text("usage_source") == NO_SOURCE:
        return _lost("the source says that nobody reported its usage")
    if not parts:
        return Usage()
    parts = _with_reasoning(parts)
    prompt, completion = parts.get("prompt"), parts.get("completion")
    total, limit = parts.get("total"), cells.number("max_tokens")
    if total is not None and prompt is not None and completion is not None and total != prompt + completion:
        return _anomaly(cells, f"total {total} is not input {prompt} + output {completion}")
    if completion is not None and limit is not None and completion > limit and parts.get("calls", 1) <= 1:
        return _anomaly(cells, f"{completion} output tokens under a limit of {limit}")
    if prompt is not None and (inside := parts.get("cached_read", 0) + parts.get("cache_write", 0)) > prompt:
        return _anomaly(cells, f"{inside} cached tokens in a prompt of {prompt}")
    if completion is not None and parts.get("reasoning", 0) > completion:
        return _anomaly(cells, f"{parts['reasoning']} reasoning tokens in an output of {completion}")
    if prompt == 0 and (completion or _answered(cells) or _ran_out(cells)):
        return _lost("0 input tokens for an answer: the source lost its usage")
    if prompt and completion == 0 and (cells.flag("accepted") or _answered(cells, ANSWERS[:-1])):
        parts.pop("completion")
        lost = NotMeasured("0 output tokens for an answer: the source lost its usage")
        return Usage(**{**_known(parts), "completion": lost}, complete=False)
    return Usage(**_known(parts), complete=prompt is not None and completion is not None)


def _known(parts: Mapping[str, int]) -> dict[str, Count]:
    return {name: parts.get(name, ABSENT) for name in NAMES}


def own_account_of(cells: Cells) -> OwnAccount | None:
    """What the agent itself says that it spent, where the source keeps that beside (or without) the provider's counts."""
    names = ("own_prompt_tokens", "own_completion_tokens", "own_cached_tokens", "own_calls")
    if not any(name in cells.known for name in names):
        return None
    prompt, completion, cached, calls = (_or_unknown(cells.number(name)) for name in names)
    return OwnAccount(source="columns", prompt=prompt, completion=completion, cached=cached, calls=calls)


def _or_unknown(value: int | None) -> Count:
    return ABSENT if value is None else value


def _lost(why: str) -> Usage:
    unknown = NotMeasured(why)
    return Usage(prompt=unknown, completion=unknown, complete=False)


def _answered(cells: Cells, columns: tuple[str, ...] = ANSWERS) -> bool:
    """Does the row itself say that a model answered?"""
    told = [cells.raw.value.get(name) for name in columns]
    return any(_above_zero(one) for one in told)


def _ran_out(cells: Cells) -> bool:
    """An attempt that ran until its limit called a model: 0 tokens of it were never written down."""
    return bool(cells.flag("timeout")) or cells.text("stop_reason") in SPENT_OUT


def _above_zero(value: object) -> bool:
    try:
        return number(value) > 0
    except BadValueError:
        return False


def _anomaly(cells: Cells, what: str) -> Usage:
    cells.problems.append(f"usage: accounting anomaly: {what}")
    why = NotMeasured(f"accounting anomaly: {what}")
    return Usage(prompt=why, completion=why, complete=False)


def _with_reasoning(parts: dict[str, int]) -> dict[str, int]:
    """A total that is input + output + reasoning shows that reasoning stands beside the output: then it is added."""
    if not {"prompt", "completion", "total", "reasoning"} <= parts.keys() or not parts["reasoning"]:
        return parts
    if parts["total"] != parts["prompt"] + parts["completion"] + parts["reasoning"]:
        return parts
    return {**parts, "completion": parts["completion"] + parts["reasoning"]}


def _from_columns(cells: Cells) -> dict[str, int]:
    columns = {
        "prompt": "prompt_tokens",
        "completion": "completion_tokens",
        "cached_read": "cached_tokens",
        "cache_write": "cache_write_tokens",
        "reasoning": "reasoning_tokens",
        "total": "total_tokens",
        "calls": "calls",
    }
    parts = {part: found for part, column in columns.items() if (found := cells.number(column)) is not None}
    convention = _convention(cells, cells.raw.value)
    return {} if convention is None else _summed(parts, convention)


def _convention(cells: Cells, told: Mapping[str, object]) -> str | None:
    """How the source counts, as it says or as its names show; kept with the row. None: a word that we do not know."""
    stated = cells.text("usage_convention")
    if stated and stated not in CONVENTIONS:
        cells.problems.append(f"usage_convention: {stated!r} is none of {', '.join(CONVENTIONS)}")
        return None
    shown = stated or (DISJOINT if any(told.get(name) is not None for name in CACHE_APART) else "")
    if shown and not stated:
        cells.extra["usage_convention"] = f'"{shown}"'
    return shown


def _summed(parts: dict[str, int], convention: str) -> dict[str, int]:
    """Parts under our convention: what stands beside the prompt or the completion is added to it."""
    found = dict(parts)
    if convention == DISJOINT and "prompt" in found:
        found["prompt"] += found.get("cached_read", 0) + found.get("cache_write", 0)
    if convention == BESIDE and "completion" in found:
        found["completion"] += found.get("reasoning", 0)
    return found


def _from_object(cells: Cells) -> dict[str, int]:
    """A provider's usage object. Its convention is named by the row or follows from the field names."""
    told = cells.table("usage")
    convention = _convention(cells, told)
    if convention is None:
        return {}
    cached = _count(cells, _inner(told, "prompt_tokens_details", "input_tokens_details"), "cached_tokens")
    parts = {
        "prompt": _count(cells, told, "prompt_tokens", "input_tokens"),
        "completion": _count(cells, told, "completion_tokens", "output_tokens"),
        "cached_read": _count(cells, told, "cache_read_input_tokens", "cached_tokens") if cached is None else cached,
        "cache_write": _count(cells, told, "cache_creation_input_tokens", "cache_write_tokens"),
        "reasoning": _count(
            cells, _inner(told, "completion_tokens_details", "output_tokens_details"), "reasoning_tokens"
        ),
        "total": _count(cells, told, "total_tokens"),
        "calls": cells.number("calls"),
    }
    return _summed({name: found for name, found in parts.items() if found is not None}, convention)


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
