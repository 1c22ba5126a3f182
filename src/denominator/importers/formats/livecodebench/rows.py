"""Samples of LiveCodeBench's questions as rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from denominator.errors import InputError
from denominator.importers.foreign import at, digest, foreign_row, pointed, readable_id
from denominator.importers.formats.livecodebench.endings import ending_of
from denominator.importers.listed import Element, elements
from denominator.records.foreign import ForeignRow, Published, Told
from denominator.wire.sources import Source, loose_json

KEPT = ("platform", "contest_id", "contest_date", "difficulty")
UNREADABLE = object()
CLOSE = Fraction(1, 10**9)


class Reading(NamedTuple):
    """Which samples are read: the name of the run, the file, how many samples a question should have (0: not stated)."""

    run_id: str
    file: str
    samples: int


@dataclass(slots=True)
class Seen:
    """Digests of the questions so far, lengths of their lists, dates of their contests."""

    questions: dict[str, str] = field(default_factory=dict)
    lengths: set[int] = field(default_factory=set)
    first: str = ""
    last: str = ""


def rows_of(files: Source, reading: Reading, told: Told) -> Iterator[ForeignRow]:
    """One row for each sample of each question."""
    seen = Seen()
    try:
        for element in elements(files, reading.file):
            yield from _question(reading, element, seen, told)
    except InputError as error:
        told.say("torn_file", reading.file, f"{error.what}: questions after the {len(seen.questions)}. are lost")
    if len(seen.lengths) > 1 and not reading.samples:
        what = f"questions have from {min(seen.lengths)} to {max(seen.lengths)} samples"
        told.say("uneven_repeats", reading.file, what, blocks=False)
    if seen.first:
        told.notes.append(f"contests from {seen.first} to {seen.last}: older questions may have been read in training")


def _question(reading: Reading, element: Element, seen: Seen, told: Told) -> Iterator[ForeignRow]:
    where, found = f"{reading.file}#/{element.place}", element.value
    if not isinstance(found, dict):
        told.say("bad_row", where, element.fault or "is no question")
        return
    if not (task := readable_id(told, where, found.get("question_id"))) or _again(found, task, where, seen, told):
        return
    graded = found.get("graded_list")
    if not isinstance(graded, list):
        told.say("bad_row", where, f"{task}: no graded_list", task)
        return
    seen.lengths.add(len(graded))
    if reading.samples and len(graded) != reading.samples:
        what = f"{task}: {len(graded)} samples are graded, the file's name says {reading.samples}"
        told.say("repeats_differ", where, what, task)
    _dates(found, seen)
    _held(found, graded, task, where, told)
    codes = _codes(found, len(graded), task, where, told)
    for index, one in enumerate(graded):
        yield _sample(reading.run_id, where, task, index, one, codes[index], found, told)


def _again(found: Mapping[str, Any], task: str, where: str, seen: Seen, told: Told) -> bool:
    """Was this question read before? The first one counts."""
    sha = digest(found)
    if (before := seen.questions.setdefault(task, sha)) is sha:
        return False
    kind, what = ("duplicate_rows", "again") if before == sha else ("conflicting_rows", "again, and differs")
    told.say(kind, where, f"{task} stands {what}; the first one counts", task, blocks=before != sha)
    return True


def _dates(found: Mapping[str, Any], seen: Seen) -> None:
    date = found.get("contest_date")
    if isinstance(date, str) and len(date) >= 10 and date[:4].isdecimal():
        seen.first, seen.last = min(seen.first or date[:10], date[:10]), max(seen.last, date[:10])


def _held(found: Mapping[str, Any], graded: list[Any], task: str, where: str, told: Told) -> None:
    """The share that the source prints of a question, against its own list."""
    value = found.get("pass@1")
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return
    text = format(value, "f") if isinstance(value, Decimal) else str(value)
    of, place = f"samples of {task}", f"{where}/pass@1"
    told.published.append(
        Published(metric=f"pass@1 of {task}", value=text, unit="share", role="other", of=of, where=place)
    )
    passed = sum(one is True for one in graded)
    if not graded or abs(Fraction(value) - Fraction(passed, len(graded))) > CLOSE:
        what = f"{task}: pass@1 is {text[:20]}, its list holds {passed} of {len(graded)}"
        told.say("contradiction", where, what, task)


def _codes(found: Mapping[str, Any], many: int, task: str, where: str, told: Told) -> list[object]:
    """The error code of each sample; None where there is none."""
    texts = found.get("metadata")
    if texts is None:
        return [None] * many
    if not isinstance(texts, list) or len(texts) != many:
        told.say("bad_value", where, f"{task}: metadata is no list of {many}, so no sample has an error code", task)
        return [None] * many
    codes = [_code(one) for one in texts]
    if any(code is UNREADABLE for code in codes):
        told.say("bad_value", where, f"{task}: metadata that cannot be read, whose ending may be the grader's", task)
    return [None if code is UNREADABLE else code for code in codes]


def _code(text: object) -> object:
    try:
        found = loose_json(text.encode("utf-8", "replace"), "metadata") if isinstance(text, str) else text
    except InputError:
        return UNREADABLE
    return found.get("error_code") if isinstance(found, dict) else UNREADABLE


def _sample(
    run_id: str, where: str, task: str, index: int, graded: object, code: object, found: Mapping[str, Any], told: Told
) -> ForeignRow:
    ending = ending_of(graded, code)
    place = where + pointed("graded_list", index)
    if ending is None:
        told.say("unknown_ending", place, f"{task}: {str(graded)[:40]} with error_code {str(code)[:40]}", task)
    extra = {name: value[:200] for name in KEPT if isinstance(value := found.get(name), str)}
    codes = found.get("code_list")
    if isinstance(codes, list) and len(codes) > index and isinstance(codes[index], str):
        extra["code_sha256_16"] = digest(codes[index])[:16]
    difficulty = extra.get("difficulty", "")
    return foreign_row(
        run_id, ending, task, importer="livecodebench", source=at(place, element=[graded, code]), repeat=index + 1,
        numbered=False, stratum=difficulty, extra=extra | ({} if code is None else {"error_code": str(code)[:40]}),
    )  # fmt: skip
