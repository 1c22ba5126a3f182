"""`published run | diff`: a score that somebody printed, our run beside it, the fingerprint of both first."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from denominator.compare.published import Claimed, of_published, of_run, set_beside
from denominator.compare.published.checks import problems_of, without_placeholders
from denominator.compare.published.fields import of_conditions
from denominator.envelopes.conditions import conditions_of
from denominator.errors import Exit, IncompleteError, InputError
from denominator.importers import Report
from denominator.pipeline.importing import import_paths
from denominator.pipeline.results import Result, unfinished
from denominator.records.estimates import Estimate
from denominator.records.events import Json
from denominator.records.packs import Verify
from denominator.records.published import Published, PublishedDiff
from denominator.records.rows import Ledger
from denominator.records.seals import Seal
from denominator.records.values import NotMeasured
from denominator.wire.bounded import read_text
from denominator.wire.canonical import canonical, digest
from denominator.wire.codec import to_json
from denominator.wire.durable import write_file
from denominator.wire.toml import read_toml

FINGERPRINT = "fingerprint.json"
LISTED = "published_manifest.json"
LEAST_VERIFIES = 3
BESIDE = {"tokens_per_solved": "tokens_per_solved_all", "wall_p50": "wall_median"}
ABSENT = NotMeasured("it was not measured")
WITHHELD = NotMeasured("withheld: the gate blocks")
Values = dict[str, str | NotMeasured]


def read_published(path: Path) -> Published:
    """A published.toml. Raises: unreadable (InputError); no score, or a contradiction (IncompleteError, all at once)."""
    one: Published = without_placeholders(read_toml(Published, read_text(path), str(path)))
    if problems := problems_of(one):
        raise IncompleteError(
            "the published score cannot be used",
            where=str(path),
            problems=problems,
            fix="state what was printed; leave out what is not known",
        )
    return one


def rows_of(paths: Sequence[Path], column_map: Path | None, published: Published | None) -> tuple[Report, Result]:
    """Rows of a run elsewhere; what was to be reproduced is what the published task list says."""
    report, result = import_paths(paths, column_map, (), None)
    listed = _listed(published) if isinstance(result.ledger.declared, NotMeasured) else ()
    return import_paths(paths, column_map, (), None, listed) if listed else (report, result)


def _listed(published: Published | None) -> tuple[tuple[str, bytes], ...]:
    """The published task list as a manifest beside rows that may have none."""
    if published is None:
        return ()
    told = published.outcomes
    ids = published.pack.task_ids or tuple(sorted({*told.passed, *told.failed}))
    return ((LISTED, json.dumps({"task_ids": list(ids)}).encode()),) if ids else ()


def claimed_rows(name: str, result: Result, seal: Seal | None = None) -> Claimed:
    """A judged result as one side."""
    more = facts_of(seal) if seal else _of_rows(result.ledger)
    return of_run(name, result.judged.sheet, result.judged.verdict, more)


def diff(published: Published | Claimed, name: str, ours: Result, seal: Seal | None = None) -> PublishedDiff:
    """Set our result beside the published score."""
    theirs = published if isinstance(published, Claimed) else of_published(published)
    found = set_beside(theirs, claimed_rows(name, ours, seal))
    shown = {name: _estimate(ours, metric) for name, metric in BESIDE.items()}
    code = Exit.worst([found.exit, *unfinished(ours)])
    return replace(found, tokens_per_solved=shown["tokens_per_solved"], wall_p50=shown["wall_p50"], exit=int(code))


def _estimate(result: Result, metric: str) -> Estimate | NotMeasured:
    """A number of our own that may be printed; withheld ones are not among them."""
    if result.judged.verdict.status == "blocked":
        return WITHHELD
    return next((one for one in result.judged.estimates if one.metric == metric), ABSENT)


def _of_rows(ledger: Ledger) -> Values:
    """The verify command that every row names, where all name one."""
    told = {row.extra.get("verify_cmd", "") for row in ledger.rows}
    return {"verify_cmd": told.pop()} if len(told) == 1 and "" not in told else {}


def facts_of(seal: Seal) -> Values:
    """Fields of the fingerprint that are no conditions of a run of ours."""
    system = seal.box.kernel.split(" ")[0] if isinstance(seal.box.kernel, str) else ""
    machine = seal.box.machine if isinstance(seal.box.machine, str) else ""
    platform = f"{system} {machine}".strip()
    return {
        "pack_digest": seal.pack_digest,
        "pack_version": seal.pack_version,
        "verify_cmd": _verify({one.task.id: one.task.verify for one in seal.tasks}),
        "harness_name": seal.arm.agent,
        "python": seal.box.toolchain_python,
        "platform": platform or NotMeasured("the box does not say"),
    }


def _verify(by_task: dict[str, Verify]) -> str | NotMeasured:
    """The one command, or the one runner, that every task is graded by; else a digest of all."""
    told = {task: verify.command or verify.runner for task, verify in by_task.items()}
    if not told:
        return NotMeasured("no task is sealed")
    words = set(told.values())
    return words.pop() if len(words) == 1 else f"by task {digest(told)}"


def fingerprint_of(seal: Seal) -> Values:
    """The whole fingerprint of a run of ours."""
    return of_conditions(conditions_of(seal), (), facts_of(seal))


def write_fingerprint(folder: Path, run_id: str, seal: Seal) -> Path:
    """Keep the fingerprint beside a run, in the form that `import rows` reads as a first line."""
    told: dict[str, Json] = {
        name: value if isinstance(value, str) else to_json(value) for name, value in fingerprint_of(seal).items()
    }
    path = folder / FINGERPRINT
    write_file(path, canonical({"_fingerprint": {**told, "run_id": run_id}, "schema_version": 1}) + b"\n")
    return path


def refuse_few_verifies(repeats: int, where: str) -> None:
    """A checkout that was verified once may be flaky and not show it."""
    if repeats < LEAST_VERIFIES:
        raise InputError(
            f"the clean checkout is verified {repeats} times, fewer than {LEAST_VERIFIES}",
            where=where,
            fix=f"run.baseline_repeats = {LEAST_VERIFIES}",
        )
