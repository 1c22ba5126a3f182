"""Proofs of single leaves, which rows a nonce names, and what a sample can miss: each against an independent count."""

from __future__ import annotations

import hashlib
from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.bundles.merkle import merkle_proof, merkle_root, proved_root
from denominator.bundles.sampling import chances, escape, least_found, sampled
from denominator.errors import InputError

LEAVES = st.lists(st.binary(max_size=8), min_size=1, max_size=40)
NODES = st.binary(min_size=32, max_size=32).map(bytes.hex)
ROOT = "ab" * 32


def recursive(leaves: list[bytes]) -> bytes:
    """The tree as the standard defines it, from the top."""
    if len(leaves) == 1:
        return hashlib.sha256(b"\0" + leaves[0]).digest()
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return hashlib.sha256(b"\1" + recursive(leaves[:split]) + recursive(leaves[split:])).digest()


@given(LEAVES, st.data())
def test_every_leaf_proves_itself_at_its_place_only(leaves: list[bytes], data: st.DataObject) -> None:
    root, size = recursive(leaves).hex(), len(leaves)
    assert merkle_root(leaves) == root
    index = data.draw(st.integers(0, size - 1))
    path = merkle_proof(leaves, index)
    assert proved_root(leaves[index], index, size, path) == root
    other = data.draw(st.integers(-2, size + 2))
    if other != index and not (0 <= other < size and leaves[other] == leaves[index]):
        assert proved_root(leaves[index], other, size, path) != root
    assert proved_root(leaves[index] + b"x", index, size, path) != root


@given(LEAVES, st.data())
def test_a_changed_path_proves_nothing(leaves: list[bytes], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(leaves) - 1))
    root, path = merkle_root(leaves), list(merkle_proof(leaves, index))
    assert proved_root(leaves[index], index, len(leaves), [*path, data.draw(NODES)]) == ""
    if path:
        at = data.draw(st.integers(0, len(path) - 1))
        assert proved_root(leaves[index], index, len(leaves), path[:at] + path[at + 1 :]) != root
        for odd in (path[at].upper() + "\n", path[at][:-1], "", "0x" + path[at][2:]):
            assert proved_root(leaves[index], index, len(leaves), [*path[:at], odd, *path[at + 1 :]]) != root
        node = data.draw(NODES)
        changed = [*path[:at], node, *path[at + 1 :]]
        assert (proved_root(leaves[index], index, len(leaves), changed) == root) == (node == path[at])


def test_a_leaf_outside_has_no_proof() -> None:
    for index in (-1, 3):
        with pytest.raises(ValueError, match="among 3"):
            merkle_proof([b"a", b"b", b"c"], index)


@given(st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=20), st.integers(1, 60), st.data())
def test_a_nonce_names_the_rows_that_the_page_says(nonce: str, rows: int, data: st.DataObject) -> None:
    """The rule of docs/formats/bundle.md, written down a second time."""
    wanted = data.draw(st.integers(1, rows))
    found: list[int] = []
    number = 0
    while len(found) < wanted:
        draw = int(hashlib.sha256(nonce.encode() + b"\n" + ROOT.encode() + b"\n" + b"%d" % number).hexdigest(), 16)
        number += 1
        if draw < 2**256 // rows * rows and draw % rows not in found:
            found.append(draw % rows)
    assert sampled(nonce, ROOT, rows, wanted) == tuple(sorted(found))
    assert set(sampled(nonce, ROOT, rows, wanted)) >= set(sampled(nonce, ROOT, rows, max(1, wanted - 1)))


def test_all_sets_of_rows_come_alike_and_another_root_names_others() -> None:
    seen = Counter(sampled(f"n{number}", ROOT, 5, 2) for number in range(5000))
    assert len(seen) == 10 and all(400 <= count <= 600 for count in seen.values()), seen
    one, two = (sampled("a nonce", root, 10_000, 20) for root in (ROOT, "cd" * 32))
    assert one != two


@pytest.mark.parametrize("rows", range(1, 9))
def test_chances_are_those_of_counting_every_sample(rows: int) -> None:
    for wanted in range(1, rows + 1):
        every = [*combinations(range(rows), wanted)]
        for bad in range(rows + 1):
            missed = sum(all(row >= bad for row in one) for one in every)
            assert escape(rows, bad, wanted) == Fraction(missed, len(every))
        least = next(m for m in range(1, rows + 1) if escape(rows, m, wanted) <= Fraction(5, 100))
        assert least_found(rows, wanted) == least
        for chance in chances(rows, wanted):
            assert Fraction(chance.exact) == escape(rows, chance.bad, wanted)


def test_known_chances() -> None:
    assert least_found(100, 100) == 1 and least_found(1, 1) == 1
    assert escape(100, 1, 10) == Fraction(9, 10)
    assert least_found(100, 10) == 25
    long = {one.bad: one for one in chances(100_000, 300)}[1000]
    assert (long.exact, long.missed) == ("C(99000,300)/C(100000,300)", "0.048819")


@pytest.mark.parametrize(
    ("nonce", "root", "rows", "wanted", "where"),
    [
        ("n", ROOT, 3, 4, "--sample"), ("n", ROOT, 3, 0, "--sample"), ("n", ROOT, 0, 1, "--sample"), ("", ROOT, 3, 1, "--nonce"),
        (" ", ROOT, 3, 1, "--nonce"), ("a\nb", ROOT, 3, 1, "--nonce"), ("n" * 257, ROOT, 3, 1, "--nonce"), ("n", "x", 3, 1, "rows_root"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_refused(nonce: str, root: str, rows: int, wanted: int, where: str) -> None:
    with pytest.raises(InputError) as refused:
        sampled(nonce, root, rows, wanted)
    assert refused.value.where == where
