"""How one attempt ended and whose ending it was: the order of decisions that outcome, origin and reason share.

The first decision that applies wins. A verdict outranks every failure event; without one the earliest unrecovered
failure decides; the agent's own spent budget is the agent's; what nobody can explain is nobody's pass.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from denominator.labels import facts
from denominator.labels.causes import REASON_ORIGIN, cause_rule
from denominator.labels.shape import View
from denominator.records.judgements import UNKNOWN
from denominator.records.rows import AttemptRow

WORK_SLICES = ("solvable", "canary", "floor")
NOOP = "noop_must_stay_green"


@dataclass(frozen=True, slots=True)
class Ending:
    """Outcome, origin and, when unscoreable, the reason; an unscoreable ending without a reason is unresolved."""

    outcome: str
    origin: str
    why: str
    fields: tuple[str, ...]
    reason: str = ""
    confidence: str = "high"


def _fail(why: str, *fields: str) -> Ending:
    return Ending("fail", "MODEL", why, fields)


def _unscoreable(origin: str, reason: str, why: str, *fields: str) -> Ending:
    return Ending("unscoreable", origin, why, fields, reason)


def _by_cause(view: View) -> Ending:
    failure = view.row.first_unrecovered
    assert failure is not None
    rule = cause_rule(failure.cause, view.terms.causes)
    why = (
        f"event {failure.seq}: {failure.cause} by {failure.writer} in phase {failure.phase}, nothing recovered from it"
    )
    if rule.origin == "MODEL":
        return _fail(why, "first_unrecovered")
    return _unscoreable(rule.origin, rule.reason, why, "first_unrecovered")


def _tampered(view: View) -> Ending | None:
    if view.row.grade == "tampered":
        return _fail("the report gives itself the lie: a sentinel passed or the ids do not fit", "grade", "sentinels")
    return None


def _noop(view: View) -> Ending | None:
    row = view.row
    if row.control != NOOP or not facts.has_verdict(row):
        return None
    if row.grade == "green" and (facts.empty_patch(row) or not _changed(row)):
        return Ending("pass", "MODEL", "nothing was to do and nothing was changed", ("grade", "patch"))
    return Ending(
        "fail", "HARNESS", "an already green tree was edited or broken; whose fault is open", ("grade", "patch")
    )


def _changed(row: AttemptRow) -> bool:
    return not facts.not_measured(row.patch) and not facts.empty_patch(row)


def _nothing_graded(view: View) -> Ending | None:
    if facts.empty_patch(view.row) and facts.failed_before_grading(view.row):
        return _by_cause(view)
    return None


def _flaky(view: View) -> Ending | None:
    if facts.has_verdict(view.row) and view.row.key.task_id in view.terms.flaky_tasks:
        return _unscoreable("FLAKY_TEST", "env_flake", "the same tests were red and green with the agent off", "grade")
    return None


def _bad_task(view: View) -> Ending | None:
    row = view.row
    if row.slice not in WORK_SLICES or not facts.has_verdict(row):
        return None
    if row.green_without_agent is True or row.key.task_id in view.terms.bad_tasks:
        return _unscoreable("HARNESS", "bad_task", "the tests say the same without the agent", "green_without_agent")
    if facts.empty_patch(row) and row.grade == "green":
        return _unscoreable("HARNESS", "bad_task", "green although nothing was changed", "grade", "patch")
    return None


def _asked(view: View) -> Ending | None:
    row = view.row
    if not facts.used_channel(row) or (row.first_unrecovered is not None and not facts.has_verdict(row)):
        return None
    return Ending("abstain", "MODEL", "the ask or abstain channel was used", ("asked", "abstained"))


def _silent(view: View) -> Ending | None:
    row = view.row
    if not (facts.empty_patch(row) and facts.clean_end(row)) or facts.spent_budget(row):
        return None
    if row.control == NOOP or (row.first_unrecovered is not None and not facts.has_verdict(row)):
        return None
    return Ending(
        "abstain", "MODEL", "the agent ended cleanly and changed nothing", ("patch", "agent_exit", "killed_by")
    )


def _capped_verdict(view: View) -> Ending | None:
    row = view.row
    if not facts.has_verdict(row) or not (facts.spent_budget(row) or row.after_cap is True):
        return None
    if view.terms.on_timeout == "fail" or row.grade == "red":
        return _fail("its own budget was spent", "killed_by", "after_cap", "grade")
    if view.terms.on_timeout == "grade":
        return None
    return Ending(
        UNKNOWN, "MODEL", "green after its cap, and on_timeout is not declared", ("killed_by", "after_cap", "grade")
    )


def broken_clauses(row: AttemptRow) -> tuple[tuple[str, str], ...]:
    """The clauses of a pass that a green row breaks, each with the fact that shows it."""
    found = []
    if facts.slipped(row):
        found.append(("a path outside the allow-list was touched", "patch"))
    if row.canary_hits:
        found.append(("the canary token is in the patch", "canary_hits"))
    if facts.guessed(row):
        found.append(("a required file was absent and nobody asked", "required_missing"))
    found.extend((f"not all {name} failed as they must", name) for name in facts.short_tallies(row))
    if facts.ids_disagree(row):
        found.append(("the reported ids are not exactly the expected ones, all passed", "tests"))
    if row.source.kind == "own" and facts.not_measured(row.patch):
        found.append(("no patch was recorded", "patch"))
    return tuple(found)


def _verdict(view: View) -> Ending | None:
    row = view.row
    if row.grade == "red":
        return _fail("the hidden tests are red", "grade")
    if row.grade != "green":
        return None
    broken = broken_clauses(row)
    if broken:
        return _fail("green, but " + "; ".join(what for what, _ in broken), "grade", *(name for _, name in broken))
    return Ending("pass", "MODEL", "every clause of a pass holds", ("grade", "patch"))


def _open(view: View) -> Ending | None:
    if view.row.source.kind == "own" and not view.row.closed:
        return _unscoreable("HARNESS", "", "the attempt was never closed", "closed")
    return None


def _failed_before(view: View) -> Ending | None:
    return _by_cause(view) if facts.failed_before_grading(view.row) else None


def _spent(view: View) -> Ending | None:
    row = view.row
    if facts.spent_budget(row):
        return _fail("its own budget was spent", "killed_by", "stop_reason")
    if facts.text(row.killed_by) == "budget_wall":
        why = "the provider's pauses took more of the wall clock than the agent did"
        return _unscoreable("INFRA", "provider_pause", why, "killed_by", "paused_ms", "working_ms")
    return None


def _cut(view: View) -> Ending | None:
    if view.row.run_cap_cut:
        return _unscoreable("INFRA", "quota_exhausted", "the run's cap cut it, not its own budget", "run_cap_cut")
    return None


def _failed(view: View) -> Ending | None:
    return _by_cause(view) if view.row.first_unrecovered is not None else None


def _killed(view: View) -> Ending | None:
    killed = facts.text(view.row.killed_by)
    if killed == "kernel_oom" or (view.row.oom is True and killed == ""):
        return _unscoreable("INFRA", "oom_sandbox", "the sandbox's memory limit ended it", "killed_by", "oom")
    if killed == "harness_stop":
        return _unscoreable("HARNESS", "harness_killed", "the harness stopped it", "killed_by")
    return None


def _died_in_grading(view: View) -> Ending | None:
    if facts.text(view.row.grade_stage) in facts.AFTER_HELLO:
        return _fail("the solution ended or hung its own grading after the runner had begun", "grade_stage", "grade")
    return None


STOPS: dict[str, tuple[str, str, str]] = {
    "pass": ("pass", "MODEL", ""),
    "tests_red": ("fail", "MODEL", ""),
    "no_patch": ("abstain", "MODEL", ""),
    "forbidden_path": ("fail", "MODEL", ""),
    "apply_error": ("unscoreable", "HARNESS", "apply_error"),
    "transport": ("unscoreable", "INFRA", "provider_error"),
    "infra": ("unscoreable", "INFRA", "env_flake"),
}


def _stopped(view: View) -> Ending | None:
    word = facts.text(view.row.stop_reason)
    if word not in STOPS or (view.row.source.kind == "own" and STOPS[word][0] != "unscoreable"):
        return None
    outcome, origin, reason = STOPS[word]
    return Ending(outcome, origin, f"the row's stop reason is {word}", ("stop_reason",), reason, "low")


def _imported(view: View) -> Ending | None:
    label = view.imported.get("outcome")
    if label is None:
        return None
    why = f"{label.by} says {label.value}"
    if label.value in ("pass", "fail", "abstain"):
        return Ending(label.value, _imported_origin(view, "MODEL"), why, (), "", "low")
    if label.value != "unscoreable":
        return Ending(UNKNOWN, "HARNESS", f"{why}, which is no outcome", (), "", "low")
    reason = view.imported["reason"].value if "reason" in view.imported else ""
    origin = _imported_origin(view, REASON_ORIGIN.get(reason, "HARNESS"))
    return Ending("unscoreable", origin, why, (), reason, "low")


def _imported_origin(view: View, otherwise: str) -> str:
    label = view.imported.get("origin")
    return label.value if label is not None else otherwise


DECISIONS: tuple[Callable[[View], Ending | None], ...] = (
    _tampered,
    _noop,
    _nothing_graded,
    _flaky,
    _bad_task,
    _asked,
    _capped_verdict,
    _silent,
    _verdict,
    _open,
    _failed_before,
    _spent,
    _cut,
    _failed,
    _killed,
    _died_in_grading,
    _stopped,
    _imported,
)


def ending(view: View) -> Ending:
    """The first decision that applies; nothing decided is the harness's, without a reason, for a person to look at."""
    for decide in DECISIONS:
        found = decide(view)
        if found is not None:
            return found
    return _unscoreable("HARNESS", "", "no verdict, and no event explains why", "grade", "stop_reason")
