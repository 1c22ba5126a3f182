"""A comparison as findings: each thing that is noted is a finding once."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from denominator.publish.findings.compared import findings_of


def test_what_the_conditions_note_and_the_comparison_repeats_is_said_once() -> None:
    held = SimpleNamespace(reasons=(), notes=("windows overlap", "task order: the same"), fields=())
    sides = (SimpleNamespace(name="main"), SimpleNamespace(name="change"))
    notes = ("windows overlap", "task order: the same", "plan: primary comparison")
    made = SimpleNamespace(
        a=sides[0], b=sides[1], comparability=held, notes=notes, verdict=SimpleNamespace(findings=())
    )
    assert [one.what for one in findings_of([cast(Any, made)])] == list(notes)
