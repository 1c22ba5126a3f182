"""The same calls brought the same results as often as makes a loop; on a pass it is only a tag.

Why it matters: a loop that ended well cost its tokens all the same.

Bad: a passing row is put into TOOL_LOOP.
Good: tag tool_loop; the bucket of a pass stays a pass.
Fix: deduplicate tool arguments.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis


def judge(view: View) -> Answer:
    """Does it hold?"""
    if facts.looped(view.row, view.terms):
        return Said("tool_loop", "the same calls brought the same results", ("tools.repeats",))
    return No("it does not hold", ("tools.repeats",))


RULE = Rule(
    Entry("LB413", "tag-tool-loop", "0.1.0", "label tags", __doc__ or ""),
    Axis.TAG,
    judge,
    "",
)
