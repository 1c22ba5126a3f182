"""`labels.jsonl` and `reviews/` beside a run or an import: what people were asked and what they said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from denominator.errors import InputError, Problem
from denominator.records.labels import Label
from denominator.records.reviews import ReviewSheet
from denominator.records.rows import Ledger
from denominator.review import sheet_id
from denominator.review.choosing import copies_of
from denominator.review.deciding import by_person, one_name
from denominator.wire.bounded import read_bytes
from denominator.wire.canonical import canonical
from denominator.wire.codec import from_json, loads
from denominator.wire.durable import alone_in, sync_folder, write_file
from denominator.wire.jsonl import read_jsonl

LABELS = "labels.jsonl"
SHEETS = "reviews"
MOST_BYTES = 1 << 30
DAMAGED = "labels are appended by `denominator review`, never edited: put the file back as it was"

Make = Callable[[tuple[Label, ...]], Sequence[Label]]


def with_people_of(folder: Path, ledger: Ledger) -> Ledger:
    """A ledger with the labels that people appended beside it."""
    found = read_labels(folder)
    return replace(ledger, labels=(*ledger.labels, *found)) if found else ledger


def read_labels(folder: Path) -> tuple[Label, ...]:
    """The labels of people, as appended. Raises InputError with every line that is none."""
    path = folder / LABELS
    return _labels(read_bytes(path, MOST_BYTES), str(path)) if path.exists() else ()


def append_labels(folder: Path, make: Make) -> tuple[Label, ...]:
    """Append what `make` returns for the labels that are there; two writers take turns, and all of it is written or nothing."""
    with alone_in(folder):
        path = folder / LABELS
        old = read_bytes(path, MOST_BYTES) if path.exists() else b""
        new = tuple(make(_labels(old, str(path))))
        if new:
            end = b"\n" if old and not old.endswith(b"\n") else b""
            write_file(path, old + end + b"".join(canonical(label) + b"\n" for label in new))
        return new


def keep_sheet(folder: Path, sheet: ReviewSheet) -> ReviewSheet:
    """Keep what a sheet asks, so that only its answers are taken; a sheet that is there gets the new copies too."""
    with alone_in(folder):
        place = folder / SHEETS
        path = place / f"{sheet.id}.json"
        if path.exists():
            sheet = _merged(read_sheet(folder, sheet.id), sheet)
        if not place.is_dir():
            place.mkdir()
            sync_folder(folder)
        write_file(path, canonical(sheet) + b"\n")
        return sheet


def read_sheet(folder: Path, name: str) -> ReviewSheet:
    """A sheet that was made here, by its id. Raises InputError when there is none, or when it was changed."""
    known = sheet_names(folder)
    if name not in known:
        fix = "name the run or import that it was made of, or make a new one: denominator review export"
        raise InputError(f"no sheet {name[:16] or '(without id)'} was made here", where=str(folder), fix=fix)
    path = folder / SHEETS / f"{name}.json"
    sheet = from_json(ReviewSheet, loads(read_bytes(path), str(path)), str(path))
    if sheet_id(sheet) != name or sheet.id != name:
        raise InputError("the sheet was changed after it was made", where=str(path), fix="put the file back as it was")
    return sheet


def sheet_names(folder: Path) -> tuple[str, ...]:
    """The ids of all sheets that were made here."""
    place = folder / SHEETS
    return tuple(sorted(path.stem for path in place.glob("*.json"))) if place.is_dir() else ()


def _merged(old: ReviewSheet, new: ReviewSheet) -> ReviewSheet:
    """The copies that were made, each whose it was, and behind them one for everybody who is new."""
    names = [one_name(copy.labeler) for copy in old.copies]
    more = [copy.labeler for copy in new.copies if copy.labeler and one_name(copy.labeler) not in names]
    more += [""] * (sum(not copy.labeler for copy in new.copies) - names.count(""))
    made = [copy.labeler for copy in old.copies]
    return replace(old, copies=(*old.copies, *copies_of(old.rows, old.seed, [*made, *more])[len(made) :]))


def _labels(data: bytes, where: str) -> tuple[Label, ...]:
    found = read_jsonl(data, where)
    problems = [Problem(f"{where}:{bad.number}", bad.what) for bad in found.bad]
    problems += [Problem(f"{where}:{number}", "an empty line") for number in found.blank]
    if found.torn is not None:
        problems.append(Problem(f"{where}:{found.torn.number}", "the last line is cut off"))
    labels = []
    for line in found.rows:
        try:
            label = from_json(Label, line.value, f"{where}:{line.number}")
        except InputError as error:
            problems.extend(error.problems)
            continue
        labels.append(label)
        if not by_person(label):
            problems.append(Problem(f"{where}:{line.number}", f"by {label.by!r:.40} is no person"))
    if problems:
        raise InputError("labels of people cannot be read", where=where, fix=DAMAGED, problems=problems)
    return tuple(labels)
