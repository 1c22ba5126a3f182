"""What foreign rows say of patches: empty or not, applied or not, and what carrying them about did to them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.importers.transport import damage
from denominator.records.rows import PatchFacts
from denominator.records.values import NotMeasured
from unit.importers.given import exits, one, take

STILL = {"base": "c0", "head": "c0", "git_diff_bytes": 0, "untracked": []}


def left(**more: Any) -> Any:
    return one({"runs.jsonl": [{"task_id": "n", **STILL, **more}]}).patch


@pytest.mark.parametrize(
    ("more", "size", "touched"),
    [
        ({}, 0, ()),
        ({"base_to_head_bytes": 0}, 0, ()),
        ({"untracked": ["src/new.py"]}, None, ("src/new.py",)),
        ({"head": "c1", "base_to_head_bytes": 733}, 733, ()),
        ({"head": "c1"}, None, ()),
        ({"git_diff_bytes": 20}, 20, ()),
        ({"staged_bytes": 9}, 9, ()),
        ({"git_diff_bytes": 20, "head": "c1", "base_to_head_bytes": 733}, None, ()),
        ({"git_diff_bytes": None, "untracked": ["a"]}, None, ("a",)),
    ],
)
def test_a_patch_is_empty_only_when_everything_says_so(more: dict[str, Any], size: int | None, touched: Any) -> None:
    patch = left(**more)
    assert isinstance(patch, PatchFacts)
    assert patch.touched == touched
    assert isinstance(patch.bytes, NotMeasured) if size is None else patch.bytes == size


@pytest.mark.parametrize("missing", ["git_diff_bytes", "untracked", "head", "base"])
def test_what_nobody_recorded_leaves_the_patch_unknown(missing: str) -> None:
    patch = left(**{missing: None})
    assert isinstance(patch, NotMeasured)


def test_listed_changes_claim_no_size() -> None:
    patch = one({"traces.jsonl": [{"task_id": "t", "exit_code": 0, "changed": ["a.py"]}]}).patch
    assert isinstance(patch, PatchFacts)
    assert isinstance(patch.bytes, NotMeasured)


APPLIES = [
    {"id": "a", "made_by": "harness", "apply_exit": 128},
    {"id": "c", "made_by": "harness", "apply_exit": 1, "tree_digest_equals": "after"},
    {"id": "d", "made_by": "agent_text", "apply_exit": 128},
    {"id": "e", "made_by": "harness", "apply_exit": 1, "tree_digest_equals": "base"},
    {"id": "f", "made_by": "harness", "apply_exit": 0},
]


def test_a_failed_apply_is_the_harnesss_unless_the_agent_wrote_the_text() -> None:
    imported = take({"runs.jsonl": APPLIES})
    rows = {row.key.task_id: row for row in imported.ledger.rows}
    causes = {task: row.first_unrecovered.cause if row.first_unrecovered else "" for task, row in rows.items()}
    assert causes == {"a": "apply_error", "c": "double_apply", "d": "apply_error", "e": "apply_error", "f": ""}
    assert [rows[task].already_applied for task in "ce"] == [True, False]
    assert {task: exits(imported)[task][:2] for task in "acd"} == {
        "a": ("unscoreable", "HARNESS"),
        "c": ("unscoreable", "HARNESS"),
        "d": ("fail", "MODEL"),
    }


PATCH = b"diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n-a = 1\n+a = 2\n b = 1\n"


@pytest.mark.parametrize(
    ("data", "base", "said"),
    [
        (PATCH, b"a = 1\nb = 1\n", ""),
        (PATCH[:-1], b"", "cut"),
        (PATCH[:-7], b"", "cut"),
        (PATCH.replace(b"\n", b"\r\n"), b"a = 1\n", "line endings"),
        (PATCH.replace(b"= 1\n", b"= 1\r\n").replace(b"= 2\n", b"= 2\r\n"), b"a = 1\r\nb = 1\r\n", ""),
        (PATCH, b"a = 1\r\nb = 1\r\n", "line endings"),
        (b"\xef\xbb\xbf" + PATCH, b"", "byte order mark"),
        (b"", b"", "empty"),
        (PATCH + b"\\ No newline at end of file\n", b"", ""),
    ],
)
def test_what_carrying_a_patch_did_to_it(data: bytes, base: bytes, said: str) -> None:
    found = list(damage(data, [("base/x.py", base)]))
    assert bool(found) == bool(said)
    assert all(said in one for one in found)


@pytest.mark.parametrize("name", ["a/patch.diff", "patches/a.patch", "a.diff"])
def test_the_note_stands_on_the_row_whose_patch_it_is(name: str) -> None:
    imported = take({"runs.jsonl": APPLIES, name: PATCH[:-1]})
    notes = {row.key.task_id: row.notes for row in imported.ledger.rows}
    assert notes["a"] == (f"{name}: its last newline is missing: the patch was cut",)
    assert notes["c"] == ()
    assert notes["a"][0] in imported.report.notes


@given(st.binary(max_size=200), st.binary(max_size=50))
def test_any_bytes_are_looked_at(data: bytes, base: bytes) -> None:
    assert all(isinstance(one, str) for one in damage(data, [("x.py", base)]))
    assert all(isinstance(one, str) for one in damage(PATCH + data, [("x.py", base)]))


KEYS = [
    "git_diff_bytes",
    "untracked",
    "base",
    "head",
    "base_to_head_bytes",
    "staged_bytes",
    "apply_exit",
    "made_by",
    "tree_digest_equals",
]
VALUES = (
    st.none() | st.booleans() | st.integers(-3, 900) | st.text(max_size=5) | st.lists(st.text(max_size=5), max_size=2)
)


@given(st.dictionaries(st.sampled_from(KEYS), VALUES, min_size=1))
def test_any_snapshot_keeps_its_row(told: dict[str, Any]) -> None:
    imported = take({"runs.jsonl": [{"task_id": "n", "git_diff_bytes": 0, **told}]})
    (row,) = imported.ledger.rows
    if isinstance(row.patch, PatchFacts) and row.patch.bytes == 0:
        assert not told.get("untracked")
        assert told.get("git_diff_bytes", 0) == 0


def test_a_hunk_with_an_impossible_size_is_no_crash() -> None:
    list(damage(b"--- a/x\n+++ b/x\n@@ -1," + b"9" * 5_000 + b" +1 @@\n-a\n+b\n"))
