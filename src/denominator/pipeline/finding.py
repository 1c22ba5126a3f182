"""What findings speak of: the run or import behind a result, with its digests and the pages of the rules."""

from __future__ import annotations

from denominator.pipeline.catalog import all_entries
from denominator.pipeline.results import Result
from denominator.publish.findings import About


def about_result(result: Result, verb: str) -> About:
    """A judged run or import. The sentence is the gate's own, so it says no more than may be said."""
    card = result.card
    return About(
        verb=verb,
        subject=card.run_id or card.pack,
        status=card.verdict.status,
        said=card.verdict.sentence,
        version=card.version,
        seal=card.seal_digest,
        pack=card.pack_digest,
        rules=card.rules_digest,
        exit=int(result.exit),
        entries=all_entries(),
    )
