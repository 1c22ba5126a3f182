"""A command line that is kept: word for word, but for secrets and home folders; and what a shell makes of it again."""

from __future__ import annotations

import shlex
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.wire.private import PERSONAL, secret_kinds
from denominator.wire.typed import covered, shell_line


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        (["run", "a b.toml", "--only", "x"], ["run", "a b.toml", "--only", "x"]),
        (["/srv/me/e.toml", "--runs-dir=/srv/me/runs", "/srv/menu"], ["~/e.toml", "--runs-dir=~/runs", "/srv/menu"]),
        (["/home/ann/e.toml", "see:/Users/bob"], ["~ann/e.toml", "see:~bob"]),
        (
            ["--api-key", "abc", "--api_token=abc", "token"],
            ["--api-key", "[covered]", "--api_token=[covered]", "token"],
        ),
        (["postgresql://u:pw@db/x", "sk-abcdefghij0123456789"], ["postgresql[covered]db/x", "[covered]"]),
    ],
)
def test_what_is_covered(typed: list[str], kept: list[str]) -> None:
    assert covered(typed, "/srv/me") == tuple(kept)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12), max_size=6))
def test_a_shell_reads_the_same_words(words: list[str]) -> None:
    assert shlex.split(shell_line(words)) == words


@given(
    st.lists(st.sampled_from(["/home/ann", "/Users/x/y", "sk-abcdefghij0123456789", "password=hunter2", "=", " ", "a"]))
)
def test_nothing_private_is_left(parts: list[str]) -> None:
    (kept,) = covered(["".join(parts)])
    assert not PERSONAL["a home folder"].search(kept)
    assert not {*secret_kinds(kept)} - {"a password", "a long random text, as keys are"}, kept


def test_a_home_folder_is_opened_by_a_shell_and_nothing_else_is() -> None:
    line = shell_line(["~/a b", "~", "$HOME", "x~", "`id`"])
    done = subprocess.run(["sh", "-c", f"printf '%s\\n' {line}"], env={"HOME": "/h"}, capture_output=True, text=True)
    assert done.stdout.splitlines() == ["/h/a b", "/h", "$HOME", "x~", "`id`"]
