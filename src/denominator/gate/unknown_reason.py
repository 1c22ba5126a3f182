"""Every reason is on the closed list, or on the list that the house declared before the run.

Why it matters: a reason that is invented after the results can excuse any of them.

Bad: reason "model was unlucky". Good: provider_rate_limit; or `gpu_reset`, declared in the envelope.
Fix: use a reason of the list, or declare your own before the next run.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block, listed
from denominator.records.judgements import Sheet
from denominator.records.words import Reason


def check(sheet: Sheet) -> Iterable[Said]:
    """Draws with a reason that nobody declared."""
    known = {str(reason) for reason in Reason} | set(sheet.terms.house_reasons)
    strange: dict[str, list[str]] = {}
    for task, _, draw in sheet.placed(lambda one: bool(one.reason) and one.reason not in known, ""):
        strange.setdefault(draw.reason, []).append(task)
    for reason, tasks in sorted(strange.items()):
        yield block(reason, f"reason {reason!r} is on no list: {listed(tasks)}", "declare house reasons before the run")


RULE = Rule(
    Entry("GL020", "unknown-reason", "0.1.0", "gate", __doc__ or ""),
    check,
    "every reason is on the list",
)
