"""A probe on disk, for writing: one writer at a time, and an attempt is reported when it cannot be lost any more.

Bytes are durable before the line that names them, the line before anybody is told. A line that was cut is taken out, and
its attempt is asked again.
"""

from __future__ import annotations

import os
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from threading import Lock

from denominator.errors import InputError, MachineError, RunInUseError
from denominator.pipeline.probe_folder import ATTEMPTS, BLOBS, FIXTURE, SEAL, WINDOW, ProbeFolder, is_probe
from denominator.ports import Clock
from denominator.records.probe_results import Exchange, Heard, StoredAttempt
from denominator.records.probes import ProbeSeal, Window
from denominator.wire.canonical import canonical
from denominator.wire.durable import new_folder, sync_folder, write_file


def make_probe(root: Path, seal: ProbeSeal, fixture: bytes) -> ProbeFolder:
    """A new probe: everything of it or nothing. InputError where something lies there already."""
    try:
        with sayable(root), new_folder(root) as half:
            write_file(half / FIXTURE, fixture)
            (half / BLOBS).mkdir()
            write_file(half / SEAL, canonical(seal) + b"\n")
    except FileExistsError:
        raise taken(root) from None
    return ProbeFolder(root)


def taken(root: Path) -> InputError:
    """Why a new probe cannot be made there."""
    if is_probe(root):
        return InputError("another probe lies there", where=str(root), fix="name another folder with -o")
    return InputError("is there already, and is no probe", where=str(root), fix="name a new folder with -o")


@contextmanager
def alone_with(root: Path) -> Iterator[None]:
    """Raises RunInUseError while another process asks this probe. The kernel gives the place back when a process dies."""
    try:
        import fcntl
    except ImportError:  # a system without such locks has one writer anyway
        yield
        return
    fd = os.open(root, os.O_RDONLY)
    try:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RunInUseError(
                "another process is asking this probe", where=str(root), fix="wait for it, or stop it with Ctrl-C"
            ) from None
        except OSError:
            pass  # a file system without such locks
        yield
    finally:
        os.close(fd)


class WindowWriter:
    """The attempts of one open window. May be used by several threads."""

    def __init__(self, folder: ProbeFolder, window: Window) -> None:
        self._folder = folder
        self._place = folder.place(window.number)
        self.window = window
        self._lock = Lock()
        self._sure: set[str] = set()

    def put(self, exchange: Exchange, heard: Heard | None) -> None:
        """Store an attempt. With `heard` its bytes are not kept, only their digest. It is durable when this returns."""
        with sayable(self._place), self._lock:
            digest = sha256(exchange.wire).hexdigest()
            if heard is None:
                self._keep(digest, exchange.wire)
            self._line(canonical(_stored(exchange, heard, digest)) + b"\n")

    def end(self, clock: Clock) -> Window:
        """Every planned attempt is there."""
        self.window = replace(self.window, ended_at=clock.wall())
        with sayable(self._place):
            write_file(self._place / WINDOW, canonical(self.window) + b"\n")
        return self.window

    def _keep(self, digest: str, data: bytes) -> None:
        path = self._folder.root / BLOBS / digest[:2] / digest[2:]
        if digest in self._sure:
            return
        if not path.parent.is_dir():
            path.parent.mkdir(parents=True, exist_ok=True)
            sync_folder(path.parent.parent)
        if path.is_file():
            # Whoever died before may have given it its name and not made that durable.
            sync_folder(path.parent)
            sync_folder(path.parent.parent)
        else:
            write_file(path, zlib.compress(data, 6))
        self._sure.add(digest)

    def _line(self, line: bytes) -> None:
        fd = os.open(self._place / ATTEMPTS, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        try:
            size = os.fstat(fd).st_size
            try:
                if os.write(fd, line) != len(line):
                    raise OSError("no space left on device")
                os.fsync(fd)
            except OSError:
                # Half a line in the middle would make the next one unreadable.
                os.ftruncate(fd, size)
                raise
        finally:
            os.close(fd)


def begin(folder: ProbeFolder, window: Window) -> WindowWriter:
    """A window that has not begun. Its folder is there with everything in it, or not at all."""
    with sayable(folder.root), new_folder(folder.place(window.number)) as half:
        write_file(half / ATTEMPTS, b"")
        write_file(half / WINDOW, canonical(window) + b"\n")
    return WindowWriter(folder, window)


def resume(folder: ProbeFolder, window: Window, clock: Clock) -> WindowWriter:
    """A window that was begun and not ended; what was cut when its process died is taken away."""
    window = replace(window, resumed_at=(*window.resumed_at, clock.wall()))
    place = folder.place(window.number)
    with sayable(place):
        _untear(place / ATTEMPTS)
        _tidy(folder.root)
        write_file(place / WINDOW, canonical(window) + b"\n")
    return WindowWriter(folder, window)


@contextmanager
def sayable(where: Path) -> Iterator[None]:
    """An error of the disk in words; FileExistsError is left to who knows what it means."""
    try:
        yield
    except FileExistsError:
        raise
    except OSError as error:
        raise MachineError(
            f"cannot be written: {error.strerror or error}",
            where=str(where),
            fix="see to the disk; then denominator probe run FOLDER asks what is missing",
        ) from None


def _tidy(root: Path) -> None:
    """Passing files and folders of `wire.durable` that never got their names."""
    for half in (*root.glob(f"{BLOBS}/*/.*.part"), *root.glob("window-*/.*.part"), *root.glob(".*.part")):
        half.unlink(missing_ok=True)
    for half in root.glob(".new-*"):
        shutil.rmtree(half, ignore_errors=True)


def _untear(path: Path) -> None:
    with path.open("rb+") as file:
        data = file.read()
        end = data.rfind(b"\n") + 1
        if end != len(data):
            file.truncate(end)
            os.fsync(file.fileno())


def _stored(exchange: Exchange, heard: Heard | None, digest: str) -> StoredAttempt:
    return StoredAttempt(
        schema_version=1,
        ask=exchange.ask,
        window=exchange.window,
        started_at=exchange.started_at,
        end=exchange.end,
        wire_sha256=digest,
        wire_bytes=len(exchange.wire),
        at=exchange.at,
        end_us=exchange.end_us,
        queued_us=exchange.queued_us,
        connected_us=exchange.connected_us,
        sent_us=exchange.sent_us,
        request_sha256=exchange.request_sha256,
        key_echoed=exchange.key_echoed,
        heard=heard,
    )
