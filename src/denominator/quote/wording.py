"""Rates in words and signs: "three quarters", "one in five", "seventy-one percent", "half of the tasks", "¾".

Words claim the exact share: "three quarters" is 75% and nothing near it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from denominator.quote.words import COUNTS, NAMES, TENS

SMALL = "|".join(sorted(NAMES, key=len, reverse=True))
COUNT = rf"(?:(?:{'|'.join(TENS)})(?:[\s-](?:{'|'.join(NAMES[1:10])})\b)?|(?:one[\s-])?hundred|none|{SMALL})"
"""A number in words; the longest first, so that "twenty-one" is not read as twenty."""
PARTS = {
    "half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
    "twelfth": 12, "sixteenth": 16, "twentieth": 20,
}  # fmt: skip
NO_TIME = r"(?![\s-](?:later|ago|of\s(?:an?|the)\s(?:hour|day|week|month|year|second|minute)s?)\b)"
MANY = re.compile(
    rf"\b(?P<k>{COUNT}|\d{{1,2}})[\s-](?P<part>halves|{'|'.join(one + 's' for one in PARTS if one != 'half')})\b{NO_TIME}",
    re.IGNORECASE,
)
ONE = re.compile(
    rf"\b(?<!in )(?:an?|one)[\s-](?P<part>{'|'.join(PARTS)})\b(?=\sof\b|\s?[(\[]|[.!]?\s*$|\s(?:the|all|its|our|them)\b){NO_TIME}"
    rf"|\bone-(?P<hyphened>{'|'.join(PARTS)})\b|\b(?P<bare>half)\b(?=\s(?:of|the|all|its|our)\b){NO_TIME}",
    re.IGNORECASE,
)
UNITS = r"(?![\w/%-]|[.,]\d|\s?(?:%|ms\b|s\b|seconds?|minutes?|hours?|days?|weeks?|months?|years?|steps?|[kmgt]i?b\b))"
IN = re.compile(
    rf"(?<![\w/.,])(?P<k>{COUNT}|\d{{1,3}})[\s-](?:(?:tasks?|runs?|times?|passes)\s)?in(?:\s(?:every|each))?[\s-]"
    rf"(?P<n>{COUNT}|\d{{1,3}}){UNITS}",
    re.IGNORECASE,
)
PERCENT = re.compile(
    rf"\b(?P<whole>{COUNT}|a hundred)(?:[\s-]point(?P<part>(?:[\s-](?:{COUNT})){{1,9}}))?[\s-](?:percent|per[\s-]cent|pct|%)(?!\w)",
    re.IGNORECASE,
)
SIGN = re.compile("(?<![0-9])[¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]")
HUNDRED = re.compile(r"(?<![\w.,])(?P<num>\d{1,3}[.,]\d{1,9})\s(?:out\sof|of|in|per)\s(?:a\s|one\s)?(?:100|hundred)\b")


@dataclass(frozen=True, slots=True)
class Worded:
    """A rate in words: `k` of `n`, or the digits of a percentage in `percent`."""

    start: int
    end: int
    text: str
    k: int = 0
    n: int = 0
    percent: str = ""


def worded(sentence: str) -> Iterator[Worded]:
    """Every rate in words of a sentence; what may be read in two ways is what comes first."""
    for one in PERCENT.finditer(sentence):
        whole = 100 if one["whole"].lower() == "a hundred" else count(one["whole"])
        part = "".join(str(count(word)) for word in re.split(r"[\s-]", (one["part"] or "").strip(" -")) if word)
        yield Worded(*one.span(), one[0], percent=f"{whole}.{part}" if part else str(whole))
    for one in HUNDRED.finditer(sentence):
        yield Worded(*one.span(), one[0], percent=one["num"])
    for one in SIGN.finditer(sentence):
        share = Fraction(unicodedata.numeric(one[0])).limit_denominator(10)
        yield Worded(*one.span(), one[0], share.numerator, share.denominator)
    for one in MANY.finditer(sentence):
        yield Worded(*one.span(), one[0], count(one["k"]), _part(one["part"]))
    for one in ONE.finditer(sentence):
        yield Worded(*one.span(), one[0], 1, _part(one["part"] or one["hyphened"] or one["bare"]))
    for one in IN.finditer(sentence):
        k, n = count(one["k"]), count(one["n"])
        if 0 <= k <= n and n > 1:
            yield Worded(*one.span(), one[0], k, n)


def count(text: str) -> int:
    """A number in digits or in words, with what groups its thousands."""
    word = re.sub(r"\s+", "-", text.lower())
    return COUNTS[word] if word in COUNTS else int(re.sub(r"\D", "", text))


def _part(text: str) -> int:
    word = text.lower()
    return 2 if word in ("half", "halves") else PARTS[word.removesuffix("s")]
