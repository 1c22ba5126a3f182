"""Scans of a pack beside traces: what rejects the pack, and which tool calls have read the answer."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.importers.leaks import Scan, leaks_read, scans_of
from unit.importers.given import exits, kinds, one, take

LONG = "9f1c2b7a4d5e6f708192a3b4c5d6e7f8091a2b3c"
SCAN = {
    "base_commit": "c0",
    "reachable_newer": ["c7", LONG, "tag:v9"],
    "files_outside_repo": ["/tmp/fix.patch", "/root/.cache/solution.py"],
    "agent_image_has": ["tests/hidden/test_bill.py", "tests/test_open.py"],
    "hidden_tests": ["tests/hidden/test_bill.py"],
}
FOUND = scans_of([SCAN]).pack

READS = [
    ("git show c7:src/bill.py", "c7"),
    ("git diff c0..c7", "c7"),
    ("git -C /repo show c7^ -- a", "c7"),
    (f"git cherry-pick {LONG[:9]}", LONG),
    (f"curl file:///x/{LONG}", LONG),
    (f"cat .git/objects/{LONG[:2]}/{LONG[2:]} | zlib-flate", LONG),
    ("git checkout v9", "tag:v9"),
    ("git log refs/tags/v9..HEAD", "tag:v9"),
    ("git show tags/v9", "tag:v9"),
    ("cat /tmp/fix.patch", "/tmp/fix.patch"),
    ("patch -p1 </tmp/fix.patch", "/tmp/fix.patch"),
    ("cat '/tmp//fix.patch'", "/tmp/fix.patch"),
    ("cd /tmp && cat fix.patch", "/tmp/fix.patch"),
    ("cat /tmp/*.patch", "/tmp/fix.patch"),
    ("python -m pytest /repo/tests/hidden/test_bill.py::test_a", "tests/hidden/test_bill.py"),
    ("cat ./tests/hidden/test_bill.py", "tests/hidden/test_bill.py"),
    ("cat tests/hidden/*.py", "tests/hidden/test_bill.py"),
    ("git show HEAD:tests/hidden/test_bill.py", "tests/hidden/test_bill.py"),
    ("git log --all -S price", "history newer than base (git log --all)"),
    ("git log -p --reflog", "history newer than base (git log -p --reflog)"),
    ("git reflog", "history newer than base (git reflog)"),
    ("git fsck --lost-found", "history newer than base (git fsck --lost-found)"),
]
CLEAN = [
    "git log --oneline -3",
    "git show HEAD",
    "git diff --stat",
    "git branch --all-match",
    "git fetch --all",
    "git add --all",
    "git commit --all -m 'log'",
    "git log --oneline && ls --all",
    "echo c7",
    "git log -3 -- src/c7/a.py",
    "git show c70",
    "git show v9.1",
    "git checkout v9-fix",
    "pip install v9",
    "cat fix.patch",
    "ls /tmp",
    "cat /tmp/fix.patch.orig",
    "cat other/tmp/fix.patches",
    "cat tests/test_bill.py",
    "pytest tests",
    "cat tests/test_open.py",
    f"git show {LONG[:6]}",
    "python solution.py",
]


@pytest.mark.parametrize(("command", "place"), READS)
def test_a_call_that_names_a_leak_has_read_it(command: str, place: str) -> None:
    assert place in leaks_read([command], FOUND)


@pytest.mark.parametrize("command", CLEAN)
def test_ordinary_work_is_clean(command: str) -> None:
    assert leaks_read([command], FOUND) == ()


def test_a_whole_history_is_no_leak_where_nothing_newer_is_there() -> None:
    assert leaks_read(["git log --all -p"], Scan(files=("/tmp/x",))) == ()


def trace(args: Any) -> list[dict[str, Any]]:
    calls = [{"name": "sh", "args": args, "result_sha": "r"}]
    return [{"task_id": "z", "exit_code": 0, "written_tests": False, "tool_calls": calls}]


@pytest.mark.parametrize(
    "args",
    [{"path": "/tmp/fix.patch"}, {"deep": [{"file": "/tmp/fix.patch"}]}, '{"path": "/tmp/fix.patch"}', ["cat", "/tmp/fix.patch"]],
)  # fmt: skip
def test_arguments_are_searched_however_they_are_written(args: Any) -> None:
    assert one({"traces.jsonl": trace(args), "pack_scan.json": SCAN}).leaks_read == ("/tmp/fix.patch",)


def test_a_leaky_pack_is_rejected_and_a_row_that_read_it_is_no_pass() -> None:
    imported = take({"traces.jsonl": trace({"cmd": "git show c7"}), "pack_scan.json": SCAN})
    told = [one.what for one in imported.ledger.defects if one.kind == "leaky_pack"]
    assert told[0] == f"pack rejected: 3 reachable objects newer than base: c7, {LONG}, tag:v9"
    assert [what.split(": ")[1] for what in told[1:]] == [*SCAN["files_outside_repo"], "tests/hidden/test_bill.py"]
    assert exits(imported)["z"][0] == "fail"
    clean = take({"traces.jsonl": trace({"cmd": "ls"}), "pack_scan.json": {**SCAN, "reachable_newer": [], "files_outside_repo": [], "agent_image_has": []}})  # fmt: skip
    assert kinds(clean) == []
    assert exits(clean)["z"][0] == "pass"


def test_a_scan_may_be_about_one_task() -> None:
    rows = [{**trace({"cmd": "cat /tmp/a"})[0], "task_id": task} for task in ("x", "y")]
    scan = {"x": {"files_outside_repo": ["/tmp/a"]}, "y": {"files_outside_repo": []}}
    found = {row.key.task_id: row.leaks_read for row in take({"traces.jsonl": rows, "scan.json": scan}).ledger.rows}
    assert found == {"x": ("/tmp/a",), "y": ()}


@given(st.lists(st.text(max_size=40), max_size=4), st.lists(st.text(max_size=12), max_size=3), st.text(max_size=12))
def test_any_text_and_any_scan_are_read(texts: list[str], listed: list[str], path: str) -> None:
    document = {
        "reachable_newer": listed,
        "files_outside_repo": [path],
        "agent_image_has": [path, 1],
        "hidden_tests": [path],
    }
    scan = scans_of([document]).pack
    found = leaks_read(texts, scan)
    assert {*found} <= {*scan.newer, *scan.files, *scan.hidden} | {one for one in found if one.startswith("history")}


@pytest.mark.parametrize(
    "command",
    ["git" + " -c" * 200 + " !", "git log " * 20_000, "git -c " * 20_000, "git fsck " * 20_000 + "| git reflogs"],
)
def test_commands_made_to_keep_the_reader_busy_are_soon_read(command: str) -> None:
    started = time.monotonic()
    assert leaks_read([command], FOUND) == ()
    assert time.monotonic() - started < 10


@pytest.mark.parametrize(
    "command",
    [
        "git log x; git -c core.pager='a|b' --no-pager log -p --all",
        "git log && git log --all",
        "git log -p \\\n  --all",
        "git log " + "-p " * 5_000 + "--all",
        "git " + "-c a=b " * 100 + "log --all",
    ],
)
def test_the_history_is_printed_wherever_the_word_for_it_stands(command: str) -> None:
    assert any(one.startswith("history newer than base (git ") for one in leaks_read([command], FOUND))


@pytest.mark.parametrize("command", ["git log -p | grep -- --all", "git log\ncat --all", "git log; ls --all"])
def test_a_word_of_another_command_is_none_of_gits(command: str) -> None:
    assert leaks_read([command], FOUND) == ()
