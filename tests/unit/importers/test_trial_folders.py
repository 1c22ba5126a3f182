"""Folders of one trial: a verdict file counts only when the verifier wrote it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.importers.trialclock import moment, phases_of
from denominator.records.rows import PatchFacts
from unit.importers.given import exits, judged, one, take

PHASES = {"agent_end": "10:00:40", "verify_start": "10:00:41", "verify_end": "10:00:50"}
FULL = {"agent_start": "10:00:00", **PHASES}


def trial(phases: Any = PHASES, **files: Any) -> dict[str, Any]:
    """`reward_json` is trial/verifier/reward.json; text is written as it is."""
    found: dict[str, Any] = {} if phases is None else {"trial/phases.json": phases}
    for name, content in files.items():
        data = content.encode() if isinstance(content, str) else json.dumps(content).encode()
        found[f"trial/verifier/{name.replace('_', '.')}"] = data
    return found


def at(reward: Any, when: str, phase: str = "") -> dict[str, Any]:
    found = {"reward": reward, "_mtime": when}
    return {**found, "_phase": phase} if phase else found


GREEN, RED, TAMPERED, OPEN = ("pass", "MODEL"), ("fail", "MODEL"), ("fail", "MODEL"), ("unscoreable", "HARNESS")


@pytest.mark.parametrize(
    ("files", "ending", "tampered"),
    [
        (trial(reward_json=at(1, "10:00:30", "agent"), reward_txt="0"), TAMPERED, True),
        (trial(reward_json=at(1, "10:00:30", "agent"), reward_txt="1"), TAMPERED, True),
        (trial(reward_json=at(1, "10:00:30"), reward_txt="0\n"), TAMPERED, True),
        (trial(reward_json=at(1, "10:00:30", "agent")), TAMPERED, True),
        (trial(reward_json=at(1, "10:00:45"), reward_txt="1.0"), GREEN, False),
        (trial(reward_json=at(0, "10:00:45"), reward_txt="0"), RED, False),
        (trial(reward_json=at(1, "10:00:45"), reward_txt="0"), OPEN, False),
        (trial(reward_json=at(1, "10:02:00"), reward_txt="0"), RED, False),
        (trial(FULL, reward_json=at(1, "09:59:00"), reward_txt="0"), RED, False),
        (trial(FULL, reward_json=at(1, "09:59:00")), OPEN, False),
        (trial(reward_json=at(1, "10:00:40", "harness"), reward_txt="0"), RED, False),
        (trial(reward_txt="1"), GREEN, False),
        (trial(reward_txt="maybe"), OPEN, False),
        (trial(reward_json=at(0.5, "10:00:45")), OPEN, False),
        (trial(verdict_json={"verdict": "fail", "mtime": "10:00:44"}, score_txt="0"), RED, False),
        (trial(result_json={"passed": True, "written_by": "verifier"}, reward_txt="true"), GREEN, False),
        (trial(None, reward_json={"reward": 1}, reward_txt="0"), OPEN, False),
        (trial(None, reward_txt="1"), GREEN, False),
    ],
)
def test_whose_verdict_counts(files: dict[str, Any], ending: tuple[str, str], tampered: bool) -> None:
    imported = take(files)
    assert exits(imported)["trial"][:2] == ending
    (row,) = imported.ledger.rows
    assert row.tampering == (("verdict",) if tampered else ())
    assert isinstance(row.patch, PatchFacts) is tampered


def test_a_verdict_that_the_agent_wrote_is_a_slip_and_names_the_file() -> None:
    imported = take(trial(reward_json=at(1, "10:00:30", "agent"), reward_txt="0"))
    (draw,) = judged(imported).sheet.draws
    assert (draw.exit, draw.mix) == ("fail", "SCOPE_SLIP")
    assert "tampered_verdict" in draw.tags
    patch = imported.ledger.rows[0].patch
    assert isinstance(patch, PatchFacts)
    assert patch.outside == ("trial/verifier/reward.json",)
    assert any("reward.json: not read: the agent wrote it" in note for note in imported.report.notes)


@pytest.mark.parametrize(
    "phases",
    [
        {"agent_start": "2026-01-01T23:59:00Z", "agent_end": "2026-01-01T23:59:58Z", "verify_start": "2026-01-02T00:00:10Z"},
        {"agent": {"started_at": "23:59:00", "finished_at": "23:59:58"}, "verifier": {"started_at": "00:00:10"}},
        {"phases": [{"name": "agent", "start": "23:59:00", "end": "23:59:58"}, {"name": "grading", "start": "00:00:10"}]},
        {"agent_start": 1767311940, "agent_end": 1767311998, "verification_start": 1767312010},
    ],
)  # fmt: skip
def test_phases_have_many_writings_and_may_pass_midnight(phases: dict[str, Any]) -> None:
    found = phases_of(phases)
    stamp = {False: ("2026-01-01T23:59:40Z", "2026-01-02T00:00:20Z"), True: ("23:59:40", "00:00:20")}[found.clock]
    early, late = (found.moment(each) for each in stamp)
    start = found.of("verify", "start")
    assert start is not None and early is not None and late is not None
    assert early < start < late
    own = take(trial(phases, reward_json=at(1, stamp[0]), reward_txt="0"))
    assert own.ledger.rows[0].tampering == ("verdict",)
    assert exits(take(trial(phases, reward_json=at(1, stamp[1]), reward_txt="1")))["trial"][0] == "pass"


def test_times_may_stand_in_a_listing() -> None:
    files = trial(reward_json={"reward": 1}, reward_txt="0")
    files["trial/files.json"] = {"verifier/reward.json": "10:00:30", "verifier/reward.txt": {"mtime": "10:00:49"}}
    assert one(files).tampering == ("verdict",)


def test_several_trials_are_rows_of_their_own() -> None:
    files = {f"job/{name}/{path.removeprefix('trial/')}": data
             for name, word in (("a", "1"), ("b", "0")) for path, data in trial(reward_txt=word).items()}  # fmt: skip
    found = exits(take(files))
    assert {task: ending[0] for task, ending in found.items()} == {"a": "pass", "b": "fail"}


def test_a_document_of_the_folder_names_the_task() -> None:
    files = trial({**PHASES, "task_id": "bill-7"}, reward_txt="1")
    assert one(files).key.task_id == "bill-7"


def test_other_folders_are_no_trials() -> None:
    rows = [{"task_id": "t", "exit_code": 0}]
    assert take({"traces.jsonl": rows, "result.json": {"passed": 3}}).report.shape == "traces"


TIMES = st.sampled_from(["10:00:30", "10:00:45", "25:00:00", "", "2026-01-01T10:00:30Z", 5, None, True, [], 10**30])
NAMES = st.sampled_from(["agent_start", "agent_end", "verify_start", "verify_end", "agent", "other"])
BODIES = st.sampled_from(
    ["1", "0", "", "{}", '{"reward": 1}', '{"reward": 1, "_mtime": "10:00:30"}', "[1]", "\x00", "{", "NaN"]
)


@given(st.dictionaries(NAMES, TIMES, max_size=5), BODIES, BODIES)
def test_any_trial_keeps_its_row_and_agrees_or_is_open(phases: dict[str, Any], first: str, second: str) -> None:
    imported = take(trial(phases, reward_json=first, reward_txt=second))
    assert len(imported.ledger.rows) == 1
    if exits(imported)["trial"][0] == "pass":
        assert not {first, second} <= {"0", ""}


@given(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30))
def test_any_value_is_a_time_or_none(value: Any) -> None:
    found = moment(value)
    assert found is None or isinstance(found[0], int)
