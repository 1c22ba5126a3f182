"""What every store of blobs must hold to (ports.Blobs). Each check returns the breaches found; none is a pass."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from denominator.errors import InputError
from denominator.ports import Blobs
from denominator.testing.journal_bench import differs, refused


@dataclass(frozen=True, slots=True, kw_only=True)
class BlobsBench:
    """`opens` gives another handle on the same store each time; `folder` is scratch."""

    opens: Callable[[], Blobs]
    folder: Path


BlobCheck = Callable[[BlobsBench], list[str]]


def bytes_come_back(bench: BlobsBench) -> list[str]:
    """Empty, small, binary, incompressible and large bytes come back under their sha256, by another handle too."""
    noise = random.Random(7).randbytes  # noqa: S311
    breaches = []
    for data in (b"", b"\0", b"text\n", noise(70_000), b"ab" * 5_000_000, noise(9_000_001)):
        sha = bench.opens().put(data)
        again = bench.opens()
        breaches += differs("digest", sha, hashlib.sha256(data).hexdigest())
        breaches += differs(f"{len(data)} bytes", (again.has(sha), again.get(sha) == data), (True, True))
    return breaches


def a_file_is_its_bytes(bench: BlobsBench) -> list[str]:
    """`put_file` is `put` of the file's bytes."""
    breaches = []
    for number, data in enumerate((b"", b"one", random.Random(9).randbytes(8 << 20))):  # noqa: S311
        path = bench.folder / f"file{number}"
        path.write_bytes(data)
        sha = bench.opens().put_file(path)
        breaches += differs("digest", sha, hashlib.sha256(data).hexdigest())
        breaches += differs("bytes", bench.opens().get(sha) == data, True)
    return breaches


def twice_is_once(bench: BlobsBench) -> list[str]:
    """Many who store the same bytes at once all get the digest, and the bytes are whole."""
    data = b"the same" * 100_000
    handles = [bench.opens() for _ in range(4)]
    with ThreadPoolExecutor(len(handles)) as pool:
        found = set(pool.map(lambda one: one.put(data), handles))
    return [
        *differs("digests", found, {hashlib.sha256(data).hexdigest()}),
        *differs("bytes", handles[0].get(found.pop()) == data, True),
    ]


def what_is_not_there_is_said(bench: BlobsBench) -> list[str]:
    """A digest without bytes is an error that names it; a question after it is no."""
    store, sha = bench.opens(), hashlib.sha256(b"never stored").hexdigest()
    before = store.has(sha)
    breaches = refused(InputError, lambda: store.get(sha), "missing")
    bench.opens().put(b"never stored")
    return [*breaches, *differs("before", before, False), *differs("after another stored it", store.has(sha), True)]


BLOB_CHECKS: tuple[BlobCheck, ...] = (bytes_come_back, a_file_is_its_bytes, twice_is_once, what_is_not_there_is_said)
