"""Why a row of the model's ended as it did: one primary bucket, as far as the facts allow.

Why it matters: the repair for a failing agent depends on the bucket; more samples repair none of them.

Non-passing rows take the first that holds of TIMEOUT, TOOL_LOOP, ASSUME_API, MISSING_ASK, SCOPE_SLIP, SCORER_RED; the
others that hold are tags. TOOL_LOOP and ASSUME_API need a tool log and the frozen spec and are not judged from facts
yet: only a source that names them gives them, and the buckets after them have medium confidence.

A passing row is PASS_WEAK when its only passing tests are known to be the agent's own. It is PASS_CONTRACT when it is
*stated* who wrote the tests that are green: the agent wrote none, or hidden ones were green beside its own. Where
nobody states that, the row has no bucket and is counted as not evaluated: PASS_CONTRACT is never given by default.
Because no tool log was judged, its confidence is medium, and contract_pass_rate stays withheld.

Shares are computed on the solvable slice; a guess on a must_ask control gets the bucket MISSING_ASK and is in no share.

Bad: every pass is called a contract pass because nobody looked. Good: "9 passes, contract not evaluated for 9".
Fix: record who wrote the tests, the tool log and the allowed surface.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.shape import No, Rule, Said, View, source_says
from denominator.records.rows import AttemptRow
from denominator.records.words import Control, Mix

LATER = "a tool log and the frozen spec: TOOL_LOOP and ASSUME_API come first and were not evaluated"
SURFACE = "a tool log and the frozen spec: a surface outside the spec would make it no pass"


def _judge(view: View) -> Iterable[Said]:
    """At most one bucket, for MODEL rows of the solvable slice; a guess on a must_ask control is named as one too."""
    if view.one("origin") != "MODEL":
        return
    outcome = view.one("outcome")
    if view.row.slice != "solvable":
        if view.row.control == Control.MUST_ASK and outcome == "fail" and facts.guessed(view.row):
            yield Said(Mix.MISSING_ASK, *GUESSED)
    elif outcome == "pass":
        yield from _passing(view)
    elif outcome in ("fail", "abstain"):
        yield _first(view)


def _passing(view: View) -> Iterable[Said]:
    hidden, wrote = view.row.tests_hidden, view.row.tests_written_by_agent
    authors = ("tests_hidden", "tests_written_by_agent")
    if hidden is False and wrote is True:
        yield Said(Mix.PASS_WEAK, "the only passing tests are the agent's own", authors)
    elif wrote is False and hidden is not False:
        yield Said(Mix.PASS_CONTRACT, "green, and the agent wrote no tests", authors, "medium", SURFACE)
    elif wrote is True and hidden is True:
        yield Said(Mix.PASS_CONTRACT, "hidden tests are green beside the agent's own", authors, "medium", SURFACE)
    else:
        named = next((bucket for bucket in (Mix.PASS_WEAK, Mix.PASS_CONTRACT) if source_says(view, bucket)), None)
        if named:
            yield Said(named, "the source says so", (), "low", SURFACE)


def _first(view: View) -> Said:
    if _timed_out(view.row):
        return Said(Mix.TIMEOUT, "its own budget was spent", ("killed_by", "stop_reason", "after_cap"))
    for bucket, holds, (why, fields) in AFTER_TIMEOUT:
        if holds(view.row):
            return Said(bucket, why, fields, "medium", LATER)
        if source_says(view, bucket):
            return Said(bucket, "the source says so", (), "low", LATER)
    return Said(Mix.SCORER_RED, "no earlier bucket holds", ("grade",), "medium", LATER)


def _timed_out(row: AttemptRow) -> bool:
    return facts.spent_budget(row) or row.after_cap is True


def _not_judged(_row: AttemptRow) -> bool:
    """TOOL_LOOP and ASSUME_API: no facts of a row decide them yet."""
    return False


GUESSED = ("a required file was absent and nobody asked", ("required_missing",))
SLIPPED = ("a path outside the allow-list was touched", ("patch",))
AFTER_TIMEOUT: tuple[tuple[Mix, Callable[[AttemptRow], object], tuple[str, tuple[str, ...]]], ...] = (
    (Mix.TOOL_LOOP, _not_judged, ("", ())),
    (Mix.ASSUME_API, _not_judged, ("", ())),
    (Mix.MISSING_ASK, facts.guessed, GUESSED),
    (Mix.SCOPE_SLIP, facts.slipped, SLIPPED),
)
RULE = Rule(
    Entry("LB007", "mix", "0.1.0", "labels", __doc__ or ""),
    "mix",
    lambda view: next(iter(_judge(view)), No("it does not apply")),
)
