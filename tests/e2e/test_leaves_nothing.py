"""A run of many hostile attempts, and harnesses killed at random moments, leave nothing but what a run declares.

Everything happens in pid, ipc and mount namespaces of its own (`leaving.py`), so what is found afterwards is ours; under the docker
backend the engine lives in them too. `DENOMINATOR_EVIDENCE=write` makes as many as `WHOLE` says and writes
`docs/evidence/leaves-nothing.md`.
"""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import engines_lab

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs_root,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root makes a pid namespace with mounts of its own"),
    pytest.mark.xdist_group("leaves-nothing"),
]
HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs/evidence/leaves-nothing.md"
WRITE = os.environ.get("DENOMINATOR_EVIDENCE") == "write"
WHOLE = {"bubblewrap": (1000, 50), "dockerd": (1000, 50), "podman": (200, 10)}
FEW = {"bubblewrap": (60, 6), "dockerd": (20, 3), "podman": (6, 1)}
MANY = WHOLE if WRITE else FEW
"""Backend -> attempts, kills."""
SEED = int(os.environ.get("DENOMINATOR_SIMULATION_SEED", "7"))
DECLARED = {
    "baseline.json", "blobs", "calls.jsonl", "card.json", "facts.jsonl", "journal.db", "journal.db-shm", "journal.db-wal",
    "journal.db.lock", "labels.jsonl", "ledger.jsonl", "pack", "run.log", "seal.json",
}  # fmt: skip
RESIDENT_KIB_AN_ATTEMPT = 8
"""What a harness may keep of an attempt that is over; a thousand would be 8 MiB."""


def missing(backend: str) -> str:
    """Why this backend is not here, "" when it is."""
    if backend == "bubblewrap":
        return "" if shutil.which("bwrap") else "bubblewrap is not installed"
    return engines_lab.missing(backend)


@functools.cache
def world(backend: str, attempts: int, kills: int) -> dict[str, Any]:
    """What `leaving.py` says."""
    words = ["unshare", "--fork", "--pid", "--ipc", "--mount", "--mount-proc", sys.executable, str(HERE / "leaving.py")]
    argv = [*words, "/tmp/lab", str(attempts), str(kills), str(SEED), backend]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture(params=MANY, scope="module")
def backend(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    if why := missing(name):
        pytest.skip(f"{name}: {why}")
    return name


@pytest.fixture
def attempts(backend: str) -> dict[str, Any]:
    return world(backend, MANY[backend][0], 0)["attempts"]  # type: ignore[no-any-return]


@pytest.fixture
def kills(backend: str) -> dict[str, Any]:
    return world(backend, 0, MANY[backend][1])["kills"]  # type: ignore[no-any-return]


def test_attempts_leave_nothing(backend: str, attempts: dict[str, Any]) -> None:
    assert attempts["closed"] == MANY[backend][0]
    # Its links lead out of the allow-list: every attempt is graded, and is a slip.
    assert attempts["equation"]["fail"] == MANY[backend][0]
    assert attempts["left"] == {}
    assert set(attempts["run folder"]) <= DECLARED
    assert set(attempts["lab"]) == {"agent.sh", "cache", "envelope.toml", "pack", "runs", "said", "scenes"}


def test_the_harness_does_not_grow(backend: str, attempts: dict[str, Any]) -> None:
    sizes = attempts["sizes"]
    assert len(sizes) >= min(8, MANY[backend][0] // 2)
    files, kib = [one[1] for one in sizes], [one[2] for one in sizes[len(sizes) // 4 :]]
    assert max(files) < 64
    assert max(kib) - kib[0] < 8 << 10, "memory grows by more than 8 MiB after the first quarter"
    if MANY[backend][0] >= 500:  # a straight line through a few attempts says nothing
        assert grown(sizes, 1) < 0.02, "open files grow with the attempts"
        assert grown(sizes[len(sizes) // 4 :], 2) < RESIDENT_KIB_AN_ATTEMPT, "memory grows with the attempts"


def grown(sizes: list[list[int]], column: int) -> float:
    """The slope of a straight line through the values, for one attempt."""
    many = len(sizes)
    x, y = [one[0] for one in sizes], [one[column] for one in sizes]
    mid_x, mid_y = sum(x) / many, sum(y) / many
    spread = sum((one - mid_x) ** 2 for one in x)
    return sum((a - mid_x) * (b - mid_y) for a, b in zip(x, y, strict=True)) / spread


def test_killed_harnesses_leave_nothing(backend: str, kills: dict[str, Any]) -> None:
    assert kills["kills"] == MANY[backend][1]
    assert kills["survivors"] == [], "a process, mount, namespace or container outlived its harness"
    assert kills["unfinished"] == [], "a resumed run did not come to its end"
    assert kills["with groups to sweep"] > 0 or kills["kills"] < 3, "no kill came while a sandbox was there"
    assert (kills["left"], kills["scratch"]) == ({}, []), "the next start did not sweep"


@pytest.mark.skipif(not WRITE, reason="the page is of a thousand attempts: DENOMINATOR_EVIDENCE=write")
def test_write_the_page() -> None:
    here = [name for name in WHOLE if not missing(name)]
    PAGE.write_text(text({name: world(name, WHOLE[name][0], 0) | world(name, 0, WHOLE[name][1]) for name in here}))


def text(found: Mapping[str, Mapping[str, Any]]) -> str:
    """The page."""
    rows: dict[str, list[str]] = {}
    for name, said in found.items():
        for title, cell in (column(name, said["attempts"]) | killed(name, said["kills"])).items():
            rows.setdefault(title, []).append(cell)
    table = [f"| {title} | {' | '.join(cells)} |" for title, cells in rows.items()]
    return "\n".join(
        [HEAD.format(names=" | ".join(found), lines="---|" * (len(found) + 1)), *table, FOOT.format(seed=SEED)]
    )


def column(name: str, said: Mapping[str, Any]) -> dict[str, str]:
    """What attempts left, by the titles of the rows."""
    sizes = said["sizes"]
    files, kib = [one[1] for one in sizes], [one[2] for one in sizes]
    nothing = "nothing left" if said["left"] == {} else str(said["left"])
    return {
        "attempts, all graded": f"{said['closed']:,}",
        "processes, mounts, namespaces, control groups, files, System V memory": nothing,
        "containers, images, volumes, layers and files of the engine": "no engine" if name == "bubblewrap" else nothing,
        "the run's folder": f"{len(said['run folder'])} entries, all declared",
        "open files of the harness (slope an attempt)": f"{min(files)} to {max(files)} ({grown(sizes, 1):+.4f})",
        "its resident memory in KiB (slope an attempt)": f"{min(kib):,} to {max(kib):,} ({grown(sizes, 2):+.2f})",
        "seconds, on two busy cores": str(said["seconds"]),
    }


def killed(name: str, said: Mapping[str, Any]) -> dict[str, str]:
    """What killed harnesses left."""
    who, soon = ("the next start", "5 s") if name == "bubblewrap" else ("the guard", "20 s")
    groups = f"{said['with groups to sweep']} kills left some; {who} removed them"
    return {
        "kills of the harness (SIGKILL), in so many runs": f"{said['kills']} in {said['runs']}",
        "processes, mounts, namespaces after a kill": f"none left within {soon}",
        "control groups after a kill": groups,
        "after the last resume": "nothing left, no scratch",
    }


HEAD = """\
# What runs leave behind

Written by `tests/e2e/test_leaves_nothing.py` (`DENOMINATOR_EVIDENCE=write`; `make e2e` does the same with fewer). The harness, as a
process, works in pid, ipc and mount namespaces of its own with private /tmp, /run, /dev/shm and /var/tmp, so that whatever is found
afterwards is its own; the engine of the docker backend (dockerd, or Podman with runc) and its store live there too. Each agent solves
its task and leaves two detached processes (one deaf to TERM), tries a mount, a user namespace and an immutable bit, and leaves a closed
folder, a deep one, a pipe, sockets (one abstract), a link to /, a second name of a file, and files in /dev/shm and its home.

| looked at, before and after | {names} |
|{lines}"""
FOOT = """
Kills fell at random moments (seed {seed}): one in four anywhere in the start, the others while sandboxes were there; the runs were resumed
until the last kill had come. Of an engine's own data bases, locks and logs, which are not one for each container, only the number of
containers, images, volumes, layers and further files is compared; it had run one container before.
"""
