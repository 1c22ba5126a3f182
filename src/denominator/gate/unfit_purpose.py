"""No number of a small pack carries a contract, an SLA, a price, a purchase or a regulator's decision.

Why it matters: such a decision needs what a pack of tasks cannot give: other tasks, other days, a promise about tomorrow.
The number would be read as one.

Bad: `purpose = "pick the vendor for the SLA"`. Good: `purpose = "see which failures the new prompt causes"`.
The check: the words of the declared purpose.
Fix: declare the purpose that the measurement can serve, before the next run.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.known import stated
from denominator.gate.shape import Rule, Said, block
from denominator.records.decisions import BINDS
from denominator.records.judgements import Sheet


def check(sheet: Sheet) -> Iterable[Said]:
    """The declared purpose, where there is one."""
    found = BINDS.search(stated(sheet.terms, "purpose"))
    if found:
        what = f"the declared purpose speaks of {found[0]!r}: no number of a pack carries that"
        yield block("provenance.purpose", what, "declare a purpose that a measurement of this size can serve")


RULE = Rule(
    Entry("GL059", "unfit-purpose", "0.1.0", "gate", __doc__ or ""),
    check,
    "no contract, SLA, price or purchase is declared as the purpose",
)
