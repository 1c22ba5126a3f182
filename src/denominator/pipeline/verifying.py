"""`verify`: does a bundle hold what it says? Offline, from the folder alone, with the standard library alone.

In order: what lies there, against the sums; the chain; the fold; labels, numbers and the sentence again; then who answers for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from denominator._version import __version__
from denominator.bundles.contract import CONTRACT, RATE, contract_faults
from denominator.bundles.contract import EVENTS as CONTRACT_EVENTS
from denominator.bundles.imports import HEAD as IMPORT_HEAD
from denominator.bundles.layout import EVENTS, HEAD, LEDGER, REQUIRED, SEAL, SUMS, UNSUMMED, strangers
from denominator.bundles.sums import held_against, read_sums
from denominator.errors import DenominatorError, Exit, InputError
from denominator.pipeline.bundle_comparing import Pinned, artifact_faults, compare, recomputed, slip_faults
from denominator.pipeline.bundle_house import as_stated, card_of, installed, not_run, other_rules
from denominator.pipeline.bundle_identity import issuer_of, signature_faults, signed_of, sums_faults
from denominator.pipeline.bundle_judging import Again, Evidence, judge_again
from denominator.pipeline.bundle_listing import Listing, list_folder
from denominator.pipeline.bundle_reading import Reader
from denominator.pipeline.bundle_slip import record_faults
from denominator.pipeline.bundle_times import late_seal, time_faults
from denominator.pipeline.import_sources import Importers
from denominator.pipeline.import_verifying import ImportCheck
from denominator.ports import Signer
from denominator.records.bundles import BundleHead, Checked, Fault, Known, Signed
from denominator.wire.codec import loads

NOBODY = Known()
OURS = (*(name for name in REQUIRED if name != "README.md" and name != "commands.txt"),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a bundle without a fault is made of."""

    head: BundleHead
    evidence: Evidence
    again: Again


def verify(
    root: Path,
    known: Known = NOBODY,
    signer: Signer | None = None,
    allowed: Path | None = None,
    *,
    trust_rules: bool = False,
    importers: Importers | None = None,
) -> Checked:
    """Check a folder. InputError: it is no bundle at all. Nothing in it is run, no link is followed, nothing is fetched.

    With `trust_rules` the rules of a house that are installed here are run; else what they found stands as the card states it.
    With `importers` the ledger of an import is made again from its original files, where they are in the bundle.
    """
    return examine(root, known, signer, allowed, trust_rules=trust_rules, importers=importers)[0]


def examine(
    root: Path,
    known: Known = NOBODY,
    signer: Signer | None = None,
    allowed: Path | None = None,
    *,
    trust_rules: bool = False,
    importers: Importers | None = None,
) -> tuple[Checked, Seen | None]:
    """`verify`, and what was read on the way; None of a bundle with a fault, of a scoring contract, or of an import."""
    if allowed is not None and not allowed.is_file():
        raise InputError("there is no such file", where=str(allowed), fix="name a file of allowed signers (ssh-keygen)")
    listing = list_folder(root)
    foreign = _is_contract(listing)
    if not foreign and not any(name in listing.documents for name in (*OURS, SUMS, IMPORT_HEAD)):
        raise InputError("is no bundle: none of its files is here", where=str(root), fix="name the folder of a bundle")
    faults = [*listing.faults, *_sums(listing)]
    signed = signed_of(root, listing, signer, allowed)
    faults += [*signature_faults(signed, allowed), *sums_faults(listing, known)]
    if foreign:
        faults += [*_contract(listing, known)]
        return _said(Checked(status="", issuer="", sums_sha256=_sha(listing)), faults, signed, known), None
    if IMPORT_HEAD in listing.documents and HEAD not in listing.documents:
        check = ImportCheck(root, listing, known, trust_rules, importers)
        return _imported(check, faults, signed, known), None
    faults += [Fault(kind="foreign", where=one, what="is no file of a bundle") for one in strangers(listing.digests)]
    return _ours(root, listing, faults, signed, known, trust_rules)


def _ours(
    root: Path, listing: Listing, faults: list[Fault], signed: Signed, known: Known, trust_rules: bool
) -> tuple[Checked, Seen | None]:
    """Everything that is said of a bundle of ours."""
    base = Checked(status="", issuer="", sums_sha256=_sha(listing))
    reader = Reader(listing.documents)
    try:
        read = reader.evidence()
        if read is None:
            return _said(base, [*faults, *reader.faults], signed, known), None
        head, evidence = read
        base = Checked(
            status="",
            issuer="",
            sums_sha256=_sha(listing),
            run_id=head.run_id,
            sealed_at=evidence.seal.sealed_at,
            stated=(
                *_stated(head, evidence),
                *late_seal(evidence.seal, evidence.events),
                *not_run(head.house, trust_rules),
            ),
        )
        house = installed() if trust_rules else as_stated(card_of(reader.documents))
        if other := other_rules(head, house):
            fault = Fault(kind="rules", where=HEAD, what=other)
            return _said(base, [*faults, *reader.faults, fault], signed, known), None
        again = judge_again(evidence, house)
        found = [*compare(reader, head, evidence, again), *artifact_faults(head, evidence, listing.digests, root)]
        pinned = Pinned(evidence.run_id, evidence.seal_sha, listing.digests.get(LEDGER, ""))
        found += [*time_faults(evidence.seal, evidence.events)]
        found += [*slip_faults(reader, pinned, again, known), *record_faults(listing.documents)]
    except Exception as error:  # what a stranger sends may break anything: it is a finding then, never a traceback
        broken = Fault(kind="not_judged", where=HEAD, what=_not_judged(error))
        return _said(base, [*faults, *reader.faults, broken], signed, known), None
    said = _said(base, [*faults, *reader.faults, *found], signed, known, again)
    return said, None if said.faults else Seen(head=head, evidence=evidence, again=again)


def _imported(check: ImportCheck, faults: list[Fault], signed: Signed, known: Known) -> Checked:
    """Everything that is said of a bundle of an import."""
    try:
        again = check.look()
    except Exception as error:  # as of a bundle of ours
        check.reader.fault("not_judged", IMPORT_HEAD, _not_judged(error))
        again = None
    stated = tuple(check.stated)
    base = Checked(status="", issuer="", sums_sha256=_sha(check.listing), run_id=check.run_id, stated=stated)
    return _said(base, [*faults, *check.faults], signed, known, again)


def _not_judged(error: Exception) -> str:
    return f"could not be judged again: {error.what if isinstance(error, DenominatorError) else type(error).__name__}"


def _said(base: Checked, faults: list[Fault], signed: Signed, known: Known, again: Again | None = None) -> Checked:
    """The whole answer. Of a bundle with a fault no sentence and no number is repeated."""
    faults = [*dict.fromkeys(faults)]
    status = "faulty" if faults else "consistent"
    told = None if faults else again
    return Checked(
        status=status,
        issuer=issuer_of(faults, signed, known),
        sums_sha256=base.sums_sha256,
        run_id=base.run_id,
        sealed_at=base.sealed_at,
        verdict=str(told.card.verdict.status) if told else "",
        sentence=told.card.verdict.sentence if told else "",
        signed=signed,
        faults=tuple(faults),
        stated=base.stated,
        recomputed=recomputed(told) if told else (),
        exit=int(Exit.BLOCKED if faults else Exit.DONE),
        rung=str(told.card.verdict.rung) if told else "",
        stamps=told.card.stamps if told else (),
    )


def _sums(listing: Listing) -> Iterator[Fault]:
    data = listing.documents.get(SUMS)
    if data is None:
        yield Fault(kind="missing", where=SUMS, what="a bundle cannot be without it")
        return
    sums = read_sums(data, SUMS)
    yield from sums.faults
    yield from held_against(sums, {k: v for k, v in listing.digests.items() if k not in UNSUMMED}, SUMS)


def _sha(listing: Listing) -> str:
    return listing.digests.get(SUMS, "")


def _stated(head: BundleHead, evidence: Evidence) -> Iterator[str]:
    """What no file here can show."""
    yield f"sealed at {evidence.seal.sealed_at}: self-declared, by the issuer's own clock"
    if head.version != __version__:
        yield f"made by denominator {head.version[:20]}; this is {__version__}, and what differs may come from that"
    beside = head.beside
    for number, what in (
        (len(beside.replays), "replays, as the issuer judged them"),
        (len(beside.looks), "looks at a comparison"),
        (len(beside.siblings), "other runs of the same envelope"),
        (beside.missing_blobs, "artifacts that were gone when the bundle was made"),
        (sum(bool(one.left_out) for one in head.artifacts), "patches and reports of which only the digest is here"),
    ):
        if number:
            yield f"{number} {what}"


def _is_contract(listing: Listing) -> bool:
    ours = any(name in listing.documents for name in (HEAD, SEAL, EVENTS))
    return not ours and any(name in listing.documents for name in (CONTRACT, RATE))


def _contract(listing: Listing, known: Known) -> Iterator[Fault]:
    """A bundle in the shape of a scoring contract: its rate, counted again."""
    if known.slip:
        yield Fault(kind="slip", where=CONTRACT, what="there is no slip in it, so that an id of one decides nothing")
    read: dict[str, object] = {}
    for name in (CONTRACT, CONTRACT_EVENTS, RATE):
        if name not in listing.documents:
            yield Fault(kind="missing", where=name, what="such a bundle cannot be without it")
            continue
        try:
            read[name] = loads(listing.documents[name], name, floats="decimal")
        except DenominatorError as error:
            yield Fault(kind="unreadable", where=name, what="; ".join([error.what, *map(str, error.problems[:5])]))
    if len(read) == 3:
        yield from contract_faults(read[CONTRACT], read[CONTRACT_EVENTS], read[RATE])
