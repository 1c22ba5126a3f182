"""Packs through the command line: public cases with their right answers, `pack verify`, a pack whose last day is over."""

from __future__ import annotations

import json
import os
import shutil
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import NoFailpoints
from denominator.cli.progress import LineReporter
from denominator.errors import BlockedError
from denominator.packs import load_pack, make_lock, pack_digest
from denominator.pipeline.notes import Notes
from denominator.pipeline.promises import promise_due, promise_plan
from denominator.pipeline.results import judge_run, unpromised
from denominator.pipeline.resuming import owed
from denominator.pipeline.run import open_promises
from denominator.records.packs import Baseline, BaselineRun
from denominator.records.words import Phase, StopReason, Writer
from denominator.wire.canonical import canonical
from denominator.wiring.starting import check_resumable, pack_of_run
from denominator.wiring.world import a_world
from e2e import runs
from e2e.cli_lab import Said

CASES = Path(__file__).parents[1] / "cases" / "packs"
NAMES = sorted(path.name for path in CASES.iterdir() if path.is_dir())
Cli = Callable[..., Said]


class NextCentury(SystemClock):
    """A clock that shows a day on which no pack of today holds any more."""

    def wall(self) -> str:
        return "2101-01-01T00:00:00.000Z"


def answer_of(name: str) -> dict[str, Any]:
    return json.loads((CASES / name / "case.json").read_text())["right_answer"]


@pytest.mark.parametrize("name", NAMES)
def test_a_case_is_rejected_when_it_is_frozen_and_every_finding_is_named(cli: Cli, name: str) -> None:
    answer = answer_of(name)
    said, document = cli("pack", "lint", CASES / name), cli("pack", "lint", CASES / name, "--json")
    assert said.code == document.code == 1
    assert answer.get("verdict", "pack rejected at freeze time") in said.out
    findings = answer.get("findings", [])
    told = findings if isinstance(findings, dict) else {"": findings}
    for task, words in told.items():
        for word in words:
            what = [f["what"] for f in document.json["findings"] if task in ("", f["subject"])]
            assert any(word in one for one in what), (task, word)
    for task in answer.get("clean", []):
        assert task in document.json["clean"]


def test_nothing_to_check_is_an_error_and_the_task_beside_it_is_clean(cli: Cli) -> None:
    said = cli("pack", "lint", CASES / "056-task-without-tests" / "tasks.jsonl")
    assert said.code == 1 and "nothing to check" in said.out
    assert "rejected: e1" in said.out and "clean: e2" in said.out


def test_a_pipe_without_pipefail_is_rejected_and_one_with_it_is_not(cli: Cli, here: Path) -> None:
    said = cli("pack", "lint", CASES / "058-pipe-masks-red-suite")
    assert said.code == 1 and "without pipefail" in said.out
    (here / "task.json").write_text(json.dumps({"id": "a", "test_cmd": "set -o pipefail; run-tests | tee out.txt"}))
    assert cli("pack", "lint", "task.json").code == 0


def test_rows_of_results_are_no_cards(cli: Cli, here: Path) -> None:
    (here / "rows.jsonl").write_text('{"task_id": "a", "status": "pass"}\n')
    said = cli("pack", "lint", "rows.jsonl")
    assert said.code == 2 and "neither task cards nor a listing" in said.err


def test_verify_holds_a_pack_against_its_lock(cli: Cli, here: Path) -> None:
    assert cli("pack", "verify").code == 0
    runs.make_pack(here, "clamp-low")
    said = cli("pack", "verify", "pack", "--json")
    assert said.code == 0 and (said.json["locked"], said.json["changed"], said.json["tasks"]) == (True, [], [])
    runs.edit(here / "pack/tasks/clamp-low/prompt.md", "a", "b")
    changed = cli("pack", "verify", "pack")
    assert changed.code == 1 and "CHANGED" in changed.out and "prompt.md" in changed.out
    (here / "pack/pack.lock").unlink()
    assert cli("pack", "verify", "pack").code == 2


def test_a_pack_shows_until_when_it_holds_and_lint_says_when_that_is_over(cli: Cli, here: Path) -> None:
    runs.make_pack(here, "clamp-low")
    version = next(line for line in (here / "pack/pack.toml").read_text().splitlines() if line.startswith("version"))
    runs.edit(here / "pack/pack.toml", version, f'{version}\nexpires = "2001-01-31"')
    runs.lock(here / "pack")
    assert "holds until 2001-01-31" in cli("pack", "show", "pack").out
    lint = cli("pack", "lint", "pack")
    assert lint.code == 1 and "PL023 expired-pack" in lint.out and "pack_expired" in lint.out
    verify = cli("pack", "verify", "pack")
    assert verify.code == 1 and "pack_expired: it holds until 2001-01-31" in verify.out


needs_sandbox = [
    pytest.mark.slow,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]


class TestInTheSandbox:
    pytestmark = needs_sandbox

    def test_a_run_of_an_expired_pack_is_refused_and_nothing_is_left(self, tmp_path: Path) -> None:
        root = runs.make_pack(tmp_path, "clamp-low")
        version = next(line for line in (root / "pack.toml").read_text().splitlines() if line.startswith("version"))
        runs.edit(root / "pack.toml", version, f"{version}\nexpires = 2001-01-31")
        runs.lock(root)
        agent = {"label": "n", "agent": "nop"}
        (tmp_path / "envelope.toml").write_text(runs.envelope([agent]))
        said = runs.cli(tmp_path, "run", "envelope.toml", "--run-id", "x")
        assert said.code == 1 and "pack_expired: the pack holds until 2001-01-31" in said.err
        assert not (tmp_path / "runs" / "x").exists()

    def test_a_run_that_was_only_sealed_is_not_begun_after_the_last_day(self, tmp_path: Path) -> None:
        root = runs.make_pack(tmp_path, "clamp-low")
        version = next(line for line in (root / "pack.toml").read_text().splitlines() if line.startswith("version"))
        runs.edit(root / "pack.toml", version, f"{version}\nexpires = 2098-12-31")
        runs.lock(root)
        again = {"budget": {"attempts": 2}, "retry": {"infra": 1}}
        (tmp_path / "envelope.toml").write_text(runs.envelope([{"label": "n", "agent": "nop"}], **again))
        said = runs.cli(tmp_path, "seal", "envelope.toml", "--run-id", "s")
        assert said.code == 0, said.err
        run = runs.opened(tmp_path, "s")
        with a_world(run.seal.envelope.sandbox, LineReporter(quiet=True)) as world:
            check_resumable(world, run, pack_of_run(run))
            with pytest.raises(BlockedError, match="pack_expired"):
                check_resumable(replace(world, clock=NextCentury()), run, pack_of_run(run))
            # Nothing is open and all is promised, but for a retry that a dead process still owed.
            promise_plan(NoFailpoints(), run)
            (key,) = run.journal.standing().promised
            notes = Notes(run, key, 1, world.clock, 0)
            notes.started("", 0, False, 0)
            notes.end(StopReason.INFRA, notes.failure("disk_full", Phase.AGENT, Writer.HARNESS, "full"))
            assert (open_promises(run), unpromised(run), owed(run)) == ([], 0, 1)
            with pytest.raises(BlockedError, match="pack_expired"):
                check_resumable(replace(world, clock=NextCentury()), run, pack_of_run(run))
            promise_due(NoFailpoints(), run)
            assert (len(open_promises(run)), owed(run)) == (1, 0)

    def test_gold_that_was_green_at_the_lock_and_is_red_now_is_the_pack_and_no_agent(self, tmp_path: Path) -> None:
        """Dates in fixtures do this; here the lock says green of a gold patch that solves nothing."""
        root = runs.make_pack(tmp_path, "clamp-low")
        gold = root / "tasks/clamp-low/gold.patch"
        gold.write_text(gold.read_text().replace("max(low, min(value, high))", "min(high, value)"))
        green = [("base", "red"), ("gold", "green")]
        then = Baseline(
            pack_digest=pack_digest(root), box_digest="then", concurrency=2, repeats=3, taken_at="2026-04-10T00:00:00.000Z",
            runs=tuple(BaselineRun(task_id="clamp-low", on=on, repeat=n, grade=grade) for on, grade in green for n in (1, 2, 3)),
        )  # fmt: skip
        (root / "pack.lock").unlink()
        (root / "pack.lock").write_bytes(canonical(make_lock(load_pack(root), then, "a test")) + b"\n")
        agent = {"label": "c", "agent": "command", "command": ["sh", "-c", "echo '# tried' >> /work/bounds.py"]}
        (tmp_path / "envelope.toml").write_text(runs.envelope([agent]))
        said = runs.cli(tmp_path, "run", "envelope.toml", "--run-id", "x")
        assert said.code == 1 and "pack_expired" in said.err
        judged = judge_run(runs.opened(tmp_path, "x"))
        (label,) = [one for one in judged.judged.labels if one.axis == "reason"]
        assert (label.value, judged.terms.expired_tasks, judged.terms.bad_tasks) == ("pack_expired", ("clamp-low",), ())
        origins = {one.value for one in judged.judged.labels if one.axis == "origin"}
        assert origins == {"HARNESS"}
        (line,) = [one for one in judged.card.controls if one.name == "gold_must_pass"]
        assert line.state == "violated" and "gold was green at the lock and is red now" in line.why

    def test_repeats_are_graded_and_bounded(self, tmp_path: Path) -> None:
        runs.make_pack(tmp_path, "clamp-low", "keep-sorted")
        said = runs.cli(tmp_path, "pack", "verify", "pack", "--repeats", "3", "--concurrency", "2", "--json")
        assert said.code == 0, said.err
        tasks = {task["task_id"]: task for task in said.json["tasks"]}
        assert {name: task["verdict"] for name, task in tasks.items()} == dict.fromkeys(tasks, "stable")
        trees = [
            (t["on"], t["wanted"], t["green"], t["red"], t["flake_rate_upper"]) for t in tasks["clamp-low"]["trees"]
        ]
        assert trees == [("base", "red", 0, 3, "0.631597"), ("gold", "green", 3, 0, "0.631597")]
        assert [t["wanted"] for t in tasks["keep-sorted"]["trees"]] == ["green"]

    def test_told_to_stop_it_ends_at_once_with_nothing_written(self, tmp_path: Path) -> None:
        runs.make_pack(tmp_path, "clamp-low")
        before = sorted(tmp_path.rglob("*"))
        process = runs.start(tmp_path, "pack", "verify", "pack", "--repeats", "500", "--concurrency", "1")
        assert process.stderr is not None
        while "gradings" not in process.stderr.readline():
            pass
        time.sleep(0.5)
        os.kill(process.pid, signal.SIGTERM)
        done = runs.Done(process, 60)
        assert done.code in (4, -signal.SIGTERM) and done.out == ""
        assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    "args, part",
    [
        (("lint", "cards.txt"), "is a file, so it is no pack"),
        (("lint", "nowhere.jsonl"), "no such file"),
        (("verify", "holdout16", "--concurrency", "4"), "nothing is graded without --repeats"),
    ],
)
def test_what_cannot_be_meant_is_refused(here: Path, cli: Cli, args: tuple[str, ...], part: str) -> None:
    (here / "cards.txt").write_text('{"id": "a"}\n')
    said = cli("pack", *args)
    assert said.code == 2 and part in said.err and "pack init" not in said.err
