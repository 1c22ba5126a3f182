"""A claim says how it can be run again.

Why it matters: a number that nobody can produce a second time is an anecdote with digits.

Bad: `claim_id`, a headline, and no command. Good: `rerun = "make bench ARM=a"`, with the commit it needs.
A manifest that claims no rate (no metric, no controls, no printed percentage) is noted and capped at counts.
Fix: add `rerun_recipe` to the manifest: the commands, verbatim.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block, note
from denominator.records.judgements import Sheet


def check(sheet: Sheet) -> Iterable[Said]:
    """Claims of a manifest without a recipe; our own runs are their own recipe: the seal."""
    terms = sheet.terms
    if terms.origin == "seal" or not terms.claim_id or terms.rerun:
        return
    claims = bool(terms.headline or terms.controls_declared or terms.printed_percents)
    yield (block if claims else note)("claim", "the claim has no rerun recipe", "add rerun_recipe: the commands")


RULE = Rule(
    Entry("GL052", "missing-rerun-recipe", "0.1.0", "gate", __doc__ or ""),
    check,
    "every claim has a rerun recipe",
    caps=True,
)
