"""The power goes while the command line runs on an ext4 disk: what was reported done is there, `resume` does the rest.

`DENOMINATOR_CUTS=40 pytest -m e2e tests/e2e/test_power_cut.py` cuts that often. The figures are printed below the results.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import pytest

from conftest import SHOWN
from denominator.pipeline.run import read_ledger
from denominator.records.events import Json
from denominator.records.rows import AttemptRow
from denominator.wire.codec import to_json
from e2e import power_lab, runs

WHY_NOT = power_lab.why_not() if os.environ.get("PYTEST_XDIST_WORKER", "gw0") == "gw0" else "one worker mounts"
CUTS = int(os.environ.get("DENOMINATOR_CUTS", "") or 8)
SEED = 20261130
TASKS = ("clamp-low", "count-words", "double-it")
TIMES = (
    "queue_wait_ms", "setup_ms", "agent_ms", "grade_ms", "wall_ms", "paused_ms", "working_ms", "time_to_first_green_ms",
    "cold_start", "incarnations", "report_sha", "limits_enforced", "started_at",
)  # fmt: skip
DONE = (0, 1)
"""The run is complete; whether the gate lets a number through is another question."""
NO_SYNC = """
import os
os.fsync = lambda fd: None
os.fdatasync = os.fsync
"""

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs_bwrap,
    pytest.mark.needs_root,
    pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT or "loop devices work"),
]


@dataclass
class Cut:
    """One moment: what was reported until then, and what became of it."""

    number: int
    events: int = 0
    closed: int = 0
    lost: int = 0
    lost_closed: int = 0
    in_flight: int = 0
    fsck: str = ""
    resumed: int = -1
    same: bool = False
    second_no_op: bool = False
    said: str = ""

    @property
    def restarted(self) -> bool:
        """Did the run come to its end as if nothing had happened?"""
        return self.resumed in DONE and self.same and self.second_no_op and not self.lost_closed and not self.fsck


def situation(folder: Path) -> None:
    """A locked pack of three tasks and the envelope of an agent that plays a script."""
    runs.make_pack(folder, *TASKS)
    steps = "\n".join(f"[[task]]\nid = {name!r}\n[[task.step]]\nrun = '''{runs.SOLVE[name]}'''\n" for name in TASKS)
    (folder / "script.toml").write_text(f"schema_version = 1\n{steps}")
    arm = {"label": "script", "agent": "script", "agent_version": "0.1.0", "script": "script.toml"}
    text = runs.envelope([arm], budget={"incarnations_max": 50}, run={"min_free_disk_mb": 1}).replace(
        'treatment = ["agent"]', "treatment = []"
    )
    (folder / "envelope.toml").write_text(text)


def start(folder: Path, place: Path, *args: str, env: dict[str, str] | None = None) -> subprocess.Popen[str]:
    """The command line in a process group of its own, its runs on the disk that is cut."""
    settings = {"XDG_CACHE_HOME": str(folder / "cache"), "NO_COLOR": "1", **(env or {})}
    return subprocess.Popen(
        [sys.executable, "-m", "denominator", *args, "--runs-dir", str(place / "runs")],
        cwd=folder, env=os.environ | settings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip


def plain(row: AttemptRow) -> dict[str, Json]:
    """A row without times, starts and the run's name."""
    found = to_json(replace(row, key=replace(row.key, run_id="r")))
    assert isinstance(found, dict)
    return {name: value for name, value in found.items() if name not in TIMES}


def ledger(place: Path, run_id: str) -> list[dict[str, Json]]:
    """The rows of a run on a disk."""
    run = runs.opened(place, run_id)
    with contextlib.closing(run.journal):
        return [plain(row) for row in read_ledger(run).rows]


def cut_while_running(folder: Path, rng: Random, number: int, env: dict[str, str] | None = None) -> list[Path]:
    """Images of the disk at moments of one run, the whole run last, each beside a file of what was reported then."""
    image = power_lab.make_image(folder / f"disk-{number}.img", 192)
    taken: list[tuple[Path, power_lab.Reported]] = []
    with power_lab.mounted(image, folder / f"disk-{number}") as place:
        process = start(folder, place, "run", "envelope.toml", "--run-id", "cut", env=env)
        while process.poll() is None and len(taken) < CUTS:
            power_lab.wait_for_growth(process, place / "runs" / "cut" / "journal.db-wal", rng.randint(1, 5))
            time.sleep(rng.uniform(0.0, 0.05))
            with power_lab.held(process):
                told = power_lab.reported(place / "runs" / "cut")
                taken.append((power_lab.copy_image(image, folder / f"cut-{number}-{len(taken)}.img"), told))
        out, err = process.communicate(timeout=300)
        assert process.returncode in DONE, err + out
        told = power_lab.reported(place / "runs" / "cut")
        taken.append((power_lab.copy_image(image, folder / f"cut-{number}-end.img"), told))
    for path, told in taken:
        TOLD[path] = told
    image.unlink()
    return [path for path, _ in taken]


TOLD: dict[Path, power_lab.Reported] = {}


def after(folder: Path, path: Path, whole: list[dict[str, Json]], number: int) -> Cut:
    """Mount what the cut left, hold it against what was reported, resume twice."""
    told, cut = TOLD[path], Cut(number)
    cut.events, cut.closed = len(told.shas), len(told.closed)
    cut.fsck = power_lab.fsck(path)
    with power_lab.mounted(path, folder / "after") as place:
        run = place / "runs" / "cut"
        left = power_lab.reported(run)
        gone = [n for n, sha in enumerate(told.shas) if sha not in left.shas]
        # What had been written and not synced when the run was stopped is one transaction: of one attempt, and the last.
        flight = (
            bool(gone) and gone == list(range(gone[0], len(told.shas))) and len({told.attempts[n] for n in gone}) == 1
        )
        cut.in_flight, cut.lost = (len(gone), 0) if flight else (0, len(gone))
        cut.lost_closed = len(told.closed - left.closed) if not flight else 0
        verb = ["resume", "cut"] if run.is_dir() else ["run", "envelope.toml", "--run-id", "cut"]
        process = start(folder, place, *verb)
        out, err = process.communicate(timeout=300)
        cut.resumed, cut.said = process.returncode, err[-600:]
        if cut.resumed in DONE:
            cut.same = ledger(place, "cut") == whole
            before = _kept(run)
            again = start(folder, place, "resume", "cut")
            again.communicate(timeout=300)
            cut.second_no_op = again.returncode in DONE and _kept(run) == before
        del out
    path.unlink()
    return cut


def _kept(run: Path) -> dict[str, bytes]:
    """A run's files that a second resume may not change."""
    return {
        str(path.relative_to(run)): path.read_bytes()
        for path in run.rglob("*")
        if path.is_file() and not path.name.startswith("journal.db") and path.name != "run.log"
    }


def whole_run(folder: Path) -> list[dict[str, Json]]:
    """The ledger of a run that nobody interrupts."""
    process = start(folder, folder, "run", "envelope.toml", "--run-id", "whole")
    out, err = process.communicate(timeout=300)
    assert process.returncode in DONE, err + out
    return ledger(folder, "whole")


def figures(cuts: list[Cut]) -> str:
    """One line a cut, and the sums."""
    lines = [
        f"cut {one.number:2}: {one.events:3} events and {one.closed} attempts reported, lost {one.lost} and {one.lost_closed}, "
        f"{one.in_flight} in flight; resume {one.resumed}, same ledger {one.same}, second resume no-op {one.second_no_op}"
        for one in cuts
    ]
    good = sum(one.restarted for one in cuts)
    codes = Counter(one.resumed for one in cuts)
    return "\n".join(
        [
            *lines,
            f"RSR {good}/{len(cuts)}; reported and lost: {sum(one.lost for one in cuts)} events, "
            f"{sum(one.lost_closed for one in cuts)} attempts; exit codes of resume {dict(codes)}",
        ]
    )


def test_nothing_that_was_reported_done_is_lost(tmp_path: Path, record_property: pytest.RecordProperty) -> None:
    situation(tmp_path)
    whole, rng = whole_run(tmp_path), Random(SEED)
    images = cut_while_running(tmp_path, rng, 0)
    cuts = [after(tmp_path, path, whole, number) for number, path in enumerate(images, 1)]
    record_property(SHOWN, figures(cuts))
    assert len(cuts) > 3
    assert cuts[-1].closed == len(TASKS)
    bad = [one for one in cuts if not one.restarted or one.lost]
    assert not bad, "\n".join(f"{one}" for one in bad)


def test_the_same_run_without_fsync_of_its_files_does_lose(
    tmp_path: Path, record_property: pytest.RecordProperty
) -> None:
    """The method can see a loss: the journal (which SQLite syncs itself) names what is not on the disk."""
    situation(tmp_path)
    (tmp_path / "lazy").mkdir()
    (tmp_path / "lazy" / "sitecustomize.py").write_text(NO_SYNC)
    whole, rng = whole_run(tmp_path), Random(SEED)
    images = cut_while_running(tmp_path, rng, 0, env={"PYTHONPATH": str(tmp_path / "lazy")})
    cuts = [after(tmp_path, path, whole, number) for number, path in enumerate(images, 1)]
    record_property(SHOWN, figures(cuts))
    assert any(not one.restarted for one in cuts)
