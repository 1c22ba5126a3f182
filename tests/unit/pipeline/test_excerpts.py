"""Excerpts that may travel: lines that look like secrets go, home folders lose their name, the rest stays to the letter."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from denominator.pipeline.excerpts import quiet

KEY = "sk-" + "a1" * 12


def test_a_line_with_a_secret_is_left_out_and_says_what_it_looked_like():
    found = quiet(f"before\nexport KEY={KEY}\nafter").split("\n")
    assert found[0] == "before" and found[2] == "after"
    assert KEY not in found[1] and "it looks like an access key" in found[1]


def test_a_home_folder_loses_its_name():
    assert quiet("at /home/somebody/work/a.py:3") == "at (home)/work/a.py:3"


def test_digests_stay():
    line = "blob " + "0f" * 32
    assert quiet(line) == line


@given(st.lists(st.text(alphabet=st.characters(codec="ascii", categories=("L", "N", "P")), max_size=8), max_size=20))
def test_as_many_lines_come_out_as_go_in(lines):
    text = "\n".join(lines)
    assert len(quiet(text).split("\n")) == max(1, len(text.splitlines()))
