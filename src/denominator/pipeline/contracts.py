"""`contract lock | score | fork`: a description that is locked once, and events that are scored under it by the one gate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from denominator.envelopes.contracts import State, contract_digest, fork, lock, problems_of, read_document, state_of
from denominator.errors import Exit, IncompleteError, InputError, Problem
from denominator.importers import Report
from denominator.importers.clauses import clause_truths
from denominator.importers.stated import Stated
from denominator.pipeline.contract_rates import NOT_PINNED, Locked, decisions, locked_of, rate_of
from denominator.pipeline.contract_runs import clause_rows, disagreements, run_defects
from denominator.pipeline.importing import import_paths
from denominator.pipeline.results import Result, judge_ledger, judge_run, stamps
from denominator.pipeline.world import OpenRun
from denominator.records.contracts import ClauseRow, Rate
from denominator.records.events import Json
from denominator.records.rows import AttemptRow
from denominator.records.values import NotMeasured, counted
from denominator.records.words import StopReason
from denominator.wire.bounded import read_bytes
from denominator.wire.canonical import canonical
from denominator.wire.contracts import Contract, Document, word
from denominator.wire.durable import new_folder, write_file

NAME, PROBE = "scoring_contract.json", "narration_probe.json"
UNPINNED = f"the contract {NOT_PINNED}"
NOT_SAID = NotMeasured("the row does not say")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """Events under a contract: what the gate made of them, the rate, and how foreign files were read."""

    result: Result
    rate: Rate
    report: Report | None = None


def lock_contract(path: Path, out: Path | None, run_id: str, at: str) -> dict[str, object]:
    """Lock a contract, in place or to a new file. Raises IncompleteError with every reason why not."""
    document = read_document(read_bytes(path), str(path))
    locked = lock(document, run_id, at, str(path))
    _write(out or path, locked, fresh=out is not None)
    return locked


def fork_contract(path: Path, drop: Sequence[str], why: str, out: Path) -> dict[str, object]:
    """A new study from a locked contract, without some of its tasks."""
    made = fork(read_document(read_bytes(path), str(path)), drop, why, str(path))
    _write(out, made, fresh=True)
    return made


def _write(path: Path, document: Document, *, fresh: bool) -> None:
    """Canonical JSON, whole or not at all; a new file never takes the place of one that is there."""
    try:
        write_file(path, canonical(document) + b"\n", replace=not fresh)
    except FileExistsError:
        raise InputError("the file exists and was left as it is", where=str(path), fix="choose another name") from None


def require_locked(path: Path) -> Locked:
    """A contract that can be scored. Raises: not locked (IncompleteError), changed after the lock (InputError)."""
    return locked_of(read_bytes(path), str(path))


def score_files(path: Path, events: Sequence[Path]) -> Scored:
    """Score foreign events (files, or one folder) with their narration probe, if it is among them."""
    locked = require_locked(path)
    report, result = import_paths(_without(events, path), None, (), None, ((NAME, read_bytes(path)),))
    _refuse_unstated(result, path)
    result = _with_limits(locked, result, report.notes)
    return Scored(
        result=result, rate=_rate(locked, result, _foreign_rows(locked, result), "foreign events"), report=report
    )


def _without(events: Sequence[Path], contract: Path) -> list[Path]:
    """The events without the contract itself, which may lie in the same folder."""
    found: list[Path] = []
    for path in events:
        inside = path.is_dir() and contract.resolve().parent == path.resolve()
        found += sorted(one for one in path.iterdir() if not one.name.startswith(".")) if inside else [path]
    kept = [path for path in found if path.resolve() != contract.resolve()]
    if not kept:
        raise InputError(
            "no events are named", where=str(contract), fix="denominator contract score C.json events.jsonl"
        )
    return kept


def _refuse_unstated(result: Result, path: Path) -> None:
    """Rows without the boolean of each clause cannot be scored at all."""
    missing = [one for one in result.ledger.defects if one.kind == "missing_clause"]
    if missing:
        raise IncompleteError(
            f"rows do not state every clause of the contract: {len(missing)}",
            where=str(path),
            problems=[Problem(one.where, one.what) for one in result.ledger.defects if one.blocks],
            fix="each row states each clause of the metric as true or false, and wall_seconds where there is a timeout",
        )


def _with_limits(locked: Locked, result: Result, notes: Sequence[str]) -> Result:
    """Judge again under the contract's own limits: unpinned is counts at most, a decision that it may not support blocks."""
    caps = () if locked.pinned else (UNPINNED,)
    defects = decisions(locked)
    if not caps and not defects:
        return result
    ledger = replace(result.ledger, defects=(*result.ledger.defects, *defects))
    terms = replace(result.terms, capped_at_counts=(*result.terms.capped_at_counts, *caps))
    return judge_ledger(ledger, terms, notes=notes)


def _foreign_rows(locked: Locked, result: Result) -> tuple[ClauseRow, ...]:
    """The truth of each clause, from the columns that the rows keep beside their facts."""
    contract = locked.contract
    needed = contract.metric if isinstance(contract.metric, tuple) else ()
    timeout = None if contract.timeout_s is None else contract.timeout_s * 1000
    stated = Stated(contract=True, clauses=contract.judged, needed=needed, timeout_ms=timeout)
    rows = []
    for draw in result.judged.sheet.draws:
        if draw.slice != "solvable":
            continue
        columns = _columns(draw.row) if draw.row else {}
        truths = clause_truths(columns, stated)
        clauses = {name: NOT_SAID if truth is None else truth for name, truth in truths.items()}
        rows.append(ClauseRow(task_id=draw.draw.task_id, repeat=draw.draw.repeat, clauses=clauses, exit=draw.exit))
    return tuple(rows)


def _columns(row: AttemptRow) -> dict[str, object]:
    """Columns that were kept as JSON text, and the facts that the row made of the others."""
    words = {"true": True, "false": False}
    found: dict[str, object] = {key: words[text] for key, text in row.extra.items() if text in words}
    if isinstance(row.abstained, bool):
        found["abstained"] = row.abstained
    if row.stop_reason == StopReason.TIMEOUT:
        found["timeout"] = True
    return {**found, "wall_ms": row.wall_ms} if isinstance(row.wall_ms, int) else found


def score_run(path: Path, run: OpenRun) -> Scored:
    """Score a run of ours: the run that was contracted, sealed after the lock, each clause from the facts of its rows."""
    locked = require_locked(path)
    defects = (*run_defects(locked.contract, run.seal), *decisions(locked))
    result = judge_run(run, defects)
    rows = clause_rows(locked.contract, result.judged.sheet.draws)
    if odd := disagreements(rows):
        result = judge_run(run, (*defects, *odd))
    if not locked.pinned:
        caps = (*result.terms.capped_at_counts, UNPINNED)
        terms = replace(result.terms, capped_at_counts=caps)
        again = judge_ledger(result.ledger, terms, run.seal, stamps(run), result.card.notes)
        result = replace(again, exit=Exit.worst([int(again.exit), int(result.exit)]))
    return Scored(result=result, rate=_rate(locked, result, rows, f"run {run.run_id}"))


def _rate(locked: Locked, result: Result, rows: tuple[ClauseRow, ...], scored: str) -> Rate:
    return rate_of(locked, result.judged, rows, scored, int(result.exit))


def write_score(folder: Path, scored: Scored, contract: Path, probe: bytes) -> None:
    """Keep what was scored in a new folder: contract, rate, card and, where one was run, the narration probe."""
    try:
        with new_folder(folder) as half:
            write_file(half / NAME, read_bytes(contract))
            write_file(half / "card.json", canonical(scored.result.card) + b"\n")
            if probe:
                write_file(half / PROBE, probe)
            write_file(half / "rate.json", canonical(scored.rate) + b"\n")
    except FileExistsError:
        raise InputError("the folder is in use", where=str(folder), fix="name a new one; nothing was written") from None


def probe_bytes(events: Sequence[Path]) -> bytes:
    """The narration probe among the events, as it lies there; nothing when none was run."""
    for path in events:
        found = path / PROBE if path.is_dir() else path
        if found.name == PROBE and found.is_file():
            return read_bytes(found)
    return b""


def shown(path: Path) -> tuple[dict[str, Json], tuple[str, ...]]:
    """A contract for people: its state, its digest, what it counts, what forbids locking it."""
    document = read_document(read_bytes(path), str(path))
    contract, state, sha = Contract(document), state_of(document), contract_digest(document)
    problems = problems_of(document) if state is State.UNLOCKED else []
    metric = contract.metric
    dropped = document.get("dropped")
    forks = [one for one in dropped if isinstance(one, dict)] if isinstance(dropped, list) else []
    lines = [f"{path}: {state}", f"sha256 {sha}"]
    lines += [f"locked at {contract.locked_at} as {contract.run_id}"] if contract.locked_at else []
    tasks, controls = counted(len(contract.task_ids), "task"), counted(len(contract.controls), "control")
    lines.append(f"{tasks}, {controls}, host {contract.host or 'not stated'}")
    lines.append(f"pass: {metric if isinstance(metric, str) else ' AND '.join(contract.judged)}")
    lines += [f"forked from {word(document.get('forked_from'))}"] if word(document.get("forked_from")) else []
    lines += [f"dropped {_listed(one.get('task_ids'))}: {one.get('why')}" for one in forks]
    lines += [f"  - {problem}" for problem in problems]
    told: dict[str, Json] = {
        "state": str(state),
        "sha256": sha,
        "task_ids": list(contract.task_ids),
        "metric": list(contract.judged),
        "problems": [{"where": one.where, "what": one.what, "fix": one.fix} for one in problems],
    }
    return told, tuple(lines)


def _listed(value: object) -> str:
    return ", ".join(str(one) for one in value) if isinstance(value, list) else "nothing"
