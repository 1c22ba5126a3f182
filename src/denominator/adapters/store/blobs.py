"""Bytes by sha256, one compressed file each: `blobs/ab/cdef...` (zlib). The bytes are durable when `put` returns."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from denominator.adapters.failpoints import NoFailpoints
from denominator.errors import InputError
from denominator.ports import Failpoints
from denominator.wire.durable import sync_folder, write_file

CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class BlobPoints:
    """The failpoints of one blob (`wire.durable.Steps`)."""

    failpoints: Failpoints

    def written(self) -> None:
        """Its bytes are in a passing file."""
        self.failpoints.hit("blob.written")

    def synced(self) -> None:
        """Its bytes are durable, it has no name."""
        self.failpoints.hit("blob.synced")

    def renamed(self) -> None:
        """It has its name, which is not durable yet."""
        self.failpoints.hit("blob.renamed")


class FolderBlobs:
    """`ports.Blobs` in a folder."""

    def __init__(self, root: Path, failpoints: Failpoints | None = None) -> None:
        self.root = root
        self._told = BlobPoints(failpoints or NoFailpoints())
        # Names that this process has made durable itself: who died before may have given others and not synced them.
        self._folders: set[str] = set()
        self._sure: set[str] = set()

    def put(self, data: bytes) -> str:
        """Store bytes and return their digest; storing them again changes nothing."""
        sha = hashlib.sha256(data).hexdigest()
        self._keep(sha, lambda: zlib.compress(data, 6))
        return sha

    def put_file(self, path: Path) -> str:
        """Store a file's bytes in bounded memory (the compressed form is held once)."""
        digest, packer, parts = hashlib.sha256(), zlib.compressobj(6), []
        with path.open("rb") as src:
            while chunk := src.read(CHUNK):
                digest.update(chunk)
                parts.append(packer.compress(chunk))
        parts.append(packer.flush())
        sha = digest.hexdigest()
        self._keep(sha, lambda: b"".join(parts))
        return sha

    def get(self, sha256: str) -> bytes:
        """The bytes under a digest, checked. Raises InputError when they are missing or damaged."""
        path = self._path(sha256)
        try:
            data = zlib.decompress(path.read_bytes())
        except FileNotFoundError:
            raise InputError(f"blob {sha256} is missing", where=str(path), fix="restore it or re-run") from None
        except zlib.error as error:
            raise InputError(f"blob {sha256} is damaged: {error}", where=str(path)) from None
        if hashlib.sha256(data).hexdigest() != sha256:
            raise InputError(f"blob {sha256} holds other bytes", where=str(path))
        return data

    def has(self, sha256: str) -> bool:
        """Is there a blob under this digest?"""
        return self._path(sha256).is_file()

    def _path(self, sha: str) -> Path:
        return self.root / sha[:2] / sha[2:]

    def _keep(self, sha: str, packed: Callable[[], bytes]) -> None:
        """Make bytes durable under their name; what has the name was durable before it got it, and perhaps the name is not."""
        path = self._path(sha)
        if sha[:2] not in self._folders:
            path.parent.mkdir(parents=True, exist_ok=True)
            sync_folder(self.root)
            self._folders.add(sha[:2])
        if not path.is_file():
            write_file(path, packed(), told=self._told)
        elif sha not in self._sure:
            sync_folder(path.parent)
        self._sure.add(sha)
