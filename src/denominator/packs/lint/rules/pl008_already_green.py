"""With the agent off, a task has the wrong colour: a task to solve is green, or a control that must stay green is red.

Why: a task that is green without a patch gives every agent a pass; one whose gold patch is red gives none.
Bad: a hidden test that checks what the snapshot already does.
Good: red on the snapshot and green with gold.patch, in at least three gradings each; green on the snapshot for
`noop_must_stay_green`.
Fix: look at the baseline's detail for the task. A task that was graded without a verdict blocks as well: nothing is known
of it, and the grader or the verify command is broken. Without a baseline in pack.lock the rule is not evaluated.
"""

from collections.abc import Iterator

from denominator.packs.lint.material import Material
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding
from denominator.records.packs import Baseline


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """What the baseline of the lock says of each task."""
    baseline = pack.found.lock.baseline if pack.found.lock else None
    if baseline is None:
        fix = f"denominator pack lock {pack.found.root}"
        yield rule.finding(
            pack.pack.id, "not evaluated: no baseline was taken", where="pack.lock", fix=fix, severity="unknown"
        )
        return
    for item in pack.tasks:
        seen = _seen(baseline, item.task.id)
        if item.task.id in baseline.flaky:
            continue
        if not seen:
            yield rule.finding(
                item.task.id, "not in the baseline", where="pack.lock", fix="lock again", severity="unknown"
            )
        elif word := _word(baseline, item.task.id):
            yield rule.finding(
                item.task.id, f"{word} with the agent off: {seen}", where=item.where, fix="repair the task"
            )


def _word(baseline: Baseline, task_id: str) -> str:
    if task_id in baseline.ungraded:
        return "no verdict"
    return "wrong" if task_id in (*baseline.wrong, *baseline.expired) else ""


def _seen(baseline: Baseline, task_id: str) -> str:
    grades = sorted(
        {
            f"{run.on} {run.grade}" + (f" ({run.detail})" if run.detail else "")
            for run in baseline.runs
            if run.task_id == task_id
        }
    )
    return ", ".join(grades)


RULE = Rule("PL008", "already-green", __doc__, check)
