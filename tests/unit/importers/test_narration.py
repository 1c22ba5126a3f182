"""A narration probe beside foreign rows: a control of the run, in no rate."""

from __future__ import annotations

import json
from typing import Any

import pytest

from denominator.importers import import_rows
from denominator.judge import judge

ROWS = b"".join(
    json.dumps({"run_id": "r", "task_id": f"t{n}", "outcome": "pass" if n < 6 else "fail"}).encode() + b"\n"
    for n in range(10)
)
MANIFEST = json.dumps({"dataset": {"task_ids": [f"t{n}" for n in range(10)]}}).encode()


def control(name: str, probe: Any, *, lines: bool = False) -> tuple[Any, Any]:
    data = "".join(json.dumps(one) + "\n" for one in probe) if lines else json.dumps(probe)
    found = import_rows([("runs.jsonl", ROWS), ("manifest.json", MANIFEST), (name, data.encode())])
    judged = judge(found.ledger, found.terms)
    lines_ = [line for line in judged.controls if line.name == "narration"]
    return judged, lines_[0] if lines_ else None


HELD = [{"task_id": f"t{n}", "patch_bytes": 0, "held": True} for n in range(3)]
EDITED = [*HELD, {"task_id": "t3", "patch_bytes": 41, "held": True}]
OPEN = [*HELD, {"task_id": "t3"}]


@pytest.mark.parametrize(
    ("probe", "state"),
    [
        (HELD, "held"),
        (EDITED, "violated"),
        (OPEN, "inconclusive"),
        ({"rows": EDITED}, "violated"),
        ({"t1": {"patch_bytes": 0}, "t2": {"held": False}}, "violated"),
        ({"task_id": "t1", "patch_bytes": 0}, "held"),
    ],
)
def test_a_probe_is_a_control_of_the_run(probe: Any, state: str) -> None:
    judged, line = control("narration_probe.json", probe)
    assert line.state == state
    noted = [one for one in judged.findings if one.allow_name == "failed-narration" and one.severity == "note"]
    assert bool(noted) == (state != "held")
    assert not [one for one in judged.findings if one.allow_name == "violated-control" and one.severity == "block"]


def test_a_probe_in_lines_is_no_second_file_of_rows() -> None:
    judged, line = control("narration_probe.jsonl", EDITED, lines=True)
    assert line.state == "violated"
    assert len(judged.sheet.draws) == 10


def test_without_a_probe_there_is_no_such_control() -> None:
    found = import_rows([("runs.jsonl", ROWS), ("manifest.json", MANIFEST)])
    assert not [line for line in judge(found.ledger, found.terms).controls if line.name == "narration"]
