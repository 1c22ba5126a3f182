"""in-toto Statement v1: what the gate says of a run, bound to the digests of the files that it says it of.

Subjects are the files that are stored of the run, with the digests that `sha256sum` prints of them. The predicate is facts of the
card: the gate's sentence, counts by exit, the headline as it may be printed, digests of seal, pack and rules, and the digest of
the card file as it is judged now. A withheld number is withheld here too: its place says why. The statement is not signed; an
envelope around it is for who signs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from denominator.errors import InputError
from denominator.records.cards import Card
from denominator.records.exports import Export
from denominator.records.slips import Slip
from denominator.wire.canonical import canonical, sha256_bytes
from denominator.wire.codec import to_json

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "urn:denominator:card:v1"
SLIP_PREDICATE = "urn:denominator:slip:v1"
FACTS = (
    "run_id", "origin", "arm", "pack", "pack_digest", "seal_digest", "rules_digest", "version", "declared", "equation", "reasons",
    "never_started", "stamps",
)  # fmt: skip
HELD = "held"
SAID = ("status", "rung", "sentence", "may_not", "lifts", "withheld", "exit")


class InToto:
    """One statement."""

    name = "in-toto"
    title = "in-toto Statement v1: what the gate says, bound to the digests of the run's files (not signed)"
    ending = "intoto.json"
    cannot_say = (
        "who says it: a statement has no signature of its own",
        "rows, labels and conditions are in the files whose digests it names, not in it",
    )

    def write(self, run: Export) -> bytes:
        """The statement in canonical JSON. InputError: no file is stored that it could be about."""
        if not run.files:
            fix = "name a run or the folder of an import (import ... -o FOLDER)"
            raise InputError("no file of it is stored", where=run.card.run_id, fix=fix)
        return card_statement(run.card, run.files)


def card_statement(card: Card, files: Iterable[tuple[str, str]]) -> bytes:
    """What the gate says of a card, of these files (name and sha256): canonical JSON and a newline."""
    return statement(PREDICATE, _predicate(card), files)


def slip_statement(slip: Slip, files: Iterable[tuple[str, str]]) -> bytes:
    """A slip as the predicate, of the file of its canonical JSON and of what it was made of (name and sha256)."""
    return statement(SLIP_PREDICATE, to_json(slip), files)


def statement(kind: str, predicate: Any, files: Iterable[tuple[str, str]]) -> bytes:
    """The four fields of a Statement, in canonical JSON and a newline."""
    subjects = [{"name": name, "digest": {"sha256": sha}} for name, sha in files]
    found = {"_type": STATEMENT, "subject": subjects, "predicateType": kind, "predicate": predicate}
    return canonical(found) + b"\n"


def _predicate(of: Card) -> dict[str, Any]:
    card: Any = to_json(of)
    found: dict[str, Any] = {name: card[name] for name in FACTS}
    found["verdict"] = {name: card["verdict"][name] for name in SAID}
    found["findings"] = [f"{one.code} {one.severity}" for one in of.verdict.findings if one.severity != HELD]
    found["controls"] = [{"name": one.name, "task_id": one.task_id, "state": one.state} for one in of.controls]
    found["headline"] = next((to_json(one) for one in of.estimates if one.metric == "headline"), None)
    found["card_sha256"] = sha256_bytes(canonical(of) + b"\n")
    return found


EXPORTER = InToto()
