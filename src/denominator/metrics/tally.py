"""One pass over all attempts: where the tokens went, what was accepted, task by task. No attempt is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from denominator.records.judgements import JudgedDraw, Sheet
from denominator.records.rows import Count, Flag
from denominator.records.values import NotMeasured
from denominator.stats import Spend, split_spend

TOKENS = ("usage.prompt", "usage.completion")
UNKNOWN_TOKENS = NotMeasured("usage is unknown")


@dataclass(slots=True)
class Tally:
    """Sums over the started attempts of the solvable slice. Of a draw's attempts the first that passed is the accepted one.

    `uncounted` attempts have an unknown usage; of these the sums hold what is known. `first`: draws whose first attempt was
    accepted. `within`: accepted by the last declared attempt, by task. `solved`: what each pass of the headline cost, all
    attempts of its draw together, by task.
    """

    attempts: int = 0
    uncounted: int = 0
    accepted: int = 0
    first: int = 0
    won: int = 0
    overhead: int = 0
    dead: int = 0
    tokens: dict[str, int] = field(default_factory=dict)
    accepted_of: dict[str, int] = field(default_factory=dict)
    within_of: dict[str, int] = field(default_factory=dict)
    solved: dict[str, list[Count]] = field(default_factory=dict)

    @property
    def spend(self) -> Spend:
        """Where the known tokens went."""
        parts = (("accepted", self.won, True), ("accepted", self.overhead, False), ("dead", self.dead, False))
        return split_spend(parts)

    def add(self, task: str, draw: JudgedDraw, counts: Sequence[tuple[Count, int]], most: int) -> None:
        """One draw with the tokens of each of its tries; `most` attempts were declared, 0: nobody said how many."""
        known = sum(least for _, least in counts)
        lost = sum(isinstance(tokens, NotMeasured) for tokens, _ in counts)
        self.attempts += len(counts)
        self.uncounted += lost
        self.tokens[task] = self.tokens.get(task, 0) + known
        if "pass" in draw.outcomes:
            at = draw.outcomes.index("pass")
            self._accept(task, draw.tries[at].key.attempt, most)
            self.won += counts[at][1]
            self.overhead += known - counts[at][1]
        else:
            self.dead += known
        if draw.exit == "pass":
            self.solved.setdefault(task, []).append(UNKNOWN_TOKENS if lost else known)

    def add_one(self, task: str, draw: JudgedDraw, tokens: int, most: int) -> None:
        """The same for a draw with one attempt whose tokens are known, as most are."""
        self.attempts += 1
        self.tokens[task] = self.tokens.get(task, 0) + tokens
        if draw.outcomes[0] == "pass":
            self._accept(task, draw.tries[0].key.attempt, most)
            self.won += tokens
        else:
            self.dead += tokens
        if draw.exit == "pass":
            self.solved.setdefault(task, []).append(tokens)

    def _accept(self, task: str, number: int, most: int) -> None:
        self.accepted += 1
        self.first += number == 1
        self.accepted_of[task] = self.accepted_of.get(task, 0) + 1
        if most <= 0 or number <= most:
            self.within_of[task] = self.within_of.get(task, 0) + 1


def tally(sheet: Sheet) -> Tally:
    """The sums of a sheet."""
    found, most = Tally(), sheet.terms.attempts
    for task, _, draw, numbers in sheet.tried(TOKENS, lambda one: bool(one.tries)):
        if len(numbers) == 1 and draw.tries[0].usage.complete is not False:
            prompt, completion = numbers[0]
            if isinstance(prompt, int) and isinstance(completion, int):
                found.add_one(task, draw, prompt + completion, most)
                continue
        pairs = zip(draw.tries, numbers, strict=True)
        found.add(task, draw, [tokens_of(row.usage.complete, *parts) for row, parts in pairs], most)
    return found


def tokens_of(complete: Flag, prompt: Count, completion: Count) -> tuple[Count, int]:
    """Prompt and completion together, and what is known of them at least; incomplete usage is unknown."""
    known = sum(part for part in (prompt, completion) if isinstance(part, int))
    if complete is False or isinstance(prompt, NotMeasured) or isinstance(completion, NotMeasured):
        return UNKNOWN_TOKENS, known
    return known, known
