"""What the keys of foreign task cards and image listings mean. Keys are compared in lower case, with `_` for `-`."""

from __future__ import annotations

import re

ID = ("id", "task_id", "instance_id", "name", "task")
FLIP = ("fail_to_pass", "f2p", "must_flip", "must_turn_green")
HOLD = ("pass_to_pass", "p2p", "must_hold", "must_stay_green")
IDS = ("hidden_ids", "expected_tests", "test_ids", "expected_ids", "hidden_test_ids", "hidden_test_names")
HIDDEN = (
    "hidden_test",
    "hidden_tests",
    "hidden_files",
    "hidden_paths",
    "hidden_test_files",
    "test_file",
    "test_files",
    "test_path",
)
HIDDEN_TEXT = ("test_patch", "hidden_text", "hidden_source", "hidden_test_source", "hidden_code", "hidden_test_code")
CHECKS = ("assertions", "env_assertions", "nl_assertions", "checks", "asserts", "counters", "criteria", "rubric")
COMMAND = (
    "test_cmd",
    "test_command",
    "verify_cmd",
    "verify_command",
    "verify",
    "eval_cmd",
    "eval_command",
    "test_cmds",
    "grade_cmd",
)
GOLD = ("gold", "gold_patch", "gold_lines", "patch", "solution", "reference_patch", "oracle_patch")
VALUES = (
    "expected_values",
    "expected_value",
    "expected_outputs",
    "expected_output",
    "hidden_values",
    "answers",
    "answer",
)
FILES = ("files", "repo_files", "visible_files", "snapshot", "sources")
SHOWN = re.compile(
    r"prompt|readme|comment|statement|instruction|description|hint|issue|\Aspec|question|context|code_seen"
)
ABOUT = frozenset(
    {
        "repo",
        "sha",
        "commit",
        "base_commit",
        "base_sha",
        "base_date",
        "license",
        "licence",
        "slice",
        "control",
        "expected",
        "canary",
    }
    | {
        "version",
        "title",
        "url",
        "language",
        "timeout_s",
        "allowed",
        "forbidden",
        "forbidden_paths",
        "negative_control",
        "family",
    }
    | {"environment_setup_commit", "created_at", "schema_version", "reason", "difficulty", "source"}
)
"""Keys that say what a task is about: read where a rule needs them, and never searched."""

NEWER = re.compile(r"newer|reflog|stash|orig_head|fetch_head|unreachable|dangling|later_commits|future")
REFS = ("refs", "tags", "branches", "remotes", "commits", "objects", "loose_objects", "packed_objects")
OUTSIDE = re.compile(r"outside|\Atmp|\Atemp|_tmp\Z|_temp\Z|temp_files|tmp_files|temporary")
IMAGE = re.compile(
    r"image|agent_sees|agent_files|snapshot_files|ignored|build_output|artifacts|workspace_files|in_repo"
)
REWARD = re.compile(r"reward|basis|score|scoring")
SAME = frozenset({"head", "main", "master", "trunk"})
"""Names of refs that stand for the base commit itself."""


def plain(key: str) -> str:
    """A key as it is compared."""
    return key.strip().lower().replace("-", "_")


def is_listing_key(key: str) -> bool:
    """Is this one of an image listing's keys?"""
    return bool(NEWER.search(key) or OUTSIDE.search(key) or IMAGE.search(key)) or key in REFS
