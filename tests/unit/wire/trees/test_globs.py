"""What an allow-list glob means, exactly."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.wire.trees import matches

YES = [
    ("a.py", "a.py"),
    ("*.py", "a.py"),
    ("*.py", ".py"),
    ("*.py", ".hidden.py"),
    ("src/*.py", "src/a.py"),
    ("src/**", "src/a/b.c"),
    ("src/", "src/a/b.c"),
    ("**/a.py", "a.py"),
    ("**/a.py", "x/y/a.py"),
    ("a/**/b", "a/b"),
    ("a/**/b", "a/x/y/b"),
    ("**", "anything/at all"),
    ("a**b", "axxb"),
    ("?", "x"),
    ("[ab].c", "a.c"),
    ("[!ab].c", "x.c"),
    ("[]].c", "].c"),
    ("[a-c]x", "bx"),
    ("[^a]", "^"),
    ("[.c", "[.c"),
    ("a+b(c)", "a+b(c)"),
]
NO = [
    ("*.py", "src/a.py"),
    ("src/*.py", "src/a/b.py"),
    ("src/*", "src"),
    ("src/**", "src"),
    ("src/", "src"),
    ("a/**/b", "a/xb"),
    ("a**b", "a/b"),
    ("?", "/"),
    ("a?b", "a/b"),
    ("a[!x]b", "a/b"),
    ("A.py", "a.py"),
    ("a.py", "b/a.py"),
    ("a.py", "a.py/"),
    ("a", "a\n"),
    ("a.c", "abc"),
    ("", "a"),
]


@pytest.mark.parametrize(("glob", "path"), YES)
def test_matches(glob, path):
    assert matches([glob], path)


@pytest.mark.parametrize(("glob", "path"), NO)
def test_does_not_match(glob, path):
    assert not matches([glob], path)


def test_any_of_several_is_enough_and_none_is_not():
    assert matches(["x", "a*"], "ab")
    assert not matches([], "ab")


GLOB = st.lists(st.sampled_from(["a", "b", "*", "**", "?", "a*", "*b", "**/"]), min_size=1, max_size=5)
PATH = st.lists(st.text("ab", min_size=1, max_size=3), min_size=1, max_size=5).map("/".join)


def naive(parts, names):
    """The meaning by recursion, written apart."""
    if not parts:
        return not names
    head, *rest = parts
    if head == "**":
        if not rest:
            return bool(names)
        return any(naive(rest, names[at:]) for at in range(len(names) + 1))
    pattern = "".join({"*": ".*", "?": "."}.get(char, char) for char in head)
    return bool(names) and re.fullmatch(pattern, names[0]) is not None and naive(rest, names[1:])


@given(GLOB, PATH)
def test_agrees_with_the_meaning_by_recursion(parts, path):
    glob = "/".join(part.rstrip("/") for part in parts)
    assert matches([glob], path) == naive(glob.split("/"), path.split("/"))


def test_many_stars_take_no_time():
    assert not matches(["/".join(["**", "*a*a*a*"] * 8) + "/x"], "/".join(["aaaaaaaaaaaaaaaaaaaa"] * 40))
