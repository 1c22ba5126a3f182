"""What the source *saw*: the columns of a row that are facts, as fields of an attempt row."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.importers.columns import Cells
from denominator.importers.endings import ending_facts
from denominator.importers.patches import apply_facts, patch_facts
from denominator.importers.stamps import clock_anomaly, monotonic_ms, shown, started_at, wall_ms
from denominator.importers.toolcalls import tool_facts_of
from denominator.importers.usage import own_account_of, usage_of
from denominator.importers.values import BadValueError
from denominator.importers.verdicts import verdict_of
from denominator.importers.verifier import verifier_facts
from denominator.readers.tests import weak_in_diff
from denominator.records.values import NotMeasured
from denominator.records.words import Grade

STAMPS_ONLY = NotMeasured("only wall-clock stamps, which are no duration")
PLAIN = {
    "agent_exit": "agent_exit",
    "agent_wall_s": "agent_ms",
    "queue_wait_ms": "queue_wait_ms",
    "cold_start": "cold_start",
    "oom": "oom",
    "written_tests": "tests_written_by_agent",
    "tests_without_agent_pass": "green_without_agent",
    "asked": "asked",
    "sentinel_changed": "sentinel_changed",
    "abstained": "abstained",
    "model_requested": "asked_model",
    "access_class": "access_class",
    "server_class": "server_class",
    "verify_sha_used": "grader_sha",
    "seed": "seed",
    "served_models": "served_models",
    "served_by": "served_hosts",
    "quant": "quantisations",
    "fingerprints": "fingerprints",
    "prompt_sha256": "prompt_sha256",
    "tools_sha256": "tools_sha256",
}
LIMITS = {"wall_cap": "wall_s", "token_budget": "tokens", "max_tokens": "output_tokens"}
LIMITS |= {"mem_guaranteed_mb": "mem_guaranteed_mb", "mem_kill_mb": "mem_kill_mb"}


def facts_of(cells: Cells) -> dict[str, object]:
    """Fields of the attempt row; contradictions go to the row's problems, clock anomalies to its notes."""
    fields: dict[str, object] = {field: cells.known[column] for column, field in PLAIN.items() if column in cells.known}
    fields.update(_clock(cells))
    fields.update(_pauses(cells, fields))
    fields.update(started_at(cells))
    fields.update(_grade(cells))
    fields.update(ending_facts(cells, fields))
    fields.update(patch_facts(cells))
    fields.update(apply_facts(cells))
    fields.update(verifier_facts(cells))
    if "tool_calls" in cells.known:
        fields["tools"] = tool_facts_of(cells)
    if weak := cells.names("weak_tests") or _word(cells, "weak_tests") or _weak_tests(cells, fields):
        fields["weak_tests"] = weak
    before, after = cells.text("sentinel_before"), cells.text("sentinel_after")
    if before and after:
        fields.setdefault("sentinel_changed", before != after)
    if note := _tagged(cells, fields):
        fields["notes"] = (*_notes(fields), note)
    fields["usage"] = usage_of(cells)
    if (own := own_account_of(cells)) is not None:
        fields["own_account"] = own
    if "model_served" in cells.known:
        fields["served_models"] = (cells.text("model_served"),)
    if cells.flag("required_missing"):
        fields["required_missing"] = _missing(cells)
    limits = {limit: _limit(cells, column) for column, limit in LIMITS.items() if column in cells.known}
    if limits:
        fields["limits_enforced"] = limits
    return fields


def _missing(cells: Cells) -> tuple[str, ...]:
    named = cells.raw.value.get("required_missing")
    return (
        tuple(str(one) for one in named) if isinstance(named, list) else ("a required file, not named by the source",)
    )


def _word(cells: Cells, column: str) -> tuple[str, ...]:
    word = cells.text(column)
    return (word,) if word else ()


def _notes(fields: Mapping[str, object]) -> tuple[object, ...]:
    found = fields.get("notes", ())
    return found if isinstance(found, tuple) else ()


def _tagged(cells: Cells, fields: Mapping[str, object]) -> str:
    """A source that calls it a timeout, although nothing measured says so: kept as a note."""
    word = cells.text("failure_mode")
    if "timeout" not in word.lower() or fields.get("stop_reason") == "timeout":
        return ""
    spent, cap = fields.get("wall_ms"), cells.number("wall_cap")
    measured = f", measured {shown(spent)} s of {shown(cap)} s" if isinstance(spent, int) and cap is not None else ""
    return f"the source calls it {word!r}{measured}; who ended it and the clock decide"


def _weak_tests(cells: Cells, fields: Mapping[str, object]) -> tuple[str, ...]:
    """What the patch's own tests rest on, where it is known that no hidden ones ran and the patch is at hand."""
    body = cells.known.get("patch")
    if fields.get("tests_hidden") is not False or not isinstance(body, str):
        return ()
    return weak_in_diff(body.encode("utf-8", "surrogatepass"))


def _limit(cells: Cells, column: str) -> str:
    value = cells.number(column) or 0
    return shown(value) if column == "wall_cap" else str(value)


def _clock(cells: Cells) -> dict[str, object]:
    """Wall time: monotonic readings first, then a stated duration; stamps alone are no duration."""
    measured: int | None = None
    stated = cells.known.get("wall_ms", cells.known.get("wall_s"))
    try:
        if "mono_start" in cells.known and "mono_end" in cells.known:
            measured = monotonic_ms(cells.known["mono_start"], cells.known["mono_end"])
        elif isinstance(stated, int):
            measured = stated
        if "start" not in cells.known or "end" not in cells.known:
            return {} if measured is None else {"wall_ms": measured}
        anomaly = clock_anomaly(wall_ms(cells.known["start"]), wall_ms(cells.known["end"]), measured)
    except BadValueError as error:
        cells.problems.append(f"clock: {error}")
        return {}
    fields: dict[str, object] = {"wall_ms": STAMPS_ONLY if measured is None else measured}
    if anomaly:
        fields["notes"] = (f"clock_anomaly: {anomaly}",)
    return fields


def _pauses(cells: Cells, fields: Mapping[str, object]) -> dict[str, object]:
    """What the provider kept the agent waiting; the rest of the wall time is working time, where nobody states it."""
    paused = cells.known.get("paused_ms", cells.known.get("paused_s"))
    working = cells.known.get("working_ms", cells.known.get("working_s"))
    wall = fields.get("wall_ms")
    if working is None and isinstance(paused, int) and isinstance(wall, int):
        working = max(0, wall - paused)
    both = {"paused_ms": paused, "working_ms": working}
    return {name: value for name, value in both.items() if isinstance(value, int)}


def _grade(cells: Cells) -> dict[str, object]:
    """The grade that the verifier's own numbers give; without a finished verifier there is none."""
    fields: dict[str, object] = {}
    if (exit_code := cells.number("exit_code")) is not None:
        fields["verify_exit"] = exit_code
    if stage := cells.table("verify").get("stage"):
        fields["grade_stage"] = str(stage)
    if (reward := cells.known.get("reward")) not in (None, 0, 1):
        cells.problems.append(f"reward: {reward} is neither 0 nor 1, and nothing says from where it is a pass")
    if (green := verdict_of(cells).green) is not None:
        fields["grade"] = Grade.GREEN if green else Grade.RED
    if "hidden_tests" in cells.nulls or "hidden_tests" in cells.known:
        # Hidden tests that somebody changed are hidden no longer: who made them green is open.
        untouched = cells.table("hidden_tests").get("unchanged") is not False
        fields["tests_hidden"] = "hidden_tests" in cells.known and untouched
    return fields
