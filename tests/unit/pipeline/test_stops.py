"""Who ended an agent phase: the first reason is kept, a refused budget outlives whatever the agent does after."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from denominator.pipeline.agent_phase import nothing_run
from denominator.pipeline.stops import GRACE_S, LOST, PAUSED, PhaseStop, cut_of
from denominator.records.words import KilledBy
from denominator.run.spending import FAILED_CALLS, RUN_CAP

S = 1_000_000_000


@dataclass
class Clock:
    now: int = 100 * S
    boot_id: str = "b"

    def mono_ns(self) -> int:
        return self.now

    def wall(self) -> str:
        return ""

    def sleep(self, seconds: float) -> None:
        self.now += int(seconds * S)


@dataclass
class Lease:
    paused_ms: int = 0
    refused_by: str = ""
    refused_ns: int = 0
    waiting: bool = False
    lost: bool = False


@dataclass
class Flag:
    on: bool = False

    def is_set(self) -> bool:
        return self.on


class World:
    def __init__(self, working_s: int = 30) -> None:
        self.clock, self.lease, self.outer = Clock(), Lease(), Flag()
        self.stop = PhaseStop(self.outer, self.lease, self.clock, working_s)
        assert not self.stop.is_set()

    def after(self, seconds: float) -> bool:
        self.clock.sleep(seconds)
        return self.stop.is_set()

    def ended(self, killed_by: str, *, waiting: bool = False):
        cut = cut_of(self.stop, replace(nothing_run(), killed_by=killed_by), waiting)
        return cut.ended.killed_by, cut.by


def test_working_time_is_the_time_without_pauses():
    world = World()
    assert not world.after(29)
    world.lease.paused_ms = 20_000
    assert not world.after(20)
    assert world.after(1)
    assert world.ended(KilledBy.HARNESS_STOP) == ("budget_working", "")


def test_a_refused_budget_gives_a_grace_and_then_ends_it():
    world = World(working_s=600)
    world.lease.refused_by, world.lease.refused_ns = "tool_calls", world.clock.now
    assert not world.after(GRACE_S - 1)
    assert world.after(1)
    assert world.ended(KilledBy.HARNESS_STOP) == ("budget_tool_calls", "")


@pytest.mark.parametrize("killed_by", ["nobody", "self", "budget_wall", "kernel_oom", "harness_stop"])
@pytest.mark.parametrize(
    ("refused", "found"),
    [
        ("tokens", ("budget_tokens", "")),
        ("calls", ("budget_calls", "")),
        ("tool_calls", ("budget_tool_calls", "")),
        (RUN_CAP, ("harness_stop", RUN_CAP)),
        (FAILED_CALLS, ("harness_stop", FAILED_CALLS)),
    ],
)
def test_whatever_ends_it_after_a_refusal_the_budget_did(refused, found, killed_by):
    world = World()
    world.lease.refused_by, world.lease.lost = refused, True
    assert world.ended(killed_by) == found


def test_a_lost_gateway_ends_it_at_once():
    world = World()
    world.lease.lost = True
    assert world.after(0)
    assert world.ended(KilledBy.HARNESS_STOP) == ("harness_stop", LOST)
    assert World.ended(world, KilledBy.NOBODY) == ("nobody", LOST)


@pytest.mark.parametrize("killed_by", ["nobody", "self", "budget_wall", "kernel_oom"])
def test_an_agent_that_ended_before_the_loss_was_seen_ended_by_it(killed_by):
    world = World()
    world.lease.lost = True
    assert world.ended(killed_by) == (killed_by, LOST)


def test_a_stop_of_the_harness_is_no_ending_even_when_the_gateway_is_gone_by_then():
    world = World()
    world.outer.on = True
    assert world.after(0)
    world.lease.lost = True
    assert world.ended(KilledBy.HARNESS_STOP) == ("harness_stop", "")


def test_the_wall_clock_in_a_pause_is_the_providers_and_else_the_agents():
    assert World().ended(KilledBy.BUDGET_WALL, waiting=True) == ("budget_wall", PAUSED)
    assert World().ended(KilledBy.BUDGET_WALL) == ("budget_wall", "")
    assert World().ended(KilledBy.NOBODY, waiting=True) == ("nobody", "")
