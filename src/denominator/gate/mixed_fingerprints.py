"""One configuration behind each served model inside one run, where the responses name it.

Why it matters: a fingerprint names the weights together with what serves them. When it moves under an unchanged model name, the
run has asked two subjects, and which draw got which is no property of the tasks.

Bad: `fam-0801` answered as fp_a in twelve calls and as fp_b in four. Good: one fingerprint for each served model. Answers
that name none say nothing either way.
Fix: pin the version at the provider, split the rows by fingerprint, and run again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block
from denominator.records.judgements import Sheet

FIX = "pin the version at the provider, split the rows by fingerprint, and run again"


def check(sheet: Sheet) -> Iterable[Said]:
    """Every served model that answered under more than one fingerprint, with how many calls each."""
    for model, counts in sorted(_seen(sheet).items()):
        if len(counts) > 1:
            told = ", ".join(f"{name} ({count})" for name, count in sorted(counts.items()))
            what = f"the fingerprint moved inside one run: {model or 'one model'} answered under {len(counts)}: {told}"
            yield block("fingerprint", what, FIX)


def _seen(sheet: Sheet) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for call in sheet.ledger.calls:
        if isinstance(call.fingerprint, str):
            model = call.served_model if isinstance(call.served_model, str) else ""
            found.setdefault(model, Counter())[call.fingerprint] += 1
    return found


RULE = Rule(
    Entry("GL072", "mixed-fingerprints", "0.1.0", "gate", __doc__ or ""),
    check,
    "one fingerprint behind each served model, where the responses name it",
)
