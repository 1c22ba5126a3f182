"""Whatever else holds of a row: tags never decide an exit, they are counted beside it.

Why it matters: a row has one exit but several things may be true of it; what does not decide must not be lost.

asked, silent (abstained without a word), tampered, scorer_green (green and yet no pass), scope_slip, canary_hit,
guessed, after_cap, apply_error, verifier_error (after an earlier failure that decided), oom_in_tool (memory ran out
in a tool call that the agent survived), agent_error_exit, provider_retried, resumed, run_cap_cut.

Bad: a row counted both as a timeout and as a verifier error, so that the exits add up to more than the rows.
Good: outcome fail, class timeout, tag verifier_error.
Fix: none needed; read tags when the exits surprise you.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.shape import Page

PAGE = Page(Entry("LB005", "tag", "0.1.0", "labels", __doc__ or ""))
