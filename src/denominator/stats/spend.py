"""Where the tokens of a retried run went: accepted patches, retries on the way to them, tasks never accepted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from denominator.records.values import NotMeasured
from denominator.stats.quotients import quotient

NO_TOKENS = "no tokens were spent"


@dataclass(frozen=True, slots=True)
class Spend:
    """Tokens: `accepted` of attempts that gave the accepted patch, `overhead` of the others of those tasks, `dead`."""

    accepted: int
    overhead: int
    dead: int

    @property
    def total(self) -> int:
        """All tokens."""
        return self.accepted + self.overhead + self.dead

    @property
    def retry_tax(self) -> Fraction | NotMeasured:
        """Share of all tokens that did not go into an accepted patch: overhead and dead together."""
        return quotient(self.overhead + self.dead, self.total, NO_TOKENS)

    @property
    def overhead_share(self) -> Fraction | NotMeasured:
        """Overhead over all tokens."""
        return quotient(self.overhead, self.total, NO_TOKENS)

    @property
    def dead_share(self) -> Fraction | NotMeasured:
        """Dead spend over all tokens."""
        return quotient(self.dead, self.total, NO_TOKENS)

    @property
    def overhead_on_accepted(self) -> Fraction | NotMeasured:
        """Overhead over the tokens of tasks that were accepted in the end."""
        return quotient(self.overhead, self.accepted + self.overhead, "no task was accepted")


def split_spend(rows: Iterable[tuple[str, int, bool]]) -> Spend:
    """From (task, tokens, accepted) of every attempt, in any order."""
    listed = list(rows)
    done = {task for task, _, accepted in listed if accepted}
    accepted = sum(tokens for _, tokens, won in listed if won)
    overhead = sum(tokens for task, tokens, won in listed if task in done and not won)
    return Spend(accepted, overhead, sum(tokens for task, tokens, _ in listed if task not in done))
