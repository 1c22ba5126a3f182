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
    """Every served model that answered under more than one fingerprint, with how many calls (or attempts) each."""
    for model, counts in sorted(_seen(sheet).items()):
        if len(counts) > 1:
            told = ", ".join(f"{name} ({count})" for name, count in sorted(counts.items()))
            what = f"the fingerprint moved inside one run: {model or 'one model'} answered under {len(counts)}: {told}"
            yield block("fingerprint", what, FIX)


def _seen(sheet: Sheet) -> dict[str, Counter[str]]:
    """By calls, or by rows where no call names one; a row of several models does not say whose its fingerprints are."""
    named = (call for call in sheet.ledger.calls if isinstance(call.fingerprint, str))
    calls = [((call.served_model,), call.fingerprint, 1) for call in named]
    rows = ((row.served_models, name, many) for row, many in sheet.rows() for name in dict.fromkeys(row.fingerprints))
    found: dict[str, Counter[str]] = {}
    for models, fingerprint, many in calls or rows:
        if len(models) < 2:
            model = next((one for one in models if isinstance(one, str)), "")
            found.setdefault(model, Counter())[str(fingerprint)] += many
    return found


RULE = Rule(
    Entry("GL072", "mixed-fingerprints", "0.1.0", "gate", __doc__ or ""),
    check,
    "one fingerprint behind each served model, where the responses name it",
)
