"""Text printed while a patch was graded that calls tests passed which the report calls failed."""

from __future__ import annotations

from denominator.ports import Graded
from denominator.readers.logs import ClaimBook
from denominator.records.events import Json


def printed_facts(graded: Graded) -> dict[str, Json]:
    """`forged_output`, where the text claims any pass. It decides nothing: printed text was never read for a grade."""
    book = ClaimBook()
    for stream in (graded.ended.stdout, graded.ended.stderr):
        book.read(stream)
    claimed = {_short(name) for name in book.claims().passed}
    if not claimed:
        return {}
    denied = {_short(name) for name in (*graded.failed, *graded.skipped, *graded.missing)}
    return {"forged_output": bool(claimed & (denied - {_short(name) for name in graded.passed}))}


def _short(name: str) -> str:
    """The last part of a test id: lines and reports name files and classes in different ways."""
    head, bracket, parameters = name.partition(" (")[0].strip().partition("[")
    return head.rpartition("::")[2].rpartition(".")[2] + bracket + parameters
