"""What the harness reads in logs by itself: failures of the environment, and mere signs."""

from __future__ import annotations

from denominator.importers.swebench import endings
from denominator.importers.swebench.cases import Case, Found


def by_mark(case: Case, *, tests: bool) -> Found | None:
    """What the harness read in logs: the environment's failures always, mere signs only where no test is named."""
    tier, reason = case.said.tier, case.said.reason
    if tier == "infra":
        if reason and reason not in endings.ENVIRONMENT:
            case.say("unknown_ending", f"failure reason {reason[:60]!r} is in no table")
            return Found(None)
        return Found(endings.ENVIRONMENT.get(reason, endings.ENVIRONMENT_UNNAMED))
    if tier == "ambiguous" and not tests:
        if reason in endings.AMBIGUOUS:
            return Found(endings.AMBIGUOUS[reason])
        if reason:
            case.say("unknown_ending", f"failure reason {reason[:60]!r} is in no table")
            return Found(None)
    return None
