"""What `quote check --json` prints (docs/formats/quote.md)."""

from __future__ import annotations

from denominator.pipeline.quote_checking import Outcome, summary
from denominator.quote import Checked, Noted
from denominator.records.events import Json


def document_of(outcome: Outcome) -> dict[str, Json]:
    """One document: files with their findings and counts, sums over all, the exit code."""
    return {
        "schema_version": 1,
        "documents": [_document(one) for one in outcome.checked],
        "unreadable": [str(one) for one in outcome.failed],
        "looked_for": dict(outcome.seen),
        "passed_over": dict(outcome.skipped),
        "suppressed": outcome.ignored,
        "known": outcome.known,
        "unchanged": outcome.unchanged,
        "said": summary(outcome),
        "exit": int(outcome.exit),
    }


def _document(one: Checked) -> dict[str, Json]:
    return {
        "path": one.path,
        "audience": one.audience,
        "findings": [_finding(noted) for noted in one.noted],
        "looked_for": dict(one.seen),
        "passed_over": dict(one.skipped),
        "suppressed": one.ignored,
    }


def _finding(one: Noted) -> dict[str, Json]:
    said = one.said
    return {
        "code": one.code,
        "name": one.name,
        "severity": str(said.severity),
        "subject": said.subject,
        "what": said.what,
        "fix": said.fix,
        "line": said.line,
        "column": said.column,
        "place": said.place,
    }
