"""The documents of a bundle as records; whatever cannot be read is a fault with its place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from denominator.bundles.chain import chain_breaks
from denominator.bundles.layout import BASELINE, CALLS, EVENTS, HEAD, LABELS, REQUIRED, SEAL
from denominator.errors import DenominatorError
from denominator.pipeline.bundle_judging import Evidence
from denominator.records.bundles import BundleHead, Fault
from denominator.records.events import Event
from denominator.records.labels import Label
from denominator.records.packs import Baseline
from denominator.records.rows import CallRow
from denominator.records.seals import Seal
from denominator.review.deciding import by_person
from denominator.wire.canonical import canonical, sha256_bytes
from denominator.wire.codec import from_json, loads
from denominator.wire.jsonl import read_jsonl

R = TypeVar("R")
EDITED = "is not in canonical form: somebody edited it"
SHOWN = 5


class Reader:
    """Reads the documents of one bundle; `faults` grows as it goes."""

    def __init__(self, documents: Mapping[str, bytes]) -> None:
        self.documents = documents
        self.faults: list[Fault] = []

    def evidence(self) -> tuple[BundleHead, Evidence] | None:
        """Everything that a card is made of; None where a part cannot be had, and then a fault says which."""
        for name in REQUIRED:
            if name not in self.documents:
                self.fault("missing", name, "a bundle cannot be without it")
        head, seal, baseline = self.one(HEAD, BundleHead), self.one(SEAL, Seal), self.one(BASELINE, Baseline)
        events, calls, labels = self.lines(EVENTS, Event), self.lines(CALLS, CallRow), self.lines(LABELS, Label)
        if head is None or seal is None or baseline is None or events is None or calls is None or labels is None:
            return None
        evidence = Evidence(
            run_id=head.run_id,
            version=head.version,
            seal=seal,
            seal_sha=self.sha(SEAL),
            baseline=baseline,
            baseline_sha=self.sha(BASELINE),
            events=events,
            calls=calls,
            labels=labels,
            beside=head.beside,
            replay_of=head.replay_of,
        )
        self._agree(evidence)
        return head, evidence

    def one(self, name: str, cls: type[R]) -> R | None:
        """One document as its record."""
        value = self.json(name)
        if value is None:
            return None
        try:
            return from_json(cls, value, name)
        except DenominatorError as error:
            self._unreadable(name, error)
            return None

    def json(self, name: str) -> Any:
        """One document as JSON values, in canonical form; None where there is none."""
        data = self.documents.get(name)
        if data is None:
            return None
        try:
            value = loads(data, name)
            if canonical(value) != data.removesuffix(b"\n"):
                self.fault("unreadable", name, EDITED)
        except DenominatorError as error:
            self._unreadable(name, error)
            return None
        return value

    def lines(self, name: str, cls: type[R]) -> tuple[R, ...] | None:
        """The lines of a document as records; a document that may be absent has none."""
        values = self.values(name)
        if values is None:
            return None
        try:
            if name == EVENTS:
                self._chain(values)
            return tuple(from_json(cls, value, f"{name}:{number}") for number, value in enumerate(values, 1))
        except DenominatorError as error:
            self._unreadable(name, error)
            return None

    def values(self, name: str) -> list[dict[str, Any]] | None:
        """The lines of a document as JSON values, in canonical form."""
        data = self.documents.get(name)
        if data is None:
            return None if name in REQUIRED else []
        found = read_jsonl(data, name)
        wrong = [f"line {one.number}: {one.what}" for one in found.bad]
        wrong += [f"line {number}: is empty" for number in found.blank]
        wrong += [f"line {found.torn.number}: is cut off"] if found.torn else []
        values = [line.value for line in found.rows]
        try:
            if not wrong and b"".join(canonical(value) + b"\n" for value in values) != data:
                wrong.append(EDITED)
        except DenominatorError as error:
            wrong.append(error.what)
        for what in wrong[:SHOWN]:
            self.fault("unreadable", name, what)
        return None if found.bad or found.torn else values

    def sha(self, name: str) -> str:
        """The digest of a document of ours as it is stored, without the newline at its end."""
        return sha256_bytes(self.documents[name].rstrip(b"\n"))

    def fault(self, kind: str, where: str, what: str) -> None:
        """One more."""
        self.faults.append(Fault(kind=kind, where=where, what=what))

    def _chain(self, values: list[dict[str, Any]]) -> None:
        breaks = [*chain_breaks(values)]
        for what in breaks[:SHOWN]:
            self.fault("chain", EVENTS, what)
        if len(breaks) > SHOWN:
            self.fault("chain", EVENTS, f"{len(breaks) - SHOWN} breaks more")

    def _agree(self, evidence: Evidence) -> None:
        """Do the parts belong together? What is of another run, seal or baseline is named."""
        if others := sorted({one.run_id for one in evidence.events if one.run_id != evidence.run_id}):
            self.fault("chain", EVENTS, f"events of another run: {', '.join(others[:SHOWN])}")
        started = [str(one.payload.get("seal")) for one in evidence.events if one.kind == "run.started"]
        if not started:
            self.fault("chain", EVENTS, "no event says that the run was started")
        if any(one != evidence.seal_sha for one in started):
            self.fault("seal", SEAL, "the run was started under another seal")
        if evidence.baseline_sha != evidence.seal.baseline_digest:
            self.fault("seal", BASELINE, "is not the baseline that was sealed")
        if any(not by_person(one) for one in evidence.labels):
            self.fault("labels", LABELS, "holds a label that is by no person")

    def _unreadable(self, name: str, error: DenominatorError) -> None:
        self.fault("unreadable", name, "; ".join([error.what, *(str(one) for one in error.problems[:SHOWN])]))
