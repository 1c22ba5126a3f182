"""The source gives its own judgement, and no fact that could be judged.

Why it matters: somebody else's pass is a claim; it is kept apart from what our rules found.

Bad: a column "passed" becomes a pass of high confidence.
Good: the source's outcome with low confidence; a claimed pass must keep every clause whose facts the row does hold.
Fix: import the grades and patches, not the conclusions.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.causes import REASON_ORIGIN
from denominator.labels.shape import ENDING, Answer, Ending, No, Rule, View
from denominator.labels.verdicts import imported_outcome, kept
from denominator.records.judgements import UNKNOWN


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    said = imported_outcome(view)
    if not said:
        return No("the source says nothing of the outcome")
    why, fields = f"{view.imported['outcome'].by} says {said}", ("imported.outcome", "imported.reason")
    if said == "pass" and facts.text(view.row.runner_ending) not in facts.RUNNER_VERDICTS:
        return No("the runner came to no verdict, whatever the source says", ("runner_ending",))
    if said in ("pass", "fail", "abstain"):
        return kept(view, Ending(said, _origin(view, "MODEL"), why, fields, "", "low"))
    if said != "unscoreable":
        return Ending(UNKNOWN, "HARNESS", f"{why}, which is no outcome", fields, "", "low")
    reason = view.imported["reason"].value if "reason" in view.imported else ""
    return Ending("unscoreable", _origin(view, REASON_ORIGIN.get(reason, "HARNESS")), why, fields, reason, "low")


def _origin(view: View, otherwise: str) -> str:
    label = view.imported.get("origin")
    return label.value if label is not None else otherwise


RULE = Rule(
    Entry("LB162", "word-of-the-source", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "facts on the row: a grade, a report, a failure event",
)
