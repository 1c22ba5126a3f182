"""Looks beyond the task in the calls of foreign rows and trajectories."""

from __future__ import annotations

import json

import pytest

from denominator.importers.beyond import beyond_in
from denominator.importers.formats.mini_swe_agent.trajectory import trajectory_of as mini
from denominator.importers.formats.swe_agent.trajectory import trajectory_of as swe
from denominator.importers.rows import import_rows

LOOK, ORDINARY = "cat /proc/1/environ", "cat /root/x; ls /data; git log -3"
TOLD = ("another process: /proc/1/environ",)


@pytest.mark.parametrize(("command", "expected"), [(LOOK, TOLD), (ORDINARY, ())])
def test_of_rows_and_of_trajectories(command: str, expected: tuple[str, ...]) -> None:
    call = {"name": "bash", "args": {"command": command}, "result_sha": "r"}
    row = {"task_id": "t1", "exit_code": 0, "tool_calls": [call]}
    made = import_rows([("rows.jsonl", json.dumps(row).encode())])
    assert [one.looked_beyond for one in made.ledger.rows] == [expected]
    fenced = {"role": "assistant", "content": f"I look.\n```bash\n{command}\n```"}
    called = {
        "role": "assistant",
        "tool_calls": [{"function": {"name": "bash", "arguments": json.dumps({"command": command})}}],
    }
    acted = {"role": "assistant", "content": "", "extra": {"actions": [{"command": command}]}}
    for message in (fenced, called, acted):
        found = mini([message])
        assert found is not None and found.looked_beyond == expected
    steps = swe({"trajectory": [{"action": command}], "info": {}})
    assert steps is not None and steps.looked_beyond == expected


@pytest.mark.parametrize("given", [None, 3, [], {}, "", "[", "{", {"a": {1, 2}}, {"x": [None, 1.5]}])
def test_arguments_of_any_kind_are_read(given: object) -> None:
    assert beyond_in([("bash", given)]) == ()
