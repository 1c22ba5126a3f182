"""The search for looks beyond the task: never raises, whatever an agent writes, and reads each text a bounded number of times."""

from __future__ import annotations

import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.readers.beyond import MOST, Places, looked_beyond
from denominator.readers.beyond.shape import TEXT_MAX

PLACES = Places(
    named={"the run": ("/srv/runs/a", "journal.db")},
    sought={"hidden tests": ("test_secret.py",)},
    own=("/work", "/tmp"),
    home="/home/agent",
    cwd="/work",
    projects=("parcel",),
)
PIECES = (
    *("cat ", "cd ", "/", "..", "hidden", "$(", ")", "`", "'", '"', "\\", "${a", "}", "{a,b}", "$a", "a=", ";", "|", "&&", "\n", "<<E\n"),
    *("E\n", "<(", ">", "2>&1", "python3 -c ", "open(", "bash -c ", "eval ", "*", "[", "?", "~", "-R", "find / ", "git log --all", "#", "\0"),
    *("base64", "L2hpZGRlbi94", "\\x2f", "/proc/1/environ", "for p in ", "do ", "%", "é", "\ud800", "f'{x}'", "lambda:", "(" * 40, "-"),
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=60).map("".join) | st.text(max_size=200)
VALUES = st.recursive(TEXTS | st.none() | st.integers() | st.booleans(), lambda inner: st.lists(inner) | st.dictionaries(
    st.sampled_from(("command", "cmd", "code", "path", "content", "url", "workdir", "x")), inner
), max_leaves=8)  # fmt: skip


@given(st.lists(st.tuples(st.sampled_from(("bash", "Read", "Glob", "python", "")), VALUES), max_size=4))
def test_it_never_raises_and_says_the_same_twice(calls: list[tuple[str, object]]) -> None:
    texts = [(tool, json.dumps(value)) for tool, value in calls]
    found = looked_beyond(texts, PLACES)
    assert len(found) <= MOST and found == looked_beyond(texts, PLACES)
    assert all(one.partition(": ")[0] and len(one) < 200 for one in found)


@given(TEXTS, TEXTS)
def test_what_stands_before_it_on_another_line_hides_nothing(before: str, after: str) -> None:
    if not any(mark in before for mark in "'\"`\\$(<#{["):
        command = f"{before}\ncd /work\ncat /hidden/x\n{after}"
        assert any(
            one.startswith("the grader") for one in looked_beyond([("bash", json.dumps({"command": command}))], PLACES)
        )


HARD = (
    "$(",
    "`",
    "'",
    '"',
    "${",
    "<<E\n",
    "a=$a$a;",
    "(",
    "{a,b}",
    "\\",
    "$((",
    "cat <(",
    "/proc/",
    "*",
    "open('",
    "'+'",
    "-(",
    "a.",
    "x[",
    "{a,{",
    "L2hp",
    "git ",
    "~",
)


@pytest.mark.parametrize("piece", HARD)
@pytest.mark.parametrize("form", ["command", "code", "content"])
def test_twice_the_text_is_not_four_times_the_work(piece: str, form: str) -> None:
    """Steps of the interpreter are counted, no clock is read."""
    short, long = (_steps(form, piece * (size // len(piece))) for size in (TEXT_MAX // 8, TEXT_MAX // 4))
    assert long <= 3 * short + 20_000


def _steps(form: str, text: str) -> int:
    count = 0

    def step(*_: object) -> object:
        nonlocal count
        count += 1
        return step

    before = sys.gettrace()
    sys.settrace(step)
    try:
        looked_beyond([("bash", json.dumps({form: text}))], PLACES)
    finally:
        sys.settrace(before)
    return count
