"""A bundle's documents beside what its evidence gives: which rows, labels, numbers and artifacts differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from denominator.bundles.differing import differing
from denominator.bundles.layout import (
    CARD,
    CLASSES,
    COMMANDS,
    CONTRACT,
    HEAD,
    LEDGER,
    NARRATION,
    PROVENANCE,
    RATE,
    README,
    REQUIRED,
    ROW_LABELS,
    SLIP,
    STATEMENT,
    blob_name,
    blob_sha,
)
from denominator.errors import DenominatorError
from denominator.pipeline.bundle_judging import Again, Evidence
from denominator.pipeline.bundle_parts import derived_files, head_of, named_artifacts
from denominator.pipeline.bundle_reading import SHOWN, Reader
from denominator.pipeline.bundle_statement import bundle_statement
from denominator.pipeline.contract_rates import locked_of, unlike
from denominator.records.bundles import BundleHead, Fault, Known
from denominator.records.slips import ID_DIGITS, Number, Slip
from denominator.records.values import NotMeasured
from denominator.wire.bounded import read_bytes
from denominator.wire.canonical import sha256_bytes
from denominator.wire.codec import to_json

PATCH_BYTES = 1 << 28
GIVEN = (NARRATION, RATE, PROVENANCE, ROW_LABELS, README, COMMANDS, STATEMENT)
"""Derived files; those of the failure-class ledger are too. Rows of the ledger are compared one by one."""


def compare(reader: Reader, head: BundleHead, evidence: Evidence, again: Again) -> Iterator[Fault]:
    """Ledger, card, head, and the texts that are made of them."""
    contract = reader.documents.get(CONTRACT, b"")
    wrong = [*_contract(contract, evidence, again)] if contract else []
    yield from wrong
    derived = derived_files(evidence, again, b"" if wrong else contract)
    yield from _ledger(reader, again)
    card = reader.json(CARD)
    fields = [*differing(card, to_json(again.card))] if card is not None else []
    if fields:
        what = f"does not follow from events.jsonl and the rules: {_some(fields)}"
        yield Fault(kind="card", where=CARD, what=what)
    yield from _derived(reader.documents, derived | {STATEMENT: bundle_statement(again.card, reader.documents)})
    if moved := [*differing(to_json(head), to_json(head_of(evidence, again, head.artifacts)))]:
        yield Fault(kind="head", where=HEAD, what=f"does not describe this bundle: {_some(moved)}")


def _derived(there: Mapping[str, bytes], derived: Mapping[str, bytes]) -> Iterator[Fault]:
    """Every derived file that is not what the others give, or is not there."""
    for name in sorted({*GIVEN, *(one for one in (*there, *derived) if one.startswith(CLASSES))}):
        if name in derived and name not in there and name not in REQUIRED:
            yield Fault(
                kind="missing", where=name, what="the seal, the events and the card give it, and it is not there"
            )
        elif derived.get(name) != there.get(name):
            yield Fault(kind="derived", where=name, what="is not what the seal, the events and the card give")


def _contract(data: bytes, evidence: Evidence, again: Again) -> Iterator[Fault]:
    """Why a scoring contract is not that of this run."""
    try:
        found = [*unlike(locked_of(data, CONTRACT), evidence.seal, again.judged)]
    except DenominatorError as error:
        found = [error.what]
    yield from (Fault(kind="contract", where=CONTRACT, what=what) for what in found[:SHOWN])


def _ledger(reader: Reader, again: Again) -> Iterator[Fault]:
    stored = reader.values(LEDGER)
    if stored is None:
        return
    made = [to_json(row) for row in again.ledger.rows]
    ours, theirs = {_key(one): one for one in made}, {_key(one): one for one in stored}
    for key in [*ours, *(key for key in theirs if key not in ours)][: len(ours) + len(theirs)]:
        if key not in theirs:
            yield Fault(kind="ledger", where=LEDGER, what=f"row {key} is missing, which the events give")
        elif key not in ours:
            yield Fault(kind="ledger", where=LEDGER, what=f"row {key} follows from no event")
        elif fields := [*differing(theirs[key], ours[key])]:
            yield Fault(kind="ledger", where=LEDGER, what=f"row {key} does not follow from the events: {_some(fields)}")
    if stored != made and ours == theirs:
        yield Fault(kind="ledger", where=LEDGER, what="its rows stand twice or in another order")


def _key(row: Any) -> str:
    key = row.get("key") if isinstance(row, dict) else None
    if not isinstance(key, dict):
        return "without a key"
    return f"{str(key.get('task_id'))[:60]} r{key.get('repeat')} a{key.get('attempt')}"


def artifact_faults(head: BundleHead, evidence: Evidence, digests: Mapping[str, str], root: Path) -> Iterator[Fault]:
    """Patches, reports, contents: each that the journal names is listed, and is there or said to be left out."""
    named = named_artifacts(evidence.events, lambda sha: _patch_bytes(root, sha, digests))
    listed = {one.sha256: one for one in head.artifacts}
    lying = {sha: digest for name, digest in digests.items() if (sha := blob_sha(name))}
    if [*listed] != sorted(listed) or len(listed) != len(head.artifacts):
        yield Fault(kind="head", where=HEAD, what="its artifacts stand twice or in another order")
    for sha in sorted({*named, *listed, *lying}):
        if what := _artifact(sha, named.get(sha), listed, lying):
            yield Fault(kind="artifact", where=blob_name(sha), what=what)


def _patch_bytes(root: Path, sha: str, digests: Mapping[str, str]) -> bytes | None:
    """The bytes of a patch where they are there and are its own."""
    if digests.get(blob_name(sha)) != sha:
        return None
    data = read_bytes(root / blob_name(sha), PATCH_BYTES)
    return data if sha256_bytes(data) == sha else None


def _artifact(sha: str, kind: str | None, listed: Mapping[str, Any], lying: Mapping[str, str]) -> str:
    if kind is None:
        return "is named by no event and no patch"
    if sha not in listed:
        return f"bundle.json does not list it, and the journal names it, as a {kind}"
    if listed[sha].kind != kind:
        return f"is a {kind}, not a {listed[sha].kind}"
    if listed[sha].left_out:
        return "is said to be left out, and is there" if sha in lying else ""
    if sha not in lying:
        return f"is a {kind} that is said to be here, and is not"
    return "" if lying[sha] == sha else f"its bytes are not those of the {kind} that the journal names"


@dataclass(frozen=True, slots=True)
class Pinned:
    """What a slip may pin of a bundle: the run, its seal ("" of an import, which has none), the ledger's file."""

    run_id: str
    seal_sha: str
    ledger_sha: str

    def seal(self, slip: Slip) -> object:
        """What the slip must say of the seal."""
        unsealed = not self.seal_sha and isinstance(slip.seal_sha256, NotMeasured)
        return slip.seal_sha256 if unsealed else self.seal_sha


def slip_faults(reader: Reader, pinned: Pinned, again: Again, known: Known) -> Iterator[Fault]:
    """A slip in the bundle pins this seal, ledger, sentence and these numbers; with an id known beforehand it is that one."""
    slip = reader.one(SLIP, Slip)
    if slip is None:
        if known.slip and SLIP not in reader.documents:
            yield Fault(kind="slip", where=SLIP, what="there is no slip in it, so that an id of one decides nothing")
        return
    if known.slip and not reader.sha(SLIP).startswith(known.slip):
        what = f"is slip {reader.sha(SLIP)[:ID_DIGITS]}, not {known.slip[:ID_DIGITS]}, which was named beforehand"
        yield Fault(kind="slip", where=SLIP, what=what)
    verdict = again.card.verdict
    for name, said, found in (
        ("run", slip.run_id, pinned.run_id or slip.run_id),
        ("seal", slip.seal_sha256, pinned.seal(slip)),
        ("ledger", slip.ledger_sha256, pinned.ledger_sha),
        ("rules", slip.gate.rules_digest, again.card.rules_digest),
        ("gate", (slip.gate.status, slip.gate.sentence), (str(verdict.status), verdict.sentence)),
    ):
        if said != found:
            yield Fault(kind="slip", where=SLIP, what=f"it pins another {name} than this bundle has")
    if others := [*_other_numbers(slip.numbers, again)]:
        yield Fault(kind="slip", where=SLIP, what=f"its numbers do not follow from the ledger: {_some(others)}")


def _other_numbers(numbers: Iterable[Number], again: Again) -> Iterator[str]:
    made = {one.metric: one for one in again.card.estimates}
    for one in numbers:
        found = made.get(one.metric)
        if found is None:
            yield one.metric
            continue
        same = [(one.n, found.denominator), (one.lo, found.lo), (one.hi, found.hi)]
        same += [] if isinstance(one.k, NotMeasured) else [(one.k, found.numerator)]
        same += [] if isinstance(one.score, NotMeasured) else [(one.score, found.value)]
        if any(pinned != value for pinned, value in same):
            yield one.metric


def recomputed(again: Again) -> tuple[tuple[str, int], ...]:
    """How much was made again, by name. Where nobody may learn how many passed, not even the labels are counted."""
    card = again.card
    shown = sum(isinstance(one.value, str) for one in card.estimates)
    labels = () if again.judged.split_hidden else (("labels", len(again.judged.labels)),)
    return (
        ("rows", len(again.ledger.rows)),
        *labels,
        ("numbers", shown),
        ("numbers that stay withheld or unmeasured", len(card.estimates) - shown),
        ("sentences", 1),
    )


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")
