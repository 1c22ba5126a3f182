"""`export`: a judged run, written in a format that other programs read."""

from __future__ import annotations

from denominator.exporters import Exporter
from denominator.pipeline.labelling import rows_of
from denominator.pipeline.results import Result
from denominator.publish.findings import cases_of
from denominator.records.exports import Export


def export(result: Result, exporter: Exporter) -> bytes:
    """The document. BlockedError: what it would show is withheld. InputError: the format demands what nobody stated."""
    return exporter.write(export_of(result))


def export_of(result: Result) -> Export:
    """What an exporter is given of a judged run; its terms as judged, in which foreign words mention nothing that is withheld."""
    return Export(
        ledger=result.ledger,
        terms=result.judged.sheet.terms,
        judged=result.judged,
        card=result.card,
        rows=rows_of(result),
        cases=tuple(cases_of(result.judged)),
    )
