"""Why a row of the model's ended as it did: one primary bucket, as far as the facts allow.

Why it matters: the repair for a failing agent depends on the bucket; more samples repair none of them.

Non-passing rows take the first that holds of TIMEOUT, MISSING_ASK, SCOPE_SLIP, SCORER_RED; the others that hold are
tags. TOOL_LOOP and ASSUME_API come before MISSING_ASK and need a tool log and the frozen spec: without those they
are not evaluated, and the buckets after them have medium confidence. A passing row is PASS_WEAK when its only
passing tests are known to be the agent's own; PASS_CONTRACT is not given by default, so such rows have no bucket
and are counted as not evaluated.

Shares are computed on the solvable slice; a guess on a must_ask control gets the bucket MISSING_ASK and is in no share.

Bad: every pass is called a contract pass because nobody looked. Good: "9 passes, contract not evaluated for 9".
Fix: record the tool log and the allowed surface.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.shape import Rule, Said, View


def judge(view: View) -> Iterable[Said]:
    """At most one bucket, for MODEL rows of the solvable slice; a guess on a must_ask control is named as one too."""
    if view.one("origin") != "MODEL":
        return
    outcome = view.one("outcome")
    if view.row.slice != "solvable":
        if view.row.control == "must_ask" and outcome == "fail" and facts.guessed(view.row):
            yield Said("MISSING_ASK", "a required file was absent and nobody asked", ("required_missing",))
    elif outcome == "pass":
        yield from _passing(view)
    elif outcome in ("fail", "abstain"):
        yield from _first(view)


def _passing(view: View) -> Iterable[Said]:
    row = view.row
    if row.tests_hidden is False and row.tests_written_by_agent is True:
        yield Said(
            "PASS_WEAK", "the only passing tests are the agent's own", ("tests_hidden", "tests_written_by_agent")
        )


def _first(view: View) -> Iterable[Said]:
    row = view.row
    if facts.spent_budget(row) or row.after_cap is True:
        yield Said("TIMEOUT", "its own budget was spent", ("killed_by", "stop_reason", "after_cap"))
    elif _source_says(view, "ASSUME_API"):
        yield Said("ASSUME_API", "the source says that a surface was assumed", (), "low", LATER)
    elif facts.guessed(row):
        yield Said("MISSING_ASK", "a required file was absent and nobody asked", ("required_missing",), "medium", LATER)
    elif facts.slipped(row):
        yield Said("SCOPE_SLIP", "a path outside the allow-list was touched", ("patch",), "medium", LATER)
    else:
        yield Said("SCORER_RED", "no earlier bucket holds", ("grade",), "medium", LATER)


def _source_says(view: View, bucket: str) -> bool:
    """Does an imported judgement name this bucket? It is used only because the facts for it are missing."""
    return any(axis in view.imported and view.imported[axis].value == bucket for axis in ("mix", "tag"))


LATER = "a tool log and the frozen spec: TOOL_LOOP and ASSUME_API come first and were not evaluated"

RULE = Rule(Entry("LB007", "mix", "0.1.0", "labels", __doc__ or ""), "mix", judge)
