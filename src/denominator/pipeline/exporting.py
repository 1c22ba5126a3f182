"""`export`: a judged run, written in a format that other programs read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from denominator.errors import BlockedError, InputError
from denominator.exporters import Exporter, FolderExporter
from denominator.pipeline.bundle_private import SHOWN, private_problems
from denominator.pipeline.covered_traces import covered_traces
from denominator.pipeline.labelling import rows_of
from denominator.pipeline.results import Result
from denominator.pipeline.traces import traces_of
from denominator.pipeline.world import OpenRun
from denominator.publish.findings import cases_of
from denominator.records.exports import NO_EVENTS, NO_SEAL, Export
from denominator.wire.durable import new_folder, write_file
from denominator.wire.private import SECRETS

STORED = (
    "seal.json", "terms.json", "declared.json", "ledger.json", "ledger.jsonl", "beside.jsonl", "calls.jsonl", "card.json",
)  # fmt: skip
"""Files of a run, or of an import, that a statement can be about."""


def export(result: Result, exporter: Exporter, run: OpenRun | None = None, kept: Path | None = None) -> bytes:
    """The document. BlockedError: what it would show is withheld. InputError: the format demands what nobody stated.

    `run` is the run itself where it is one of ours, `kept` the folder in which its files, or those of an import, lie.
    """
    data = exporter.write(export_of(result, run, kept))
    refuse_secrets({f"{result.ledger.run_id or 'run'}.{exporter.ending}": data}, run)
    return data


def export_into(
    folder: Path, result: Result, exporter: FolderExporter, run: OpenRun | None = None, kept: Path | None = None
) -> tuple[int, int]:
    """Write the files of a format of many into a new folder, whole or not at all; how many, and their bytes."""
    number = size = 0
    with new_folder(folder) as half:
        for name, data in exporter.files(export_of(result, run, kept)):
            refuse_secrets({name: data}, run)
            (half / name).parent.mkdir(parents=True, exist_ok=True)
            write_file(half / name, data)
            number, size = number + 1, size + len(data)
        if not number:
            raise InputError("there is nothing to write: no attempt was started", where=result.ledger.run_id)
    return number, size


def export_of(result: Result, run: OpenRun | None = None, kept: Path | None = None) -> Export:
    """What an exporter is given of a judged run; its terms as judged, in which foreign words mention nothing that is withheld."""
    return Export(
        ledger=result.ledger,
        terms=result.judged.sheet.terms,
        judged=result.judged,
        card=result.card,
        rows=rows_of(result),
        cases=tuple(cases_of(result.judged)),
        traces=NO_EVENTS if run is None else lambda: covered_traces(run, traces_of(run, result.ledger)),
        files=() if kept is None else tuple(_stored(kept)),
        seal=NO_SEAL if run is None else run.seal,
    )


def refuse_secrets(files: Mapping[str, bytes], run: OpenRun | None) -> None:
    """BlockedError where a document holds a secret, by form or by value. What the sealed pack shows is none."""
    if problems := private_problems(files, run, SECRETS):
        fix = "see what it is: denominator show TASK; a bundle can leave it at home (--leave-out)"
        raise BlockedError("holds what may not travel", where="export", problems=problems[:SHOWN], fix=fix)


def _stored(folder: Path) -> Iterator[tuple[str, str]]:
    """Files of a run as they lie there, with their digests."""
    for name in STORED:
        if (folder / name).is_file():
            with (folder / name).open("rb") as file:
                yield name, hashlib.file_digest(file, "sha256").hexdigest()
