"""Two runs of a public submission to Terminal-Bench, one of which holds a copy of the other."""

from __future__ import annotations

from collections import Counter

import pytest

from denominator.importers.formats.terminal_bench import IMPORTER
from denominator.wire.sources import open_source
from foreign_data import sample
from unit.importers.formats.foreign_lab import judged, kinds, read_all

PASS, FAIL = ("pass", "MODEL", ""), ("fail", "MODEL", "")
GRADER, LATE = ("unscoreable", "HARNESS", "grader_error"), ("unscoreable", "HARNESS", "harness_timeout")
AGENT = ("unscoreable", "INFRA", "env_flake")
RUNS = {
    "2025-08-15__16-23-45": ({PASS: 13, FAIL: 58, GRADER: 5, LATE: 4}, "0.1625", ["nested_copy"]),
    "2025-08-15__19-28-24": ({PASS: 6, FAIL: 11, AGENT: 59, GRADER: 3, LATE: 1}, "0.075", ["run_inside"]),
}


@pytest.mark.parametrize("name", RUNS)
def test_a_run(name):
    ends, accuracy, told = RUNS[name]
    run, rows = read_all(IMPORTER, sample("terminal-bench-leaderboard"), name)
    assert (run.declared.declared_n, len(rows)) == (80, 80)
    assert Counter(judged(one, run.document["on_timeout"]) for one in rows.values()) == ends
    assert kinds(run) == told
    printed = {one.metric: one.value for one in run.told.published}
    assert (printed["accuracy"], printed["n_resolved"]) == (accuracy, str(ends[PASS]))
    nulls = sum(many for one, many in ends.items() if one[0] == "unscoreable")
    assert f"{nulls} of 80 trials have no verdict" in run.told.notes[0]


def test_a_timeout_that_passes_is_a_pass_that_is_marked():
    _, rows = read_all(IMPORTER, sample("terminal-bench-leaderboard"), "2025-08-15__16-23-45")
    late = [one.row for one in rows.values() if one.row.after_cap is True]
    assert Counter(row.grade for row in late) == {"red": 10, "green": 1}


def test_the_copy_is_no_run_of_its_own():
    assert [one.name for one in IMPORTER.recognise(open_source(sample("terminal-bench-leaderboard"))).parts] == list(
        RUNS
    )
