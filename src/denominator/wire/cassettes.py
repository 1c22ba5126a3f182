"""A cassette's folder: `cassette.json`, `calls.jsonl` and `blobs/` (docs/formats/cassette.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from denominator.errors import InputError, Problem
from denominator.records.cassettes import Cassette, RecordedCall, SealedCassette
from denominator.wire.bounded import read_bytes
from denominator.wire.canonical import canonical, sha256_bytes
from denominator.wire.codec import from_json, loads
from denominator.wire.durable import write_file

HEAD, CALLS, BLOBS = "cassette.json", "calls.jsonl", "blobs"
HEAD_BYTES, CALLS_BYTES = 1 << 20, 1 << 30
MOST = 20
Key = tuple[str, int, int, int]


@dataclass(frozen=True, slots=True)
class Tape:
    """A cassette as read: its head, the digest of all that it holds, and the calls by key.

    The digest is of `cassette.json` as stored: the head names the calls, the calls name the blobs.
    """

    head: Cassette
    sha256: str
    calls: Mapping[Key, RecordedCall]

    @property
    def sealed(self) -> SealedCassette:
        """What a seal says of it."""
        head = self.head
        return SealedCassette(sha256=self.sha256, run_id=head.run_id, seal=head.seal, calls=head.calls)


def write_cassette(folder: Path, head: Cassette, calls: Iterable[RecordedCall]) -> Cassette:
    """Write both files into a folder that holds the blobs already; the head with what it says of the calls."""
    lines = sorted(calls, key=key_of)
    data = b"".join(canonical(one) + b"\n" for one in lines)
    made = Cassette(
        run_id=head.run_id,
        seal=head.seal,
        volatile=tuple(sorted(set(head.volatile))),
        left_out=dict(sorted(head.left_out.items())),
        calls=len(lines),
        attempts=len({key_of(one)[:3] for one in lines}),
        calls_sha256=sha256_bytes(data),
    )
    write_file(folder / CALLS, data)
    write_file(folder / HEAD, canonical(made) + b"\n")
    return made


def key_of(call: RecordedCall) -> Key:
    """(task, repeat, attempt, number of the call)."""
    return call.task, call.repeat, call.attempt, call.call


def read_cassette(folder: Path) -> Tape:
    """Head and calls. Raises InputError for what is no cassette and for calls that the head does not name.

    Blobs are not looked at: they are checked when they are read.
    """
    if not folder.is_dir():
        raise InputError("there is no such folder", where=str(folder), fix="denominator runs cassette RUN -o FOLDER")
    where = folder / HEAD
    stored = read_bytes(where, HEAD_BYTES, "denominator runs cassette RUN -o FOLDER").rstrip(b"\n")
    document = loads(stored, str(where))
    head: Cassette = from_json(Cassette, document, str(where))
    if stored != canonical(document):
        raise InputError("was edited by hand", where=str(where), fix="make the cassette again")
    data = read_bytes(folder / CALLS, CALLS_BYTES)
    if sha256_bytes(data) != head.calls_sha256:
        raise InputError("holds other calls than cassette.json names", where=str(folder / CALLS))
    return Tape(head, sha256_bytes(stored), _calls(folder / CALLS, data))


def _calls(where: Path, data: bytes) -> dict[Key, RecordedCall]:
    found: dict[Key, RecordedCall] = {}
    for number, line in enumerate(data.splitlines(), 1):
        place = f"{where}:{number}"
        call: RecordedCall = from_json(RecordedCall, loads(line, place), place)
        if found.setdefault(key_of(call), call) is not call:
            raise InputError("the same call a second time", where=place)
    return found


def blobs_of(calls: Iterable[RecordedCall]) -> tuple[str, ...]:
    """The digests of every blob that calls name, sorted."""
    return tuple(sorted({sha for one in calls for sha in (one.request, one.response) if sha}))


def refuse_damage(problems: Iterable[Problem], folder: Path) -> None:
    """Raise InputError with what is missing from a cassette or holds other bytes, if anything is."""
    found = list(problems)
    if found:
        what = f"the cassette is damaged: {len(found)} of its blobs cannot be used"
        raise InputError(what, where=str(folder), problems=found[:MOST], fix="make the cassette again")
