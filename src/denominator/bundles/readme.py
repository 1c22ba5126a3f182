"""README.md of a bundle: what each slice is for, on whose terms, what the controls showed, and how to check it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from denominator.records.cards import Card
from denominator.records.seals import Seal

PURPOSES = {
    "solvable": "rates are of these draws only",
    "negative": "controls: nothing here should pass unless its control says so; in no rate",
    "canary": "solvable, with a token that no correct patch contains; in no rate",
    "floor": "a one-line fix that measures the harness; in no rate",
}
NO_ORDER = "Nothing here puts vendors, models or agents in an order, and no purchase should follow from it."
CONTAMINATION = "Contamination unknown: whether a model was trained on these tasks was not tested."
STATED = "Contamination, as the contract states it: "
UNKNOWN = "unknown"
CHECK = """\
## To check it

```
sha256sum -c SHA256SUMS
denominator verify .
```

The first names files that were changed or lost; the second also names files that were added, folds `events.jsonl` into the
ledger again, and makes every label, number and the sentence from it anew. Both work offline. Neither knows who made this
bundle: compare the sha256 of `SHA256SUMS`, a slip's id, or a signature, with what you were told otherwise.
"""


def readme_text(seal: Seal, card: Card, contamination: str = UNKNOWN) -> bytes:
    """The whole page; `contamination` is what a contract states. It repeats what the card may show and counts nothing."""
    return ("\n".join((*_lines(seal, card, contamination), "", CHECK))).encode()


def _lines(seal: Seal, card: Card, contamination: str) -> Iterator[str]:
    yield f"# Run {card.run_id}"
    yield ""
    yield f"- pack: {card.pack}, sha256 {card.pack_digest}"
    yield f"- seal: sha256 {card.seal_digest}, sealed at {seal.sealed_at} by the issuer's own clock"
    yield f"- rules: sha256 {card.rules_digest}"
    yield f"- gate: {card.verdict.status}: {card.verdict.sentence}"
    yield from (f"- {stamp}" for stamp in card.stamps)
    yield from ("", "## What the slices are for", "")
    for name, number in sorted(Counter(one.slice for one in seal.plan.draws).items()):
        yield f"- {name}, {number} draws: {PURPOSES.get(name, 'not described')}"
    yield f"- why these tasks: {seal.pack_reason or 'not stated'}"
    yield from ((f"- {seal.pack_audit}",) if seal.pack_audit else ())
    yield from ("", "## Access", "")
    terms = seal.envelope.terms
    yield f"- access class: {seal.arm.model.access_class!s}"
    yield f"- terms: read on {terms.read_on or 'no stated date'}, source: {terms.source}"
    yield from ("", "## Controls", "")
    yield from (f"- {one.name} {one.task_id or 'of the run'}: {one.state}" for one in card.controls)
    if not card.controls:
        yield "- none"
    if not any(one.name == "narration" for one in card.controls):
        yield "- narration probe: not run"
    yield from (
        "",
        "## Limits",
        "",
        f"- {NO_ORDER}",
        f"- {CONTAMINATION if contamination == UNKNOWN else STATED + contamination}",
    )
    yield from (f"- {limit}" for limit in card.limits)
