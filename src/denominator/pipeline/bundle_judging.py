"""From the files of a bundle to ledger, labels, numbers and card again, as `judge_run` made them of the run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from denominator.envelopes.terms import sandbox_stamps, terms_of
from denominator.judge import judge
from denominator.ledger.fold import fold
from denominator.pipeline.bundle_house import House, installed
from denominator.pipeline.house import other_house
from denominator.pipeline.rules import rules_digest
from denominator.publish.card import make_card
from denominator.records.bundles import Beside
from denominator.records.cards import Card
from denominator.records.events import Event
from denominator.records.judgements import Judged
from denominator.records.labels import Label
from denominator.records.packs import Baseline
from denominator.records.rows import CallRow, Ledger
from denominator.records.seals import Seal

SCRATCH = "scratch-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Everything that a card is made of. `labels` are those of people; `version` is the program that made the card."""

    run_id: str
    version: str
    seal: Seal
    seal_sha: str
    baseline: Baseline
    baseline_sha: str
    events: tuple[Event, ...]
    calls: tuple[CallRow, ...]
    labels: tuple[Label, ...]
    beside: Beside
    replay_of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """What follows from the evidence."""

    ledger: Ledger
    judged: Judged
    card: Card
    house: tuple[str, ...] = ()


def judge_again(evidence: Evidence, house: House | None = None) -> Again:
    """Fold, label, measure, gate: nothing is read but the evidence, the rules of this program, and those of a house.

    `house` are the rules that are installed here where none are given.
    """
    house = installed() if house is None else house
    folded = fold(evidence.seal, evidence.run_id, evidence.events, evidence.calls)
    ledger = replace(folded, labels=(*folded.labels, *evidence.labels)) if evidence.labels else folded
    beside = evidence.beside
    terms = terms_of(
        evidence.seal,
        seal_sha=evidence.seal_sha,
        baseline=evidence.baseline,
        baseline_sha=evidence.baseline_sha,
        changed=_changed(evidence, ledger, house),
    )
    terms = replace(terms, replays=beside.replays, looks=beside.looks, siblings=beside.siblings)
    judged = judge(ledger, terms, house.rules)
    gone = beside.missing_blobs
    card = make_card(
        ledger,
        terms,
        judged,
        seal=evidence.seal,
        rules_digest=rules_digest(),
        house=house.lines,
        version=evidence.version,
        stamps=_stamps(evidence),
        notes=(f"{gone} artifacts that the journal names are gone: nothing here can be quoted from them",)
        if gone
        else (),
    )
    return Again(ledger=folded, judged=judged, card=card, house=house.lines)


def _changed(evidence: Evidence, ledger: Ledger, house: House) -> tuple[str, ...]:
    """What was sealed and no longer holds, in the words of `judge_run`."""
    return tuple(_changes(evidence, ledger, house))


def _changes(evidence: Evidence, ledger: Ledger, house: House) -> Iterator[str]:
    yield from (defect.what for defect in ledger.defects if defect.kind == "changed_seal")
    sealed, now = evidence.seal.rules_digest, rules_digest()
    if now != sealed:
        yield f"the rule set: sealed {sealed[:12]}, judging {now[:12]}"
    yield from other_house(evidence.seal.house, house.lines)
    started = {str(one.payload.get("seal")) for one in evidence.events if one.kind == "run.started"}
    yield from (f"the seal: the run was started under seal {one[:12]}" for one in sorted(started - {evidence.seal_sha}))
    if evidence.run_id.startswith(SCRATCH):
        yield "the plan was narrowed with --only: scratch, never counted"


def _stamps(evidence: Evidence) -> Iterator[str]:
    yield from sandbox_stamps(evidence.seal)
    if evidence.replay_of:
        yield f"REPLAY of {evidence.replay_of}"
    if evidence.run_id.startswith(SCRATCH):
        yield "SCRATCH, never counted"
