"""Bytes by sha256 in PostgreSQL, in compressed parts, so that workers share nothing but the server."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from denominator.adapters.store.dsn import Dsn
from denominator.adapters.store.postgres_link import Connection, Link
from denominator.errors import InputError

PART = 4 << 20
"""Bytes of a blob in one row, before they are compressed."""
MOST = 1 << 30
"""Bytes of one blob at most; what agents leave is capped far below by the sandbox."""
INSERT = """
INSERT INTO denominator.blobs (run_id, sha256, part, parts, data) VALUES (%s, %s, %s, %s, %s)
ON CONFLICT (run_id, sha256, part) DO NOTHING
"""
HAS = "SELECT 1 FROM denominator.blobs WHERE run_id = %s AND sha256 = %s AND part = 0"
GET = "SELECT parts, data FROM denominator.blobs WHERE run_id = %s AND sha256 = %s ORDER BY part"


class PostgresBlobs:
    """`ports.Blobs` of one run. A blob is written whole in one transaction, and never again."""

    def __init__(self, dsn: Dsn, run_id: str, *, link: Link | None = None) -> None:
        self.dsn, self.run_id, self.link = dsn, run_id, link or Link(dsn)
        self._known: set[str] | None = None

    def put(self, data: bytes) -> str:
        """Store bytes and return their digest; storing them again changes nothing."""
        sha = hashlib.sha256(data).hexdigest()
        self._put(sha, len(data), lambda: (data[at : at + PART] for at in range(0, max(len(data), 1), PART)))
        return sha

    def put_file(self, path: Path) -> str:
        """Store a file's bytes, a part at a time. Raises InputError when it changes meanwhile."""
        with path.open("rb") as src:
            sha, size = _digest(src)
            self._put(sha, size, lambda: _checked(src, sha, path))
        return sha

    def get(self, sha256: str) -> bytes:
        """The bytes under a digest, checked. Raises InputError when they are missing or damaged."""
        rows = self.link.transact(lambda conn, _again: conn.execute(GET, (self.run_id, sha256)).fetchall())
        if not rows:
            raise InputError(f"blob {sha256} is missing", where=self._where, fix="restore it or re-run")
        try:
            data = b"".join(zlib.decompress(part) for _, part in rows)
        except zlib.error as error:
            raise InputError(f"blob {sha256} is damaged: {error}", where=self._where) from None
        if len(rows) != rows[0][0] or hashlib.sha256(data).hexdigest() != sha256:
            raise InputError(f"blob {sha256} holds other bytes", where=self._where)
        return data

    def has(self, sha256: str) -> bool:
        """Is there a blob under this digest? What was there once stays there, so nobody asks for it again."""
        if self._known is None:
            self._known = set(self.digests())
        if sha256 not in self._known:
            row = self.link.transact(lambda conn, _again: conn.execute(HAS, (self.run_id, sha256)).fetchone())
            if row is None:
                return False
            self._known.add(sha256)
        return True

    def digests(self) -> list[str]:
        """The digests of all blobs of the run."""
        sql = "SELECT sha256 FROM denominator.blobs WHERE run_id = %s AND part = 0 ORDER BY sha256"
        return [row[0] for row in self.link.transact(lambda conn, _again: conn.execute(sql, (self.run_id,)).fetchall())]

    def close(self) -> None:
        """End the connection."""
        self.link.close()

    @property
    def _where(self) -> str:
        return f"{self.dsn} run {self.run_id}"

    def _put(self, sha: str, size: int, parts: Callable[[], Iterable[bytes]]) -> None:
        if size > MOST:
            raise InputError(f"{size} bytes are more than a blob may hold ({MOST})", where=self._where)
        count = max(-(-size // PART), 1)

        def work(conn: Connection, _again: bool) -> None:
            if conn.execute(HAS, (self.run_id, sha)).fetchone() is None:
                for number, part in enumerate(parts()):
                    conn.execute(INSERT, (self.run_id, sha, number, count, zlib.compress(part, 6)))

        self.link.transact(work)


def _digest(src: BinaryIO) -> tuple[str, int]:
    digest, size = hashlib.sha256(), 0
    while chunk := src.read(PART):
        digest.update(chunk)
        size += len(chunk)
    return digest.hexdigest(), size


def _checked(src: BinaryIO, sha: str, path: Path) -> Iterator[bytes]:
    """The parts of a file, if they still are what its digest says."""
    src.seek(0)
    digest, any_part = hashlib.sha256(), False
    while chunk := src.read(PART):
        digest.update(chunk)
        any_part = True
        yield chunk
    if not any_part:
        yield b""
    if digest.hexdigest() != sha:
        raise InputError("the file changed while it was stored", where=str(path))
