"""A subject file: every mistake at once, folders beside it, and checkpoints that are seen without following anything."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.errors import InputError
from denominator.faultbench.subjects.observing import Observer
from denominator.faultbench.subjects.processes import inside
from denominator.faultbench.subjects.terms_command import CommandTerms, checked, read_command

GOOD = """
name = "h"
command = "run {task}"
verify_command = "check {task}"
artifact = "out/{task}.txt"
tools = "tools"
[checkpoint]
patch_applied = "file:done"
"""


def test_a_subject_file_is_read_with_its_folders_beside_it(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "s.toml").write_text(GOOD)
    read = read_command(tmp_path / "s.toml")
    assert (read.tools, read.workspace, read.sandboxed) == (tmp_path / "tools", None, True)
    assert read.line("command", "it's; rm") == """run 'it'"'"'s; rm'"""
    assert read.line("resume_command", "a") == "run a"


def test_every_mistake_of_a_subject_is_told_at_once(tmp_path: Path) -> None:
    terms = CommandTerms(
        name="h", command=" ", verify_command="", artifact="/etc/passwd", journal="../j", tools="gone", effects=0,
        task=("a", "a"), checkpoint={"nowhere": "stopped", "tests_run": "after:soon", "patch_applied": "line:x"},
    )  # fmt: skip
    with pytest.raises(InputError) as caught:
        checked(terms, tmp_path, "here")
    places = [problem.where for problem in caught.value.problems]
    assert sorted(places) == [
        "artifact", "checkpoint.nowhere", "checkpoint.patch_applied", "checkpoint.tests_run", "command", "effects", "journal",
        "task", "tools", "verify_command",
    ]  # fmt: skip


@given(st.text(max_size=20))
def test_no_way_of_seeing_a_checkpoint_makes_it_crash(how: str) -> None:
    terms = CommandTerms(name="h", command="c", verify_command="v", artifact="a", checkpoint={"tests_run": how})
    try:
        checked(terms, Path("/"), "here")
    except InputError as error:
        assert [problem.where for problem in error.problems] == ["checkpoint.tests_run"]


def test_what_is_seen_from_outside(tmp_path: Path) -> None:
    work, out = tmp_path / "work", tmp_path / "out"
    work.mkdir()
    out.mkdir()
    eye = Observer(work=work, said=out / "said.log", since=time.monotonic())
    ways = ("file:done", "line:ledger:two", "output:loaded", "after:100000")
    assert [eye.sees(way) for way in ways] == [False] * 4
    (work / "done").write_text("")
    (work / "ledger").write_text("one\ntwo\n")
    (out / "said.log").write_text("now loaded\n")
    assert [eye.sees(way) for way in ways] == [True, True, True, False]
    assert Observer(work=work, said=out / "said.log", since=time.monotonic() - 200).sees("after:100000")
    (work / "link").symlink_to("/etc/passwd")
    os.mkfifo(work / "pipe")
    assert not eye.sees("line:link:root") and not eye.sees("line:pipe:x")


def test_this_process_is_none_of_the_commands() -> None:
    assert os.getpid() not in inside()
