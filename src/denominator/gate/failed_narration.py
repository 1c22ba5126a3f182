"""An agent that was told to edit nothing and edited: its patches may not be its answer to the task.

Why it matters: an agent that edits whatever it is told passes easy tasks by habit; and an agent whose harness edits
for it is measured together with that harness.

Bad: 7 of 8, and nobody asked whether the agent can leave a tree alone. Good: "narration: violated, edited in 3 of 8",
beside the rate, and the sentence is capped at counts.

The probe is never part of a rate: it says something of the agent, not of the grader, so it does not hide the number.
Fix: read what it edited (`narration_probe.json`, `denominator show TASK`), repair the agent or its harness.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, note
from denominator.records.judgements import Sheet
from denominator.records.words import Control

FIX = "read narration_probe.json; repair the agent or what runs it, then probe again"


def check(sheet: Sheet) -> Iterable[Said]:
    """The narration control, where it was run and did not hold."""
    for control in sheet.controls:
        if control.name == Control.NARRATION and control.state != "held":
            yield note("narration", f"narration probe is {control.state}: {control.why}", FIX)


RULE = Rule(
    Entry("GL037", "failed-narration", "0.1.0", "gate", __doc__ or ""),
    check,
    "the narration probe held, or was not run",
    caps=True,
)
