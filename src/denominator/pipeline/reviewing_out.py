"""Making sheets: a blind copy for each labeler, and what was asked kept beside the run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from denominator.errors import InputError
from denominator.pipeline.people import keep_sheet
from denominator.pipeline.reviewing import Subject, axes_of, labeler_name
from denominator.pipeline.world import OpenRun
from denominator.records.keys import AttemptKey
from denominator.records.reviews import ReviewCopy, ReviewSheet
from denominator.records.rows import AttemptRow
from denominator.records.words import Axis
from denominator.review import HELD_OUT, Wish, make_sheet, questions, row_name, write_csv, write_jsonl
from denominator.review.deciding import one_name
from denominator.wire.canonical import canonical, digest
from denominator.wire.durable import write_file
from denominator.wire.names import safe_name

WRITERS = {"csv": write_csv, "jsonl": write_jsonl}
HOW = """How to fill a copy

One line asks one thing about one row. Write one of the values of column `allowed` into `value`, and into `why` what
shows it. Leave both empty where you cannot tell: an empty line is no answer. A row that is not the model's (axis
origin) needs a why, and a value in its line of axis reason.

Each labeler fills a copy of their own and talks to nobody about it before both are in. The labels of the rules are not
in this folder. Do not look them up: `denominator show` and the card print them.

Give the file back to whoever runs: denominator review import RUN FILE --labeler NAME
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """A sheet and the files of its copies."""

    sheet: ReviewSheet
    files: tuple[Path, ...]


def export_sheet(
    subject: Subject,
    out: Path,
    *,
    axes: Sequence[str] = (),
    share: int = 100,
    seed: str = "",
    only: str = "",
    labelers: Sequence[str] = (),
    form: str = "csv",
) -> Exported:
    """Write one copy a labeler into the new folder `out`, and keep what was asked beside the run."""
    ledger, terms = subject.result.ledger, subject.result.terms
    rows = subject.rows()
    wish = Wish(
        axes=axes_of(axes or (Axis.ORIGIN, Axis.MIX)),
        selection=only or HELD_OUT,
        share=share,
        seed=seed or terms.digest or digest(sorted(row_name(key) for key in rows)),
        seed_by="person" if seed else "contract",
        labelers=_labelers(labelers),
    )
    judged = subject.result.judged
    labels = subject.derived()
    sheet = make_sheet(wish, ledger.run_id, rows.values(), labels, judged.sheet.people, terms.house_reasons)
    if not sheet.rows:
        raise InputError("there is no row to ask about", where=f"--only {only}" if only else subject.name)
    _refuse_used(out)
    sheet = keep_sheet(subject.folder, sheet)
    wanted = [copy for copy in sheet.copies if one_name(copy.labeler) in wish.labelers]
    return Exported(sheet=sheet, files=_write_copies(subject, sheet, wanted, out, form, rows))


def _write_copies(
    subject: Subject,
    sheet: ReviewSheet,
    copies: Iterable[ReviewCopy],
    out: Path,
    form: str,
    rows: Mapping[AttemptKey, AttemptRow],
) -> tuple[Path, ...]:
    out.mkdir(parents=True, exist_ok=True)
    places = _places(subject.run)
    files = []
    for copy in copies:
        name = f"copy-{copy.name}-{safe_name(copy.labeler)}" if copy.labeler else f"copy-{copy.name}"
        path = out / f"{name}.{form}"
        write_file(path, WRITERS[form](questions(sheet, copy, rows, lambda key: places.get(key, ()))))
        files.append(path)
    write_file(out / "sheet.json", canonical(sheet) + b"\n")
    write_file(out / "HOW.txt", HOW.encode())
    return tuple(files)


def _places(run: OpenRun | None) -> dict[AttemptKey, list[str]]:
    """Where the evidence of each row of ours lies: events that stored something, with the start of its digest."""
    found: dict[AttemptKey, list[str]] = {}
    for event in run.journal.events() if run is not None else ():
        if event.key is not None and event.blob:
            what = f"{event.phase}/{event.stream or event.kind}"
            found.setdefault(event.key, []).append(f"event {event.seq} {what} blob {event.blob[:12]}")
    return found


def _labelers(names: Sequence[str]) -> tuple[str, ...]:
    found = tuple(labeler_name(name, "--labeler") for name in names)
    if len(set(found)) != len(found):
        raise InputError("one labeler is named twice", where="--labeler")
    return found or ("", "")


def _refuse_used(out: Path) -> None:
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError("is in use", where=str(out), fix="name a new folder; nothing was written")
