"""A rootless Podman, of an ordinary user made for the test: it is refused in one line, with the reason, and nothing is sealed."""

import contextlib
import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

import engines_lab
from e2e import runs

pytestmark = pytest.mark.e2e
USER = 61999


@pytest.fixture(scope="module")
def rootless(tmp_path_factory):
    """The socket of a Podman that this user runs, with the base image; every file of it becomes the user's own."""
    if why := engines_lab.missing("podman"):
        pytest.skip(f"podman: {why}")
    folder = Path(engines_lab.tempfile.mkdtemp(prefix="lab-rootless-"))
    os.chown(folder, USER, USER)
    drop = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]
    words = (*drop, *engines_lab._podman(folder))
    at = words.index("system")
    words = (*words[:at], "--storage-driver=vfs", "--storage-opt=vfs.ignore_chown_errors=true", *words[at:])
    env = {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "PATH": "/usr/sbin:/usr/bin:/bin"}
    running = engines_lab.Running("podman", folder / "engine.sock", words, None)
    with (folder / "log").open("wb") as log:
        running.process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, cwd=folder, env=env
        )
    try:
        engines_lab._wait(running, folder / "log")
        engines_lab.load(running.engine)
        yield running
    finally:
        running.end()
        for pid in _of_user():
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)  # the process that keeps its user namespace
        engines_lab._unmount(folder)
        shutil.rmtree(folder, ignore_errors=True)


def _of_user():
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if path.stat().st_uid == USER:
                found.append(int(path.name))
    return found


def test_doctor_refuses_it_in_one_line(rootless, tmp_path):
    env = {"DOCKER_HOST": f"unix://{rootless.socket}"}
    done = runs.cli(tmp_path, "doctor", "--sandbox", "docker", "--image", engines_lab.IMAGE, "--json", env=env)
    assert (done.code, done.json["usable"]) == (2, False), done.err
    why = done.json["sandbox"]["why_not"]
    assert f"the engine at {rootless.socket} is rootless" in why and "\n" not in why
    shown = runs.cli(tmp_path, "doctor", "--sandbox", "docker", "--image", engines_lab.IMAGE, env=env)
    assert shown.code == 2 and "is rootless" in " ".join(shown.out.split())


def test_a_run_is_refused_before_anything_is_sealed(rootless, tmp_path):
    tmp_path.chmod(0o755)
    runs.make_pack(tmp_path, "double-it")
    image = rootless.engine.image(engines_lab.IMAGE)["Id"]
    box = {"backend": "docker", "image": f"{engines_lab.IMAGE}@{image}"}
    (tmp_path / "envelope.toml").write_text(runs.envelope([{"label": "gold", "agent": "oracle"}], sandbox=box))
    env = {"DOCKER_HOST": f"unix://{rootless.socket}"}
    done = runs.cli(tmp_path, "run", "envelope.toml", "--run-id", "r", env=env)
    assert done.code == 2 and "is rootless" in done.err, done.err
    assert not (tmp_path / "runs/r").exists()
