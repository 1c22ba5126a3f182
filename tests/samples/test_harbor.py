"""The jobs that a real Harbor wrote: ten kinds of failure, three times; a nop, an oracle, a job that was interrupted."""

from __future__ import annotations

from collections import Counter

import pytest

from denominator.importers.formats.harbor import IMPORTER
from foreign_data import sample
from unit.importers.formats.foreign_lab import judged, kinds, read_all

PASS, FAIL = ("pass", "MODEL", ""), ("fail", "MODEL", "")
GRADER, LATE = ("unscoreable", "HARNESS", "grader_error"), ("unscoreable", "HARNESS", "harness_timeout")
LIMIT, GONE = ("unscoreable", "INFRA", "provider_rate_limit"), ("unscoreable", "HARNESS", "harness_killed")
JOBS = {
    "fake_k3": (30, 30, {PASS: 3, FAIL: 18, LIMIT: 3, GRADER: 3, LATE: 3}),
    "nop": (10, 10, {FAIL: 8, GRADER: 1, LATE: 1}),
    "oracle": (10, 10, {PASS: 5, FAIL: 3, GRADER: 1, LATE: 1}),
    "sigint_interrupted": (20, 10, {PASS: 2, FAIL: 4, LIMIT: 1, GRADER: 1, GONE: 2}),
}


@pytest.mark.parametrize("name", JOBS)
def test_a_job(name):
    scheduled, rows_n, ends = JOBS[name]
    run, rows = read_all(IMPORTER, sample("harbor-0.26.0") / "jobs", name)
    assert (run.declared.declared_n, len(rows)) == (scheduled, rows_n)
    assert Counter(judged(one, run.document["on_timeout"]) for one in rows.values()) == ends
    assert kinds(run, blocks=True) == []
    told = {one.metric.rpartition(" ")[2]: one.value for one in run.told.published}
    valid = sum(ends.get(one, 0) for one in (PASS, FAIL))
    assert int(told["n_trials"]) == valid, "Harbor's denominator is the trials with a valid reward"
    assert told["n_total_trials"] == str(scheduled)


def test_the_folder_above_shows_every_job_and_takes_no_task_for_one():
    from denominator.wire.sources import open_source

    parts = IMPORTER.recognise(open_source(sample("harbor-0.26.0"))).parts
    assert [one.name for one in parts] == list(JOBS)


def test_only_what_the_lock_does_not_say_is_told_of_the_interrupted_job():
    run, rows = read_all(IMPORTER, sample("harbor-0.26.0") / "jobs" / "sigint_interrupted")
    assert kinds(run) == ["interrupted", "unknown_exception"]
    assert {repeat for _, repeat in rows} == {1}
    assert {one.repeats for one in run.declared.tasks} == {2}


def test_one_trial_alone():
    folder = next((sample("harbor-0.26.0") / "jobs" / "nop").glob("a-pass__*"))
    _, rows = read_all(IMPORTER, folder)
    assert rows["a-pass", 1].row.grade == "red"
