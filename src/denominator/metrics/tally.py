"""One pass over all attempts: where the tokens went, what was accepted, task by task. No attempt is kept."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from denominator.metrics.amounts import Amounts, of_draws
from denominator.records.columns import Column
from denominator.records.draws import reader
from denominator.records.grouped import Grouped, OfTry
from denominator.records.judgements import JudgedDraw
from denominator.records.rows import AttemptRow
from denominator.records.values import NotMeasured
from denominator.stats import Spend, split_spend

TOKENS = ("usage.prompt", "usage.completion")
_readers = tuple(reader(name) for name in TOKENS)


@dataclass(frozen=True)
class Tally:
    """Sums over the started attempts of `draws`. Of a draw's attempts the first that passed is the accepted one.

    `tokens`: what is known of the tokens of each attempt. `most` attempts were declared, 0: nobody said how many.
    """

    draws: Grouped
    most: int
    tokens: Column

    @cached_property
    def attempts(self) -> int:
        """Started attempts."""
        return self.draws.total(lambda draw: len(draw.tries))

    @cached_property
    def uncounted(self) -> int:
        """Attempts with an unknown usage; of these the sums hold what is known."""
        return self.draws.total(lambda draw: sum(map(_unknown, draw.tries)))

    @cached_property
    def accepted(self) -> int:
        """Draws of which some attempt was accepted."""
        return self.draws.total(accepted)

    @cached_property
    def first(self) -> int:
        """Draws whose first attempt was accepted."""
        return self.draws.total(first_accepted)

    @cached_property
    def accepted_of(self) -> Column:
        """Accepted draws by task."""
        return self.draws.counts(self.draws.flags(accepted))

    @cached_property
    def within_of(self) -> Column:
        """Draws that were accepted by the last declared attempt, by task."""
        most = self.most
        return self.draws.counts(self.draws.flags(lambda draw: accepted(draw) and (most <= 0 or _number(draw) <= most)))

    @cached_property
    def tokens_of(self) -> Column:
        """Known tokens by task."""
        return self.draws.sums_of_tries(self.tokens)

    @cached_property
    def solved(self) -> Amounts:
        """What each pass of the headline cost, all attempts of its draw together."""
        passed = self.draws.flags(_passed)
        lost = self.draws.total(lambda draw: _passed(draw) and any(map(_unknown, draw.tries)))
        return of_draws(self.draws, passed, lost, lambda: self.draws.sums_by_draw(self.tokens, _passed))

    @cached_property
    def spend(self) -> Spend:
        """Where the known tokens went."""
        all_, done = self._spent(lambda _, __: True), self._spent(lambda draw, _: accepted(draw))
        won = self._spent(lambda draw, at: accepted(draw) and at == _which(draw))
        parts = (("accepted", won, True), ("accepted", done - won, False), ("dead", all_ - done, False))
        return split_spend(parts)

    def _spent(self, ask: OfTry) -> int:
        """The tokens of the attempts for which something holds."""
        return self.draws.work.total(self.tokens, self.draws.tries_where(ask))


def tally(draws: Grouped, most: int) -> Tally:
    """The sums over some draws, with the `most` attempts that were declared."""
    prompt, completion = map(draws.numbers, TOKENS)
    return Tally(draws, most, draws.work.added(prompt, completion))


def accepted(draw: JudgedDraw) -> bool:
    """Was some attempt accepted?"""
    return "pass" in draw.outcomes


def first_accepted(draw: JudgedDraw) -> bool:
    """Was the attempt with number 1 the accepted one?"""
    return accepted(draw) and _number(draw) == 1


def _which(draw: JudgedDraw) -> int:
    return draw.outcomes.index("pass")


def _number(draw: JudgedDraw) -> int:
    """The number of the accepted attempt."""
    return draw.tries[_which(draw)].key.attempt


def _passed(draw: JudgedDraw) -> bool:
    return draw.exit == "pass" and bool(draw.tries)


def _unknown(row: AttemptRow) -> bool:
    """Is its usage unknown? Incomplete usage is."""
    return row.usage.complete is False or any(isinstance(read(row), NotMeasured) for read in _readers)
