"""Safe names: reversible, short, harmless on every disk, and never shared by two ids."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.wire.names import NAME_BYTES_MAX, id_problem, original_name, plain_safe_names, safe_name

IDS = st.one_of(
    st.text(max_size=12),
    st.text(alphabet="aAbB.-_=x/\\: 0cCoOnN", max_size=8),
    st.sampled_from(["CON", "con", "Con.txt", "aux.tar.gz", "nul", "com1", "LPT9", ".", "..", "-rf", ".git", ""]),
    st.text(alphabet="aAé/", min_size=30, max_size=400),
)
HARMLESS = re.compile(r"[a-z0-9_=][a-z0-9._=-]*\Z")
DEVICES = {"con", "prn", "aux", "nul", *(f"com{n}" for n in range(10)), *(f"lpt{n}" for n in range(10))}


@settings(max_examples=500, deadline=None)
@given(IDS)
def test_a_name_is_harmless_and_gives_its_id_back(id_):
    name = safe_name(id_)
    assert HARMLESS.match(name) and not name.endswith(".") and len(name) <= NAME_BYTES_MAX
    assert name.split(".")[0] not in DEVICES
    if "=x" in name:
        assert original_name(name) is None
        assert len(id_.encode("utf-8", "surrogatepass")) > NAME_BYTES_MAX // 3
    else:
        assert original_name(name) == id_


@settings(max_examples=500, deadline=None)
@given(IDS, IDS)
def test_two_ids_never_share_a_name_also_case_blindly(left, right):
    for one, other in ((left, right), (left, left.swapcase()), (left, left + "."), (left + "x", left + "X")):
        assert (safe_name(one).casefold() == safe_name(other).casefold()) == (one == other)


WORDS = st.from_regex(r"[A-Za-z0-9_]{1,5}([-./][a-z]{1,3}){0,2}", fullmatch=True)


@settings(max_examples=500, deadline=None)
@given(st.lists(st.one_of(WORDS, WORDS, WORDS, IDS, st.just("a" * 121)), max_size=3))
def test_names_of_many_are_those_of_each(ids):
    names = plain_safe_names(ids)
    if names is not None:
        assert names == [safe_name(one) for one in ids]
        assert {*map(id_problem, ids)} == {None}


def test_names_of_words_are_told_at_once():
    assert plain_safe_names(["a/B-1", "x"]) == ["a=2f=42-1", "x"]
    assert plain_safe_names(["a\nb"]) is plain_safe_names(["con.x"]) is plain_safe_names(["A" * 41]) is None


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="ab=x0123456789efA.-/", max_size=140))
def test_only_names_that_safe_name_gives_are_reversed(name):
    id_ = original_name(name)
    assert id_ is None or safe_name(id_) == name


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(["..", ".", "a", "/", "\\", "C:", " ", "..."]), max_size=5).map("".join))
def test_an_id_that_is_no_problem_stays_inside_its_folder(id_):
    if id_problem(id_) is None:
        parts = id_.replace("\\", "/").split("/")
        assert ".." not in parts and not id_.startswith(("/", "\\")) and id_.strip()
    assert not {"/", "\\", ".."} & {safe_name(id_)[0], safe_name(id_)}
