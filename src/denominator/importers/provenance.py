"""What the documents beside foreign rows say about citing them: rule, selection, claim and recipe, other runs, dates, limits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from denominator.importers.cards import Cards
from denominator.importers.columns import Cells
from denominator.importers.intake import DOCUMENTS, Intake
from denominator.importers.raw import json_text
from denominator.importers.stamps import wall_ms, when
from denominator.importers.values import BadValueError, scalar_text
from denominator.records.rows import Defect
from denominator.records.seals import Terms
from denominator.records.values import is_placeholder
from denominator.wire.byvalue import by_value

TABLES = ("cite", "envelope", "dataset", "provenance", "metrics")
SELECTION = ("selection_reason", "selection", "why_these_tasks", "selection_rule")
RECIPE = ("rerun_recipe", "rerun", "recipe", "rerun_command")
RUNS = ("sibling_runs", "run_ids")
DATES = ("date", "dates", "run_date", "started_at_utc", "started_at")
PINS = {
    "repo_revision": ("repo_revision", "base_commit", "repo_commit", "revision", "sha", "commit", "base_tree"),
    "prompt_sha256": ("prompt_sha256", "prompt_digest", "prompt_sha", "prompt_hash"),
    "hidden_test_sha256": ("hidden_test_sha256", "hidden_tests_sha256", "hidden_test_digest", "hidden_tests_digest"),
    "allowed_files": ("allowed_files", "allowed", "allowlist"),
    "timeout_s": ("timeout_s", "wall_cap", "wall_cap_s", "timeout", "agent_cap_s", "timeout_seconds"),
    "token_budget": ("token_budget", "budget_tokens", "budget_tokens_per_task", "max_tokens"),
}
"""What METHODS M15 pins on every task card, by the names in use."""
OF_CARDS = {"commit", "revision", "sha", "base_tree", "allowed"}
"""Names that say so on a card only: in a manifest they may be about the harness."""
LIMIT = re.compile(
    r"timeout|budget|retry_cap|max_attempts|_cap\b|limit|harness_version|harness_commit|prompt_(hash|sha)"
)
Document = Mapping[str, object]


def with_provenance(terms: Terms, intake: Intake, cards: Cards, rows: Sequence[Cells]) -> Terms:
    """The terms with everything that a citation asks for; what no document states stays empty."""
    documents = [one.document for role in DOCUMENTS for one in intake.roles.of(role)]
    stop = _first([intake.roles.document("stop")[1]], ("reason",))
    terms = of_documents(terms, documents, intake.run_id)
    return replace(terms, unpinned=tuple(_unpinned(documents, cards, rows)), stopped=stop or terms.stopped)


def of_documents(terms: Terms, documents: Sequence[Document], run_id: str) -> Terms:
    """The terms with what documents alone state of citing."""
    return replace(
        terms,
        cite_rule=_first(documents, ("cite_rule",)) or _first([_table(one, "cite") for one in documents], ("rule",)),
        selection=_first(documents, SELECTION),
        claim_id=_first(documents, ("claim_id",)),
        rerun=_first(documents, RECIPE),
        siblings=tuple(sorted(set(_listed(documents, RUNS)) - {run_id})),
        dates=tuple(sorted({*_dates(documents)})),
        stopped=_first(documents, ("stopped_early",)),
    )


def limit_defects(intake: Intake) -> tuple[Defect, ...]:
    """Headers of one result that name different limits: the rows belong into separate logs."""
    seen: dict[str, tuple[str, str]] = {}
    found = []
    for where, key, text in _limits(intake):
        before = seen.setdefault(key, (where, text))
        if before[1] != text:
            what = f"{key}: {text} here, {before[1]} in {before[0]}"
            found.append(Defect(kind="limits_differ", where=where, what=what))
    return tuple(found)


def _limits(intake: Intake) -> Iterator[tuple[str, str, str]]:
    for role in ("header", "head"):
        for one in intake.roles.of(role):
            for key, value in one.document.items():
                if LIMIT.search(key) and not isinstance(value, dict | list) and not is_placeholder(value):
                    yield one.name, key, scalar_text(value)


def _first(documents: Iterable[Document], keys: Iterable[str]) -> str:
    """The first text that one of the keys states, at the top or in a table; a list becomes its lines."""
    return next((text for value in _values(documents, keys) if (text := _text(value))), "")


def _values(documents: Iterable[Document], keys: Iterable[str]) -> Iterator[object]:
    for document in documents:
        for key in keys:
            yield document.get(key)
        for name in TABLES:
            yield from (_table(document, name).get(key) for key in keys)


def _table(document: Document, name: str) -> Document:
    found = document.get(name)
    return found if isinstance(found, dict) else {}


def _text(value: object) -> str:
    if isinstance(value, list):
        return "; ".join(part for one in value if (part := _text(one)))
    if value is None or isinstance(value, dict) or is_placeholder(value):
        return ""
    return value.strip() if isinstance(value, str) else json_text(value)


def _listed(documents: Iterable[Document], keys: Iterable[str]) -> Iterator[str]:
    for value in _values(documents, keys):
        if isinstance(value, list):
            yield from (one for one in value if isinstance(one, str) and not is_placeholder(one))


def _dates(documents: Iterable[Document]) -> Iterator[str]:
    """UTC dates; a text that is none is no date, and nobody guesses."""
    for value in _values(documents, DATES):
        for one in value if isinstance(value, list) else [value]:
            if not isinstance(one, str):
                continue
            try:
                yield when(wall_ms(one))[:10]
            except (BadValueError, OverflowError):
                continue


def _unpinned(documents: Sequence[Document], cards: Cards, rows: Sequence[Cells]) -> Iterator[tuple[str, str]]:
    """Fields that neither a task's card, nor every row of it, nor a document pins, task by task."""
    open_fields = left_open(documents)
    by_task: dict[str, list[Cells]] = {}
    for row in rows if open_fields else ():
        by_task.setdefault(row.text("task_id"), []).append(row)
    for task, found in sorted(by_task.items()):
        card = cards.of(task)
        for name in open_fields:
            if not (card and _pinned(card, name)) and not _agree(_pin(row, name) for row in found):
                yield task, name


def left_open(documents: Sequence[Document]) -> list[str]:
    """Fields of a task that no document pins for all of them."""
    return [name for name, keys in PINS.items() if not _first(documents, sorted(set(keys) - OF_CARDS))]


def _agree(told: Iterable[str]) -> bool:
    """Does every row state it, and the same? Two limits for one task pin none."""
    values = set(told)
    return len(values) == 1 and "" not in values


def _pinned(cells: Cells, name: str) -> bool:
    return bool(_pin(cells, name))


def _pin(cells: Cells, name: str) -> str:
    """What a row or a card states of a field, compared by value; empty where it states nothing."""
    for key in PINS[name]:
        value = cells.raw.value.get(key)
        if value is not None and not is_placeholder(value):
            return by_value(value)
    return ""
