"""What findings speak of: the run or import behind a result, with its digests and the pages of the rules."""

from __future__ import annotations

from denominator._version import __version__
from denominator.pipeline.catalog import all_entries
from denominator.pipeline.comparing import Compared
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


def about_comparison(found: Compared, code: int) -> About:
    """Two arms or several; the sentence is the one that the comparison allows."""
    one, grid = found.comparison, found.grid
    arms = [arm.name for arm in ((one.a, one.b) if one is not None else grid.arms if grid is not None else ())]
    said = one.verdict.sentence if one is not None else grid.sentence if grid is not None else ""
    status = one.comparability.status if one is not None else ""
    return About(
        verb="compare",
        subject=", ".join(arms),
        status=status,
        said=said,
        version=__version__,
        exit=code,
        entries=all_entries(),
    )
