"""May a judged result be cited? Asked after the gate, of the same sheet."""

from __future__ import annotations

from denominator.errors import Exit
from denominator.gate import cite
from denominator.pipeline.results import Result
from denominator.records.citations import Citation


def cite_result(result: Result) -> tuple[Citation, Exit]:
    """The word on citing it, and the exit code: 2 where fields are missing, 1 where a reason stands against it."""
    citation = cite(result.judged.sheet, result.judged.verdict)
    return citation, Exit.worst([citation.exit, int(result.exit)])
