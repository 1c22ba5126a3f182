"""An engine that goes away, comes back, loses its image or has no room, in the middle of a run: nobody's number changes by it.

Where the engine itself is gone the run stops, its promises stay open and `resume` keeps them. Where a container cannot be made the
attempt says why, as the harness's or the host's, and stays in the denominator.
"""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

import engines_lab
from denominator.adapters.sandboxes.docker.owners import OWNER
from denominator.pipeline.results import judge_run
from e2e import runs
from e2e.engines import pin

pytestmark = pytest.mark.e2e
WAITS = (
    'touch /work/began; [ "$DENOMINATOR_SEED" != 1 ] || '
    "for n in $(seq 100); do [ ! -e /work/go ] || break; sleep 0.1; done; rm -f /work/began /work/go; "
)


@pytest.fixture(scope="module")
def running():
    """An engine that tests may kill."""
    if why := engines_lab.missing("dockerd"):
        pytest.skip(f"dockerd: {why}")
    with engines_lab.started("dockerd") as made:
        yield made


class Lab:
    """A run of three attempts of one task, one after the other; the first waits for `go`, or ten seconds."""

    def __init__(self, folder: Path, running: engines_lab.Running, image: str) -> None:
        self.folder, self.running = folder, running
        self.env = {"DOCKER_HOST": f"unix://{running.socket}"}
        folder.chmod(0o755)
        runs.make_pack(folder, "double-it")
        arm = {
            "label": "solves", "agent": "command", "command": ["sh", "-c", WAITS + runs.SOLVE["double-it"]],
        }  # fmt: skip
        text = runs.envelope(
            [arm],
            budget={"repeats": 3, "wall_s": 120, "working_s": 120},
            run={"seeds": [1, 2, 3], "concurrency": 1},
            sandbox={"backend": "docker", "image": image},
        )
        (folder / "envelope.toml").write_text(text)

    def until_it_works(self) -> subprocess.Popen[str]:
        """Start the run; back when its first agent works."""
        process = runs.start(self.folder, "run", "envelope.toml", "--run-id", "r", "--json", env=self.env)
        for _ in range(1800):
            if list(self.folder.glob("runs/r/work/**/began")):
                return process
            if process.poll() is not None:
                break
            time.sleep(0.1)
        raise AssertionError(runs.Done(process).err)

    def go(self) -> None:
        for began in self.folder.glob("runs/r/work/**/began"):
            began.with_name("go").touch()

    def resumed(self) -> runs.Done:
        done = runs.cli(self.folder, "resume", "r", "--json", env=self.env)
        assert done.code in (0, 1), done.err
        return done

    def draws(self) -> list[tuple[str, str, str]]:
        """Exit, origin and reason of each draw, by its repeat."""
        sheet = judge_run(runs.opened(self.folder, "r")).judged.sheet
        by_repeat = {one.draw.repeat: one for one in sheet.draws}
        return [(by_repeat[n].exit, by_repeat[n].origin, str(by_repeat[n].reason or "")) for n in sorted(by_repeat)]

    def causes(self) -> list[str]:
        return [
            str(event.payload["cause"])
            for event in runs.opened(self.folder, "r").journal.events()
            if event.kind == "failure"
        ]


def stopped(done: runs.Done, lab: Lab) -> None:
    """The run ended, said why in plain words, and keeps its promises open."""
    assert done.code not in (0, 1), done.out
    assert "the engine at" in done.err or "ended from outside" in done.err, done.err
    assert lab.causes() == []
    assert sum(event.kind == "closed" for event in runs.opened(lab.folder, "r").journal.events()) == 0


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=["killed", "ended"])
def test_the_engine_ends_while_an_agent_works(number, running, tmp_path):
    lab = Lab(tmp_path, running, pin(running))
    process = lab.until_it_works()
    running.end(number)
    lab.go()
    try:
        stopped(runs.Done(process), lab)
    finally:
        running.again()
    lab.resumed()
    assert lab.draws() == [("pass", "MODEL", "")] * 3
    assert running.engine.labelled(OWNER) == []


def test_an_engine_that_is_restarted_blames_no_model(running, tmp_path):
    """It kills the containers that it has, and answers again before anybody asks."""
    lab = Lab(tmp_path, running, pin(running))
    process = lab.until_it_works()
    running.end()
    running.again()
    stopped(runs.Done(process), lab)
    lab.resumed()
    assert lab.draws() == [("pass", "MODEL", "")] * 3


def test_a_container_that_somebody_kills_blames_no_model(running, tmp_path):
    lab = Lab(tmp_path, running, pin(running))
    process = lab.until_it_works()
    for each in running.engine.labelled(OWNER):
        running.engine.kill(each["Id"])
    done = runs.Done(process)
    assert "ended from outside" in done.err, done.err
    stopped(done, lab)
    lab.resumed()
    assert lab.draws() == [("pass", "MODEL", "")] * 3


def test_no_engine_is_told_before_anything_is_sealed(running, tmp_path):
    lab = Lab(tmp_path, running, pin(running))
    running.end()
    try:
        done = runs.cli(tmp_path, "run", "envelope.toml", "--run-id", "r", env=lab.env)
    finally:
        running.again()
    assert done.code == 2 and "does not answer" in done.err, done.err
    assert not (tmp_path / "runs/r").exists()


def test_an_image_that_is_removed_is_the_harness(running, tmp_path):
    number = running.engine.image(engines_lab.IMAGE)["Id"]
    running.engine.call("POST", f"/images/{number}/tag", {"repo": "lab/gone", "tag": "1"})
    lab = Lab(tmp_path, running, f"lab/gone:1@{number}")
    process = lab.until_it_works()
    running.engine.call("DELETE", "/images/lab/gone:1", {"force": "true"})
    lab.go()
    done = runs.Done(process)
    assert done.code in (0, 1), done.err
    assert [one[:2] for one in lab.draws()] == [("unscoreable", "HARNESS")] * 3
    assert "every declared draw has an exit" in done.out
    assert "lab/gone" in json.dumps([event.payload for event in runs.opened(tmp_path, "r").journal.events()])


def test_a_full_disk_of_the_engine_is_the_hosts(tmp_path):
    if why := engines_lab.missing("dockerd"):
        pytest.skip(f"dockerd: {why}")
    store = tmp_path / "store"
    store.mkdir()
    with contextlib.ExitStack() as undo:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=600m", "store", store], check=True)
        undo.callback(subprocess.run, ["umount", "-l", store], check=False)
        running = undo.enter_context(engines_lab.started("dockerd", "--data-root", str(store)))
        (tmp_path / "lab").mkdir()
        lab = Lab(tmp_path / "lab", running, pin(running))
        process = lab.until_it_works()
        with contextlib.suppress(OSError), (store / "filler").open("wb") as file:
            while True:
                file.write(bytes(1 << 20))
        lab.go()
        done = runs.Done(process)
        assert done.code in (0, 1), done.err
        assert lab.draws()[1:] == [("unscoreable", "INFRA", "disk_full")] * 2
        assert {*lab.causes()} == {"disk_full"}
        assert len(lab.draws()) == 3 and "every declared draw has an exit" in done.out
        (store / "filler").unlink()
        assert lab.resumed().code in (0, 1)
