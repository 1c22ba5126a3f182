"""A `SHA256SUMS` beside the rows is held against the bytes that were read."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence

from denominator.importers.files import basename
from denominator.records.rows import Defect

LINE = re.compile(r"([0-9a-fA-F]{64}) [ *](.+)")
NAME = "sha256sums"


def digest_defects(files: Sequence[tuple[str, bytes]]) -> Iterable[Defect]:
    """One block for every listed file that is here with another digest, and for a line that is none."""
    given = {basename(name): data for name, data in files}
    for name, data in files:
        if basename(name).lower() != NAME:
            continue
        for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
            yield from _held(f"{name}:{number}", line, given)


def _held(where: str, line: str, given: dict[str, bytes]) -> Iterable[Defect]:
    found = LINE.fullmatch(line.strip())
    if found is None:
        if line.strip():
            yield Defect(kind="digest_mismatch", where=where, what="is no line of sha256sum")
        return
    data = given.get(basename(found[2]))
    if data is not None and hashlib.sha256(data).hexdigest() != found[1].lower():
        yield Defect(kind="digest_mismatch", where=where, what=f"digest mismatch: {found[2]} was changed after it")
