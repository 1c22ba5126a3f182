"""Fault plans: three sources, one meaning, and every mistake told at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.errors import InputError
from denominator.faultbench.plans import QUICK, VARIABLE, Asked, default_faults, read_plan
from denominator.faultbench.points import arming, failpoint_problem, gateway_fault
from denominator.records.faults import CHECKPOINTS, Fault, FaultKind, fault_of

TWO = ("patch_drafted:kill", "apply.renamed=kill@2")
faults = st.builds(
    Fault, at=st.sampled_from(CHECKPOINTS), kind=st.sampled_from([*FaultKind]), value=st.sampled_from(["", "5", "40"])
)


def texts(asked: Asked, environ: dict[str, str] | None = None) -> list[str]:
    return [fault.text for fault in read_plan(asked, environ or {}).faults]


def test_the_command_line_a_file_and_the_environment_say_the_same(tmp_path: Path) -> None:
    lines = tmp_path / "plan.txt"
    lines.write_text("# a comment\npatch_drafted:kill\n\napply.renamed=kill@2   # and one more\n")
    table = tmp_path / "plan.toml"
    table.write_text('name = "two"\nfault = ["patch_drafted:kill", "apply.renamed=kill@2"]\nrepeats = 7\nseed = 4\n')
    assert texts(Asked(faults=TWO)) == [*TWO]
    assert texts(Asked(file=lines)) == [*TWO]
    assert texts(Asked(), {VARIABLE: "patch_drafted:kill, apply.renamed=kill@2"}) == [*TWO]
    plan = read_plan(Asked(file=table), {VARIABLE: "tests_run:kill"})
    assert (plan.name, plan.repeats, plan.seed, [fault.text for fault in plan.faults]) == ("two", 7, 4, [*TWO])


def test_what_is_said_beats_what_is_in_the_file_and_both_lists_of_faults_hold(tmp_path: Path) -> None:
    table = tmp_path / "plan.toml"
    table.write_text('fault = ["patch_drafted:kill"]\nrepeats = 7\n')
    plan = read_plan(Asked(file=table, faults=("tests_run:kill",), repeats=2), {})
    assert ([fault.text for fault in plan.faults], plan.repeats) == (["tests_run:kill", "patch_drafted:kill"], 2)


def test_quick_is_two_points_and_three_repeats_whatever_more_is_named() -> None:
    plan = read_plan(Asked(quick=True), {})
    assert ([fault.text for fault in plan.faults], plan.repeats, plan.quick) == ([*QUICK], 3, True)
    many = read_plan(Asked(quick=True, faults=("tests_run:kill", *TWO)), {})
    assert [fault.text for fault in many.faults] == ["tests_run:kill", "patch_drafted:kill"]


def test_without_any_fault_every_kind_and_every_checkpoint_is_planned() -> None:
    planned = read_plan(Asked(), {}).faults
    assert {fault.kind for fault in planned} == {*FaultKind}
    assert {fault.at for fault in planned} == {*CHECKPOINTS}
    assert [fault.text for fault in planned] == [*default_faults()]


def test_all_mistakes_of_a_plan_are_told_in_one_pass(tmp_path: Path) -> None:
    wrong = (
        "nowhere:kill",
        "patch_applied:explode",
        "what?",
        "tests_run:kill",
        "tests_run:kill",
        "patch_drafted:oom@2",
    )
    with pytest.raises(InputError) as caught:
        read_plan(Asked(faults=wrong, repeats=0), {})
    said = str(caught.value)
    for part in ("nowhere", "patch_applied:explode", "what?", "planned twice", "@nth", "between 1 and 1000"):
        assert part in said
    table = tmp_path / "plan.toml"
    table.write_text('fault = "kill"\nrepeats = true\ncolour = 1\nschema_version = 2\n')
    with pytest.raises(InputError) as caught:
        read_plan(Asked(file=table), {})
    assert len(caught.value.problems) == 4


def test_a_file_that_is_almost_toml_is_said_to_be_no_toml(tmp_path: Path) -> None:
    table = tmp_path / "plan.toml"
    table.write_text("repeats = \n")
    with pytest.raises(InputError, match="not a TOML document"):
        read_plan(Asked(file=table), {})


@given(faults)
def test_a_fault_is_the_same_after_its_text(fault: Fault) -> None:
    assert fault_of(fault.text) == fault


@given(faults)
def test_our_runner_is_stopped_at_the_point_or_its_gateway_makes_the_fault_but_never_both(fault: Fault) -> None:
    by_gateway = gateway_fault(fault, "task")
    armed = arming(fault)
    assert bool(armed) != bool(by_gateway)
    if by_gateway is not None:
        assert (by_gateway.task, by_gateway.attempt) == ("task", 1)
    for item in filter(None, armed.split(",")):
        assert failpoint_problem(fault_of(item.replace("=stop@", "=kill@"))) == ""


def test_a_failpoint_is_seen_before_it_acts() -> None:
    assert arming(fault_of("apply.renamed=enospc@2")) == "apply.renamed=stop@2,apply.renamed=enospc@2"
    assert arming(fault_of("call.sent=sleep:30")) == "call.sent=stop,call.sent=sleep:30"
    assert arming(None) == ""


@pytest.mark.parametrize("text", ["nowhere.else=kill", "apply.renamed=explode", "apply.renamed=stop"])
def test_a_failpoint_that_our_runner_does_not_have_is_refused_with_a_reason(text: str) -> None:
    assert failpoint_problem(fault_of(text))


@pytest.mark.parametrize("kind", ["kill", "hard_exit", "sigterm", "disk_full", "oom"])
def test_a_number_behind_a_kind_that_takes_none_is_refused(kind: str) -> None:
    with pytest.raises(InputError) as error:
        read_plan(Asked(faults=(f"patch_applied:{kind}:5", "patch_applied:slow:5")), {})
    assert [one.where for one in error.value.problems] == [f"patch_applied:{kind}:5"]
