"""The spend ledger of an arm, and of arms side by side: tokens first; money, where a table gives it, is another column."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.records.comparisons import Comparability
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured

Number = str | NotMeasured
Count = int | NotMeasured
NOT_ASKED = NotMeasured("not asked for")
NO_SUM = NotMeasured("usage of several sources is not added up")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Tokens of one part over `attempts` attempts: the sum of what is known, and of how many attempts it is not known."""

    name: str
    known: int
    unknown: int
    attempts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SlicePart:
    """What one slice spent: draws with an attempt, attempts, known tokens, attempts of which they are not known."""

    name: str
    draws: int
    attempts: int
    known: int
    unknown: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CallSpend:
    """What calls show that rows do not; `unknown` and `refused` name calls as task#repeat.attempt:seq.

    `unknown` went to the provider and have no usage; `refused` were kept back by a budget; `resent` are a client's own
    retries: the request that had just failed, sent again to the byte. `replayed_tokens` are those of
    incarnations that died, of `replayed_calls` calls (`replayed_unknown` of them without usage). `reported` is what
    providers themselves say it cost, by their unit, over the calls that say so: a note, never a token figure.
    """

    made: int
    retries: int
    paused_ms: int
    unknown: tuple[str, ...]
    refused: tuple[str, ...]
    injected: int
    played: int
    replayed_calls: int
    replayed_tokens: int
    replayed_unknown: int
    reported: tuple[tuple[str, str], ...] = ()
    resent: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Censored:
    """Draws that did not get their full attempt budget, by task: cut while they ran, never started, owed attempts.

    `unnamed` draws were declared by number only and have no row; how many is unknown where nobody says what was declared.
    """

    cut: tuple[str, ...] = ()
    never_started: tuple[str, ...] = ()
    owed: tuple[str, ...] | NotMeasured = ()
    unnamed: Count = 0

    @property
    def any(self) -> bool:
        """Is the arm censored?"""
        hidden = isinstance(self.owed, NotMeasured)
        return bool(self.cut or self.never_started or self.unnamed or self.owed or hidden)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnCheck:
    """The agent's own account beside the wire's, over the `attempts` that have both; `own` - `wire` = `difference` tokens.

    `differing` names the tasks whose two accounts differ, `alone` counts attempts of which only the agent speaks.
    """

    attempts: int
    alone: int
    own: int
    wire: int
    difference: int
    differing: tuple[str, ...]
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Money:
    """What a price table makes of the tokens; exact decimal text. Never part of a token figure; a quota is not a price."""

    table: str
    version: str
    digest: str
    unit: str
    total: Number
    per_accepted: Number
    of_models: tuple[tuple[str, Number], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """What an allowance of tokens buys at so many tasks a day: whole accepted patches, and the day (from 1) it runs out on.

    `tasks` are declared draws that it pays for.
    """

    tokens: int
    tasks_per_day: str
    tasks: Count
    accepted: Count
    day: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmSpend:
    """One arm. `figures` are estimates as they may be printed; what the gate withholds is in none of this.

    `exit` is the arm's own code. `leaves` says why the arm stands in no table beside others (censored, or withheld).
    `blocks` are the findings that block it, in words; `reading` is the one fixed reading of the arm. An arm that mixes
    sources of usage, or whose total is withheld, has no parts and no slices.
    """

    name: str
    run_id: str
    status: str
    exit: int
    figures: tuple[Estimate, ...]
    withheld: tuple[str, ...]
    blocks: tuple[str, ...]
    leaves: tuple[str, ...]
    sources: tuple[tuple[str, int], ...]
    conventions: tuple[tuple[str, int], ...]
    censored: Censored
    reading: str
    reading_why: str
    parts: tuple[Part, ...] = ()
    slices: tuple[SlicePart, ...] = ()
    floor_overhead: Number = NO_SUM
    calls: CallSpend | NotMeasured = NO_SUM
    own: OwnCheck | NotMeasured = NO_SUM
    money: Money | NotMeasured = NOT_ASKED
    allowance: Allowance | NotMeasured = NOT_ASKED
    estimator: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSpend:
    """Two arms: may their spend be set side by side, and the ratio where it may."""

    names: tuple[str, str]
    comparability: Comparability
    ratio: Estimate | NotMeasured


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendReport:
    """Arms in the order in which they were named, every later one against the first, what is refused, what it cannot say."""

    arms: tuple[ArmSpend, ...]
    pairs: tuple[PairSpend, ...]
    refusals: tuple[str, ...]
    limits: tuple[str, ...]
    exit: int
    schema_version: int = 1
