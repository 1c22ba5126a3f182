"""The contract of an exporter. A third party's is an entry point `denominator.exporters`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

from denominator.errors import BlockedError
from denominator.records.exports import Export


class Exporter(Protocol):
    """One foreign format.

    `name` is the word of `denominator export NAME`, `title` one line for people, `ending` what its files are called after a
    dot. `cannot_say` are sentences: what a run of ours holds and this format has no place for.
    """

    name: str
    title: str
    ending: str
    cannot_say: tuple[str, ...]

    def write(self, run: Export) -> bytes:
        """The document. BlockedError: what it would show is withheld. InputError: the format demands what nobody stated."""
        ...


@runtime_checkable
class FolderExporter(Protocol):
    """A format of many files, written into a new folder; `ending` is then that of each file. `files` in place of `write`."""

    name: str
    title: str
    ending: str
    cannot_say: tuple[str, ...]

    def files(self, run: Export) -> Iterator[tuple[str, bytes]]:
        """Name and content of one file after the other. Raises as `Exporter.write` does, before the first one."""
        ...


def refuse_hidden_split(run: Export, name: str) -> None:
    """A violated control hides how many passed; a list of rows would be counted."""
    if run.judged.split_hidden:
        what = "a control is violated: nothing by which passes can be told from failures is exported"
        fix = "denominator gate says which control and why; junit shows every draw without its verdict"
        raise BlockedError(what, where=name, fix=fix)
