"""Whatever else holds of a row: tags never decide an exit, they are counted beside it.

Why it matters: a row has one exit but several things may be true of it; what does not decide must not be lost.

asked, silent (abstained without a word), tampered, scorer_green (green and yet no pass), scope_slip, canary_hit,
guessed, after_cap, apply_error, verifier_error (after an earlier failure that decided), oom_in_tool (memory ran out
in a tool call that the agent survived), agent_error_exit, provider_retried, resumed, run_cap_cut.

Bad: a row counted both as a timeout and as a verifier error, so that the exits add up to more than the rows.
Good: outcome fail, class timeout, tag verifier_error.
Fix: none needed; read tags when the exits surprise you.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.shape import Answer, No, Rule, Said, View


def _tags(view: View, outcome: str) -> tuple[tuple[str, bool, str], ...]:
    row = view.row
    failure = row.first_unrecovered
    in_grading = failure is not None and not facts.failed_before_grading(row)
    retries = row.provider_retries
    return (
        ("asked", facts.used_channel(row), "asked"),
        ("silent", outcome == "abstain" and not facts.used_channel(row), "patch"),
        ("tampered", row.grade == "tampered", "grade"),
        ("scorer_green", row.grade == "green" and outcome != "pass", "grade"),
        ("scope_slip", bool(facts.slipped(row)), "patch"),
        ("canary_hit", bool(row.canary_hits), "canary_hits"),
        ("guessed", facts.guessed(row), "required_missing"),
        ("after_cap", row.after_cap is True, "after_cap"),
        ("apply_error", _apply_error(view), "stop_reason"),
        ("verifier_error", outcome == "fail" and in_grading, "first_unrecovered"),
        ("oom_in_tool", row.oom is True and facts.text(row.killed_by) in ("nobody", ""), "oom"),
        ("agent_error_exit", isinstance(row.agent_exit, int) and row.agent_exit > 0, "agent_exit"),
        ("provider_retried", isinstance(retries, int) and retries > 0, "provider_retries"),
        ("resumed", row.incarnations > 1, "incarnations"),
        ("run_cap_cut", row.run_cap_cut, "run_cap_cut"),
    )


def _apply_error(view: View) -> bool:
    failure = view.row.first_unrecovered
    return facts.text(view.row.stop_reason) == "apply_error" or (failure is not None and failure.cause == "apply_error")


NAMES = ("asked", "silent", "tampered", "scorer_green", "scope_slip", "canary_hit", "guessed", "after_cap", "apply_error",
         "verifier_error", "oom_in_tool", "agent_error_exit", "provider_retried", "resumed", "run_cap_cut")  # fmt: skip


def _rule(number: int, name: str) -> Rule:
    def judge(view: View) -> Answer:
        found = {value: (holds, field) for value, holds, field in _tags(view, view.one("outcome"))}
        holds, field = found[name]
        return Said(name, f"{field} says so", (field,)) if holds else No("it does not hold", (field,))

    return Rule(
        Entry(f"LB4{number:02}", f"tag-{name.replace('_', '-')}", "0.1.0", "label tags", __doc__ or ""), "tag", judge
    )


RULES = tuple(_rule(number, name) for number, name in enumerate(NAMES, 1))
