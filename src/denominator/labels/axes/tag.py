"""Whatever else holds of a row: tags never decide an exit, they are counted beside it.

Why it matters: a row has one exit but several things may be true of it; what does not decide must not be lost.

The rules LB401 and after are all asked, each for itself. A known text in a stream that the agent does not own gives
the tag text_hint and moves nothing else of a row that has a verdict.

Bad: a row counted both as a timeout and as a verifier error, so that the exits add up to more than the rows.
Good: outcome fail, class timeout, tag verifier_error.
Fix: none needed; read tags when the exits surprise you.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.shape import Page

PAGE = Page(Entry("LB005", "tag", "0.1.0", "labels", __doc__ or ""))
