"""Lines of a long file that follow each other."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import accumulate
from operator import add
from typing import Any, NamedTuple

from denominator.pipeline.large_single import UnusualError
from denominator.wire.jsonl import LINE_BYTES_MAX, RawBlock, RawLine
from denominator.wire.strict import read


class Run(NamedTuple):
    """Lines that follow each other: number of the first, offset of each, their bytes without what ends a line."""

    number: int
    offsets: Sequence[int]
    lines: Sequence[bytes]

    def part(self, begin: int, end: int) -> Run:
        """Some of them."""
        return Run(self.number + begin, self.offsets[begin:end], self.lines[begin:end])

    def value(self, at: int) -> dict[str, Any]:
        """A line as JSON. UnusualError: it is no row."""
        line = self.lines[at]
        value, _ = read(line, "decimal")
        if value.__class__ is not dict or len(line) > LINE_BYTES_MAX:
            raise UnusualError(f"line {self.number + at} is no plain row")
        found: dict[str, Any] = value
        return found

    def sha(self, at: int) -> str:
        """The digest of a line."""
        return hashlib.sha256(self.lines[at]).hexdigest()


def run_of(block: RawBlock | RawLine, before: int) -> Run:
    """The lines of a block, without a carriage return at their ends. UnusualError: there is another one in them."""
    lines, text = ([block.raw], block.raw) if isinstance(block, RawLine) else (block.lines, block.text)
    offsets = list(map(add, accumulate(map(len, lines), initial=block.offset), range(len(lines))))
    if b"\r" in text:
        lines = [one.removesuffix(b"\r") for one in lines]
        if any(b"\r" in one for one in lines):
            raise UnusualError("a carriage return within a line")
    return Run(before + block.number, offsets, lines)
