"""The files of a bundle and the names that they may have (METHODS M11)."""

from __future__ import annotations

import re
from collections.abc import Iterable

HEAD, SEAL, BASELINE = "bundle.json", "seal.json", "baseline.json"
EVENTS, LEDGER, CALLS, LABELS = "events.jsonl", "ledger.jsonl", "calls.jsonl", "labels.jsonl"
CARD, NARRATION, SLIP = "card.json", "narration_probe.json", "slip.json"
README, COMMANDS = "README.md", "commands.txt"
SLIP_LINES, SLIP_HEAD, STATEMENT = "slip.lines.jsonl", "slip.head", "statement.intoto.json"
CONTRACT, RATE, PROVENANCE, ROW_LABELS = "scoring_contract.json", "rate.json", "provenance.toml", "row_labels.jsonl"
CLASSES = "m13/"
"""The folder of the failure-class ledger (METHODS M13)."""
SUMS, SIGNATURE = "SHA256SUMS", "SHA256SUMS.sig"
BLOBS = "blobs/"

REQUIRED = (HEAD, SEAL, BASELINE, EVENTS, LEDGER, CALLS, CARD, README, COMMANDS, RATE, PROVENANCE, STATEMENT)
ALLOWED = frozenset((*REQUIRED, LABELS, NARRATION, SLIP, SLIP_LINES, SLIP_HEAD, CONTRACT, ROW_LABELS))
UNSUMMED = frozenset((SUMS, SIGNATURE))
"""Files that the sums cannot hold: themselves, and what signs them."""
THIN = "thin: only its digest travels"

KINDS = (
    "missing", "changed", "unlisted", "link", "odd_name", "sums", "foreign", "unreadable", "chain", "seal", "ledger",
    "labels", "card", "derived", "head", "artifact", "rules", "signature", "slip", "rate", "contract", "not_judged", "opened",
)  # fmt: skip
"""What a fault can be."""

_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,120}(?:/[A-Za-z0-9_][A-Za-z0-9._-]{0,120}){0,8}")
_CLASSES = re.compile(
    r"m13/(?:header\.json|classes\.json|provenance\.toml|seed--?[0-9]{1,40}\.jsonl|repeat-[0-9]{1,9}\.jsonl)"
)
_BLOB = re.compile(r"blobs/([0-9a-f]{64})")
SHA = re.compile(r"[0-9a-f]{64}")


def is_plain(name: str) -> bool:
    """May a file of a bundle have this name? Plain letters, no hidden file, no step out of the folder."""
    return _PLAIN.fullmatch(name) is not None


def blob_name(sha256: str) -> str:
    """Where an artifact lies."""
    return BLOBS + sha256


def blob_sha(name: str) -> str:
    """The digest that a file under blobs/ claims to have; "" for any other file."""
    found = _BLOB.fullmatch(name)
    return found[1] if found else ""


def is_document(name: str) -> bool:
    """Is it a file that is read whole, other than the bytes of an artifact?"""
    return name in ALLOWED or _CLASSES.fullmatch(name) is not None


def strangers(names: Iterable[str]) -> list[str]:
    """Files that are no part of a bundle, listed in the sums or not."""
    return [name for name in names if not is_document(name) and name not in UNSUMMED and not blob_sha(name)]
