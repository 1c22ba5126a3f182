"""A run of ours under a scoring contract: is it the run that was contracted, and what does each row say of each clause?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from denominator.labels import facts
from denominator.records.contracts import ClauseRow
from denominator.records.judgements import JudgedDraw
from denominator.records.rows import AttemptRow, Defect, PatchFacts
from denominator.records.seals import Seal
from denominator.records.values import NotMeasured
from denominator.records.words import Grade, StopReason
from denominator.wire.contracts import Contract
from denominator.wire.times import read_time

NO_ROW = NotMeasured("no attempt was started")
NO_GRADE = NotMeasured("nothing was graded")
NO_PATCH = NotMeasured("no patch was recorded")
NO_CLOCK = NotMeasured("the agent's time was not recorded")


def run_defects(contract: Contract, seal: Seal) -> tuple[Defect, ...]:
    """Where the seal is not the run that the contract is about; each blocks."""
    found = (*_tasks(contract, seal), *_controls(contract, seal), *_conditions(contract, seal))
    return tuple(Defect(kind="other_than_contract", where="contract", what=what, keys=keys) for what, keys in found)


def _tasks(contract: Contract, seal: Seal) -> Iterable[tuple[str, tuple[str, ...]]]:
    planned = {one.draw.task_id for one in seal.plan.draws if one.slice == "solvable"}
    locked = set(contract.task_ids)
    if missing := tuple(sorted(locked - planned)):
        yield f"missing ids: the run does not promise {', '.join(missing[:20])}", missing
    if outside := tuple(sorted(planned - locked)):
        yield f"outside the slice: the contract does not name {', '.join(outside[:20])}", outside


def _controls(contract: Contract, seal: Seal) -> Iterable[tuple[str, tuple[str, ...]]]:
    controls = {one.draw.task_id for one in seal.plan.draws if one.control}
    absent = tuple(sorted({task_id for task_id, _, _ in contract.controls if task_id} - controls))
    if absent:
        yield f"controls of the contract that the run does not have: {', '.join(absent[:20])}", absent


def _conditions(contract: Contract, seal: Seal) -> Iterable[tuple[str, tuple[str, ...]]]:
    sealed, locked = read_time(seal.sealed_at), read_time(contract.locked_at)
    if sealed is None or locked is None or sealed <= locked:
        yield f"the run was sealed at {seal.sealed_at}, not after the contract was locked at {contract.locked_at}", ()
    wall = seal.envelope.budget.wall_s
    if contract.timeout_s is not None and wall != contract.timeout_s:
        yield f"the contract's timeout is {contract.timeout_s} s, the sealed one {wall}", ()
    host = endpoint_host(seal.arm.model.endpoint)
    if isinstance(host, str) and contract.host and host != contract.host:
        yield f"the contract's host is {contract.host}, the sealed endpoint's {host}", ()


def endpoint_host(endpoint: str | NotMeasured) -> str | NotMeasured:
    """The host of an endpoint's address, never a path, a user or a key."""
    if isinstance(endpoint, NotMeasured):
        return endpoint
    try:
        host = urlsplit(endpoint if "//" in endpoint else f"//{endpoint}").hostname
    except ValueError:
        host = None
    return host or NotMeasured("the endpoint names no host")


def clause_rows(contract: Contract, draws: Sequence[JudgedDraw]) -> tuple[ClauseRow, ...]:
    """Each solvable draw of the contract with the truth of each clause, from the facts of the row that counts."""
    return tuple(
        ClauseRow(
            task_id=draw.draw.task_id,
            repeat=draw.draw.repeat,
            clauses={name: clause_fact(name, draw.row, contract.timeout_s) for name in contract.judged},
            exit=draw.exit,
        )
        for draw in draws
        if draw.slice == "solvable"
    )


def clause_fact(name: str, row: AttemptRow | None, timeout_s: int | None) -> bool | NotMeasured:
    """One clause of one row; unknown with its reason where no fact decides."""
    if row is None:
        return NO_ROW
    return FACTS[name](row, timeout_s)


def _tests(row: AttemptRow, _timeout: int | None) -> bool | NotMeasured:
    return NO_GRADE if row.grade == Grade.NONE else row.grade == Grade.GREEN


def _applies(row: AttemptRow, _timeout: int | None) -> bool | NotMeasured:
    if facts.apply_failed(row) or row.stop_reason == StopReason.APPLY_ERROR:
        return False
    if row.grade != Grade.NONE:
        return True
    return NotMeasured("there was no patch to apply") if facts.empty_patch(row) else NO_GRADE


def _inside(row: AttemptRow, _timeout: int | None) -> bool | NotMeasured:
    return not facts.slipped(row) if isinstance(row.patch, PatchFacts) else NO_PATCH


def _untampered(row: AttemptRow, _timeout: int | None) -> bool | NotMeasured:
    return row.grade != Grade.TAMPERED and not row.tampering


def _no_canary(row: AttemptRow, _timeout: int | None) -> bool | NotMeasured:
    if row.canary_hits:
        return False
    return True if facts.canary_searched(row) else NO_PATCH


def _in_time(row: AttemptRow, timeout_s: int | None) -> bool | NotMeasured:
    if facts.timed_out(row):
        return False
    if timeout_s is None or not isinstance(row.agent_ms, int):
        return NO_CLOCK
    return row.agent_ms <= timeout_s * 1000


def _answered(row: AttemptRow, _timeout: int | None) -> bool | NotMeasured:
    if facts.used_channel(row):
        return False
    return not facts.empty_patch(row) if isinstance(row.patch, PatchFacts) else NO_PATCH


FACTS = {
    "tests_green": _tests,
    "patch_applies": _applies,
    "no_forbidden_path": _inside,
    "no_tamper": _untampered,
    "no_canary": _no_canary,
    "within_timeout": _in_time,
    "not_abstain": _answered,
}


def disagreements(rows: Iterable[ClauseRow]) -> tuple[Defect, ...]:
    """Draws that the sealed metric passes although a clause of the contract does not hold: then there is no one metric."""
    found = []
    for row in rows:
        broken = [name for name, truth in row.clauses.items() if truth is not True]
        if row.exit == "pass" and broken:
            what = f"{row.task_id}: the sealed metric passes it, the contract does not: {', '.join(broken)}"
            found.append(Defect(kind="contract_disagrees", where="contract", what=what, keys=(row.task_id,)))
    return tuple(found)
