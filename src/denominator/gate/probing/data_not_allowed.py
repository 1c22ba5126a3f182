"""Nothing may be tried with data that may not be sent there.

Why it matters: a prototype with customers' data at a third party is an incident, however well the endpoint answers.

Bad: the question was never asked. Good: `data_may_be_sent = true`, declared by whoever may decide it.
Fix: declare it under [use] in `probe.toml`; where the answer is no, use another endpoint."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.probing.reading import DECLARE
from denominator.gate.probing.shape import Level, ProbeRule
from denominator.gate.shape import Said, block
from denominator.records.probe_results import ProbeScore


def check(score: ProbeScore, _level: Level) -> Iterable[Said]:
    """The declared answer."""
    if score.use.data_may_be_sent is False:
        yield block("data_may_be_sent", "the data may not be sent to this endpoint", "use another endpoint")
    elif score.use.data_may_be_sent is not True:
        yield block("data_may_be_sent", "nobody declared that the data may be sent there", DECLARE)


RULE = ProbeRule(
    Entry("GL096", "data-not-allowed", "0.1.0", "gate", __doc__ or ""),
    check,
    "the data may be sent there, as declared",
)
