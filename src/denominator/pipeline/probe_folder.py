"""A probe on disk, for reading: what was sealed, the cases, and every attempt with its bytes.

    seal.json               canonical JSON; its sha256 names the probe
    fixture.jsonl           the cases as they were asked
    blobs/ab/cdef...        answers by sha256, compressed with zlib
    window-1/window.json    when the window began and ended
    window-1/attempts.jsonl one attempt a line, in the order in which they ended

A last line without its newline was being written when the process died: it counts as not asked.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from denominator.errors import InputError
from denominator.probe.fixture import read_fixture
from denominator.records.probe_results import Exchange, Heard, StoredAttempt
from denominator.records.probes import Fixture, ProbeSeal, Window
from denominator.records.values import NotMeasured
from denominator.wire.canonical import canonical
from denominator.wire.codec import check_version, from_json, loads

SEAL, FIXTURE, BLOBS, WINDOW, ATTEMPTS = "seal.json", "fixture.jsonl", "blobs", "window.json", "attempts.jsonl"
HEAVY = 9
"""An answer weighs at most eight times its body's cap on the wire, and a little."""
R = TypeVar("R")


def is_probe(folder: Path) -> bool:
    """Does a probe lie there?"""
    return (folder / SEAL).is_file()


class ProbeFolder:
    """Every method raises InputError for what cannot be read or is not as it was written."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @property
    def seal_sha256(self) -> str:
        """The digest of the seal's bytes, as of every canonical document without the newline behind it."""
        return self._sealed[1]

    def seal(self) -> ProbeSeal:
        """What this probe is."""
        return self._sealed[0]

    def fixture(self) -> Fixture:
        """The cases as they were sealed."""
        return self._fixture

    @cached_property
    def _sealed(self) -> tuple[ProbeSeal, str]:
        path = self.root / SEAL
        data = self._read(path, "name the folder that `denominator probe run` wrote")
        check_version(loads(data, str(path)), (1,), str(path))
        return self._document(ProbeSeal, data, path), sha256(data.rstrip(b"\n")).hexdigest()

    @cached_property
    def _fixture(self) -> Fixture:
        path = self.root / FIXTURE
        data = self._read(path, "restore it: it is the file that was sealed")
        sealed = self.seal().envelope.fixture_sha256
        if sha256(data).hexdigest() != sealed:
            raise InputError(
                f"is not the fixture that was sealed (sha256 {sealed[:12]})",
                where=str(path),
                fix="restore the sealed file; other cases are another probe",
            )
        return read_fixture(data, self.seal().envelope.fixture)

    def windows(self) -> tuple[Window, ...]:
        """The windows that have begun, by number. One with attempts and without its stamps is read, and refused."""
        found = {path.parent / WINDOW for name in (WINDOW, ATTEMPTS) for path in self.root.glob(f"window-*/{name}")}
        return tuple(sorted(map(self._window, found), key=lambda one: one.number))

    def _window(self, path: Path) -> Window:
        window = self._document(Window, self._read(path, "restore it"), path)
        if path.parent.name != f"window-{window.number}":
            raise InputError(f"says it is window {window.number}", where=str(path), fix="restore the folder")
        if window.seal_sha256 != self.seal_sha256:
            raise InputError(
                f"seal.json was changed after window {window.number} began (sealed as {window.seal_sha256[:12]})",
                where=str(self.root / SEAL),
                fix="restore the sealed file; other terms are another probe",
            )
        return window

    def attempts(self, window: int) -> Iterator[StoredAttempt]:
        """The attempts of a window as lines, without their bytes."""
        path = self.place(window) / ATTEMPTS
        seen: set[int] = set()
        for number, line in enumerate(whole_lines(path), 1):
            where = f"{path}:{number}"
            stored = from_json(StoredAttempt, loads(line, where), where)
            if stored.window != window or stored.ask.seq in seen:
                raise InputError(
                    "is of another window" if stored.window != window else f"attempt {stored.ask.seq} is there twice",
                    where=where,
                    fix="restore the file as it was written",
                )
            seen.add(stored.ask.seq)
            yield stored

    def exchanges(self, window: int) -> Iterator[Exchange | Heard]:
        """The attempts of a window: with their bytes, or as they were heard where bodies are redacted."""
        for stored in self.attempts(window):
            yield stored.heard if stored.heard is not None else self._exchange(stored)

    def _exchange(self, stored: StoredAttempt) -> Exchange:
        if isinstance(stored.wire_sha256, NotMeasured):
            raise InputError(
                f"attempt {stored.ask.seq} of window {stored.window} has neither bytes nor what was heard",
                where=str(self.place(stored.window) / ATTEMPTS),
                fix="restore the file as it was written",
            )
        return Exchange(
            ask=stored.ask,
            window=stored.window,
            started_at=stored.started_at,
            end=stored.end,
            wire=self.blob(stored.wire_sha256),
            at=stored.at,
            end_us=stored.end_us,
            queued_us=stored.queued_us,
            connected_us=stored.connected_us,
            sent_us=stored.sent_us,
            request_sha256=stored.request_sha256,
            key_echoed=stored.key_echoed,
        )

    def blob(self, digest: str) -> bytes:
        """Bytes by their sha256."""
        path = self.root / BLOBS / digest[:2] / digest[2:]
        # No answer that was stored is longer; a folder that comes from elsewhere may hold anything.
        most = HEAVY * self.seal().envelope.run.body_bytes_max + 2**24
        packed = self._read(path, "restore it: without the bytes nothing can be judged")
        try:
            data = zlib.decompressobj().decompress(packed, most)
        except zlib.error:
            data = b""
        if sha256(data).hexdigest() != digest:
            raise InputError("holds other bytes than its name says", where=str(path), fix="restore it")
        return data

    def place(self, window: int) -> Path:
        """The folder of a window."""
        return self.root / f"window-{window}"

    def _document(self, cls: type[R], data: bytes, path: Path) -> R:
        value = loads(data, str(path))
        if canonical(value) != data.rstrip(b"\n"):
            raise InputError("was edited after it was written", where=str(path), fix="restore it as it was written")
        return from_json(cls, value, str(path))

    def _read(self, path: Path, fix: str) -> bytes:
        try:
            return path.read_bytes()
        except FileNotFoundError:
            raise InputError("no such file", where=str(path), fix=fix) from None
        except OSError as error:
            raise InputError(f"cannot be read ({error.strerror})", where=str(path), fix=fix) from None


def whole_lines(path: Path) -> Iterator[bytes]:
    """The lines that ended in a newline; none where there is no file."""
    try:
        with path.open("rb") as source:
            yield from (line[:-1] for line in source if line.endswith(b"\n"))
    except FileNotFoundError:
        return
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=str(path)) from None
