"""One pass over all attempts: where the tokens went, what was accepted, task by task. No attempt is kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from operator import add

from denominator.metrics.amounts import Amounts, of_draws
from denominator.records.draws import Numbers, reader
from denominator.records.grouped import Column, Grouped, column, plain
from denominator.records.judgements import JudgedDraw
from denominator.records.rows import AttemptRow, Count
from denominator.records.values import NotMeasured
from denominator.stats import Spend, split_spend

TOKENS = ("usage.prompt", "usage.completion")
_readers = tuple(reader(name) for name in TOKENS)


@dataclass(frozen=True)
class Tally:
    """Sums over the started attempts of `draws`. Of a draw's attempts the first that passed is the accepted one.

    `tokens`: what is known of the tokens of each draw, all its attempts together. `won`: those of accepted attempts.
    `most` attempts were declared, 0: nobody said how many.
    """

    draws: Grouped
    most: int
    tokens: Column
    won: int

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
        return self.draws.sums(self.tokens)

    @cached_property
    def solved(self) -> Amounts:
        """What each pass of the headline cost, all attempts of its draw together."""
        passed = self.draws.flags(_passed)
        lost = self.draws.total(lambda draw: _passed(draw) and any(map(_unknown, draw.tries)))
        return of_draws(self.draws, passed, lost, lambda: compress(self.tokens, passed))

    @cached_property
    def spend(self) -> Spend:
        """Where the known tokens went."""
        all_, done = sum(self.tokens), sum(compress(self.tokens, self.draws.flags(accepted)))
        parts = (("accepted", self.won, True), ("accepted", done - self.won, False), ("dead", all_ - done, False))
        return split_spend(parts)


def tally(draws: Grouped, most: int) -> Tally:
    """The sums over some draws, with the `most` attempts that were declared."""
    both, some = draws.flags(_single), draws.flags(_several)
    several = [_spent(draw, numbers) for draw, numbers in draws.tried(TOKENS, some)]
    fixed = draws.each(lambda draw: sum(_least(_read(row)) for row in draw.tries) if _fixed(draw) else 0)

    def tokens() -> Iterable[int]:
        single: Iterator[int] = map(add, *(_known(draws.counted(name, _single)) for name in TOKENS))
        if len(draws) == sum(both):
            return single
        rest = (known for known, _ in several)
        return (
            next(single) if is_single else next(rest) if is_some else fixed[kind]
            for is_single, is_some, kind in zip(both, some, draws.kind, strict=True)
        )

    found = column(tokens)
    won = sum(compress(found, draws.flags(lambda draw: _single(draw) and accepted(draw))))
    won += sum(of_accepted for _, of_accepted in several)
    won += draws.total(lambda draw: _least(_read(draw.tries[_which(draw)])) if _fixed(draw) and accepted(draw) else 0)
    return Tally(draws, most, found, won)


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


def _read(row: AttemptRow) -> Numbers:
    return tuple(read(row) for read in _readers)


def _unknown(row: AttemptRow) -> bool:
    """Is its usage unknown? Incomplete usage is."""
    return row.usage.complete is False or any(isinstance(part, NotMeasured) for part in _read(row))


def _least(parts: Numbers) -> int:
    """What is known of the tokens of an attempt at least."""
    return sum(part for part in parts if isinstance(part, int))


def _fixed(draw: JudgedDraw) -> bool:
    """Is no number of its attempts in a column? Then the kind says all of it."""
    return not any(plain(part) for row in draw.tries for part in _read(row))


def _single(draw: JudgedDraw) -> bool:
    """Is there one attempt, with both numbers in columns? Most are such."""
    return len(draw.tries) == 1 and all(map(plain, _read(draw.tries[0])))


def _several(draw: JudgedDraw) -> bool:
    return not _single(draw) and not _fixed(draw)


def _spent(draw: JudgedDraw, numbers: Sequence[Numbers]) -> tuple[int, int]:
    """Known tokens of all attempts of a draw, and of the accepted one."""
    parts = [_least(one) for one in numbers]
    return sum(parts), parts[_which(draw)] if accepted(draw) else 0


def _known(values: Iterable[Count]) -> Iterable[int]:
    return values  # type: ignore[return-value]  # numbers of columns are known
