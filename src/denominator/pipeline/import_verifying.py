"""`verify` of the bundle of an import: its card again from ledger and terms, and the ledger again from the originals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from denominator.bundles.differing import differing
from denominator.bundles.imports import HEAD, LEDGER, REQUIRED, TERMS, originals, strangers
from denominator.bundles.layout import CARD, LABELS, SLIP, SLIP_HEAD, SLIP_LINES, blob_name, blob_sha
from denominator.errors import DenominatorError
from denominator.pipeline.bundle_comparing import Pinned, slip_faults
from denominator.pipeline.bundle_house import as_stated, card_of, installed, not_run, other_rules
from denominator.pipeline.bundle_judging import Again
from denominator.pipeline.bundle_listing import Listing
from denominator.pipeline.bundle_reading import SHOWN, Reader
from denominator.pipeline.bundle_slip import record_faults
from denominator.pipeline.import_judging import Imported, head_of_import, import_files, judge_import
from denominator.pipeline.import_sources import SMALL_BYTES, Importers, read_again
from denominator.records.bundles import Fault, Known
from denominator.records.import_bundles import ImportHead, ImportSources
from denominator.records.labels import Label
from denominator.records.rows import Ledger
from denominator.records.seals import Terms
from denominator.records.values import NotMeasured
from denominator.review.deciding import by_person
from denominator.wire.bounded import read_bytes
from denominator.wire.canonical import canonical, sha256_bytes
from denominator.wire.codec import to_json

BYTES = 4 * SMALL_BYTES


class ImportCheck:
    """One bundle of an import; `faults` and `stated` grow as it is looked at."""

    def __init__(
        self, root: Path, listing: Listing, known: Known, trust_rules: bool, importers: Importers | None
    ) -> None:
        self.root, self.listing, self.known = root, listing, known
        self.trust_rules, self.importers = trust_rules, importers
        self.reader = Reader(listing.documents)
        self.run_id = ""
        self.stated: list[str] = []

    @property
    def faults(self) -> list[Fault]:
        """What was found so far."""
        return self.reader.faults

    def look(self) -> Again | None:
        """What follows from the evidence; None where it cannot be judged, and then a fault says why."""
        for name in strangers(self.listing.digests):
            self.reader.fault("foreign", name, "is no file of a bundle")
        for name in REQUIRED:
            if name not in self.listing.documents:
                self.reader.fault("missing", name, "a bundle of an import cannot be without it")
        head, one = self._read()
        if head is None or one is None:
            return None
        self.run_id = head.run_id
        self.stated += _stated(head)
        house = installed() if self.trust_rules else as_stated(card_of(self.listing.documents))
        if other := other_rules(head, house):
            self.reader.fault("rules", HEAD, other)
            return None
        self.stated += not_run(head.house, self.trust_rules)
        again = judge_import(one, house)
        self._compare(head, one, again)
        self._originals(head, one)
        pinned = Pinned(one.ledger.run_id, "", self.listing.digests.get(LEDGER, ""))
        self.faults.extend(
            (*slip_faults(self.reader, pinned, again, self.known), *record_faults(self.listing.documents))
        )
        return again

    def _read(self) -> tuple[ImportHead | None, Imported | None]:
        head = self.reader.one(HEAD, ImportHead)
        ledger, terms = self.reader.one(LEDGER, Ledger), self.reader.one(TERMS, Terms)
        labels = self.reader.lines(LABELS, Label)
        if head is None or ledger is None or terms is None or labels is None:
            return head, None
        if any(not by_person(one) for one in labels):
            self.reader.fault("labels", LABELS, "holds a label that is by no person")
        return head, Imported(
            ledger=ledger,
            terms=terms,
            labels=labels,
            notes=head.notes,
            version=head.version,
            sources=head.sources,
            reread=head.reread,
        )

    def _compare(self, head: ImportHead, one: Imported, again: Again) -> None:
        documents = self.listing.documents
        if moved := [*differing(to_json(head), to_json(head_of_import(one, again)))]:
            self.reader.fault("head", HEAD, f"does not describe this bundle: {_some(moved)}")
        card = self.reader.json(CARD)
        if card is not None and (fields := [*differing(card, to_json(again.card))]):
            self.reader.fault("card", CARD, f"does not follow from ledger, terms and the rules: {_some(fields)}")
        more = {name: documents[name] for name in (LABELS, SLIP, SLIP_LINES, SLIP_HEAD) if name in documents}
        made = import_files(one, again, more)
        for name in REQUIRED:
            if name not in (HEAD, CARD, LEDGER, TERMS) and made[name] != documents.get(name, made[name]):
                self.reader.fault("derived", name, "is not what the ledger, the terms and the card give")

    def _originals(self, head: ImportHead, one: Imported) -> None:
        """Each original is there or said to be left out, nothing else is; then the ledger again from them."""
        lying = {sha: digest for name, digest in self.listing.digests.items() if (sha := blob_sha(name))}
        listed = {file.sha256: file for file in originals(head)}
        for sha in sorted({*lying, *listed}):
            if what := _original(sha, listed, lying):
                self.reader.fault("artifact", blob_name(sha), what)
        if isinstance(head.sources, NotMeasured):
            self.stated.append("what the import was read from: nobody kept it")
        elif not head.reread:
            self.stated.append("that the ledger follows from the original files: they are not all here")
        elif self.importers is None:
            self.stated.append("that the ledger follows from the original files: this verifier reads no other harness")
        elif not any(fault.kind == "artifact" for fault in self.faults):
            self._read_again(head.sources, one, self.importers)

    def _read_again(self, sources: ImportSources, one: Imported, importers: Importers) -> None:
        try:
            again = read_again(sources, self._bytes, importers)
        except (DenominatorError, OSError) as error:
            why = error.what if isinstance(error, DenominatorError) else type(error).__name__
            self.reader.fault("ledger", LEDGER, f"the originals cannot be read again: {why}")
            return
        for name, kept, made in ((LEDGER, one.ledger, again.ledger), (TERMS, one.terms, again.terms)):
            if canonical(kept) != canonical(made):
                fields = _some([*differing(to_json(kept), to_json(made))])
                self.reader.fault("ledger", name, f"does not follow from the original files: {fields}")

    def _bytes(self, sha: str) -> bytes:
        data = read_bytes(self.root / blob_name(sha), BYTES)
        if sha256_bytes(data) != sha:
            raise DenominatorError("its bytes changed while they were read", where=blob_name(sha))
        return data


def _stated(head: ImportHead) -> Iterator[str]:
    yield "rows of another harness: nothing was sealed before its run, and nothing here can show who wrote them"
    if left := sum(bool(one.left_out) for one in originals(head)):
        yield f"{left} original files of which only the digest is here"


def _original(sha: str, listed: Mapping[str, object], lying: Mapping[str, str]) -> str:
    file = listed.get(sha)
    if file is None:
        return "is no original file that import.json names"
    left_out = getattr(file, "left_out", "")
    if left_out:
        return "is said to be left out, and is there" if sha in lying else ""
    if sha not in lying:
        return "is an original file that is said to be here, and is not"
    return "" if lying[sha] == sha else "its bytes are not those of the original file"


def _some(names: list[str]) -> str:
    return ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")
