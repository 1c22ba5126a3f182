"""SIGKILL at random moments: after resume the ledger is that of an uninterrupted run, and nothing was applied twice."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from denominator.pipeline.run import open_promises, read_ledger
from denominator.pipeline.world import OpenRun
from denominator.records.events import Event
from denominator.records.rows import Ledger
from simulation import failpoint_kills, sessions
from simulation.storms import commit
from workers_lab import begin, cli, finish, opened, same_ledger

SEED = 20261129
pytestmark = [pytest.mark.needs_bwrap, pytest.mark.xdist_group("kill")]


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a locked copy of the four-task pack, an envelope of a scripted agent, and a kept baseline."""
    folder = begin(tmp_path_factory.mktemp("kill"))
    one = (
        (folder / "envelope.toml")
        .read_text()
        .replace("concurrency = 2", "concurrency = 1")
        .replace("incarnations_max = 50", "incarnations_max = 99")
    )
    (folder / "one.toml").write_text(one)
    retry = one.replace("attempts = 1", "attempts = 2").replace("infra = 0", "infra = 1")
    (folder / "retry.toml").write_text(retry)
    assert finish(cli(folder, "run", "envelope.toml", "--run-id", "whole")) == 0
    return folder


WHOLE = {"clamp-low": "green", "count-words": "red", "double-it": "green", "keep-sorted": "green"}


def ledger_of(folder: Path, run_id: str) -> Ledger:
    """The ledger; the journal is closed again, for this process reads its file as bytes too, which drops SQLite's locks."""
    run = opened(folder, run_id)
    with contextlib.closing(run.journal):
        return read_ledger(run)


def events_of(folder: Path, run_id: str) -> list[Event]:
    with contextlib.closing(opened(folder, run_id).journal) as journal:
        return list(journal.events())


def check_effects(run: OpenRun) -> None:
    """Each attempt has one ending, one applied tree that the intent named, and no second patch."""
    events = list(run.journal.events())
    assert run.journal.verify() == []
    once = Counter((e.kind, e.key) for e in events if e.kind in ("promised", "closed", "applied", "patch", "graded"))
    assert set(once.values()) == {1}, {k: v for k, v in once.items() if v > 1}
    intents = {
        (e.key, e.payload["post"]) for e in events if e.kind == "checkpoint.intent" and e.checkpoint == "patch_applied"
    }
    assert {(e.key, e.payload["tree"]) for e in events if e.kind == "applied"} <= intents
    assert not run.folder.work.exists(), "scratch of closed attempts is left"


def killed_then_resumed(folder: Path, run_id: str, first_delay: float, rng: random.Random) -> int:
    """Start a run, kill it, resume and kill again until it ends by itself; returns the number of kills."""
    kills, process = 0, sessions.start(folder, "run", "envelope.toml", "--run-id", run_id)
    delay = first_delay
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(delay)
        if process.poll() is None:
            kill_group(process)
            kills += 1
            again = (
                ("resume", run_id)
                if (folder / "runs" / run_id).exists()
                else ("run", "envelope.toml", "--run-id", run_id)
            )
            process = sessions.start(folder, *again)
            delay = rng.uniform(0.1, 2.0) if kills < 3 else 120
            continue
        assert sessions.finish(process, folder) == 0
        return kills


def kill_group(process: subprocess.Popen[Any]) -> None:
    """The process leads a session of its own as soon as it has begun."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


@pytest.mark.slow
@pytest.mark.parametrize("least", [5, pytest.param(50, marks=pytest.mark.e2e)])
def test_kills_at_random_moments_leave_the_same_ledger(bench: Path, least: int) -> None:
    rng = random.Random(SEED)
    whole = ledger_of(bench, "whole")
    assert [str(row.stop_reason) for row in whole.rows] == ["pass", "tests_red", "pass", "pass"]
    kills, runs = 0, 0
    while kills < least:
        run_id = f"k{least}-{runs}"
        kills += killed_then_resumed(bench, run_id, rng.uniform(0.25, 2.2), rng)
        run = opened(bench, run_id)
        assert open_promises(run) == []
        same_ledger(read_ledger(run), whole)
        check_effects(run)
        run.journal.close()
        runs += 1
        assert runs < least + 10
    survivors = subprocess.run(["pgrep", "-f", f"{bench}"], capture_output=True, text=True).stdout.split()
    assert not survivors


@pytest.mark.slow
def test_a_kill_at_every_failpoint_one_after_the_other_leaves_the_same_ledger(bench: Path) -> None:
    lap = failpoint_kills.Lap(bench, "every", "one.toml")
    for name in failpoint_kills.POINTS:
        assert lap.killed_at(name), f"{name} was not reached"
    lap.end()
    run = opened(bench, "every")
    same_ledger(read_ledger(run), ledger_of(bench, "whole"), armed=True, aside=("baseline_ref",))
    check_effects(run)
    run.journal.close()  # an open journal has files of its own beside it
    assert lap.resumed_right(ledger_of(bench, "whole")) == lap.interrupted and lap.interrupted
    assert lap.again_is_nothing()


@pytest.mark.slow
def test_a_kill_on_either_side_of_the_promise_of_a_retry_promises_it_once(bench: Path) -> None:
    lap = failpoint_kills.Lap(bench, "retry", "retry.toml", first="agent.before=enospc@1")
    for name in failpoint_kills.RETRY_POINTS:
        assert lap.killed_at(name), f"{name} was not reached"
    lap.end()
    run = opened(bench, "retry")
    rows = read_ledger(run).rows
    (again,) = [row for row in rows if row.key.attempt == 2]
    (first,) = [row for row in rows if row.key.attempt == 1 and row.key.draw == again.key.draw]
    assert (first.stop_reason, again.cause, again.grade, len(rows)) == ("harness", "retry", WHOLE[again.key.task_id], 5)
    check_effects(run)
    run.journal.close()
    assert lap.again_is_nothing()


@pytest.mark.e2e
def test_kills_at_every_failpoint_with_many_seeds(bench: Path) -> None:
    seeds = int(os.environ.get("DENOMINATOR_KILL_SEEDS", "2"))
    whole = ledger_of(bench, "whole")
    table, page = failpoint_kills.Table(), Path(__file__).parents[2] / "docs" / "evidence" / "failpoints.md"
    for seed in range(seeds):
        for lap in failpoint_kills.laps(bench, seed, table):
            run = opened(bench, lap.run_id)
            same_ledger(read_ledger(run), whole, armed=True)
            check_effects(run)
            run.journal.close()
            table.note(lap, whole)
            shutil.rmtree(run.folder.root)
        table.ended()
        assert table.is_whole(), table.text(commit())
        if "DENOMINATOR_KILL_SEEDS" in os.environ:
            page.write_text(table.text(commit()))


def test_a_foreign_edit_between_crash_and_resume_is_an_unknown_state(bench: Path) -> None:
    process = cli(
        bench, "run", "one.toml", "--run-id", "edited", env={"DENOMINATOR_FAILPOINTS": "patch.done.synced=kill@1"}
    )
    assert finish(process) == -signal.SIGKILL
    (tree,) = (bench / "runs" / "edited" / "work").glob("*/applied")
    victim = sorted(p for p in tree.iterdir() if p.suffix == ".py")[0]
    kept = victim.read_text()
    victim.write_text("# edited by hand\n")
    said = [word.strip() for word in refused(bench, "edited").splitlines()]
    base, task = bench / "runs" / "edited" / "pack" / "tasks" / "clamp-low" / "repo", "clamp-low"
    assert any("unknown state at patch_applied, last checkpoint patch_applied" in line for line in said)
    event = next(e for e in events_of(bench, "edited") if e.kind == "unknown_state")
    digests = {name: event.payload[name] for name in ("pre", "post", "have")}
    assert len(set(digests.values())) == 3
    assert [line for line in said if line.startswith(("tree:", "have:", "before:", "after:", "see:", "next:"))] == [
        f"tree: {tree}",
        f"have: {digests['have']}",
        f"before: {digests['pre']} (the sealed snapshot)",
        f"after: {digests['post']} (what the stored patch makes of it)",
        f"see: git diff --no-index {base} {tree}",
        f"see: denominator show {task} --run edited",
        "see: denominator resume edited --dry-run",
        "next: put the tree back as it was, then denominator resume edited; or start a new run",
    ]
    assert victim.read_text() == "# edited by hand\n"
    status = json.loads(cli(bench, "status", "edited", "--json").communicate()[0])
    assert len(status["unknown_state"]) == 1
    assert [(one["task_id"], one["does"]) for one in planned(bench, "edited") if one["does"] == "stop"] == [
        (task, "stop")
    ]
    # The attempt is not swept away, however often somebody tries; put back, it goes on.
    assert "unknown state" in refused(bench, "edited")
    victim.write_text(kept)
    assert finish(cli(bench, "resume", "edited")) == 1
    same_ledger(ledger_of(bench, "edited"), ledger_of(bench, "whole"), armed=True, aside=("baseline_ref",))


def refused(folder: Path, run_id: str) -> str:
    """What a resume says that touches nothing and leaves 5."""
    resumed = cli(folder, "resume", run_id)
    err = resumed.communicate(timeout=120)[1].decode()
    assert resumed.returncode == 5, err
    return err


def planned(folder: Path, run_id: str) -> list[dict[str, Any]]:
    """What a dry run says of each attempt, having changed no byte and no date of any file of the run."""
    before = all_files(folder / "runs" / run_id)
    process = cli(folder, "resume", run_id, "--dry-run", "--json")
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err.decode()
    text, _ = cli(folder, "resume", run_id, "--dry-run").communicate(timeout=120)
    assert all_files(folder / "runs" / run_id) == before
    attempts: list[dict[str, Any]] = json.loads(out)["attempts"]
    for one in attempts:
        assert f"{one['task_id']} r{one['repeat']} a{one['attempt']}" in text.decode()
    return attempts


def all_files(root: Path) -> dict[str, tuple[bytes, int]]:
    found = (path for path in root.rglob("*") if path.is_file())
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in found}


@pytest.mark.slow
def test_what_resume_will_do_is_said_beforehand_attempt_by_attempt(bench: Path) -> None:
    traps = "agent.before=enospc@1,retry.scheduled.before=kill"
    process = cli(bench, "run", "retry.toml", "--run-id", "says", env={"DENOMINATOR_FAILPOINTS": traps})
    assert finish(process) == -signal.SIGKILL
    before = said(planned(bench, "says"))
    assert sorted(Counter(one[2] for one in before).items()) == [("finished", 1), ("retry", 1), ("start", 3)]
    (ended,), (owed,) = ([one for one in before if one[2] == word] for word in ("finished", "retry"))
    assert owed == (ended[0], 2, "retry", "", "injected_fault", "it is owed and not promised yet")
    process = cli(bench, "resume", "says", env={"DENOMINATOR_FAILPOINTS": "apply.renamed=kill"})
    assert finish(process) == -signal.SIGKILL
    now = {one[0]: one for one in said(planned(bench, "says")) if one[2] != "finished"}
    gone_on = next(one for one in now.values() if one[2] == "go on")
    assert gone_on[3:] == ("patch_drafted", "retry" if gone_on[1] == 2 else "", "adopt the tree that is in place")
    (tree,) = (bench / "runs" / "says" / "work").glob("*/applied")
    shutil.move(tree, tree.with_name("elsewhere"))
    assert any(one[5] == "apply the stored patch" for one in said(planned(bench, "says")))
    assert finish(cli(bench, "resume", "says")) == 1
    assert {one[2] for one in said(planned(bench, "says"))} == {"finished"}


def said(plan: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [tuple(one[name] for name in ("task_id", "attempt", "does", "after", "cause", "why")) for one in plan]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 4)])
def test_a_polite_stop_ends_clean_and_resume_finishes(bench: Path, number: int, code: int) -> None:
    run_id = f"stop-{code}"
    process = cli(
        bench, "run", "envelope.toml", "--run-id", run_id, env={"DENOMINATOR_FAILPOINTS": "verify.before=sleep:400"}
    )
    deadline = time.monotonic() + 60
    while not (bench / "runs" / run_id / "work").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(number)
    assert finish(process) == code
    stopped = [e.payload["why"] for e in events_of(bench, run_id) if e.kind == "run.stopped"]
    assert stopped == ["interrupted" if code == 130 else "sigterm"]
    assert finish(cli(bench, "resume", run_id)) == 1  # GL074: a failpoint slowed the first process down
    same_ledger(ledger_of(bench, run_id), ledger_of(bench, "whole"), armed=True)


def test_a_run_id_in_use_is_refused_and_its_files_stay(bench: Path) -> None:
    folder = bench / "runs" / "whole"
    before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    process = cli(bench, "run", "envelope.toml", "--run-id", "whole")
    _, err = process.communicate(timeout=120)
    assert process.returncode == 2
    assert b"is in use" in err
    assert {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()} == before
