"""A task opened by hand: the same workspace and sandbox as an agent's, in a scratch folder that no run counts."""

from __future__ import annotations

import contextlib
import os
import select
import socket
import termios
import threading
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from denominator.pipeline.agent_phase import copy_into
from denominator.pipeline.world import World
from denominator.ports import Ended, Job, Limits, Mount

MB = 1 << 20
SCRATCH_STAMP = "SCRATCH: opened by hand, never counted"
HAND_LIMITS = Limits(
    wall_s=4 * 3600.0,
    memory_bytes=2048 * MB,
    processes=256,
    disk_bytes=512 * MB,
    file_bytes=256 * MB,
    open_files=1024,
    output_bytes=64 * MB,
)


def open_shell(world: World, task_folder: Path, python: str, command: str) -> Ended:
    """Open an interactive shell (or run one command) on a fresh copy of a task; everything is gone afterwards."""
    with TemporaryDirectory(prefix="denominator-shell-") as name:
        scratch = Path(name)
        scratch.chmod(0o711)
        work = world.sandbox.workspace(scratch / "work", role="agent", slot=0, disk_bytes=HAND_LIMITS.disk_bytes)
        copy_into(task_folder / "repo", work)
        world.sandbox.hand_over(work, role="agent", slot=0)
        inside = _inside(scratch, task_folder)
        try:
            if command:
                job = _job(("/bin/sh", "-c", command), work, inside, None)
                return world.sandbox.run(job)
            return _interactive(world, scratch, work, inside, python)
        finally:
            world.sandbox.discard(work)


def _inside(scratch: Path, task_folder: Path) -> Path:
    folder = scratch / "in"
    folder.mkdir(mode=0o755)
    (folder / "prompt.md").write_bytes((task_folder / "prompt.md").read_bytes())
    script = files("denominator.wiring.inside").joinpath("terminal.py").read_bytes()
    (folder / "terminal.py").write_bytes(script)
    (folder / "SCRATCH").write_text(SCRATCH_STAMP + "\n")
    for path in folder.iterdir():
        path.chmod(0o644)
    return folder


def _job(argv: tuple[str, ...], work: Path, inside: Path, link: Path | None) -> Job:
    return Job(
        argv=argv,
        role="agent",
        limits=HAND_LIMITS,
        workdir=work,
        mounts=(Mount(host=inside, inside="/in"),),
        env={"TERM": os.environ.get("TERM", "dumb"), "PYTHONDONTWRITEBYTECODE": "1"},
        socket=link,
    )


def _interactive(world: World, scratch: Path, work: Path, inside: Path, python: str) -> Ended:
    place = scratch / "link"
    place.mkdir(mode=0o755)
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(place / "tty.sock"))
    server.listen(1)
    world.sandbox.hand_over(place, role="agent", slot=0)
    job = _job((python, "-I", "/in/terminal.py"), work, inside, place / "tty.sock")
    result: list[Ended] = []
    # The sandbox dies with the thread that started it, so this thread waits for its end.
    keeper = threading.Thread(target=lambda: result.append(world.sandbox.run(job)), name="shell")
    keeper.start()
    try:
        _attend(server, keeper)
    finally:
        server.close()
        keeper.join()
    return result[0]


def _attend(server: socket.socket, keeper: threading.Thread) -> None:
    """Wait for the shell to call, then carry the terminal's bytes."""
    server.settimeout(0.2)
    while keeper.is_alive():
        try:
            link, _ = server.accept()
        except TimeoutError:
            continue
        with link, raw_terminal():
            _carry(link)
        return


def _carry(link: socket.socket) -> None:
    """Bytes both ways until one side ends; when the terminal goes away, so does the shell inside."""
    with contextlib.suppress(OSError):
        while True:
            ready, _, _ = select.select([link.fileno(), 0], [], [])
            if link.fileno() in ready:
                data = link.recv(65536)
                if not data:
                    return
                os.write(1, data)
            if 0 in ready:
                typed = os.read(0, 65536)
                if not typed:
                    return
                link.sendall(typed)


@contextmanager
def raw_terminal() -> Iterator[None]:
    """Hand every key to the sandbox; the terminal is put back afterwards. Nothing to do when stdin is no terminal."""
    if not os.isatty(0):
        yield
        return
    before = termios.tcgetattr(0)
    try:
        tty.setraw(0)
        yield
    finally:
        termios.tcsetattr(0, termios.TCSADRAIN, before)
