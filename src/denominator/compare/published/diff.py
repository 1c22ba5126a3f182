"""One of five verdicts, in the order in which they are asked; no number is looked at before the conditions are."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from fractions import Fraction

from denominator.compare.published.fields import BENCHMARK, FIELDS, moved
from denominator.compare.published.noise import Noise, noise
from denominator.compare.published.sides import Claimed
from denominator.compare.sentences import short
from denominator.records.published import Moved, PublishedDiff, Told
from denominator.records.values import NotMeasured
from denominator.stats import decimal6

MOST = 20


class Word(StrEnum):
    """The verdicts of METHODS M14, and the one of our own gate."""

    OTHER = "not_the_same_benchmark"
    RED = "red_on_the_clean_checkout"
    UNVERIFIABLE = "unverifiable"
    WITHHELD = "withheld"
    INSIDE = "inside_noise"
    OUTSIDE = "outside_noise"


NEXT = {
    Word.OTHER: "choose one configuration and run both again under it",
    Word.RED: "censor these tasks on both sides, repair them, and run again",
    Word.UNVERIFIABLE: "ask for the task list and the counts; until then it is context and no more",
    Word.WITHHELD: "lift what blocks our own number first: denominator gate",
    Word.INSIDE: "add tasks; claim nothing",
    Word.OUTSIDE: "diff the conditions one at a time, in the order that is printed",
}
EXITS = {Word.OTHER: 3, Word.UNVERIFIABLE: 3, Word.RED: 1, Word.WITHHELD: 1}
WITHHELD = NotMeasured("withheld: the gate blocks")
NOT_ASKED = NotMeasured("not computed: the verdict does not rest on it")
COUNTS = NotMeasured("our own sentence is counts only, so there is no difference of rates")
MAY_NOT = (
    "rank a model, a harness or a vendor by it",
    "use it towards a regulator, or for a gap of a few points",
    "use wall times of a shared host for anything but timeouts",
)


def set_beside(published: Claimed, ours: Claimed) -> PublishedDiff:
    """Our run beside a published score. Neither side's order or form changes the result."""
    fields = moved(published.fingerprint, ours.fingerprint)
    word, reasons = _verdict(published, ours, fields)
    found = noise(published, ours) if word is Word.INSIDE else None
    if found is not None and found.sign:
        word = Word.OUTSIDE
    unequal = [one.name for one in fields if one.state != "same"]
    directional = bool(unequal) or word in (Word.OTHER, Word.UNVERIFIABLE)
    plain = PublishedDiff(
        published=_shown(published),
        ours=_shown(ours),
        fingerprint=fields,
        verdict=word,
        directional=directional,
        reasons=(*reasons, *published.notes, *ours.notes, *_unequal(fields)),
        sentence="",
        next=NEXT[word],
        difference=NOT_ASKED,
        lo=NOT_ASKED,
        hi=NOT_ASKED,
        p=NOT_ASKED,
        likely=_likely(fields),
        censor=ours.red if word is Word.RED else (),
        may_not=MAY_NOT,
        exit=EXITS.get(word, 3 if directional else 0),
    )
    done = _numbers(plain, found, counts_only=ours.counts_only) if found else plain
    return replace(done, sentence=_sentence(done, reasons))


def _shown(side: Claimed) -> Told:
    """A score that its own gate blocks is not told, on either side."""
    return replace(side.told, least=WITHHELD, most=WITHHELD) if side.blocked else side.told


def _verdict(published: Claimed, ours: Claimed, fields: tuple[Moved, ...]) -> tuple[Word, tuple[str, ...]]:
    if other := _other(published, ours, fields):
        return Word.OTHER, other
    if ours.red:
        listed = ", ".join(ours.red[:MOST])
        return Word.RED, (f"flaky or broken with the agent off: {listed}",)
    if unverifiable := _unverifiable(published):
        return Word.UNVERIFIABLE, unverifiable
    if ours.blocked:
        return Word.WITHHELD, (f"our own gate blocks: {', '.join(ours.blocked[:MOST])}",)
    if published.blocked:
        return Word.UNVERIFIABLE, (f"the published rows are blocked: {', '.join(published.blocked[:MOST])}",)
    if not isinstance(ours.told.n, int) or not isinstance(ours.told.least, int) or ours.told.n == 0:
        return Word.UNVERIFIABLE, ("how many draws we declared is not known",)
    if ours.ragged or published.ragged:
        return Word.UNVERIFIABLE, (f"there is no one number of repeats: {ours.ragged or published.ragged}",)
    return Word.INSIDE, ()


def _other(published: Claimed, ours: Claimed, fields: tuple[Moved, ...]) -> tuple[str, ...]:
    """Budget, attempts or tasks that differ."""
    found = [
        f"{FIELDS[one.name]} differs: published {one.published!s}, ours {one.ours!s}"
        for one in fields
        if one.state == "moved" and one.name in BENCHMARK
    ]
    if published.tasks is not None and ours.tasks is not None and published.tasks != ours.tasks:
        only, mine = sorted(published.tasks - ours.tasks), sorted(ours.tasks - published.tasks)
        found += [f"tasks that only the published score has: {', '.join(only[:MOST])}"] if only else []
        found += [f"tasks that only our run has: {', '.join(mine[:MOST])}"] if mine else []
    return tuple(found)


def _unverifiable(published: Claimed) -> tuple[str, ...]:
    found = []
    if published.tasks is None and isinstance(published.fingerprint["pack_digest"], NotMeasured):
        found.append("no task list: neither the ids nor a digest of the task set are published")
    if published.impossible:
        found.append(f"impossible: no such count out of {published.told.n!s} prints as {published.told.printed}")
    elif isinstance(published.told.n, NotMeasured) or published.told.n == 0:
        found.append("a percent without its n: directional context only")
    elif isinstance(published.told.least, NotMeasured):
        found.append("no count and no percent are published")
    return tuple(found)


def _unequal(fields: tuple[Moved, ...]) -> tuple[str, ...]:
    unknown = [FIELDS[one.name] for one in fields if one.state == "unknown"]
    return (f"directional only: not known on both sides: {', '.join(unknown)}",) if unknown else ()


def _likely(fields: tuple[Moved, ...]) -> tuple[str, ...]:
    """What moved, then what nobody knows, each in the order of known effect."""
    return tuple(
        f"{FIELDS[one.name]} ({'moved' if state == 'moved' else 'not known'})"
        for state in ("moved", "unknown")
        for one in fields
        if one.state == state
    )


def _numbers(plain: PublishedDiff, found: Noise, *, counts_only: bool) -> PublishedDiff:
    """The difference and its interval, unless our own sentence is below a rate."""
    if counts_only:
        return replace(plain, method=found.method, difference=COUNTS, lo=COUNTS, hi=COUNTS, p=COUNTS)
    return replace(
        plain,
        method=found.method,
        difference=_decimal(found.difference),
        lo=decimal6(found.lo),
        hi=decimal6(found.hi),
        p=_decimal(found.p),
    )


def _decimal(value: Fraction | NotMeasured) -> str | NotMeasured:
    return value if isinstance(value, NotMeasured) else decimal6(value)


SENTENCES = {
    Word.OTHER: "Not the same benchmark: {why}. Nothing is set side by side.",
    Word.RED: "Red on the clean checkout: {censor}. These tasks are censored; nothing is set side by side.",
    Word.UNVERIFIABLE: "Unverifiable, directional context only: {why}.",
    Word.WITHHELD: "Our own number is withheld: {why}.",
    Word.INSIDE: "Inside noise at this n: {ours} beside the published {theirs}{interval}. Nothing is claimed.",
    Word.OUTSIDE: "Outside noise: {ours} beside the published {theirs}{interval}. Likely cause: {likely}.",
}


def _sentence(diff: PublishedDiff, reasons: tuple[str, ...]) -> str:
    interval = (
        ""
        if isinstance(diff.lo, NotMeasured)
        else f", ours minus published between {short(Fraction(diff.lo))} and {short(Fraction(str(diff.hi)))} (95 %)"
    )
    text = SENTENCES[Word(diff.verdict)].format(
        why="; ".join(reasons[:3]),
        censor=", ".join(diff.censor[:MOST]),
        ours=_count(diff.ours),
        theirs=_count(diff.published),
        interval=interval,
        likely=", ".join(diff.likely[:5]) or "no field of the fingerprint: it is not among them",
    )
    noise_words = diff.verdict in (Word.INSIDE, Word.OUTSIDE)
    return f"{text} Directional only." if noise_words and diff.directional else text


def _count(told: Told) -> str:
    if told.least == told.most:
        return f"{told.least!s} of {told.n!s}"
    return f"{told.least!s} to {told.most!s} of {told.n!s}"
