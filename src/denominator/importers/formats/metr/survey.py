"""What a file of METR's runs holds: aliases, their words for models, and whether a run passed at its usage limits."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from denominator.errors import InputError
from denominator.importers.formats.metr.endings import LIMITS
from denominator.records.values import counted
from denominator.wire.sources import Source, loose_json, loose_lines, remembered

KEYS = ("run_id", "task_id", "alias", "score_binarized")
LINES = (".jsonl", ".ndjson")
PEOPLE = "human"
FEW = 20
LINE = 1 << 20


@dataclass(slots=True)
class Survey:
    """`runs` counts lines by alias; `models` are the words for models that each alias has.

    `lines` are the numbers of each alias' lines, `odd` those of lines without one; complete where `whole`.
    """

    runs: Counter[str] = field(default_factory=Counter)
    models: dict[str, set[str]] = field(default_factory=dict)
    passed_at_limits: bool = False
    lines: dict[str, array[int]] = field(default_factory=dict)
    odd: array[int] = field(default_factory=lambda: array("Q"))
    whole: bool = False


class Place(NamedTuple):
    """Where a part is: its file and alias, and how many runs there are."""

    file: str
    alias: str
    title: str


def surveys_of(files: Source, most: int = 0) -> dict[str, Survey]:
    """What every file of runs holds. With `most` no file is looked at further than that."""
    return remembered(files, (surveys_of, most), lambda: _surveys(files, most))


def _surveys(files: Source, most: int) -> dict[str, Survey]:
    names = [file for file in files.names() if file.endswith(LINES) and _is_runs(files, file)]
    return {file: surveyed(files, file, most) for file in names}


def parts_of(files: Source, surveys: Mapping[str, Survey], most: int = 0) -> dict[str, Place]:
    """The parts by name."""
    parts: dict[str, Place] = {}
    for file, survey in surveys.items():
        before = f"{file.rpartition('.')[0]}: " if len(surveys) > 1 else ""
        more = "at least " if most and files.size(file) > most else ""
        for alias, many in sorted(survey.runs.items()):
            parts[f"{before}{alias}"] = Place(file, alias, f"{more}{counted(many, 'run')}")
    return parts


def _is_runs(files: Source, file: str) -> bool:
    try:
        with files.open(file) as stream:
            first = loose_json(stream.readline(LINE), file)
    except InputError:
        return False
    return isinstance(first, dict) and all(key in first for key in KEYS)


def surveyed(files: Source, file: str, most: int = 0) -> Survey:
    """Look at every line once, or at those that end within the first `most` bytes."""
    survey = Survey()
    for number, row in _runs(files, file, most, survey):
        alias, word = row["alias"], row.get("model")
        survey.runs[alias] += 1
        survey.lines.setdefault(alias, array("Q")).append(number)
        words = survey.models.setdefault(alias, set())
        if isinstance(word, str) and len(words) < FEW:
            words.add(word[:200])
        if row.get("fatal_error_from") == LIMITS and row.get("score_binarized") == 1:
            survey.passed_at_limits = True
    return survey


def _runs(files: Source, file: str, most: int, survey: Survey) -> Iterator[tuple[int, Mapping[str, Any]]]:
    found = enumerate(_beginning(files, file, most), 1) if most else _numbered(files, file)
    try:
        for number, value in found:
            if isinstance(value, dict) and isinstance(value.get("alias"), str) and value["alias"]:
                yield number, value
            else:
                survey.odd.append(number)
    except InputError:
        return
    survey.whole = not most


def _numbered(files: Source, file: str) -> Iterator[tuple[int, object]]:
    return ((line.number, line.value) for line in loose_lines(files, file))


def _beginning(files: Source, file: str, most: int) -> Iterator[object]:
    with files.open(file) as stream:
        lines = stream.read(most).split(b"\n")
    for line in lines if files.size(file) <= most else lines[:-1]:
        try:
            yield loose_json(line, file)
        except InputError:
            continue
