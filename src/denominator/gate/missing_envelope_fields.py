"""Every condition that can move the number is written down before the run.

Why it matters: a number without its token budget, its retry policy or its model snapshot cannot be repeated, and
cannot be compared with anything.

Bad: `temperature` is empty and `model.snapshot` is "latest". Good: every field filled in; what does not apply says
"none".

A foreign manifest that lacks fields is noted and caps the sentence at counts.
Fix: fill in the listed fields, seal, run again.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block, note
from denominator.records.judgements import Sheet


def check(sheet: Sheet) -> Iterable[Said]:
    """One finding per field that an envelope lacks; one note for all that a foreign manifest does not state."""
    missing = sorted(set(sheet.terms.missing))
    if sheet.terms.origin == "seal":
        for field in missing:
            yield block(field, f"the envelope lacks {field}", f"fill in {field}, seal and run again")
    elif missing:
        yield note("manifest", f"not stated: {', '.join(missing)}", "state these fields in the manifest")


RULE = Rule(
    Entry("GL001", "missing-envelope-fields", "0.1.0", "gate", __doc__ or ""),
    check,
    "no envelope field is missing",
    caps=True,
)
