"""A `SHA256SUMS` beside the rows is held against the bytes that were read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from denominator.importers.files import basename
from denominator.records.rows import Defect

LINE = re.compile(r"([0-9a-fA-F]{64}) [ *](.+)")
NAME = "sha256sums"


def digest_defects(files: Sequence[tuple[str, bytes]], digests: Mapping[str, str]) -> Iterable[Defect]:
    """One block for every listed file that is here with another digest, and for a line that is none."""
    for name, data in files:
        if basename(name).lower() != NAME:
            continue
        for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
            yield from _held(f"{name}:{number}", line, name, digests)


def _held(where: str, line: str, sums: str, digests: Mapping[str, str]) -> Iterable[Defect]:
    found = LINE.fullmatch(line.strip())
    if found is None:
        if line.strip():
            yield Defect(kind="digest_mismatch", where=where, what="is no line of sha256sum")
        return
    seen = _digest(found[2], sums, digests)
    if seen is not None and seen != found[1].lower():
        yield Defect(kind="digest_mismatch", where=where, what=f"digest mismatch: {found[2]} was changed after it")


def _digest(listed: str, sums: str, digests: Mapping[str, str]) -> str | None:
    """The digest of a listed file: the one below the folder of the list, else the only one of that name."""
    folder = sums.replace("\\", "/").rpartition("/")[0]
    below = f"{folder}/{listed}" if folder else listed
    named = [sha for name, sha in digests.items() if basename(name) == basename(listed)]
    return digests.get(below, named[0] if len(named) == 1 else None)
