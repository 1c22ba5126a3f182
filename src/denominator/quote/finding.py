"""The numbers of a sentence that are rates, counts, ends of intervals or differences, each with where it stands.

What is looked for (`LOOKED_FOR`): percentages in every written form, ranges of them, `k/n` and `k of n`, rates in words, decimals
and plain numbers beside a word such as score, rate, pass@1; ends of a named interval; signed percentages and percentage points.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from denominator.quote.tags import tags_in
from denominator.quote.values import printed
from denominator.quote.wording import COUNT, count, worded
from denominator.quote.words import EVAL, LEVELS, RATE, SETTING, SPREAD, TOKENS


class Kind(StrEnum):
    """What a number is."""

    PERCENT = "rate in percent"
    FRACTION = "fraction k/n"
    RANGE = "range of rates"
    WORDS = "rate in words"
    DECIMAL = "decimal rate"
    BARE = "plain number beside a rate word"
    END = "end of an interval"
    DELTA = "difference"


LOOKED_FOR = tuple(str(kind) for kind in Kind)


@dataclass(frozen=True, slots=True)
class Seen:
    """One number: `text` as printed, `value` its digits, `k` and `n` of a fraction, `sign` of a difference, `upper` end of a range.

    A fraction with n 0 is a count whose n is not said, one with n -1 is none. `result`: do words beside it say that it is a
    result? One that is not is checked only under a tag, or by `--strict`.
    """

    kind: Kind
    start: int
    end: int
    text: str
    value: str = ""
    k: int = 0
    n: int = 0
    sign: str = ""
    upper: str = ""
    result: bool = True


NUM = r"(?:\d+(?:[.,]\d+)*|[.,]\d+)"
INT = r"(?:\d{1,3}(?:[,'’ ]\d{3})+|\d{1,400})"
PERCENT_SIGN = r"(?:[\s\\]{0,3}%|[\s-]{0,2}(?:percent|per cent|pct|prozent)\b)"
NOUNS = "tasks|runs|attempts|draws|problems|instances|issues|tests|cases|passe[sd]|pass|solved|resolved|succeeded|wins|won|were|are"
NOT_IN = r"(?<![\d])(?<!\d[.,])"
LEVEL = re.compile(
    rf"{NOT_IN}(?P<num>{NUM})\s?%[\s-]{{0,2}}(?:two-sided\s|equal-tailed\s)?"
    r"(?:CI|KI|CrI|confidence|credible|interval|Wilson|Clopper|bootstrap|prediction|exact)\b",
    re.IGNORECASE,
)
INTERVAL = re.compile(
    rf"\b(?:CI|KI|CrI|C\.I\.|interval|intervall)\b\s*(?:of|is|was|from|between)?[\s\[(=:,]*{NOT_IN}(?P<lo>{NUM})\s?%?"
    rf"\s*(?:–|—|-|to|and|bis|\.\.|,|;)\s*(?P<hi>{NUM})\s?%?",
    re.IGNORECASE,
)
POINTS = r"(?:pp|ppt|ppts|p\.p\.|pts|points?|%-points?|percentage[ -]points?|percent points?|prozentpunkte?)(?![\w])"
DELTA = re.compile(
    rf"(?P<sign>[+\-±–])?\s?{NOT_IN}(?P<num>{NUM})[\s-]?{POINTS}|(?<![\w)\]%.,])(?P<sign2>[+\-±])(?P<num2>{NUM}){PERCENT_SIGN}",
    re.IGNORECASE,
)
PURE = re.compile(r"pp|p\.p\.|percentage|%-|prozent", re.IGNORECASE)
"""Units that nothing but a difference of rates has."""
PERCENT = re.compile(rf"{NOT_IN}(?P<num>{NUM}){PERCENT_SIGN}", re.IGNORECASE)
RANGE = re.compile(
    rf"(?<![\w/.,@])(?<!of )(?<!in )"
    rf"(?:(?P<lo>{NUM})(?:\s?%?\s(?:to|bis)\s|\s?[–—-]\s?|\s?%[–—-])|between\s(?P<low>{NUM})(?:\s?%)?\sand\s)"
    rf"(?P<hi>{NUM}){PERCENT_SIGN}",
    re.IGNORECASE,
)
SLASHED = re.compile(rf"(?<![\w/])(?<!\d[.,])(?P<k>{INT})\s?/\s?(?P<n>{INT})(?P<part>[.,]\d+)?(?![\d/])")
OF = re.compile(
    rf"(?<![\w/])(?<!\d[.,])(?P<k>{INT}|{COUNT})(?:\s(?:{NOUNS})){{0,2}},?[\s-](?:out[\s-]of|of|von|from)"
    rf"[\s-](?:the\s|all\s|its\s|our\s|every\s){{0,2}}(?P<n>{INT}|{COUNT})(?![\w/%]|[.,]\d|\s?%)",
    re.IGNORECASE,
)
TASKS = r"(?:\s(?:tasks|runs|attempts|draws|problems|instances|issues|of them))?"
MET = r"\s(?:were\s|are\s|have\s|got\s)?(?:passed|solved|resolved|succeeded)\b"
ALONE_K = re.compile(
    rf"(?<![\w/@])(?<!\d[.,])(?<!in )(?P<k>{INT}|{COUNT}){TASKS}{MET}"
    rf"(?:[^.;]{{0,60}}?\bof\s(?:the\s|all\s)?(?P<n>{INT}|{COUNT})(?![\w/%]|[.,]\d|\s?%))?"
    rf"|\bof\s(?:the\s|all\s|our\s)?(?P<n2>{INT}|{COUNT}){TASKS},?\s(?P<k2>{INT}|{COUNT}){TASKS}{MET}"
    rf"|\b(?:passed|solved|resolved)\s?[:=]\s?(?P<k3>{INT})(?![\w/%]|[.,]\d|\s?%|\s?/|\s(?:of|out)\b)",
    re.IGNORECASE,
)
"""A count without its n beside it, or with its n further off: "9 passed, 3 failed of 12". Held against a slip, else let alone."""
TYPESET = re.compile(r"\\[dt]?frac\s?\{\s?(?P<k>\d{1,9})\s?\}\s?\{\s?(?P<n>\d{1,9})\s?\}")
"""A fraction as formulas are written."""
SMALL = re.compile(r"(?<![⁰¹²³⁴⁵⁶⁷⁸⁹])(?P<k>[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,9})\s?/\s?(?P<n>[₀₁₂₃₄₅₆₇₈₉]{1,9})")
FRACTIONAL = re.compile(r"(?<![\w/@])(?<!\d[.,])(?P<num>\d{0,400}[.,]\d{1,400})(?!\w|[.,]\d|\s?%)")
BESIDE = re.compile(
    rf"(?:\b(?:rate|score|scores|scored|accuracy|pass@\d+|pass\^\d+)|_rate)\b[\s*]*(?:of|is|was|at|=|:|→|->)?[\s*]*(?P<num>{NUM})(?!\w|[.,]\d|\s?%|\s?/)",
    re.IGNORECASE,
)
UNIT = re.compile(r"\s?(?:ms|s|sec|seconds?|minutes?|min|hours?|h|[kmg]i?b|usd|eur|points?|x|[$€])\b", re.IGNORECASE)
ALONE = re.compile(rf"\W*(?P<num>{NUM})\W*(?:\[?(?:slip|cmp):\S*)?\W*")


CELL_MAX = 500
"""A longer cell is no lone number."""


def numbers_in(sentence: str, context: str = "", cell: bool = False) -> tuple[Seen, ...]:
    """Every number of a sentence (plain text) that may be a quote, in order. `context` is what names it; a cell holds one."""
    claimed = bytearray(len(sentence))
    for tag in tags_in(sentence):
        claimed[tag.start : tag.end] = b"\1" * (tag.end - tag.start)
    words = bool(EVAL.search(sentence) or EVAL.search(context))
    found = []
    for one in _in_order(sentence, context, words, cell):
        if not any(claimed[one.start : one.end]):
            claimed[one.start : one.end] = b"\1" * (one.end - one.start)
            if one.text:
                found.append(one)
    return tuple(sorted(found, key=lambda one: one.start))


def _in_order(sentence: str, context: str, words: bool, cell: bool) -> Iterator[Seen]:
    """What may be read in two ways is what comes first here."""
    for one in LEVEL.finditer(sentence):
        if one["num"].replace(",", ".") in LEVELS:
            yield Seen(Kind.END, one.start(), one.end("num"), "")
    for one in INTERVAL.finditer(sentence):
        for name in ("lo", "hi"):
            yield Seen(Kind.END, one.start(name), one.end(name), one[name], one[name], result=False)
    for one in RANGE.finditer(sentence):
        yield Seen(Kind.RANGE, *one.span(), one[0], one["lo"] or one["low"], upper=one["hi"], result=words)
    for one in DELTA.finditer(sentence):
        if SPREAD.search(sentence[max(0, one.start() - 24) : one.start()]):
            yield Seen(Kind.DELTA, *one.span(), "")
            continue
        sign, value = one["sign"] or one["sign2"] or "", one["num"] or one["num2"]
        yield Seen(
            Kind.DELTA,
            one.start(),
            one.end(),
            one[0].strip(),
            value,
            sign=sign.replace("–", "-"),
            result=words or bool(PURE.search(one[0])),
        )
    for one in PERCENT.finditer(sentence):
        yield Seen(Kind.PERCENT, *one.span(), one[0].strip(), one["num"], result=words)
    yield from _counts(sentence, words)
    yield from _plain(sentence, context, cell, bool(tags_in(sentence)))


def _counts(sentence: str, words: bool) -> Iterator[Seen]:
    """Fractions, and rates in words."""
    for one in worded(sentence):
        yield Seen(Kind.WORDS, one.start, one.end, one.text, one.percent, one.k, one.n, result=words)
    for kind in (SLASHED, OF):
        for found in kind.finditer(sentence):
            if TOKENS.search(sentence[max(0, found.start() - 12) : found.start()]):
                continue
            n = -1 if kind is SLASHED and found["part"] else count(found["n"]) or -1
            yield Seen(Kind.FRACTION, *found.span(), found[0], k=count(found["k"]), n=n, result=words)
    for found in TYPESET.finditer(sentence):
        k, n = int(found["k"]), int(found["n"])
        yield Seen(Kind.FRACTION, *found.span(), found[0], k=k, n=n or -1, result=words)
    for found in ALONE_K.finditer(sentence):
        few, all_of = found["k"] or found["k2"] or found["k3"], found["n"] or found["n2"]
        yield Seen(
            Kind.FRACTION, *found.span(), found[0], k=count(few), n=count(all_of) or -1 if all_of else 0, result=False
        )
    for found in SMALL.finditer(sentence):
        k, n = (int("".join(str(unicodedata.digit(char)) for char in found[name])) for name in ("k", "n"))
        yield Seen(Kind.FRACTION, *found.span(), found[0], k=k, n=n or -1, result=words)


def _plain(sentence: str, context: str, cell: bool, tagged: bool) -> Iterator[Seen]:
    """Numbers without a sign: beside a word that makes them a rate, or alone in a cell whose head does."""
    named = bool(RATE.search(context)) or "%" in context
    alone = ALONE.fullmatch(sentence) if cell and len(sentence) <= CELL_MAX else None
    if alone and named:
        yield Seen(Kind.BARE, *alone.span("num"), alone["num"], alone["num"])
    for one in BESIDE.finditer(sentence):
        fraction = "." in one["num"] or "," in one["num"]
        yield Seen(Kind.BARE, *one.span("num"), one["num"], one["num"], result=fraction)
    for one in FRACTIONAL.finditer(sentence):
        before, after = sentence[max(0, one.start() - 48) : one.start()], sentence[one.end() : one.end() + 24]
        beside = RATE.search(before) or RATE.search(after)
        share = printed(one["num"]).value <= 1
        if (tagged or share) and (beside or (cell and named) or (tagged and share and not UNIT.match(after))):
            if SETTING.search(before):
                continue
            yield Seen(Kind.DECIMAL, *one.span("num"), one["num"], one["num"])
