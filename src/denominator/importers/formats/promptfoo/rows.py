"""Rows of one column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from denominator.importers.foreign import at, digest, foreign_row, pointed
from denominator.importers.formats.promptfoo.cases import Cases, case_of
from denominator.importers.formats.promptfoo.document import Found
from denominator.importers.formats.promptfoo.endings import ending_of, status_of
from denominator.importers.formats.promptfoo.naming import provider_id, shown
from denominator.importers.measured import cost_or, millis_or, plain_scalars, spent_or
from denominator.records.facts import OwnAccount
from denominator.records.foreign import ForeignRow, Told
from denominator.records.rows import Usage
from denominator.records.values import NotMeasured, counted

CACHED = NotMeasured("answered from promptfoo's cache: nothing was spent and no time was measured")
NO_TOKENS = "promptfoo wrote no count of these tokens, or 0"
NO_COST = "promptfoo wrote no cost, or 0, which it writes where it knows no price"
KEPT = ("id", "promptId", "score", "testIdx")


def rows_of(run_id: str, found: Found, column: int, cases: Cases, told: Told) -> Iterator[ForeignRow]:
    """One row for each test of the column; a test that stands twice is told."""
    seen: dict[int, str] = {}
    providers: set[str] = set()
    cached = 0
    for at_ in found.broken:
        told.say("bad_row", _place(found, at_), "names no promptIdx and testIdx, so it belongs to nobody")
    for place, row in found.of(column):
        where, task = _place(found, place), cases.place(row).task
        sha = digest(row)
        if (before := seen.setdefault(row["testIdx"], sha)) is not sha:
            kind, what = ("duplicate_rows", "again") if before == sha else ("conflicting_rows", "again, and differs")
            told.say(kind, where, f"{task} stands {what}; the first one counts", task, blocks=before != sha)
            continue
        providers.add(provider_id(row.get("provider")))
        cached += _is_cached(row)
        yield _row(run_id, where, row, cases, told, sha)
    if len(providers) > 1:
        told.say("mixed_provider", found.file, f"one column holds answers of {len(providers)} providers")
    if cached:
        what = "was" if cached == 1 else "were"
        told.notes.append(f"{counted(cached, 'row')} {what} answered from the cache, which is no new draw")


def _place(found: Found, at_: int) -> str:
    return f"{found.file}#{pointed('results', 'results', at_)}"


def _row(run_id: str, where: str, row: Mapping[str, Any], cases: Cases, told: Told, sha: str) -> ForeignRow:
    place, ending = cases.place(row), ending_of(row)
    if ending is None:
        what = f"success {str(row.get('success'))[:20]} with failureReason {str(row.get('failureReason'))[:20]}"
        told.say("unknown_ending", where, f"{place.task}: {what}", place.task)
    return foreign_row(
        run_id, ending, place.task, importer="promptfoo", source=at(where, sha256=sha), repeat=place.repeat,
        numbered=False, played=_is_cached(row), extra=_extra(row), **_spent(row),
    )  # fmt: skip


def _is_cached(row: Mapping[str, Any]) -> bool:
    response = row.get("response")
    return isinstance(response, dict) and response.get("cached") is True


def _spent(row: Mapping[str, Any]) -> dict[str, Any]:
    if _is_cached(row):
        return {"wall_ms": CACHED, "usage": Usage(prompt=CACHED, completion=CACHED)}
    told = row.get("tokenUsage")
    tokens = told if isinstance(told, dict) else {}
    usage = Usage(
        prompt=spent_or(tokens.get("prompt"), NO_TOKENS),
        completion=spent_or(tokens.get("completion"), NO_TOKENS),
        calls=spent_or(tokens.get("numRequests"), "promptfoo wrote no number of requests"),
    )
    return {
        "wall_ms": millis_or(row.get("latencyMs"), "promptfoo wrote no latency"),
        "usage": usage,
        "own_account": OwnAccount(source="promptfoo", cost=cost_or(row.get("cost"), NO_COST)),
    }


def _extra(row: Mapping[str, Any]) -> dict[str, object]:
    """Numbers and names; no text of a prompt, an answer or an error."""
    kept = plain_scalars({name: row[name] for name in KEPT if name in row})
    kept |= plain_scalars({"description": case_of(row).get("description")})
    kept |= {"provider": shown(row.get("provider"))}
    return {**kept, **({"http_status": status} if (status := status_of(row)) else {})}
