"""Real submissions in the layout of the experiments repository, and hand-made ones with its traps."""

from __future__ import annotations

from collections import Counter

import pytest

from denominator.importers.formats.swebench_experiments import IMPORTER
from denominator.pipeline.foreign import import_foreign
from denominator.wire.sources import open_source
from foreign_data import kinds, read_all, sample

# submitted, completed, resolved, unresolved, empty, error of 91 instances
RUNS = {
    "deepseek-chat-v2": (91, 83, 9, 74, 7, 1),
    "deepseek-coder-v2": (91, 85, 7, 78, 6, 0),
    "doubao-pro-128k": (91, 69, 1, 68, 22, 0),
    "gpt-4o-2024-05-13": (85, 82, 6, 76, 3, 0),
    "gpt-4o-mini-2024-07-18": (1, 1, 1, 0, 0, 0),
}


def part(name: str) -> str:
    return f"verified/20240825_SWE-agent_{name}"


@pytest.mark.parametrize("name", RUNS)
def test_counts_are_as_they_were_counted(name: str):
    submitted, completed, resolved, unresolved, empty, error = RUNS[name]
    found = import_foreign(IMPORTER, open_source(sample("multi-swe-bench-experiments")), part(name))
    published = {one.metric: one.value for one in found.run.told.published}
    assert published == {
        "total_instances": "91", "submitted_instances": str(submitted), "completed_instances": str(completed),
        "resolved_instances": str(resolved), "unresolved_instances": str(unresolved),
        "empty_patch_instances": str(empty), "error_instances": str(error), "unstopped_instances": "0",
    }  # fmt: skip
    sheet = found.result.judged.sheet
    exits = Counter(draw.exit for draw in sheet.draws)
    assert sheet.declared_n == 91 and sum(exits.values()) == 91
    assert exits["pass"] == resolved and exits["fail"] == unresolved
    if name != "gpt-4o-mini-2024-07-18":
        assert (exits["abstain"], exits["unscoreable"], exits["never_started"]) == (empty, error, 91 - submitted)
        assert kinds(found.run) == []


def test_predictions_that_nobody_evaluated_are_told():
    run, rows = read_all(IMPORTER, open_source(sample("multi-swe-bench-experiments")), part("gpt-4o-mini-2024-07-18"))
    assert kinds(run) == ["not_evaluated"]
    assert len(rows) == 84


def test_predictions_with_patches_that_are_null():
    _, rows = read_all(IMPORTER, open_source(sample("multi-swe-bench-experiments")), part("gpt-4o-2024-05-13"))
    assert len(rows) == 85
    assert sum(one.row.patch.bytes == 0 for one in rows) == 3


def test_hand_made_submissions_with_their_traps():
    files = open_source(sample("handmade-formats", "experiments"))
    run, rows = read_all(IMPORTER, files, "verified/20260101_acme-agent_m1")
    assert (run.declared.declared_n, len(rows)) == (500, 4)
    assert "duplicate_ids" in kinds(run, blocks=False)
    assert any("not a yes or no" in note for note in run.told.notes)
    run, rows = read_all(IMPORTER, files, "bash-only/20260101_mini-v2.0.0_m1")
    assert (run.declared.declared_n, len(rows)) == (500, 2)
