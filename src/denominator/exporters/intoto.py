"""in-toto Statement v1: what the gate says of a run, bound to the digests of the files that it says it of.

Subjects are the files that are stored of the run, with the digests that `sha256sum` prints of them. The predicate is facts of the
card: the gate's sentence, counts by exit, the headline as it may be printed, digests of seal, pack and rules, and the digest of
the card file as it is judged now. A withheld number is withheld here too: its place says why. The statement is not signed; an
envelope around it is for who signs.
"""

from __future__ import annotations

from typing import Any

from denominator.errors import InputError
from denominator.records.exports import Export
from denominator.wire.canonical import canonical, sha256_bytes
from denominator.wire.codec import to_json

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "urn:denominator:card:v1"
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
        subjects = [{"name": name, "digest": {"sha256": sha}} for name, sha in run.files]
        statement = {"_type": STATEMENT, "subject": subjects, "predicateType": PREDICATE, "predicate": _predicate(run)}
        return canonical(statement) + b"\n"


def _predicate(run: Export) -> dict[str, Any]:
    card: Any = to_json(run.card)
    found: dict[str, Any] = {name: card[name] for name in FACTS}
    found["verdict"] = {name: card["verdict"][name] for name in SAID}
    found["findings"] = [f"{one.code} {one.severity}" for one in run.card.verdict.findings if one.severity != HELD]
    found["controls"] = [{"name": one.name, "task_id": one.task_id, "state": one.state} for one in run.card.controls]
    found["headline"] = next((to_json(one) for one in run.card.estimates if one.metric == "headline"), None)
    found["card_sha256"] = sha256_bytes(canonical(run.card) + b"\n")
    return found


EXPORTER = InToto()
