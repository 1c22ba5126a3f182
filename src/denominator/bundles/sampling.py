"""Which rows a verifier asks for, and what such a sample can miss.

The rows follow from a nonce that the verifier picks after the root is fixed, so that neither side chooses them. Draw i
is sha256 of the nonce, a line feed, the root in hex, a line feed, and i in decimal, as a whole number: row = draw mod n.
A draw at or above the largest multiple of n below 2^256 is left out (it would favour the first rows), and so is a row
that was drawn before. Every set of k rows is equally likely.
"""

from __future__ import annotations

import hashlib
from fractions import Fraction
from itertools import count
from math import comb

from denominator.bundles.layout import SHA
from denominator.errors import InputError
from denominator.records.regrades import Chance
from denominator.stats.decimals import decimal6

SPACE = 1 << 256
FOUND = Fraction(95, 100)
"""How sure a verifier wants to be when the least number of bad rows is named that a sample finds."""
SHARES = (Fraction(1, 100), Fraction(5, 100), Fraction(1, 10), Fraction(1, 4))
FEW = (1, 2, 5, 10)
NONCE_CHARS = 256
GUESSED_BELOW = 16
DIGITS = 60
"""A fraction with longer parts is written by its binomials."""


def sampled(nonce: str, root: str, rows: int, wanted: int) -> tuple[int, ...]:
    """The places of `wanted` of `rows` rows (from 0), ascending. InputError for a sample or a nonce that cannot be."""
    _refuse(nonce, root, rows, wanted)
    limit = SPACE - SPACE % rows
    found: set[int] = set()
    for number in count():
        if len(found) == wanted:
            break
        draw = int.from_bytes(hashlib.sha256(f"{nonce}\n{root}\n{number}".encode()).digest())
        if draw < limit:
            found.add(draw % rows)
    return tuple(sorted(found))


def escape(rows: int, bad: int, wanted: int) -> Fraction:
    """The chance that none of `bad` among `rows` rows is in a sample of `wanted`: C(n-m, k) / C(n, k), exactly."""
    if not (0 <= bad <= rows and 0 <= wanted <= rows):
        raise ValueError("needs 0..rows bad rows and a sample of 0..rows")
    return Fraction(comb(rows - bad, wanted), comb(rows, wanted))


def least_found(rows: int, wanted: int) -> int:
    """The least number of bad rows of which a sample of `wanted` >= 1 holds one with at least 95 %."""
    low, high = 1, rows
    while low < high:
        middle = (low + high) // 2
        if 1 - escape(rows, middle, wanted) >= FOUND:
            high = middle
        else:
            low = middle + 1
    return low


def chances(rows: int, wanted: int) -> tuple[Chance, ...]:
    """The chance of missing all of m bad rows, for a few m: small ones, shares of the rows, and the least that is found."""
    shares = {-(-share.numerator * rows // share.denominator) for share in SHARES}
    numbers = sorted({*FEW, *shares, least_found(rows, wanted)})
    return tuple(_chance(rows, bad, wanted) for bad in numbers if bad <= rows)


def _chance(rows: int, bad: int, wanted: int) -> Chance:
    value = escape(rows, bad, wanted)
    long = max(value.numerator, value.denominator) >= 10**DIGITS
    exact = f"C({rows - bad},{wanted})/C({rows},{wanted})" if long else f"{value.numerator}/{value.denominator}"
    return Chance(bad=bad, missed=decimal6(value), exact=exact)


def _refuse(nonce: str, root: str, rows: int, wanted: int) -> None:
    if SHA.fullmatch(root) is None:
        raise InputError("is no root", where="rows_root", fix="name a bundle.json as it was made")
    if not nonce.strip() or len(nonce) > NONCE_CHARS or not nonce.isprintable():
        what = f"a nonce is 1 to {NONCE_CHARS} characters that can be printed"
        raise InputError(what, where="--nonce", fix="pick one that nobody can have guessed: --nonce RANDOM")
    if not 1 <= wanted <= rows:
        fix = f"--sample 1 to --sample {rows}" if rows else "there is nothing to ask for"
        raise InputError(f"{wanted} of {rows} rows cannot be drawn", where="--sample", fix=fix)
