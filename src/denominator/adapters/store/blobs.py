"""Bytes by sha256, one compressed file each: `blobs/ab/cdef...` (zlib). The bytes are durable when `put` returns."""

from __future__ import annotations

import hashlib
import zlib
from pathlib import Path

from denominator.errors import InputError
from denominator.wire.durable import sync_folder, write_file

CHUNK = 1 << 20


class FolderBlobs:
    """`ports.Blobs` in a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def put(self, data: bytes) -> str:
        """Store bytes and return their digest; storing them again changes nothing."""
        sha = hashlib.sha256(data).hexdigest()
        if not self.has(sha):
            self._write(sha, zlib.compress(data, 6))
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
        if not self.has(sha):
            self._write(sha, b"".join(parts))
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

    def _write(self, sha: str, packed: bytes) -> None:
        path = self._path(sha)
        if not path.parent.is_dir():
            path.parent.mkdir(parents=True, exist_ok=True)
            sync_folder(self.root)
        write_file(path, packed)
