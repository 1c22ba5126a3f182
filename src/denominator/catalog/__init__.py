"""The one shape of every one-file-each family; `explain` reads it.

A family is an explicit list of `Entry` objects, one file each. The entry's `doc` is the docstring of its file: why it
matters, a bad case, a good case. Codes are permanent and never reused.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """A catalog entry: permanent code, name as used in `allow NAME`, version that introduced it, page."""

    code: str
    name: str
    since: str
    family: str
    doc: str
    version: int = 1

    @property
    def title(self) -> str:
        """The first line of the page."""
        return self.doc.strip().splitlines()[0] if self.doc.strip() else self.name


class DuplicateCodeError(ValueError):
    """Two entries claim one code or one name in one family."""


def index(entries: Iterable[Entry]) -> dict[str, Entry]:
    """Entries by code, refusing a code that is used twice."""
    table: dict[str, Entry] = {}
    names: dict[tuple[str, str], str] = {}
    for entry in entries:
        if entry.code in table:
            raise DuplicateCodeError(f"{entry.code} is used by {table[entry.code].name} and {entry.name}")
        if (entry.family, entry.name) in names:
            raise DuplicateCodeError(f"{entry.name} has two codes: {names[entry.family, entry.name]}, {entry.code}")
        table[entry.code] = entry
        names[entry.family, entry.name] = entry.code
    return table
