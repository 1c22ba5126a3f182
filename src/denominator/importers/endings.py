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
ROUNDING_MS = 1_000
OWN_BUDGETS = {
    KilledBy.BUDGET_TOKENS: ("token_budget", "token_cap", "token_limit", "max_tokens", "tokens", "budget"),
    KilledBy.BUDGET_TOOL_CALLS: (
        *("turn_cap", "turn_limit", "max_turns", "turns", "step_cap", "step_limit", "max_steps", "steps"),
        *("tool_call_cap", "tool_call_limit", "max_tool_calls", "max_iterations"),
    ),
}
STOPPERS: dict[str, str] = {
    **{word.value: word.value for word in KilledBy},
    **{word: budget for budget, words in OWN_BUDGETS.items() for word in words},
    **dict.fromkeys(("oom", "kernel", "oom_killer"), KilledBy.KERNEL_OOM),
    **dict.fromkeys(("user", "operator"), KilledBy.HARNESS_STOP),
}
"""Who ended it, in the words of other harnesses. A limit that the envelope gave the agent is the agent's own."""
RUN_CAPS = frozenset(("run_cap", "run_cap_tokens", "run_budget", "run_limit", "global_cap", "suite_cap", "spend_cap"))
"""Words for the limit of a whole run: what it cut is censored, whatever the agent had done by then."""
OTHERS = {
    "provider": (Reason.PROVIDER_ERROR, Writer.PROVIDER),
    **dict.fromkeys(("node", "host", "kubelet", "eviction", "preemption"), (Reason.EVICTED, Writer.SANDBOX)),
}
"""Enders that are nobody's budget: what they did is a failure of their own, where no verdict came into being."""


def ending_facts(cells: Cells, fields: Mapping[str, object]) -> dict[str, object]:
    """stop_reason, killed_by, after_cap, run_cap_cut and the first failure that nothing recovered from."""
    graded = fields.get("grade") in (Grade.GREEN, Grade.RED)
    found: dict[str, object] = {}
    if (word := cells.text("stop_reason")) and word not in RUN_CAPS:
        found["stop_reason"] = word
    if cut_by_run_cap(cells):
        found["run_cap_cut"] = True
    stopper = STOPPERS.get(cells.text("stopped_by").lower(), "")
    if stopper:
        found["killed_by"] = stopper
    if stopper in OWN_BUDGETS:
        found.setdefault("stop_reason", StopReason.BUDGET)
    if overflowed(cells) and _turn(cells) > 1:
        found.update(stop_reason=StopReason.BUDGET, killed_by=KilledBy.BUDGET_TOKENS)
    elif failure := _failure(cells, graded):
        found["first_unrecovered"] = failure
    found |= (timed := _time(cells, fields, graded))
    if "first_unrecovered" in timed and found.get("stop_reason") == StopReason.TIMEOUT:
        del found["stop_reason"]
    return found


def cut_by_run_cap(cells: Cells) -> bool:
    """Does the row say that the limit of the whole run cut it?"""
    words = {cells.text(name) for name in ("stop", "stop_reason", "stopped_by", "killed_by")}
    return cells.text("stop") == "cap" or bool(words & RUN_CAPS)


def _turn(cells: Cells) -> int:
    """The turn in which the row ended, as the row or its provider's error says; 0 where nobody says it."""
    inner = cells.table("provider_error").get("turn")
    return cells.number("turn") or (inner if isinstance(inner, int) else 0)


def _time(cells: Cells, fields: Mapping[str, object], graded: bool) -> dict[str, object]:
    """A limit on time: that it ended the row is believed when neither the clock nor the stopper contradicts it."""
    claimed = cells.flag("timeout") is True or cells.table("agent_error").get("kind") == "timeout"
    stopped, reached = cells.text("stopped_by").lower(), _reached_cap(cells, fields)
    if (claimed or _named_timeout(cells, stopped)) and reached is False:
        failed = _event(cells, Reason.HARNESS_TIMEOUT, Writer.HARNESS, Phase.AGENT)
        return {} if graded or stopped in OWN_ENDS else {"first_unrecovered": failed}
    if (claimed and stopped not in OWN_ENDS) or (stopped in BY_HARNESS and reached):
        killed = {"killed_by": KilledBy.BUDGET_WALL} if reached and stopped in ("", *BY_HARNESS) else {}
        return {"stop_reason": StopReason.TIMEOUT, "after_cap": graded, **killed}
    return {"after_cap": True} if reached and _overran(cells) else {}


def _named_timeout(cells: Cells, stopped: str) -> bool:
    """Does the row say in another word that a limit on time ended it? Time in a queue is none of the attempt's."""
    return cells.text("stop_reason") == StopReason.TIMEOUT or stopped in BY_HARNESS


OWN_ENDS = frozenset(("agent", "self", "model"))
BY_HARNESS = ("harness", "deadline", "harness_deadline", "wall_cap", "timeout")


def _reached_cap(cells: Cells, fields: Mapping[str, object]) -> bool | None:
    """Was the declared limit on time reached? None where the row does not hold both numbers; a monotonic clock goes first."""
    error = cells.table("agent_error")
    at, limit = error.get("at_s"), error.get("cap_s")
    if isinstance(at, int) and isinstance(limit, int):
        return at >= limit
    cap = cells.number("wall_cap")
    spent = agent if (agent := cells.number("agent_wall_s")) is not None else fields.get("wall_ms")
    return None if cap is None or not isinstance(spent, int) else spent + ROUNDING_MS > cap


def _overran(cells: Cells) -> bool:
    """Did the agent alone work longer than its declared limit, although nothing stopped it?"""
    cap, spent = cells.number("wall_cap"), cells.number("agent_wall_s")
    return cap is not None and spent is not None and spent > cap


def _failure(cells: Cells, graded: bool) -> Failure | None:
    """The earliest unrecovered failure that the row states in structured form: the provider's, the harness's, the verifier's."""
    if provider_failed(cells):
        return _event(cells, provider_cause(cells), Writer.PROVIDER, Phase.AGENT)
    if cells.number("apply_exit") not in (None, 0):
        twice = apply_facts(cells).get("already_applied") is True
        return _event(cells, DOUBLE if twice else Reason.APPLY_ERROR, Writer.HARNESS, Phase.APPLY)
    if not graded and (other := OTHERS.get(cells.text("stopped_by").lower())):
        return _event(cells, *other, Phase.AGENT)
    state = cells.table("verify").get("state")
    if state == "timeout":
        return _event(cells, Reason.HARNESS_TIMEOUT, Writer.VERIFIER, Phase.VERIFY)
    checker = cells.known.get("checker_error") not in (None, False, "") or bool(cells.table("verifier_error"))
    if checker or state not in (None, "done") or verdict_of(cells).disagrees:
        return _event(cells, Reason.GRADER_ERROR, Writer.VERIFIER, Phase.VERIFY)
    return None


def _event(cells: Cells, cause: str, writer: str, phase: str) -> Failure:
    return Failure(seq=cells.raw.line, cause=cause, writer=writer, phase=phase)
