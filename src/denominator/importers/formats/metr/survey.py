"""What a file of METR's runs holds: aliases, their words for models, and whether a run passed at its usage limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from denominator.errors import InputError
from denominator.importers.formats.metr.endings import LIMITS
from denominator.records.values import counted
from denominator.wire.sources import Source, loose_lines

KEYS = ("run_id", "task_id", "alias", "score_binarized")
LINES = (".jsonl", ".ndjson")
PEOPLE = "human"
FEW = 20


@dataclass(slots=True)
class Survey:
    """`runs` counts lines by alias; `models` are the words for models that each alias has."""

    runs: Counter[str] = field(default_factory=Counter)
    models: dict[str, set[str]] = field(default_factory=dict)
    passed_at_limits: bool = False


def parts_of(files: Source) -> dict[str, tuple[str, str, str]]:
    """(file, alias, what it holds) by the name of the part."""
    found = {file: surveyed(files, file) for file in files.names() if file.endswith(LINES) and _is_runs(files, file)}
    parts: dict[str, tuple[str, str, str]] = {}
    for file, survey in found.items():
        before = f"{file.rpartition('.')[0]}: " if len(found) > 1 else ""
        for alias, many in sorted(survey.runs.items()):
            parts[f"{before}{alias}"] = (file, alias, counted(many, "run"))
    return parts


def _is_runs(files: Source, file: str) -> bool:
    try:
        first = next(loose_lines(files, file), None)
    except InputError:
        return False
    return first is not None and isinstance(first.value, dict) and all(key in first.value for key in KEYS)


def surveyed(files: Source, file: str) -> Survey:
    """Look at every line once."""
    survey = Survey()
    for row in _runs(files, file):
        alias, word = row["alias"], row.get("model")
        survey.runs[alias] += 1
        words = survey.models.setdefault(alias, set())
        if isinstance(word, str) and len(words) < FEW:
            words.add(word[:200])
        if row.get("fatal_error_from") == LIMITS and row.get("score_binarized") == 1:
            survey.passed_at_limits = True
    return survey


def _runs(files: Source, file: str) -> Iterator[Mapping[str, Any]]:
    try:
        for line in loose_lines(files, file):
            if isinstance(line.value, dict) and isinstance(line.value.get("alias"), str) and line.value["alias"]:
                yield line.value
    except InputError:
        return
