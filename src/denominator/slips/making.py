"""A judged result as a slip: card, seal and ledger facts of a run of ours, or what an import states, with its gaps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from typing import Any, cast

from denominator.records.conditions import Condition, Conditions
from denominator.records.estimates import Estimate
from denominator.records.judgements import Judged
from denominator.records.rows import Flag, Ledger, Text
from denominator.records.seals import Seal, Terms
from denominator.records.slips import (
    Number,
    RawOutput,
    Slip,
    SlipBox,
    SlipGate,
    SlipModel,
    SlipOrigin,
    SlipPack,
)
from denominator.records.values import NotMeasured
from denominator.records.words import Severity
from denominator.slips.budgets import budget_of
from denominator.slips.fields import NO_MODEL
from denominator.slips.harness import SAMPLING, Table, harness_of, said
from denominator.stats import decimal6
from denominator.wire.canonical import digest, sorted_sha256

HEADLINE = "headline"
UNDECLARED = NotMeasured("nobody declared it")
BLOCKS = (Severity.BLOCK, Severity.UNKNOWN)
QUIET_GAPS = ("numbers", "re_run_spread", "previous")
BOX_FIELDS = (
    "host", "kernel", "machine", "python", "cpu_count", "memory_bytes", "cgroup_version", "cgroup_cpu_limit",
    "cgroup_memory_limit",
)  # fmt: skip
BOX_CONDITIONS: Mapping[str, tuple[str, ...]] = {"host": ("host", "runner"), "cpu_count": ("cpu_count", "cpus")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pinned:
    """What a slip needs beside the judged result: its files, the time, and what was promised of the box.

    `conditions` are those stated with what the rows themselves say; without them those that are stated.
    """

    run_id: str
    raw: RawOutput
    ledger_sha256: Text
    made_at: str
    rules_digest: str
    table: Table
    conditions: Conditions = ()
    shared: Flag = UNDECLARED
    reclaimable: Flag = UNDECLARED
    notes: tuple[str, ...] = ()


def slip_of(ledger: Ledger, terms: Terms, judged: Judged, pinned: Pinned, seal: Seal | None = None) -> Slip:
    """The slip of a judged ledger, without its lineage. What the gate withholds is not on it."""
    terms = judged.sheet.terms if seal is None else terms
    terms = replace(terms, conditions=pinned.conditions or terms.conditions)
    made = Slip(
        schema_version=1,
        origin=str(SlipOrigin.RUN if seal else SlipOrigin.IMPORT),
        run_id=pinned.run_id,
        arm=terms.arm,
        made_at=pinned.made_at,
        days=days_of(judged, terms),
        seal_sha256=terms.digest if seal else NotMeasured("rows of another harness have no seal of ours"),
        ledger_sha256=pinned.ledger_sha256,
        raw=pinned.raw,
        harness=harness_of(terms.conditions, pinned.table, _sealed(seal)),
        model=_model(terms, judged, seal),
        pack=_pack(ledger, terms, judged, seal),
        budget=budget_of(ledger, terms, judged, seal),
        box=_box(terms, seal, pinned),
        numbers=tuple(_numbers(judged.estimates)),
        headline=HEADLINE,
        gate=gate_of(judged, pinned.rules_digest),
        lineage="",
        notes=pinned.notes,
        owner=said(terms.conditions, "operator"),
    )
    return with_gaps(made)


def days_of(judged: Judged, terms: Terms) -> tuple[str, ...]:
    """The UTC days on which rows started, else those that a manifest states."""
    seen = {row.started_at[:10] for row, _ in judged.sheet.rows() if isinstance(row.started_at, str)}
    return tuple(sorted(seen or set(terms.dates)))


def gate_of(judged: Judged, rules_digest: str) -> SlipGate:
    """The gate's word, with what blocked and what was waived by code and name."""
    verdict = judged.verdict
    return SlipGate(
        status=str(verdict.status),
        rung=str(verdict.rung),
        sentence=verdict.sentence,
        blocked_by=tuple(sorted({f"{f.code} {f.allow_name}" for f in judged.findings if f.severity in BLOCKS})),
        waived=tuple(sorted({f"{f.code} {f.allow_name}" for f in judged.findings if f.waiver is not None})),
        rules_digest=rules_digest,
    )


def _numbers(estimates: Iterable[Estimate]) -> Iterable[Number]:
    """Every number that may be printed, by its metric. A rate that is k of n exactly needs no score.

    Where the gate allows counts only, the headline is its counts: the rate is not on the slip.
    """
    for one in estimates:
        k, n = one.numerator, one.denominator
        counted = isinstance(k, int) and isinstance(n, int) and n > 0
        exact = counted and isinstance(one.value, str) and decimal6(Fraction(cast(int, k), cast(int, n))) == one.value
        if not (isinstance(one.value, str) or (one.metric == HEADLINE and counted)):
            continue
        yield Number(
            metric=one.metric,
            k=k if exact or not isinstance(one.value, str) else NotMeasured("the number is no count of n"),
            n=n,
            score=NotMeasured("k of n says it") if exact else one.value,
            lo=one.lo,
            hi=one.hi,
            method=one.method,
            estimand=one.estimand,
        )


def _sealed(seal: Seal | None) -> Iterable[Condition]:
    """What a seal knows beside its conditions."""
    if seal is None:
        return ()
    house = NO_MODEL if not seal.house else digest(list(seal.house))
    return (
        Condition(name="house_rules", value=house, by="derived"),
        Condition(name="sandbox_version", value=seal.sandbox.version or NotMeasured("not told"), by="recorded"),
        Condition(name="unsandboxed", value="true" if seal.unsandboxed else "false", by="recorded"),
    )


def _model(terms: Terms, judged: Judged, seal: Seal | None) -> SlipModel:
    served = sorted({name for row, _ in judged.sheet.rows() for name in row.served_models})
    stated = terms.conditions
    return SlipModel(
        id=said(stated, "model_id"),
        snapshot=said(stated, "model_snapshot"),
        served=tuple(served),
        sampling={name: said(stated, name) for name in SAMPLING if seal or isinstance(said(stated, name), str)},
        agent=_agent(terms, seal),
        agent_version=said(stated, "agent_version"),
    )


def _agent(terms: Terms, seal: Seal | None) -> Text:
    """An agent by name; what it is made of is under the harness's digest."""
    return seal.arm.agent if seal else said(terms.conditions, "agent_id")


def _pack(ledger: Ledger, terms: Terms, judged: Judged, seal: Seal | None) -> SlipPack:
    tasks = sorted({task for task, _, _ in judged.sheet.placed(lambda _: True)})
    unnamed = judged.sheet.unnamed or isinstance(ledger.declared, NotMeasured)
    gone = NotMeasured("draws were declared by number only: which tasks they are of is not known")
    stated = terms.conditions
    return SlipPack(
        id=seal.pack_id if seal else terms.name or NotMeasured("not stated"),
        version=seal.pack_version if seal else said(stated, "dataset_version"),
        digest=seal.pack_digest if seal else said(stated, "task_slice_sha256"),
        task_ids_sha256=gone if unnamed else task_ids_sha256(tasks),
        tasks=gone if unnamed else len(tasks),
        repeats=terms.repeats,
    )


def task_ids_sha256(ids: Iterable[str]) -> str:
    """sha256 of the sorted ids joined by newlines (METHODS M10); of the solvable slice, which is what n counts."""
    return sorted_sha256(ids)


def _box(terms: Terms, seal: Seal | None, pinned: Pinned) -> SlipBox:
    promised = SlipBox(shared=pinned.shared, reclaimable=pinned.reclaimable)
    if seal is None:
        told: dict[str, Any] = {name: _stated_box(terms, name) for name in BOX_FIELDS}
        return replace(promised, **told, git_commit=said(terms.conditions, "harness_commit"))
    told = {name: getattr(seal.box, name) for name in BOX_FIELDS}
    commit = seal.box.harness_commit
    return replace(promised, **told, git_commit=commit if isinstance(commit, str) else f"release {seal.version}")


def _stated_box(terms: Terms, name: str) -> Text:
    found = [said(terms.conditions, one) for one in BOX_CONDITIONS.get(name, (name,))]
    return next((one for one in found if isinstance(one, str)), found[0])


def with_gaps(slip: Slip) -> Slip:
    """The slip with everything that it does not know listed, field by field."""
    found = [
        gap for one in fields(slip) if one.name not in QUIET_GAPS for gap in _gaps(one.name, getattr(slip, one.name))
    ]
    if not slip.model.served and slip.model.id != NO_MODEL:
        found.append("model.served: no answer named the model that gave it")
    if not slip.days:
        found.append("days: nobody said on which days it ran")
    return replace(slip, gaps=tuple(found))


def _gaps(name: str, value: object) -> Iterable[str]:
    if isinstance(value, NotMeasured):
        yield f"{name}: {value.not_measured}"
    elif is_dataclass(value):
        for one in fields(value):
            yield from _gaps(f"{name}.{one.name}", getattr(value, one.name))
    elif isinstance(value, Mapping):
        for key, each in sorted(value.items()):
            yield from _gaps(f"{name}.{key}", each)
