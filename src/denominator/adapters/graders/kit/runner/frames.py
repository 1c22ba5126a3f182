"""The report: one line a frame, `<number> <code> <json>`, the code keyed by a secret of this grading."""

from __future__ import annotations

import json
import os
from _blake2 import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Channel:
    """Writes frames to a descriptor that no child inherits."""

    def __init__(self, fd: int, nonce: str) -> None:
        os.set_inheritable(fd, False)
        key = bytes.fromhex(nonce)
        number = iter(range(1 << 62))

        def send(kind: str, **fields: Any) -> None:
            text = f"{next(number)} {json.dumps({'kind': kind, **fields}, separators=(',', ':'))}"
            code = blake2b(text.encode(), key=key, digest_size=16).hexdigest()
            first, _, rest = text.partition(" ")
            write(fd, f"{first} {code} {rest}\n".encode())

        self.send = send


def write(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]
