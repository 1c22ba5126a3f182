"""The public tables of aider's leaderboards: entries, sizes, mixtures and the entries that print a percent of another number."""

from __future__ import annotations

from collections import Counter

import pytest

from denominator.importers.formats.aider_leaderboard import IMPORTER
from denominator.wire.sources import open_source
from foreign_data import sample

FACTS = {
    # entries, sizes, entries without a cost, with mixed commits, with a changed tree, with pass_num_2, partial
    "polyglot_leaderboard": (69, {"225": 63, "224": 5, "223": 1}, 18, 2, 37, 69, 6),
    "edit_leaderboard": (98, {"133": 93, "132": 2, "33": 1, "36": 1, "225": 1}, 68, 9, 34, 1, 0),
    "refactor_leaderboard": (14, {"89": 11, "83": 1, "88": 2}, 2, 2, 8, 0, 0),
    "quant": (14, {"133": 12, "132": 2}, 9, 5, 7, 0, 0),
    "architect": (20, {"133": 19, "36": 1}, 0, 1, 14, 0, 0),
    "qwen3_leaderboard": (10, {"225": 10}, 7, 1, 7, 10, 0),
}


@pytest.mark.parametrize("name", FACTS)
def test_table(name):
    files = open_source(sample("aider-leaderboards", f"{name}.yml"))
    runs = [IMPORTER.read(files, part.name) for part in IMPORTER.recognise(files).parts]
    printed = [{one.metric: one.value for one in run.told.published} for run in runs]
    told = [{one.kind for one in run.told.defects} for run in runs]
    assert (
        len(runs),
        Counter(one["test_cases"] for one in printed),
        sum("total_cost" not in one for one in printed),
        sum("mixed_commit_hash" in one for one in told),
        sum("dirty_commit" in one for one in told),
        sum("pass_num_2" in one for one in printed),
        sum("partial_run" in one for one in told),
    ) == FACTS[name]
    assert not any(list(run.rows) for run in runs)


PARTIAL = {
    "2024-12-21-19-23-03--polyglot-o1-hard-diff": ("224", "225", "139", "61.7"),
    "2025-01-31-20-42-47--o3-mini-diff-high": ("224", "225", "136", "60.4"),
    "2025-02-15-19-51-22--chatgpt4o-feb15-diff": ("223", "225", "61", "27.1"),
    "2025-02-27-20-26-15--gpt45-diff3": ("224", "225", "101", "44.9"),
    "2025-06-06-16-47-07--r1-diff": ("224", "225", "160", "71.4"),
    "2025-06-27-23-53-57--o3-mini-high-diff-arch": ("224", "225", "176", "78.2"),
}


@pytest.mark.parametrize("name", PARTIAL)
def test_partial_entries(name):
    run = IMPORTER.read(open_source(sample("aider-leaderboards", "polyglot_leaderboard.yml")), name)
    printed = {one.metric: one.value for one in run.told.published}
    assert tuple(printed[one] for one in ("test_cases", "total_tests", "pass_num_2", "pass_rate_2")) == PARTIAL[name]
    assert run.declared.declared_n == 225


def test_all_tables_at_once():
    found = IMPORTER.recognise(open_source(sample("aider-leaderboards")))
    assert len(found.parts) == len({one.name for one in found.parts}) == 240
