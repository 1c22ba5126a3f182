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

from denominator.catalog import Entry
from denominator.labels.shape import Page

PAGE = Page(Entry("LB007", "mix", "0.1.0", "labels", __doc__ or ""))
