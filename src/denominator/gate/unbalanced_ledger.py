"""Every declared draw exits once: pass + fail + abstain + unscoreable + never started = declared.

Why it matters: tasks that never ran leave no log, no patch and no row, so nothing looks wrong; the rate is simply
taken over fewer tasks than were promised.

Bad: 48 of 50 tasks ran and the report says 39 of 48. Good: the two that never started are named, and they stay in
the denominator.

Draws that the envelope allowed beforehand not to start are a note.
Fix: resume the run, or declare the case in `policy.never_started_allowed` before the next one.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block, counted, listed, note, unknown
from denominator.records.judgements import Sheet
from denominator.records.values import NotMeasured

FIX = "resume the run, or declare beforehand which draws may stay away"


def check(sheet: Sheet) -> Iterable[Said]:
    """Never-started draws by id; a declared total that is unknown cannot be balanced."""
    if isinstance(sheet.declared_n, NotMeasured):
        why = f"nobody knows how many draws were declared: {sheet.declared_n.not_measured}"
        yield unknown("ledger", why, "declare the tasks: a manifest with task_ids or task_count")
        return
    missing = [(task, repeat) for task, repeat, _ in sheet.placed(lambda draw: draw.exit == "never_started", "")]
    permitted = frozenset(sheet.terms.never_started_allowed)
    allowed = [draw for draw in missing if draw[0] in permitted]
    if allowed:
        what = f"{counted(len(allowed), 'declared draw')} never started, as was allowed beforehand: {_names(allowed)}"
        yield note("ledger", what)
    rest = [draw for draw in missing if draw[0] not in permitted]
    if rest:
        yield block("ledger", f"{counted(len(rest), 'declared draw')} never started: {_names(rest)}", FIX)
    if sheet.unnamed:
        what = f"{sheet.unnamed} of {sheet.declared_n} declared draws have no readable row; their ids were not declared"
        yield block("ledger", what, FIX)


def _names(draws: list[tuple[str, int]]) -> str:
    repeated = any(repeat > 1 for _, repeat in draws)
    return listed(f"{task} r{repeat}" if repeated else task for task, repeat in draws)


RULE = Rule(
    Entry("GL002", "unbalanced-ledger", "0.1.0", "gate", __doc__ or ""),
    check,
    "every declared draw has an exit",
)
