"""Taking in what came back: every file is checked whole, and all of it is recorded or nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from denominator.errors import InputError, Problem
from denominator.pipeline.people import append_labels, read_sheet
from denominator.pipeline.reviewing import Subject, labeler_name, refuse_time
from denominator.records.labels import Label
from denominator.records.reviews import ReviewSheet
from denominator.review import Came, Checked, Line, check, copy_refusal, key_name, new_labels, read_answers, read_csv
from denominator.wire.bounded import read_bytes

SHEET_BYTES = 256 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What one file brought: new labels, those of them that replace an earlier one, what was known, what stays open."""

    file: str
    sheet: str
    blind: bool
    new: int
    replaced: int
    known: int
    open: int


def import_sheets(subject: Subject, files: Sequence[Path], labeler: str, at: str) -> tuple[Imported, ...]:
    """Take in filled copies of one labeler, all of them or none. Raises InputError with every mistake of every file."""
    name = labeler_name(labeler, "--labeler")
    refuse_time(at)
    found: list[Imported] = []

    def make(known: tuple[Label, ...]) -> Sequence[Label]:
        fresh: list[Label] = []
        problems: list[Problem] = []
        for path in files:
            report, labels, wrong = _one_file(subject, path, name, at, (*known, *fresh))
            found.append(report)
            fresh.extend(labels)
            problems.extend(wrong)
        if problems:
            what = f"{len(problems)} mistakes: nothing was recorded" if len(problems) > 1 else "nothing was recorded"
            raise InputError(what, where=", ".join(map(str, files)), problems=problems)
        return fresh

    append_labels(subject.folder, make)
    return tuple(found)


def _one_file(
    subject: Subject, path: Path, labeler: str, at: str, known: Sequence[Label]
) -> tuple[Imported, Sequence[Label], Sequence[Problem]]:
    data = read_bytes(path, SHEET_BYTES)
    lines = _lines(data, str(path))
    sheet = _sheet_of(subject.folder, lines, str(path))
    checked = check(lines, sheet, str(path))
    problems = [*checked.problems, *_strange_rows(subject, checked, str(path))]
    copy = next((one for one in sheet.copies if one.name == checked.copy), None)
    refusal = copy_refusal(copy, sheet, labeler, known) if copy else ""
    problems += [Problem(str(path), refusal)] if refusal else []
    came = Came(labeler=labeler, at=at, file_sha256=hashlib.sha256(data).hexdigest(), copy=checked.copy)
    labels = () if problems else new_labels(checked.answers, sheet, came, known)
    report = Imported(
        file=str(path),
        sheet=sheet.id,
        blind=sheet.blind,
        new=len(labels),
        replaced=sum(bool(label.supersedes) for label in labels),
        known=len(checked.answers) - len(labels),
        open=checked.open,
    )
    return report, labels, problems


def _lines(data: bytes, where: str) -> Sequence[Line]:
    """CSV or JSON Lines, by how the file begins."""
    start = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    lines = read_answers(data, where) if start.startswith(b"{") else read_csv(data, where)
    if not lines:
        raise InputError("holds no line of a sheet", where=where, fix="name a copy that `review export` wrote")
    return lines


def _sheet_of(folder: Path, lines: Sequence[Line], where: str) -> ReviewSheet:
    """The sheet that most lines name; lines of another one are mistakes then."""
    names = [line.sheet for line in lines]
    name = max(sorted(set(names)), key=names.count)
    try:
        return read_sheet(folder, name)
    except InputError as error:
        raise InputError(error.what, where=where, fix=error.fix) from None


def _strange_rows(subject: Subject, checked: Checked, where: str) -> Iterable[Problem]:
    rows = subject.rows()
    for answer in checked.answers:
        if answer.key not in rows:
            yield Problem(f"{where}:{answer.line}", f"{key_name(answer.key)} is no row of {subject.name} any more")
