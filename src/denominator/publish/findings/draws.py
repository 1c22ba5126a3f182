"""Judged draws as test cases: every declared draw is one, in the state that says whose ending it was."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.publish.findings.shape import Case
from denominator.records.cards import ControlLine
from denominator.records.judgements import NEVER_STARTED, Judged, JudgedDraw
from denominator.records.words import Origin

HIDDEN = "hidden: a control is violated, so nobody may learn how many passed"
CONTROL = {"held": "passed", "violated": "failure"}


def cases_of(judged: Judged) -> list[Case]:
    """One case a draw, controls with their state. While a control is violated pass and fail are one skipped state."""
    sheet = judged.sheet
    controls = {line.task_id: line for line in judged.controls if line.task_id}
    repeated = any(draw.draw.repeat > 1 for draw in sheet.draws)
    cases = [_case(draw, controls, repeated=repeated, hidden=judged.split_hidden) for draw in sheet.draws]
    if sheet.unnamed:
        text = f"{sheet.unnamed} declared draws have no id and never started"
        cases.append(Case(group="solvable", name="draws without id", state="error", kind=NEVER_STARTED, text=text))
    return cases


def _case(draw: JudgedDraw, controls: Mapping[str, ControlLine], *, repeated: bool, hidden: bool) -> Case:
    line = controls.get(draw.draw.task_id) if draw.control else None
    if line is not None:
        state, kind = CONTROL.get(line.state, "skipped"), f"control_{line.state}"
        text = ": ".join(part for part in (f"control {line.name} {line.state}", line.why) if part)
    elif hidden and draw.exit in ("pass", "fail"):
        state, kind, text = "skipped", "hidden", HIDDEN
    else:
        state, kind = state_of(draw)
        text = "" if state == "passed" else _text(draw, kind)
    name = f"{draw.draw.task_id} r{draw.draw.repeat}" if repeated else draw.draw.task_id
    return Case(group=draw.slice, name=name, state=state, kind=kind, text=text, place=_place(draw), seconds=_time(draw))


def state_of(draw: JudgedDraw) -> tuple[str, str]:
    """(state, label): a miss of the model is a failure, one of anybody else an error, a flaky test is skipped."""
    if draw.exit == "pass":
        return "passed", ""
    if draw.exit in ("fail", "abstain") and draw.origin in ("", Origin.MODEL):
        return "failure", "abstain" if draw.exit == "abstain" else draw.mix or draw.failure_class or "fail"
    if draw.origin == Origin.FLAKY_TEST:
        return "skipped", draw.origin
    return "error", draw.origin or draw.exit


def _text(draw: JudgedDraw, kind: str) -> str:
    words = (kind, draw.exit, draw.reason, draw.failure_class, *draw.tags)
    return ", ".join(dict.fromkeys(word for word in words if word))


def _place(draw: JudgedDraw) -> str:
    source = draw.row.source if draw.row is not None else None
    return source.place if source is not None else ""


def _time(draw: JudgedDraw) -> str:
    """Wall time in seconds, as a decimal string; nothing where none was measured."""
    wall = draw.row.wall_ms if draw.row is not None else None
    return f"{wall // 1000}.{wall % 1000:03}" if isinstance(wall, int) and wall >= 0 else ""
