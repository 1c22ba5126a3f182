"""What `probe show` writes and shows beyond the page: the report, and each attempt of a case with the bytes that came."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from denominator.errors import InputError
from denominator.pipeline.probe_evidence import Stored
from denominator.publish.html.probe import probe_html
from denominator.records.events import Json
from denominator.records.probe_results import Exchange, ProbeScore, Scored
from denominator.records.probes import Case
from denominator.records.rows import Text
from denominator.records.values import NotMeasured, counted
from denominator.wire.codec import to_json
from denominator.wire.durable import write_file
from denominator.wire.http_reply import read_reply

EXCERPT_BYTES = 1_200


@dataclass(frozen=True, slots=True)
class ShownAttempt:
    """One attempt with the beginning of its body as text; not measured where bodies are redacted or nothing came."""

    scored: Scored
    body: Text
    body_bytes: int = 0


def asked_case(stored: Stored, case_id: str) -> Case:
    """The case as the fixture has it. InputError where there is none."""
    cases = {case.id: case for case in stored.fixture().cases}
    if case_id not in cases:
        from difflib import get_close_matches

        near = get_close_matches(case_id, cases, 1)
        fix = f"did you mean {near[0]}?" if near else "denominator probe show FOLDER --json names every case"
        raise InputError(f"the fixture has no case {case_id!r}", where="--case", fix=fix)
    return cases[case_id]


def shown_case(stored: Stored, score: ProbeScore, case_id: str) -> tuple[ShownAttempt, ...]:
    """Every attempt of the case, by window, way of asking and number."""
    of_case = (one for one in score.attempts if one.case_id == case_id)
    ordered = sorted(of_case, key=lambda one: (one.window, one.mode, one.attempt))
    found = {(one.window, one.seq): one for one in ordered}
    made = {key: ShownAttempt(one, NotMeasured("bodies are redacted")) for key, one in found.items()}
    for window in sorted({window for window, _ in found}):
        for each in stored.exchanges(window):
            key = window, each.ask.seq
            if isinstance(each, Exchange) and key in found:
                made[key] = _shown(found[key], each, score.terms.body_bytes_max)
    return tuple(made.values())


def _shown(scored: Scored, exchange: Exchange, body_max: int) -> ShownAttempt:
    """The body without its transfer coding; where no head could be read, the bytes as they came."""
    reply = read_reply(exchange.wire, body_max, closed=exchange.closed)
    body = reply.body if isinstance(reply.status, int) else exchange.wire
    if not body:
        return ShownAttempt(scored, NotMeasured("no body came"))
    return ShownAttempt(scored, excerpt(body), len(body))


def excerpt(body: bytes) -> str:
    """The beginning as text; bytes that are no UTF-8 are shown as their code."""
    cut = body[:EXCERPT_BYTES].decode("utf-8", "backslashreplace")
    more = len(body) - EXCERPT_BYTES
    return cut + (f" ... and {counted(more, 'more byte')}" if more > 0 else "")


def case_document(score: ProbeScore, asked: Case, attempts: Sequence[ShownAttempt]) -> Json:
    """The same as one document."""
    return {
        "case": asked.id,
        "asked": to_json(asked),
        "attempts": [
            {"attempt": to_json(one.scored), "body": _text(one.body), "body_bytes": one.body_bytes} for one in attempts
        ],
        "across": [to_json(one) for one in score.across if one.case_id == asked.id],
    }


def _text(value: Text) -> Json:
    return {"not_measured": value.not_measured} if isinstance(value, NotMeasured) else value


def write_report(path: Path, score: ProbeScore) -> None:
    """Writes the page of a score into a new file, whole or not at all. InputError for a file that is there, or no folder."""
    if path.exists():
        raise InputError("the file is there already", where=str(path), fix="name a new one; nothing was written")
    if not path.parent.is_dir():
        raise InputError("there is no such folder", where=str(path.parent), fix="make it, or name another one")
    write_file(path, probe_html(score).encode())
