"""Blobs: by digest, durable, checked on reading."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.adapters.store.blobs import FolderBlobs
from denominator.errors import InputError


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
