"""What the gate must know beside foreign rows. What the manifest does not state is missing, never assumed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from denominator.importers.manifest import Stated
from denominator.records.rows import Ledger
from denominator.records.seals import Terms

WANTED = {
    "dataset ids": "task_ids",
    "invalid_rate_ceiling": "invalid_ceiling",
    "on_timeout": "on_timeout",
    "retry_policy": "retry_policy",
    "max_attempts": "attempts",
    "scorer": "scorer",
    "controls": "controls",
}


def terms_of(
    stated: Stated, ledger: Ledger, files: Sequence[tuple[str, bytes]], flaky: tuple[str, ...], green: tuple[str, ...]
) -> Terms:
    """Terms of an import. `digest` names the bytes that were read; `missing` what the manifest leaves open."""
    seen = max((row.key.repeat for row in ledger.rows), default=1)
    attempts = max((row.key.attempt for row in ledger.rows), default=1)
    bad = {row.key.task_id for row in ledger.rows if row.slice == "solvable" and row.green_without_agent is True}
    bad |= {task for task in green if any(r.key.task_id == task and r.slice == "solvable" for r in ledger.rows)}
    return Terms(
        origin="manifest",
        name=stated.name or stated.dataset or ledger.run_id,
        digest=input_digest(files),
        invalid_ceiling=stated.invalid_ceiling or "",
        infra_ceiling=stated.infra_ceiling or "",
        on_timeout=stated.on_timeout or "",
        scorer=stated.scorer or "",
        headline=stated.headline or "",
        sentence=stated.sentence or "",
        repeats=stated.repeats or seen,
        attempts=stated.attempts or (1 if stated.retry_policy is None else attempts),
        retry_declared=stated.retry_policy is not None or stated.attempts is not None,
        grading_levels=(),
        hidden_tests=bool(stated.hidden_tests),
        controls_declared=bool(stated.controls) or any(row.control for row in ledger.rows),
        never_started_allowed=stated.never_started_allowed,
        missing=tuple(name for name, attribute in WANTED.items() if getattr(stated, attribute) is None),
        house_reasons=stated.house_reasons,
        printed_percents=tuple(stated.percents),
        environment=tuple(sorted(stated.environment.items())),
        strata=tuple(stated.strata.items()),
        flaky_tasks=flaky,
        bad_tasks=tuple(sorted(bad)),
    )


def input_digest(files: Sequence[tuple[str, bytes]]) -> str:
    """sha256 over name and digest of every input file, sorted by name."""
    listed = "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files))
    return hashlib.sha256(listed.encode("utf-8", "surrogatepass")).hexdigest()
