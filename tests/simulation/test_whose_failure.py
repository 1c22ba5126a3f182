"""Whose failure was it? Faults that happen for real, in runs of the shipped pack; every label is held against a table."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping

import pytest

from simulation import faults_model, faults_runs, faults_script
from simulation.faults import AXES, Said, censored, confusion, said_of
from simulation.faults_pack import TASKS, altered_pack

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.xdist_group("whose-failure"),
]
EXPECTED: Mapping[str, Said] = {
    **{f"faults {task}": case.said for task, case in faults_script.CASES.items()},
    **{f"asking {task}": said for task, said in faults_model.ENDS.items()},
    "coin config-interpolation": censored("FLAKY_TEST", "env_flake"),
}
MEMORY = "memory is limited by control groups, which are root's"
NEEDS: Mapping[str, tuple[Callable[[], bool], str]] = {
    f"faults {faults_script.FULL}": (faults_runs.can_mount, "a small disk is mounted by root only"),
    f"faults {faults_script.EATS}": (lambda: os.geteuid() == 0, MEMORY),
    f"asking {faults_model.EATS}": (lambda: os.geteuid() == 0, MEMORY),
}


def cannot(row: str) -> str:
    """Why the fault of a row cannot be brought about by this user; empty: it can."""
    able, why = NEEDS.get(row, (lambda: True, ""))
    return "" if able() else why


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Said]:
    """What `denominator labels RUN --json` says of each row, by run and task."""
    folder = tmp_path_factory.mktemp("faults")
    altered_pack(folder)
    rows = {
        "faults": faults_runs.scripted(folder),
        "asking": faults_runs.asked(folder),
        "coin": faults_runs.tossed(folder),
    }
    return {
        f"{run} {task}": said_of(row, EXPECTED[f"{run} {task}"].tags)
        for run, by_task in rows.items()
        for task, row in by_task.items()
    }


def test_the_table_names_every_ending() -> None:
    assert {f"{run} {task}" for run in ("faults", "asking") for task in TASKS} | {"coin config-interpolation"} == set(
        EXPECTED
    )
    for axis, words in AXES.items():
        assert {getattr(one, axis) for one in EXPECTED.values()} >= set(words), axis


@pytest.mark.parametrize("row", EXPECTED)
def test_a_row_is_labelled_as_what_caused_it(said: Mapping[str, Said], row: str) -> None:
    if why := cannot(row):
        pytest.skip(why)
    assert said[row] == EXPECTED[row]


def test_no_label_is_beside_the_diagonal(
    said: Mapping[str, Said], record_property: Callable[[str, object], None]
) -> None:
    assert said.keys() == EXPECTED.keys()
    rows = [row for row in EXPECTED if not cannot(row)]
    pairs = [(EXPECTED[row], said[row]) for row in rows]
    tables = "\n\n".join(confusion(axis, pairs) for axis in AXES)
    record_property("shown_at_end", tables)
    assert all(want == got for want, got in pairs), f"\n{tables}"
