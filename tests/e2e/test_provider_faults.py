"""Declared faults in real runs: each hits the attempts that it names, is marked on the call, and is nobody's failure."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from denominator.pipeline.results import judge_run
from denominator.records.judgements import JudgedDraw
from denominator.testing.scripted_server import ScriptedServer
from e2e import runs
from e2e.playing import KEY, envelope, install

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]
TASK = "clamp-low"
# repeat: what is made there; the agent gives up at the first failed call, the gateway tries server errors once more.
PLAN = {
    1: {"kind": "rate_limit"},
    2: {"kind": "server_error", "value": 503},
    3: {"kind": "server_error", "times": 2},
    4: {"kind": "cut_stream"},
    5: {"kind": "slow_drip", "call": 2, "value": 20},
    6: {"kind": "wrong_usage"},
    7: {"kind": "no_answer"},
    8: {"kind": "slow_drip", "call": 2, "value": 60_000},
}
INJECTED = ("unscoreable", "HARNESS", "injected_fault")
PASSED = ("pass", "MODEL", "")
ENDINGS = {1: INJECTED, 2: PASSED, 3: INJECTED, 4: INJECTED, 5: PASSED, 6: PASSED, 7: INJECTED, 8: INJECTED, 9: PASSED}


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("faults")
    runs.make_pack(folder, TASK)
    install(folder)
    gateway = 'retries = 1\nretry_on = ["server_error"]\nwait_max_s = 1\n'
    for repeat, fault in PLAN.items():
        gateway += "[[gateway.fault]]\n" + runs.lines({"task": TASK, "repeat": repeat, **fault})
    budget = {"tokens": 1_000_000, "repeats": len(ENDINGS), "wall_s": 12, "working_s": 12}
    with ScriptedServer([runs.SOLVE[TASK]]) as server:
        (folder / "envelope.toml").write_text(envelope(folder, server.url, gateway=gateway, budget=budget))
        done = runs.cli(folder, "run", "envelope.toml", "--run-id", "f", env={"RUN_PROVIDER_KEY": KEY})
    assert done.code in (0, 1), done.err
    return folder


@pytest.fixture(scope="module")
def draws(lab: Path) -> Mapping[int, JudgedDraw]:
    return {draw.draw.repeat: draw for draw in judge_run(runs.opened(lab, "f")).judged.sheet.draws}


@pytest.mark.parametrize("repeat", ENDINGS)
def test_whose_ending_it_is(draws: Mapping[int, JudgedDraw], repeat: int) -> None:
    found = draws[repeat]
    assert (found.exit, found.origin, found.reason) == ENDINGS[repeat]


def test_what_was_made_stands_on_the_calls_and_nowhere_else(lab: Path) -> None:
    marked = [(call.key.repeat, call.seq, call.injected) for call in runs.ledger_of(lab, "f").calls if call.injected]
    expected = [
        (repeat, fault.get("call", 1) + more, fault["kind"])
        for repeat, fault in PLAN.items()
        for more in range(fault.get("times", 1))
    ]
    assert marked == expected


def test_a_fault_in_the_providers_place_sends_nothing(lab: Path) -> None:
    sent = {call.injected: call.sent for call in runs.ledger_of(lab, "f").calls if call.injected}
    assert [sent[kind] for kind in ("rate_limit", "server_error", "no_answer")] == [False] * 3
    assert [sent[kind] for kind in ("cut_stream", "slow_drip", "wrong_usage")] == [True] * 3


def test_usage_that_was_taken_away_is_unknown_and_not_zero(draws: Mapping[int, JudgedDraw]) -> None:
    row = draws[6].row
    assert row is not None and row.usage.complete is False


def test_a_fault_of_a_task_that_is_not_there_is_refused(lab: Path) -> None:
    (lab / "wrong.toml").write_text((lab / "envelope.toml").read_text().replace(f'task = "{TASK}"', 'task = "gone"'))
    done = runs.cli(lab, "run", "wrong.toml", "--run-id", "never", env={"RUN_PROVIDER_KEY": KEY})
    assert done.code == 2 and "no task gone" in done.err
    assert not (lab / "runs" / "never").exists()
