"""The demo: the built-in pack with four agents that call no model."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files

from denominator._version import __version__
from denominator.envelopes import demo_envelope
from denominator.packs import find_pack, load_pack
from denominator.ports import Reporter
from denominator.records.envelopes import Budget
from denominator.wiring.running_cli import Options, Outcome, run_starts
from denominator.wiring.starting import Start

PACK = "holdout16"
WALL_S = 5
ARMS = (
    ("oracle", "oracle", ""),
    ("nop", "nop", ""),
    ("careful", "script", "script_careful.toml"),
    ("hasty", "script", "script_hasty.toml"),
)


def demo_starts(stamp: str) -> list[Start]:
    """One start for each demo arm."""
    return [_start(stamp, label, agent, script) for label, agent, script in ARMS]


def _start(stamp: str, label: str, agent: str, script: str) -> Start:
    text = (
        files("denominator").joinpath("data").joinpath("demo").joinpath(script).read_text(encoding="utf-8")
        if script
        else ""
    )
    envelope = demo_envelope(label, agent, version=__version__, script=script)
    budget: Budget = replace(envelope.budget, wall_s=WALL_S, working_s=WALL_S)
    envelope = replace(envelope, budget=budget)
    return Start(
        envelope=envelope,
        arm=envelope.arm[0],
        where=f"demo arm {label}",
        run_id=f"{stamp}-{label}",
        script_text=text,
    )


def run_demo(options: Options, stamp: str, reporter: Reporter) -> Outcome:
    """Run the four arms in one window over the built-in pack."""
    return run_starts(demo_starts(stamp), load_pack(find_pack(PACK)), options, reporter)
