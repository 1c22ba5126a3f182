"""What ended a foreign attempt, from the structured columns of its row; free text never counts."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.importers.columns import Cells
from denominator.importers.patches import apply_facts
from denominator.importers.providers import overflowed, provider_cause, provider_failed
from denominator.importers.verdicts import verdict_of
from denominator.records.rows import Failure
from denominator.records.words import Grade, KilledBy, Phase, Reason, StopReason, Writer

DOUBLE = "double_apply"
KILLERS = frozenset(word.value for word in KilledBy)


def ending_facts(cells: Cells, fields: Mapping[str, object]) -> dict[str, object]:
    """stop_reason, killed_by, after_cap, run_cap_cut and the first failure that nothing recovered from."""
    graded = fields.get("grade") in (Grade.GREEN, Grade.RED)
    found: dict[str, object] = {}
    if word := cells.text("stop_reason"):
        found["stop_reason"] = word
    if cells.text("stop") == "cap":
        found["run_cap_cut"] = True
    if (stopper := cells.text("stopped_by")) in KILLERS:
        found["killed_by"] = stopper
    if overflowed(cells) and (cells.number("turn") or 0) > 1:
        found.update(stop_reason=StopReason.BUDGET, killed_by=KilledBy.BUDGET_TOKENS)
    elif failure := _failure(cells):
        found["first_unrecovered"] = failure
    return found | _time(cells, graded)


def _time(cells: Cells, graded: bool) -> dict[str, object]:
    """A limit on time: that it ended the row is believed when the clock does not contradict it."""
    claimed = cells.flag("timeout") is True or cells.table("agent_error").get("kind") == "timeout"
    stopped, reached = cells.text("stopped_by"), _reached_cap(cells)
    if claimed and reached is False and not graded:
        return {"first_unrecovered": _event(cells, Reason.HARNESS_TIMEOUT, Writer.HARNESS, Phase.AGENT)}
    if claimed or (stopped == "harness" and reached):
        killed = {"killed_by": KilledBy.BUDGET_WALL} if reached and stopped in ("", "harness") else {}
        return {"stop_reason": StopReason.TIMEOUT, "after_cap": graded, **killed}
    return {"after_cap": True} if reached and _overran(cells) else {}


def _reached_cap(cells: Cells) -> bool | None:
    """Was the declared limit on time reached? None where the row does not hold both numbers."""
    error = cells.table("agent_error")
    at, limit = error.get("at_s"), error.get("cap_s")
    if isinstance(at, int) and isinstance(limit, int):
        return at >= limit
    cap = cells.number("wall_cap")
    spent = next((ms for name in ("agent_wall_s", "wall_s", "wall_ms") if (ms := cells.number(name)) is not None), None)
    return None if cap is None or spent is None else spent >= cap


def _overran(cells: Cells) -> bool:
    """Did the agent alone work longer than its declared limit, although nothing stopped it?"""
    cap, spent = cells.number("wall_cap"), cells.number("agent_wall_s")
    return cap is not None and spent is not None and spent > cap


def _failure(cells: Cells) -> Failure | None:
    """The earliest unrecovered failure that the row states in structured form: the provider's, the harness's, the verifier's."""
    if provider_failed(cells):
        return _event(cells, provider_cause(cells), Writer.PROVIDER, Phase.AGENT)
    if cells.number("apply_exit") not in (None, 0):
        twice = apply_facts(cells).get("already_applied") is True
        return _event(cells, DOUBLE if twice else Reason.APPLY_ERROR, Writer.HARNESS, Phase.APPLY)
    state = cells.table("verify").get("state")
    if state == "timeout":
        return _event(cells, Reason.HARNESS_TIMEOUT, Writer.VERIFIER, Phase.VERIFY)
    checker = cells.known.get("checker_error") not in (None, False, "") or bool(cells.table("verifier_error"))
    if checker or state not in (None, "done") or verdict_of(cells).disagrees:
        return _event(cells, Reason.GRADER_ERROR, Writer.VERIFIER, Phase.VERIFY)
    return None


def _event(cells: Cells, cause: str, writer: str, phase: str) -> Failure:
    return Failure(seq=cells.raw.line, cause=cause, writer=writer, phase=phase)
