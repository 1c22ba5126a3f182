"""What manifests say about citing: rule, selection, recipe, siblings, dates, limits, pins; nothing is guessed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.importers import import_rows


def terms(manifest: dict[str, Any], rows: list[dict[str, Any]] | None = None) -> Any:
    lines = "\n".join(map(json.dumps, rows or [{"run_id": "r1", "task_id": "t1", "outcome": "pass"}]))
    files = [("manifest.json", json.dumps(manifest).encode()), ("runs.jsonl", lines.encode())]
    return import_rows(files)


def test_everything_that_a_manifest_states() -> None:
    stated = {
        "claim_id": "c1", "cite": {"rule": "first-complete"}, "selection": "convenience", "rerun_recipe": ["make a", "make b"],
        "sibling_runs": ["r2", "r1"], "dates": ["2026-03-01", "2026-03-02T23:30:00-02:00", "soon"], "task_ids": ["t1"],
    }  # fmt: skip
    found = terms(stated).terms
    assert (found.claim_id, found.cite_rule, found.selection) == ("c1", "first-complete", "convenience")
    assert found.rerun == "make a; make b"
    assert found.siblings == ("r2",)
    assert found.dates == ("2026-03-01", "2026-03-03")


@pytest.mark.parametrize("empty", ["", "REPLACE", "<why>", "unspecified", None, {}, []])
def test_placeholders_state_nothing(empty: Any) -> None:
    found = terms({"task_ids": ["t1"], "cite_rule": empty, "selection": empty, "rerun": empty, "claim_id": empty}).terms
    assert (found.cite_rule, found.selection, found.rerun) == ("", "", "")


@pytest.mark.parametrize(
    ("stamp", "date"),
    [
        ("2026-03-01T23:30:00-02:00", "2026-03-02"), ("2026-03-01T01:00:00+03:00", "2026-02-28"), (1772323200, "2026-03-01"),
        (1772323200000, "2026-03-01"), ("2026-03-01", "2026-03-01"), ("yesterday", ""), (True, ""), (1e300, ""),
    ],
)  # fmt: skip
@pytest.mark.parametrize("column", ["started_at", "timestamp"])
def test_a_stamp_is_a_utc_date_or_nothing(column: str, stamp: Any, date: str) -> None:
    row = {"run_id": "r1", "task_id": "t1", "outcome": "pass", column: stamp}
    (found,) = terms({"task_ids": ["t1"]}, [row]).ledger.rows
    assert (found.started_at[:10] if isinstance(found.started_at, str) else "") == date


def test_a_card_field_may_stand_on_every_row_or_in_the_manifest() -> None:
    rows = [{"run_id": "r1", "task_id": task, "outcome": "pass", "prompt_sha256": f"p{task}"} for task in ("t1", "t2")]
    found = terms({"task_ids": ["t1", "t2"], "timeout_s": 60, "commit": "of the harness"}, rows).terms
    fields = {field for _, field in found.unpinned}
    assert fields == {"repo_revision", "hidden_test_sha256", "allowed_files", "token_budget"}
    del rows[1]["prompt_sha256"]
    assert ("t2", "prompt_sha256") in terms({"task_ids": ["t1", "t2"]}, rows).terms.unpinned


def headed(seed: int, **header: Any) -> tuple[str, bytes]:
    lines = [
        {"header": {"seed": seed, **header}},
        {"task_id": "t1", "slice": "positive", "outcome": "pass", "seed": seed},
    ]
    return f"seed-{seed}.jsonl", "\n".join(map(json.dumps, lines)).encode()


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_two_headers_differ_in_a_limit_or_they_do_not(first: int, second: int) -> None:
    made = import_rows([headed(7, timeout=first, note="a"), headed(11, timeout=second, note="b")])
    differing = [defect for defect in made.ledger.defects if defect.kind == "limits_differ"]
    assert bool(differing) == (first != second)
    assert all(defect.blocks and defect.what.startswith("timeout:") for defect in differing)


@pytest.mark.parametrize(("cap", "attempts"), [(0, 1), (2, 3)])
def test_a_cap_on_retries_is_one_try_more(cap: int, attempts: int) -> None:
    made = terms({"task_ids": ["t1"], "retry_cap": cap})
    assert made.terms.attempts == attempts
    assert not [defect for defect in made.ledger.defects if defect.kind == "bad_manifest"]
