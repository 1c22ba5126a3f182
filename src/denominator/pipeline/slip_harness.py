"""The folder of a harness that a hand file names: every file by path and sha256, less what the file says to leave out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from denominator.errors import InputError
from denominator.records.rows import Text
from denominator.slips.harness import folder_digest
from denominator.wire.bounded import read_chunks

MOST = 100_000


def digest_of_folder(folder: Path, leave_out: Sequence[str]) -> Text:
    """The digest of all that lies in a folder. A link counts by where it points; a pattern is of the whole relative path."""
    if not folder.is_dir():
        raise InputError("is no folder", where=str(folder), fix="name the folder of the harness, beside the hand file")
    files: dict[str, str] = {}
    used = set()
    for path, name in _all(folder):
        out = next((one for one in leave_out if fnmatchcase(name, one)), None)
        if out is not None:
            used.add(out)
            continue
        files[name] = _sha(path)
        if len(files) > MOST:
            raise InputError(f"holds more than {MOST} files", where=str(folder), fix="leave_out what is no harness")
    if idle := sorted(set(leave_out) - used):
        raise InputError(
            f"leaves out nothing: {', '.join(idle)}", where="harness.leave_out", fix="take it out of the list"
        )
    return folder_digest(files, leave_out)


def _all(folder: Path) -> list[tuple[Path, str]]:
    def refuse(error: OSError) -> None:
        raise InputError(f"cannot be read ({error.strerror})", where=str(error.filename))

    found = []
    for root, folders, files in os.walk(folder, onerror=refuse):
        links = [one for one in folders if (Path(root) / one).is_symlink()]
        found += [(Path(root) / one, (Path(root) / one).relative_to(folder).as_posix()) for one in (*files, *links)]
    return sorted(found, key=lambda pair: pair[1])


def _sha(path: Path) -> str:
    import hashlib

    if path.is_symlink():
        return f"link:{os.readlink(path)}"  # noqa: PTH115
    if not path.is_file():
        raise InputError("is neither a file nor a link", where=str(path), fix="leave it out by name")
    found = hashlib.sha256()
    for chunk in read_chunks(path):
        found.update(chunk)
    return found.hexdigest()
