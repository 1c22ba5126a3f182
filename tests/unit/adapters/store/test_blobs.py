"""Blobs: by digest, durable, checked on reading."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.adapters.failpoints import ArmedFailpoints, parse
from denominator.adapters.store.blobs import FolderBlobs
from denominator.errors import InjectedError, InputError
from denominator.testing.disk import KINDS, ForgetfulDisk
from denominator.wire.durable import write_file


class PowerError(Exception):
    """The power went."""


@given(st.binary(max_size=5000))
def test_bytes_come_back(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    blobs = FolderBlobs(tmp_path_factory.mktemp("b") / "blobs")
    blobs.root.mkdir()
    sha = blobs.put(data)
    assert sha == hashlib.sha256(data).hexdigest()
    assert blobs.put(data) == sha
    assert blobs.get(sha) == data


def test_a_file_is_stored_like_its_bytes_and_no_part_file_stays(tmp_path: Path) -> None:
    blobs = FolderBlobs(tmp_path / "blobs")
    blobs.root.mkdir()
    (tmp_path / "f").write_bytes(b"x" * 3_000_000)
    assert blobs.put_file(tmp_path / "f") == blobs.put(b"x" * 3_000_000)
    assert len([p for p in blobs.root.rglob("*") if p.is_file()]) == 1


@pytest.mark.parametrize("damage", [b"", b"junk", None])
def test_a_missing_or_damaged_blob_is_named(tmp_path: Path, damage: bytes | None) -> None:
    blobs = FolderBlobs(tmp_path / "blobs")
    blobs.root.mkdir()
    sha, other = blobs.put(b"one"), blobs.put(b"two")
    path, source = (blobs.root / s[:2] / s[2:] for s in (sha, other))
    path.write_bytes(source.read_bytes() if damage is None else damage)
    with pytest.raises(InputError, match="damaged|other bytes"):
        blobs.get(sha)
    path.unlink()
    with pytest.raises(InputError, match="missing"):
        blobs.get(sha)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("point", ["blob.written", "blob.synced", "blob.renamed"])
def test_what_a_dead_process_left_half_done_is_durable_when_a_later_put_returns(
    tmp_path: Path, kind: str, point: str
) -> None:
    """The name of a blob that somebody wrote and never synced would go with the power; whoever relies on it syncs it."""
    for seed in range(40):
        root = tmp_path / str(seed)
        root.mkdir()
        disk = ForgetfulDisk(root, kind)
        with disk.watched():
            with pytest.raises(InjectedError):
                FolderBlobs(root, ArmedFailpoints(parse(f"{point}=eio"))).put(b"one")
            sha = FolderBlobs(root).put(b"one")
        disk.cut(Random(seed))
        assert FolderBlobs(root).get(sha) == b"one"


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_is_whole_or_as_it_was_wherever_the_power_goes_and_stays_when_the_call_returned(
    tmp_path: Path, kind: str
) -> None:
    for seed in range(120):
        root = tmp_path / str(seed)
        root.mkdir()
        (root / "f").write_bytes(b"before")

        left = iter(range(seed % 12))

        def step(_what: str, _where: str, left: Iterator[int] = left) -> None:
            if next(left, None) is None:
                raise PowerError

        disk, done = ForgetfulDisk(root, kind, step), False
        with disk.watched(), contextlib.suppress(PowerError):
            write_file(root / "f", b"after" * 1000)
            done = True
        disk.cut(Random(seed))
        assert (root / "f").read_bytes() in ((b"after" * 1000,) if done else (b"before", b"after" * 1000))
        assert done or seed % 12 < 8
