"""Keeps what was sent and what came back, as blobs under the digests of the call's row."""

from __future__ import annotations

import asyncio
from pathlib import Path

from denominator.adapters.store.blobs import FolderBlobs


class Bodies:
    """Writes off the event loop; `folder` "" keeps nothing. Nothing that holds the key is kept."""

    def __init__(self, folder: str, key: str) -> None:
        self._blobs = FolderBlobs(Path(folder)) if folder else None
        self._key = key.encode()

    @property
    def kept(self) -> bool:
        """Are bodies kept?"""
        return self._blobs is not None

    async def keep(self, *bodies: bytes) -> bool:
        """Stores all of them, or says that it could not."""
        if self._blobs is None or (self._key and any(self._key in body for body in bodies)):
            return False
        try:
            for body in bodies:
                await asyncio.to_thread(self._blobs.put, body)
        except OSError:
            return False
        return True
