"""What ended a foreign attempt, from the structured columns of its row; free text never counts."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.importers.columns import Cells
from denominator.records.rows import Failure
from denominator.records.words import Grade, KilledBy, Phase, Reason, StopReason, Writer

SPENT = ("spend_limit_reached", "insufficient_quota", "quota_exceeded", "billing_hard_limit_reached")
KILLERS = frozenset(word.value for word in KilledBy)


def ending_facts(cells: Cells, fields: Mapping[str, object]) -> dict[str, object]:
    """stop_reason, killed_by, after_cap, run_cap_cut and the first failure that nothing recovered from."""
    found: dict[str, object] = {}
    if word := cells.text("stop_reason"):
        found["stop_reason"] = word
    if cells.text("stop") == "cap":
        found.update(stop_reason=StopReason.BUDGET, run_cap_cut=True)
    if _out_of_time(cells):
        found["stop_reason"] = StopReason.TIMEOUT
        found["after_cap"] = fields.get("grade") in (Grade.GREEN, Grade.RED)
        found["killed_by"] = _killer(cells)
    elif (stopper := cells.text("stopped_by")) in KILLERS:
        found["killed_by"] = stopper
    if failure := _failure(cells):
        found["first_unrecovered"] = failure
    return {key: value for key, value in found.items() if value is not None}


def _out_of_time(cells: Cells) -> bool:
    return cells.flag("timeout") is True or cells.table("agent_error").get("kind") == "timeout"


def _killer(cells: Cells) -> str | None:
    """The declared wall budget, when the harness stopped it and the clock agrees."""
    error = cells.table("agent_error")
    wall, cap = cells.number("wall_s") or cells.number("wall_ms"), cells.number("wall_cap")
    at, limit = error.get("at_s"), error.get("cap_s")
    if isinstance(at, int) and isinstance(limit, int):
        wall, cap = at, limit
    if wall is None or cap is None:
        return None
    if wall < cap:
        return None
    return KilledBy.BUDGET_WALL if cells.text("stopped_by") in ("", "harness") else None


def _failure(cells: Cells) -> Failure | None:
    """The earliest unrecovered failure that the row states in structured form: provider first, then the verifier."""
    provider = cells.table("provider_error")
    if provider and provider.get("gave_up") is not False:
        cause = _provider_cause(provider)
        return Failure(seq=cells.raw.line, cause=cause, writer=Writer.PROVIDER, phase=Phase.AGENT)
    if cells.table("verify").get("state") == "timeout":
        return _verifier(cells, Reason.HARNESS_TIMEOUT)
    checker = cells.known.get("checker_error") not in (None, False, "")
    if checker or cells.table("verifier_error"):
        return _verifier(cells, Reason.GRADER_ERROR)
    return None


def _verifier(cells: Cells, cause: str) -> Failure:
    return Failure(seq=cells.raw.line, cause=cause, writer=Writer.VERIFIER, phase=Phase.VERIFY)


def _provider_cause(told: Mapping[str, object]) -> str:
    """A spent account is no rate limit: retrying cannot help."""
    if told.get("error_code") in SPENT or told.get("type") in SPENT:
        return Reason.QUOTA_EXHAUSTED
    status = told.get("status", told.get("last_status"))
    return Reason.PROVIDER_RATE_LIMIT if status == 429 else Reason.PROVIDER_ERROR
