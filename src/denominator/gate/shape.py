"""The one shape of every gate rule: a sheet in, findings out. A rule that finds nothing holds, and says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from denominator.catalog import Entry
from denominator.records.findings import Finding
from denominator.records.judgements import Sheet
from denominator.records.labels import Evidence
from denominator.records.rows import Defect
from denominator.records.values import NotMeasured
from denominator.records.words import Severity

MOST = 20


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that a rule found."""

    severity: Severity
    subject: str
    what: str
    where: str = ""
    fix: str = ""
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """A gate rule.

    `held` is printed when nothing was found. A note of a rule with `caps` lowers the sentence to counts; one with
    `hides_value` also keeps the quotient back. A block of a rule with `no_aggregate` says NO_AGGREGATE; one with
    `hides_split` hides even how many passed; then a rule that `reads_split` is silent, because what it says depends on it.
    A block of a rule with `only_host` leaves no rate but those of what host and provider did; then a rule that
    `reads_rates` is silent about the others.
    The name of one that `accuses` says what its source did: where it could not check that, the sentence says so beside it.
    A `late` rule is asked when all others have spoken, on a sheet that holds what may be printed then and no more.
    """

    entry: Entry
    check: Callable[[Sheet], Iterable[Said]]
    held: str
    caps: bool = False
    hides_value: bool = False
    no_aggregate: bool = False
    hides_split: bool = False
    reads_split: bool = False
    only_host: bool = False
    reads_rates: bool = False
    accuses: bool = False
    late: bool = False


def block(subject: str, what: str, fix: str, where: str = "") -> Said:
    """No number may be printed."""
    return Said(Severity.BLOCK, subject, what, where, fix)


def note(subject: str, what: str, fix: str = "", where: str = "") -> Said:
    """To be read; blocks nothing by itself."""
    return Said(Severity.NOTE, subject, what, where, fix)


def unknown(subject: str, what: str, fix: str, where: str = "") -> Said:
    """Could not be evaluated; unknown never passes."""
    return Said(Severity.UNKNOWN, subject, what, where, fix)


def as_finding(entry: Entry, said: Said) -> Finding:
    """What a rule said, with its code and its name."""
    return Finding(
        code=entry.code,
        allow_name=entry.name,
        severity=str(said.severity),
        subject=said.subject,
        what=said.what,
        where=said.where,
        fix=said.fix,
        evidence=said.evidence,
    )


def of_kind(sheet: Sheet, *kinds: str) -> tuple[Defect, ...]:
    """The defects of some kinds, in order."""
    return tuple(defect for defect in sheet.defects if defect.kind in kinds)


def from_defects(sheet: Sheet, subject: str, fix: str, *kinds: str) -> Iterable[Said]:
    """One finding per defect of some kinds, as reading decided a block or a note; past a limit one line for the rest."""
    for kind in kinds:
        found = of_kind(sheet, kind)
        for defect in found[:MOST]:
            say = block if defect.blocks else note
            named = not defect.keys or any(key in defect.what for key in defect.keys)
            yield say(subject, defect.what if named else f"{defect.what} ({listed(defect.keys)})", fix, defect.where)
        rest = found[MOST:]
        if rest:
            say = block if any(defect.blocks for defect in rest) else note
            yield say(subject, f"{len(rest)} more of the kind {kind}", fix, f"{rest[0].where} and after")


def listed(names: Iterable[str], most: int = MOST) -> str:
    """Names for a sentence: all of them up to a limit, then how many more."""
    found = sorted(set(names))
    rest = len(found) - most
    return ", ".join(found[:most]) + (f" and {rest} more" if rest > 0 else "")


def by_task(draws: Iterable[str]) -> str:
    """The tasks of some draws (one name a draw), each with how many draws it has among them where that is more than one."""
    tasks = Counter(draws)
    return listed(task if times == 1 else f"{task} ({times} draws)" for task, times in tasks.items())


def counted(number: int, one: str, many: str = "") -> str:
    """ "1 draw", "2 draws"."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def above(numerator: int | NotMeasured, denominator: int | NotMeasured, ceiling: str) -> bool:
    """Is the share above the ceiling? Equal is not above; an unknown share is above nothing."""
    if isinstance(numerator, NotMeasured) or isinstance(denominator, NotMeasured) or denominator <= 0:
        return False
    return Fraction(numerator, denominator) > Fraction(ceiling)
