"""Who answers for a bundle: what a reader knew beforehand decides it, never the bundle itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from denominator.bundles.layout import SIGNATURE, SUMS
from denominator.errors import InputError
from denominator.pipeline.bundle_listing import Listing
from denominator.ports import Signer
from denominator.records.bundles import NOT_SIGNED, Fault, Known, Signed

UNKNOWN = "issuer unknown"


def issuer_of(faults: Sequence[Fault], signed: Signed, known: Known) -> str:
    """Who answers for it. Identity comes from what the reader knew beforehand, never from the bundle."""
    if faults:
        return "not asked: the bundle has faults"
    found = [f"it is the bundle whose SHA256SUMS you named ({known.sums[:12]})"] if known.sums else []
    found += [_slip_known(known.slip)] if known.slip else []
    if signed.state == "good" and signed.who:
        found.append(f"signed by {signed.who} (key {signed.key}), whom your allowed signers name")
    elif signed.state == "good":
        found.append(f"signed by key {signed.key}, identity unknown to you")
    elif signed.state == "unchecked":
        found.append(f"its signature was not checked: {signed.why}")
    alone = not (known.sums or known.slip or signed.who)
    return "; ".join((*([f"internally consistent, {UNKNOWN}"] if alone else []), *found))


def _slip_known(digits: str) -> str:
    sure = "" if len(digits) == 64 else f"; {len(digits)} digits of an id can be met by trying, all 64 cannot"
    return f"its seal, ledger and numbers are those that slip {digits[:12]} pins{sure}"


def sums_faults(listing: Listing, known: Known) -> Iterator[Fault]:
    """Are these the sums that were named beforehand?"""
    found = listing.digests.get(SUMS, "")
    if known.sums and known.sums != found:
        what = f"its sha256 is {found[:12] or 'of nothing'}, not {known.sums[:12]}, which was named beforehand"
        yield Fault(kind="sums", where=SUMS, what=what)


def signed_of(root: Path, listing: Listing, signer: Signer | None, allowed: Path | None) -> Signed:
    """What the signature beside the sums says, where there is one."""
    if SIGNATURE not in listing.documents or SUMS not in listing.documents:
        return NOT_SIGNED
    if signer is None:
        return Signed(state="unchecked", why="nothing here can check one")
    return signer.check(listing.documents[SUMS], root / SIGNATURE, allowed)


def signature_faults(signed: Signed, allowed: Path | None) -> Iterator[Fault]:
    """A bad signature is a fault; so is any that does not satisfy a reader who named whom to believe."""
    if signed.state == "bad":
        yield Fault(kind="signature", where=SIGNATURE, what=signed.why)
    elif allowed is not None and signed.state == "none":
        yield Fault(kind="signature", where=SIGNATURE, what="there is no signature, and you asked for one of yours")
    elif allowed is not None and not signed.who:
        what = signed.why or f"signed by key {signed.key}, whom your allowed signers do not name"
        yield Fault(kind="signature", where=SIGNATURE, what=what)


def known_of(slip: str, sums: str) -> Known:
    """What a reader typed as known beforehand. InputError: it is no digest."""
    slip, sums = slip.strip().lower().removeprefix("slip:"), sums.strip().lower()
    _refuse_digits("--slip", slip, 8)
    _refuse_digits("--sums", sums, 64)
    return Known(slip=slip, sums=sums)


def _refuse_digits(option: str, text: str, least: int) -> None:
    if text and (not least <= len(text) <= 64 or set(text) - set("0123456789abcdef")):
        wanted = "all 64 hex digits of a sha256" if least == 64 else f"at least {least} hex digits of an id"
        raise InputError(f"needs {wanted}", where=option, fix="copy it from where you learned it, not from the bundle")
