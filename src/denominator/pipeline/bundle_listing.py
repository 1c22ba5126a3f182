"""What lies in a folder that somebody sent: every file with its digest, no link followed, every odd thing named."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from denominator.bundles.contract import CONTRACT, RATE
from denominator.bundles.contract import EVENTS as CONTRACT_EVENTS
from denominator.bundles.imports import ALLOWED as OF_IMPORTS
from denominator.bundles.layout import ALLOWED, SIGNATURE, SUMS, is_document, is_plain
from denominator.errors import InputError
from denominator.records.bundles import Fault
from denominator.wire.bounded import read_bytes, read_chunks

DOCUMENTS = ALLOWED | OF_IMPORTS | {SUMS, SIGNATURE, CONTRACT, CONTRACT_EVENTS, RATE}
DOCUMENT_BYTES = 1 << 30
FILES_MAX, DEPTH_MAX = 1_000_000, 8
PACKED = (".zip", ".tar.gz", ".tgz", ".tar")
UNPACK = "unpack it into a folder of its own first"


@dataclass(slots=True)
class Listing:
    """Digests by name, the documents in full (read once, so that what was hashed is what is judged), and faults."""

    digests: dict[str, str] = field(default_factory=dict)
    documents: dict[str, bytes] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)


def list_folder(root: Path) -> Listing:
    """Everything below a folder. InputError where it is none."""
    if not root.is_dir():
        fix = UNPACK if root.name.endswith(PACKED) else "name the folder of a bundle"
        raise InputError("is no folder", where=str(root), fix=fix)
    found = Listing()
    for name, entry in _walk(root, "", 0, found):
        if len(found.digests) >= FILES_MAX:
            raise InputError(f"holds more than {FILES_MAX} files", where=str(root))
        try:
            _take(name, Path(entry.path), found)
        except InputError as error:
            found.faults.append(Fault(kind="unreadable", where=name, what=error.what))
    return found


def _walk(folder: Path, before: str, depth: int, found: Listing) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Regular files with plain names; everything else is a fault, and is neither opened nor entered."""
    try:
        entries = sorted(os.scandir(folder), key=lambda one: one.name)
    except OSError as error:
        found.faults.append(Fault(kind="unreadable", where=before or ".", what=error.strerror or "cannot be read"))
        return
    if not entries and before:
        found.faults.append(Fault(kind="unlisted", where=before, what="an empty folder, which no sums can list"))
    for entry in entries:
        name = before + entry.name
        if entry.is_symlink():
            found.faults.append(
                Fault(kind="link", where=shown(name), what="is a link: it may show anything, from anywhere")
            )
        elif not is_plain(name):
            found.faults.append(Fault(kind="odd_name", where=shown(name), what="no file of a bundle is called so"))
        elif entry.is_dir(follow_symlinks=False):
            if depth < DEPTH_MAX:
                yield from _walk(Path(entry.path), f"{name}/", depth + 1, found)
            else:
                found.faults.append(Fault(kind="odd_name", where=shown(name), what="lies too deep"))
        elif not entry.is_file(follow_symlinks=False):
            found.faults.append(Fault(kind="odd_name", where=shown(name), what=_kind(entry)))
        else:
            yield name, entry


def _take(name: str, path: Path, found: Listing) -> None:
    if name in DOCUMENTS or is_document(name):
        data = read_bytes(path, DOCUMENT_BYTES)
        found.documents[name] = data
        found.digests[name] = hashlib.sha256(data).hexdigest()
        return
    sha = hashlib.sha256()
    for chunk in read_chunks(path):
        sha.update(chunk)
    found.digests[name] = sha.hexdigest()


def _kind(entry: os.DirEntry[str]) -> str:
    mode = entry.stat(follow_symlinks=False).st_mode
    return f"is no file, but {'a pipe' if stat.S_ISFIFO(mode) else 'a socket' if stat.S_ISSOCK(mode) else 'a device'}"


def shown(name: str) -> str:
    """A name of any bytes as one line of plain text."""
    return name[:200].encode("unicode_escape", "backslashreplace").decode("ascii", "replace")
