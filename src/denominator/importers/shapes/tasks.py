"""A task list: what was declared, nothing that happened."""

from __future__ import annotations

from collections.abc import Sequence

from denominator.importers.raw import RawRow
from denominator.importers.shapes.base import Shape

CARD = frozenset(
    {
        "id",
        "task_id",
        "title",
        "slice",
        "stratum",
        "suite",
        "expected",
        "canary",
        "required_missing",
        "negative_control",
    }
    | {"repo_revision", "base_commit", "repo_commit", "prompt_digest", "hidden_test_sha256", "hidden_tests_digest"}
    | {"prompt", "prompt_sha256", "hidden_test", "hidden_tests", "hidden_tests_sha256", "verify_cmd"}
    | {"repo", "revision", "sha", "license", "forbidden_paths", "allowed_files", "ignore", "timeout_s", "token_budget"}
    | {
        "assertions",
        "fail_to_pass",
        "pass_to_pass",
        "hidden_ids",
        "test_cmd",
        "gold_patch",
        "gold",
        "readme",
        "image",
        "language",
    }
)


def _cards(rows: Sequence[RawRow]) -> bool:
    """Do the rows hold nothing but fields of a task card?"""
    return all(row.value.keys() <= CARD for row in rows)


SHAPE = Shape(
    name="tasks",
    method="M12",
    what="ids of the declared tasks with slice, expected ending, canary",
    example='{"id": "n1", "slice": "negative", "expected": "fail_or_abstain"}',
    signs=frozenset({"id"}),
    test=_cards,
    renames={"id": "task_id"},
    needs=("rows (trials or traces of these tasks)",),
    wants=(),
)
