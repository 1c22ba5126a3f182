"""A folder of revisions is asked for each of its aliases: what was read of a file once is not parsed again for each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from io import BytesIO
from typing import Any, BinaryIO, NamedTuple

from denominator.importers.formats.metr.survey import surveys_of
from denominator.wire.sources import DOCUMENT_BYTES, Source, loose_lines, remembered
from denominator.wire.sources.loose import Line

KEPT_BYTES = 32 << 20
"""A larger file is read line by line each time, and nothing of it is kept."""


class _Only:
    """A file with some of its lines, the others blank, so that each keeps its number."""

    def __init__(self, files: Source, file: str, numbers: set[int]) -> None:
        self._files, self._file, self._numbers = files, file, numbers

    @property
    def name(self) -> str:
        return self._files.name

    def names(self) -> Sequence[str]:
        return (self._file,)

    def size(self, name: str) -> int:
        return self._files.size(name)

    def read(self, name: str, most: int = DOCUMENT_BYTES) -> bytes:
        lines = self._files.read(name, most).split(b"\n")
        return b"\n".join(line if number in self._numbers else b"" for number, line in enumerate(lines, 1))

    def open(self, name: str) -> AbstractContextManager[BinaryIO]:
        return nullcontext(BytesIO(self.read(name)))


def lines_of_alias(files: Source, file: str, alias: str) -> Iterator[Line]:
    """Every line that is of an alias, or of none. Of a large file all lines, which whoever reads them tells apart."""
    survey = surveys_of(files).get(file)
    if survey is None or not survey.whole or files.size(file) > KEPT_BYTES:
        return loose_lines(files, file)
    return loose_lines(_Only(files, file, {*survey.lines.get(alias, ()), *survey.odd}), file)


class Other(NamedTuple):
    """A run of another revision: a digest of its id, its alias, and what is said of it."""

    run: int
    alias: object
    said: tuple[str, ...]


def others_of(
    files: Source, file: str, read: Callable[[Mapping[str, Any]], Other]
) -> Sequence[Other] | Iterator[Other]:
    """The runs of another revision, in order; `read` makes one of a row. They are kept where the file is small."""
    found = (read(line.value) for line in loose_lines(files, file) if isinstance(line.value, dict))
    if files.size(file) > KEPT_BYTES:
        return found
    return remembered(files, (others_of, file), lambda: tuple(found))
