"""Why a row of the model's ended as it did: one primary bucket, as far as the facts allow.

Why it matters: the repair for a failing agent depends on the bucket; more samples repair none of them.

Only rows whose origin is MODEL are asked. A passing row is PASS_WEAK or PASS_CONTRACT (LB301, LB302); others take the
first that holds of TIMEOUT, TOOL_LOOP, ASSUME_API, MISSING_ASK, SCOPE_SLIP, SCORER_RED (LB303 to LB308); what else
holds is a tag. Without all results of the tool calls TOOL_LOOP is not evaluated, without the surfaces ASSUME_API is
not; then the buckets after them have medium confidence and say so, and a pass whose surfaces nobody looked at is a
contract pass only where its row states who wrote the tests.

Shares are computed on the solvable slice; a guess on a must_ask control gets the bucket MISSING_ASK and is in no share.

Bad: every pass is called a contract pass because nobody looked. Good: "9 passes, contract not evaluated for 9".
Fix: record who wrote the tests, the tool log and the allowed surface.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.shape import Page

PAGE = Page(Entry("LB007", "mix", "0.1.0", "labels", __doc__ or ""))
