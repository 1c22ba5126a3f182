"""Run ids: folder names that a person can type after a verb without quoting."""

from __future__ import annotations

RUN_ID_MAX = 100
MARKS = "._-"


def run_id_problem(run_id: str) -> str:
    """Why a run id cannot be used, or nothing."""
    if not run_id:
        return "is empty"
    if len(run_id.encode("utf-8", "surrogatepass")) > RUN_ID_MAX:
        return f"is longer than {RUN_ID_MAX} bytes"
    if bad := next((c for c in run_id if not _fit(c)), ""):
        return f"holds {bad!r}"
    return "" if run_id[0].isalnum() else f"starts with {run_id[0]!r}"


def as_run_id(label: str) -> str:
    """The label of an arm as a part of a run id: what does not fit becomes a hyphen."""
    return "".join(c if _fit(c) else "-" for c in label).strip(MARKS)[:40] or "arm"


def _fit(char: str) -> bool:
    return char.isalnum() or char in MARKS
