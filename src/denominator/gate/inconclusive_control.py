"""Every control came to a verdict.

Why it matters: a control that the harness or the provider ended has shown nothing, and nothing is not "held".

Bad: the negative control timed out in the sandbox and is counted as a fail, as expected. Good: inconclusive, named,
blocked.
Fix: re-run the control under the sealed retry policy.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block
from denominator.records.judgements import Sheet
from denominator.records.words import Control


def check(sheet: Sheet) -> Iterable[Said]:
    """Controls whose state is not held or violated."""
    for control in sheet.controls:
        if control.state not in ("held", "violated") and control.name != Control.NARRATION:
            why = f": {control.why}" if control.why else ""
            what = f"control {control.name} is {control.state or 'not judged'}{why}"
            yield block(control.task_id or control.name, what, "resume or re-run until the control comes to a verdict")


RULE = Rule(
    Entry("GL011", "inconclusive-control", "0.1.0", "gate", __doc__ or ""),
    check,
    "every control came to a verdict",
)
