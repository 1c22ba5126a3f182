"""A locked contract as bytes, and the rate that a judged run gives under it. Nothing is read and nothing is judged here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from denominator.envelopes.contracts import State, contract_digest, read_document, state_of
from denominator.envelopes.contracts.checks import SENTENCES, selling
from denominator.errors import IncompleteError, InputError, Problem
from denominator.pipeline.contract_runs import clause_fact, clause_rows, disagreements, run_defects
from denominator.records.contracts import CLAUSES, ClauseRow, Probe, Rate
from denominator.records.judgements import Judged
from denominator.records.rows import Defect
from denominator.records.seals import Seal
from denominator.records.values import NotMeasured
from denominator.records.words import Control, Slice
from denominator.wire.contracts import Contract, word

NO_TIMEOUT = NotMeasured("the contract states none")
WITHHELD = NotMeasured("withheld: the gate blocks")
SPLIT = NotMeasured("withheld: not even how many passed may be told")
NOT_PINNED = "carries no sha256, so nothing pins what was locked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Locked:
    """A contract that may be scored: its view, its digest, and whether it carries it itself."""

    contract: Contract
    digest: str
    pinned: bool
    where: str


def locked_of(data: bytes, where: str) -> Locked:
    """A contract that can be scored. Raises: not locked (IncompleteError), changed after the lock (InputError)."""
    document = read_document(data, where)
    contract, state = Contract(document), state_of(document)
    if state is State.UNLOCKED:
        missing = [key for key in ("run_id", "locked_at", "sha256") if not word(document.get(key))]
        raise IncompleteError(
            "the contract is not locked, so scoring it is refused",
            where=where,
            problems=[Problem(key, "is not filled in") for key in missing],
            fix=f"denominator contract lock {where}",
        )
    if state is State.CHANGED:
        raise InputError(
            "the contract does not match its sha256: it was changed after it was locked",
            where=where,
            problems=[
                Problem("sha256", f"says {word(document['sha256'])}, the document has {contract_digest(document)}")
            ],
            fix="take the contract as it was locked; a change is a new study: denominator contract fork",
        )
    return Locked(contract=contract, digest=contract_digest(document), pinned=state is State.LOCKED, where=where)


def decisions(locked: Locked) -> tuple[Defect, ...]:
    """METHODS M11: no contract supports a decision about a vendor or a price."""
    found = [(key, selling(locked.contract.document.get(key))) for key in SENTENCES]
    return tuple(
        Defect(kind="vendor_decision", where=locked.where, what=f"{key} speaks of {told!r}: no contract decides that")
        for key, told in found
        if told
    )


def unlike(locked: Locked, seal: Seal, judged: Judged) -> Iterator[str]:
    """Why a run is not the one that was contracted, or not to be judged by this contract; nothing where it is."""
    if not locked.pinned:
        yield NOT_PINNED
    rows = clause_rows(locked.contract, judged.sheet.draws)
    yield from (one.what for one in (*run_defects(locked.contract, seal), *decisions(locked), *disagreements(rows)))


def rate_of(locked: Locked, judged: Judged, rows: tuple[ClauseRow, ...], scored: str, code: int) -> Rate:
    """`rate.json` of a contract. The count is withheld while the gate blocks, the rows where the split is."""
    contract, timeout = locked.contract, locked.contract.timeout_s
    return _rate(
        judged,
        rows,
        contract_sha256=locked.digest,
        pinned=locked.pinned,
        contract_run_id=contract.run_id,
        locked_at=contract.locked_at,
        scored=scored,
        metric=contract.judged,
        timeout_s=NO_TIMEOUT if timeout is None else timeout,
        contamination=word(contract.document.get("contamination")) or "unknown",
        exit=code,
    )


def rate_of_run(locked: Locked, judged: Judged, scored: str) -> Rate:
    """The same of a run of ours: each clause from the facts of the row that counts."""
    rows = clause_rows(locked.contract, judged.sheet.draws)
    return rate_of(locked, judged, rows, scored, judged.verdict.exit)


def rate_of_seal(seal: Seal, digest: str, judged: Judged, run_id: str) -> Rate:
    """Without a contract the seal is what was locked: its tasks, its metric, its time limit."""
    wall = seal.envelope.budget.wall_s
    clauses = sealed_clauses(seal)
    rows = tuple(
        ClauseRow(
            task_id=draw.draw.task_id,
            repeat=draw.draw.repeat,
            clauses={name: clause_fact(name, draw.row, wall if isinstance(wall, int) else None) for name in clauses},
            exit=draw.exit,
        )
        for draw in judged.sheet.draws
        if draw.slice == Slice.SOLVABLE
    )
    return _rate(
        judged,
        rows,
        contract_sha256=digest,
        pinned=True,
        contract_run_id=run_id,
        locked_at=seal.sealed_at,
        scored=f"run {run_id}",
        metric=clauses,
        timeout_s=wall,
        exit=judged.verdict.exit,
    )


def sealed_clauses(seal: Seal) -> tuple[str, ...]:
    """The clauses of the sealed metric that a row shows; time is one of them where a cap means a fail."""
    timed = seal.envelope.policy.on_timeout == "fail"
    return tuple(name for name in CLAUSES if name != "within_timeout" or timed)


def _rate(judged: Judged, rows: tuple[ClauseRow, ...], **told: object) -> Rate:
    verdict = judged.verdict
    passed = sum(row.exit == "pass" for row in rows)
    given: dict[str, object] = {
        "status": verdict.status,
        "rung": verdict.rung,
        "sentence": verdict.sentence,
        "n": judged.sheet.solvable_n(),
        "k": WITHHELD if verdict.status == "blocked" else passed,
        "rows": SPLIT if judged.split_hidden else rows,
        "narration_probe": _probe(judged),
    }
    return Rate(**{**given, **told})  # type: ignore[arg-type]


def _probe(judged: Judged) -> Probe:
    """The narration probe as the controls of the run have it. It is beside the rate and in no count."""
    found = next((one for one in judged.controls if one.name == Control.NARRATION), None)
    return Probe(state=found.state, why=found.why) if found else Probe(state="not run")
