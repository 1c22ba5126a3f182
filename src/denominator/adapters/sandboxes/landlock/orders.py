"""What the supervisor is told, as data: it travels as JSON in a file in memory, never on a command line."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

__all__ = ["ALL", "DEVICE", "LIST", "NETWORK", "READ", "SCOPES", "WRITE", "Grant", "Orders", "grants", "on_file"]

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
MAKE_CHAR, MAKE_BLOCK, TRUNCATE, IOCTL_DEV = 1 << 6, 1 << 11, 1 << 14, 1 << 15
ALL = (1 << 16) - 1  # every right on files that ABI 5 knows; 6 and 7 brought none
NETWORK = 3  # bind and connect of TCP
SCOPES = 3  # abstract sockets and signals stay inside
READ = EXECUTE | READ_FILE | READ_DIR
LIST = READ_DIR
WRITE = ALL & ~(MAKE_CHAR | MAKE_BLOCK | IOCTL_DEV)
DEVICE = READ_FILE | WRITE_FILE
ON_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """Rights at and below a path of the host. One with a `place` is bound there before the command starts (root only)."""

    path: str
    rights: int
    place: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """The whole order. `uid` and `gid` are dropped to; -1 keeps what there is. `places` is where grants are bound."""

    lifeline: int
    grants: tuple[Grant, ...]
    filters: tuple[str, ...]
    uid: int = -1
    gid: int = -1
    places: str = ""

    def packed(self) -> bytes:
        return json.dumps(asdict(self)).encode()

    @classmethod
    def read(cls, data: bytes) -> Orders:
        words = json.loads(data)
        given = tuple(Grant(**each) for each in words.pop("grants"))
        return cls(grants=given, filters=tuple(words.pop("filters")), **words)


def on_file(rights: int, number: int) -> int:
    """The rights that can be given on this open file or folder."""
    return rights if stat.S_ISDIR(os.fstat(number).st_mode) else rights & ON_FILES


def grants(folder: Path, hidden: Sequence[Path]) -> Iterator[Grant]:
    """What is readable of a folder. Landlock cannot hide what lies below a given folder, so around a hidden one each
    neighbour is given alone, and of the folders above it the list of names.
    """
    real = folder.resolve()
    if any(real == path or path in real.parents for path in hidden):
        return
    if not any(real in path.parents for path in hidden):
        yield Grant(path=str(real), rights=READ)
        return
    yield Grant(path=str(real), rights=LIST)
    for child in sorted(real.iterdir()):
        if not child.is_symlink():
            yield from grants(child, hidden)
