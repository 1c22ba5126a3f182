"""Kinds of rows, numbered as they come: rows of one kind have one number."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256

from denominator.pipeline.row_kinds import kind_of, named_tasks
from denominator.records.rows import AttemptRow
from denominator.records.seals import Terms
from denominator.wire.codec import to_json


class Kinds:
    """The kinds of rows under some terms; `rows` holds one row for each, in the order of their numbers."""

    def __init__(self, terms: Terms) -> None:
        self.named, self.loop_n = named_tasks(terms), terms.tool_loop_n
        self.rows: list[AttemptRow] = []
        self._numbers: dict[bytes, int] = {}

    def number(self, row: AttemptRow) -> int:
        """The number of the kind of a row."""
        same = kind_of(row, self.named, self.loop_n)
        return self._number(sha256(json.dumps(to_json(same), sort_keys=True).encode()).digest(), same)

    def digests(self) -> dict[bytes, AttemptRow]:
        """The kinds by their digests, in the order of their numbers."""
        return dict(zip(self._numbers, self.rows, strict=True))

    def numbered(self, kinds: Mapping[bytes, AttemptRow]) -> list[int]:
        """The numbers of kinds that were numbered elsewhere: of known ones as they are here, of new ones as they come."""
        return [self._number(digest, row) for digest, row in kinds.items()]

    def _number(self, digest: bytes, row: AttemptRow) -> int:
        number = self._numbers.setdefault(digest, len(self.rows))
        if number == len(self.rows):
            self.rows.append(row)
        return number
