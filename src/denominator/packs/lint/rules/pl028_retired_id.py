"""A retired id is still a task, has no reason, or a date of provenance is none.

Why: a task that was taken out and put back changed under an old name, so that two results of one id are of two tasks. Without
its reason nobody can tell a broken task from an inconvenient one.
Bad: `retired = ["sums"]`; `retired = ["sums: gold was wrong"]` beside a folder tasks/sums; `dates = {"tasks/sums" = "lately"}`.
Good: `retired = ["sums: the gold patch was wrong, sums-2 replaces it"]`.
Fix: write "id: why", give a mended task a new id, and dates as 2026-11-29.
"""

from collections.abc import Iterator
from datetime import date

from denominator.packs.lint.material import Material
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding
from denominator.records.values import is_placeholder


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """Every retired id, then every date."""
    where, ids = pack.provenance_file, {task.task.id for task in pack.tasks}
    for told in pack.pack.provenance.retired:
        task_id, _, why = told.partition(": ")
        if is_placeholder(task_id) or is_placeholder(why):
            fix = 'write "id: why it was taken out"'
            yield rule.finding(pack.pack.id, f"retired: {told[:80]!r} is no id with a reason", where=where, fix=fix)
        if task_id.strip() in ids:
            fix = "give the mended task a new id: results of the old one are of another task"
            yield rule.finding(task_id.strip(), "the task is retired, and is a task", where=where, fix=fix)
    for path, day in pack.pack.provenance.dates.items():
        if not _is_date(day):
            yield rule.finding(pack.pack.id, f"dates: {path} has no date", where=where, fix="write it as 2026-11-29")


def _is_date(text: str) -> bool:
    try:
        return bool(date.fromisoformat(text[:10]))
    except ValueError:
        return False


RULE = Rule("PL028", "retired-id", __doc__, check)
