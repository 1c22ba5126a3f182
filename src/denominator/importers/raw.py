"""What the files hold before anyone says what it means."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal

from denominator.importers.values import number
from denominator.readers.logs import LogRead
from denominator.records.rows import Source


@dataclass(frozen=True, slots=True)
class RawRow:
    """One foreign row and where it stands. In a JSON array `line` counts the elements from 1.

    `log` and `report` are the text log and the structured test report of its own folder.
    """

    file: str
    line: int
    sha256: str
    value: Mapping[str, object]
    log: LogRead | None = field(default=None, compare=False)
    report: bytes | None = field(default=None, compare=False)

    @property
    def where(self) -> str:
        """`file:line`, as defects name it."""
        return f"{self.file}:{self.line}"

    @property
    def source(self) -> Source:
        """The same as the ledger keeps it."""
        return Source(kind="import", file=self.file, line=self.line, sha256=self.sha256)

    def with_values(self, **changes: object) -> RawRow:
        """The row with some columns replaced."""
        return replace(self, value={**self.value, **changes})


def json_text(value: object) -> str:
    """Raw JSON text of a foreign value, numbers as exactly as they were read; only for `extra`."""
    if isinstance(value, Mapping):
        inner = ",".join(f"{json.dumps(str(k), ensure_ascii=False)}:{json_text(value[k])}" for k in sorted(value))
        return "{" + inner + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(json_text(item) for item in value) + "]"
    if isinstance(value, float | Decimal):
        return str(number(value))
    return json.dumps(value, ensure_ascii=False)


def digest_of(value: object) -> str:
    """sha256 of the sorted JSON text: names an element of a JSON array."""
    return hashlib.sha256(json_text(value).encode("utf-8", "surrogatepass")).hexdigest()
