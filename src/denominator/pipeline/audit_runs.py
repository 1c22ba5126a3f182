"""Several runs of one source: how far they are of the same draws, and what each could be at worst and at best over all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from denominator.compare.patches import graded_patches
from denominator.errors import Exit
from denominator.gate.verdict import Holds
from denominator.pipeline.audit_counts import HIDDEN, NO_ROWS, Counted, draws_of, recorded_draws
from denominator.pipeline.audit_published import RATE
from denominator.records.audits import IdSets, PublishedLine, Regraded, RunLine
from denominator.records.findings import Verdict
from denominator.records.judgements import SCORED, Judged
from denominator.records.keys import DrawKey
from denominator.records.rows import Text
from denominator.records.values import NotMeasured
from denominator.stats import decimal6, manski

WITHHELD = NotMeasured("withheld: no aggregate may be made of this run")
ONE_RUN = NotMeasured("there is no other run to share ids with")
NO_NUMBER = NotMeasured("it could not be read")
BY_NUMBER = NotMeasured(
    "not known: of draws that were scheduled only a number is known, so nobody knows how many draws there are"
)


@dataclass(frozen=True, slots=True)
class Of:
    """One run as far as a table of several needs it, without its rows; `why` says why it could not be read.

    `known` are the draws whose ids are known, with a record or without one; `unnamed` were scheduled by number only.
    `graded` holds patch and verdict of the draws that have both; nothing where the split may not be told.
    """

    name: str
    counted: Counted | None = None
    verdict: Verdict | None = None
    recorded: frozenset[DrawKey] = frozenset()
    known: frozenset[DrawKey] = frozenset()
    unnamed: int = 0
    scored: int = 0
    graded: Mapping[DrawKey, tuple[str, str]] = field(default_factory=dict)
    published: tuple[PublishedLine, ...] = ()
    blocked_by: tuple[str, ...] = ()
    no_aggregate: bool = False
    exit: int = int(Exit.USAGE)
    why: str = ""
    kept: str = ""


def of_run(
    name: str, judged: Judged, counted: Counted, published: tuple[PublishedLine, ...], holds: Holds, code: int
) -> Of:
    """What a table needs of a judged run."""
    sheet = judged.sheet
    return Of(
        name=name,
        counted=counted,
        verdict=replace(judged.verdict, findings=()),
        recorded=recorded_draws(sheet),
        known=draws_of(sheet, bool),
        unnamed=sheet.unnamed,
        scored=len(draws_of(sheet, lambda draw: draw.exit in SCORED)),
        graded={} if judged.split_hidden else graded_patches(sheet),
        published=published,
        blocked_by=holds.blockers,
        no_aggregate=holds.no_aggregate,
        exit=code,
    )


def unread(name: str, why: str) -> Of:
    """A run that cannot be read."""
    return Of(name, why=why)


def run_lines(runs: Sequence[Of]) -> tuple[tuple[RunLine, ...], IdSets | None]:
    """A line for each run, and the sizes of union and intersection of the draws that have a record.

    Bounds are over the draws that any run has or has declared: one that nobody recorded may have gone either way too.
    """
    full = [one.recorded for one in runs if one.recorded]
    if len(full) < 2:
        return tuple(_line(one, frozenset(), ONE_RUN) for one in runs), None
    union, shared = frozenset().union(*full), full[0].intersection(*full[1:])
    every = union.union(*(one.known for one in runs))
    open_ended = any(one.unnamed for one in runs)
    lines = tuple(_line(one, every - one.recorded, None, 0 if open_ended else len(every)) for one in runs)
    return lines, IdSets(union=len(union), intersection=len(shared))


def regraded(runs: Sequence[Of]) -> tuple[Regraded, ...]:
    """Draws whose one patch passed in one run and did not in another: gradings of one thing that differ."""
    found: dict[tuple[DrawKey, str], dict[str, str]] = {}
    for one in runs:
        for key, (patch, verdict) in one.graded.items():
            found.setdefault((key, patch), {})[one.name] = verdict
    return tuple(
        Regraded(task_id=key.task_id, repeat=key.repeat, patch_sha256=patch, verdicts=verdicts)
        for (key, patch), verdicts in sorted(found.items(), key=lambda one: one[0])
        if len(set(verdicts.values())) > 1
    )


def ids_of(runs: Sequence[Of]) -> tuple[frozenset[str], frozenset[str]]:
    """Tasks with a record in any run, and in all of those that have some."""
    sets = [{key.task_id for key in one.recorded} for one in runs]
    full = [one for one in sets if one]
    return (
        (frozenset().union(*full), frozenset(full[0].intersection(*full[1:]))) if full else (frozenset(), frozenset())
    )


def _line(one: Of, absent: frozenset[DrawKey], why: NotMeasured | None, union: int = 0) -> RunLine:
    if one.counted is None or one.verdict is None:
        return RunLine(
            name=one.name, passes=NO_NUMBER, recorded=NO_NUMBER, scored=NO_NUMBER, scheduled=NO_NUMBER, absent=NO_NUMBER,
            least=NO_NUMBER, most=NO_NUMBER, status="unreadable", rung="refused", exit=one.exit, why=one.why,
        )  # fmt: skip
    counted, verdict = one.counted, one.verdict
    least, most = (why, why) if why is not None else _bounds(one, union)
    return RunLine(
        name=one.name,
        printed=tuple(each for each in one.published if each.role == RATE),
        passes=counted.passes,
        recorded=counted.n("with a record"),
        scored=counted.n("scored"),
        scheduled=counted.n("scheduled"),
        absent=len(absent) if why is None else why,
        least=least,
        most=most,
        status=verdict.status,
        rung=verdict.rung,
        blocked_by=one.blocked_by,
        exit=one.exit,
        no_width=_no_width(verdict, union) if isinstance(least, str) and least == most else "",
        kept=one.kept,
    )


def _no_width(verdict: Verdict, union: int) -> str:
    """Both ends are the share that passed of all draws: a rate, which the run may or may not print."""
    same = f"no width: each of the {union} draws has a score here, so both cases are its rate over them"
    return same if verdict.status == "publishable" else f"{same}; the run is blocked, and no rate of it may be written"


def _bounds(one: Of, union: int) -> tuple[Text, Text]:
    """All that is not known failed, or all of it passed (Manski), over the union; 0 says that its size is not known."""
    if one.counted is None:
        return NO_NUMBER, NO_NUMBER
    if one.no_aggregate or one.counted.passes == HIDDEN:
        return WITHHELD, WITHHELD
    if not isinstance(one.counted.passes, int):
        return NO_ROWS, NO_ROWS
    if not union:
        return BY_NUMBER, BY_NUMBER
    found = manski(one.counted.passes, union - one.scored, union)
    return _text(found.lo), _text(found.hi)


def _text(value: Fraction) -> str:
    return decimal6(value)
