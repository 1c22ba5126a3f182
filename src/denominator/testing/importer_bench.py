"""What an importer's author shows to the conformance suite: small examples of the format, as its tool writes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from denominator.importers.baselines import Baseline
from denominator.importers.foreign import Importer
from denominator.importers.manifest import read_documents
from denominator.importers.terms import Observed, terms_of_observed
from denominator.labels import imported_of, label_row
from denominator.records.foreign import ForeignRow, ForeignRun
from denominator.records.seals import Terms
from denominator.wire.sources import Source, open_source


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One source that the importer reads: a file or a folder, whole and without any defect that blocks.

    `part` chooses a run where it holds several. `thinned` is a copy from which the record of one attempt was taken and the
    plan was left: what is declared must stay the same. None where the format keeps no plan. `rows` is how many rows it holds; a
    format that keeps sums alone has none, and that blocks.
    """

    path: Path
    rows: int
    part: str = ""
    thinned: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImporterBench:
    """An importer, its examples, sources of other kinds that it must not be sure of, and a folder for damaged copies."""

    importer: Importer
    examples: Sequence[Example]
    scratch: Path
    aliens: Sequence[Path] = ()


Check = Callable[[ImporterBench], list[str]]
"""Gives the breaches that it found; none is a pass."""


def read_whole(importer: Importer, files: Source, part: str = "") -> tuple[ForeignRun, list[ForeignRow]]:
    """A run and all of its rows: what it tells is complete then."""
    run = importer.read(files, part)
    return run, list(run.rows)


def example_run(bench: ImporterBench, example: Example) -> tuple[ForeignRun, list[ForeignRow]]:
    """The run that an example is."""
    return read_whole(bench.importer, open_source(example.path), example.part)


def terms_of(importer: Importer, run: ForeignRun | None) -> Terms:
    """The terms under which a foreign run is judged, of what its format records; without a run, of nothing."""
    document = run.document if run else {}
    stated = read_documents([(importer.name, "recorded", document)] if document else [])
    return terms_of_observed(stated, run.name if run else "run", Observed(), {}, Baseline(), dict(importer.cannot_tell))


def said_of(found: ForeignRow, terms: Terms) -> Mapping[str, str]:
    """What our own rules say of a row, by axis; "" where they say nothing."""
    labels = label_row(found.row, terms, imported_of(found.labels).get(found.row.key, {}))
    said = {str(one.axis): one.value for one in labels}
    return {axis: said.get(axis, "") for axis in ("outcome", "origin", "reason", "failure_class")}
