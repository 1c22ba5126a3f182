"""Presets of real agents: listed, of one form, filled into the arm, and refused where they cannot run."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from denominator.adapters.agents.command import problems
from denominator.adapters.agents.preset import equipped, preset_problems
from denominator.adapters.agents.presets import PRESETS, preset_named
from denominator.adapters.agents.presets.agent import PresetAgent
from denominator.adapters.agents.presets.shape import APIS, CARRIED, HERE
from denominator.ports import AgentTask
from denominator.readers.trajectories import FORMATS
from denominator.records.envelopes import Arm, ModelTerms
from denominator.testing.agent_suite import check_plan
from denominator.wire.providers import Api
from unit.adapters.agents.tasks import agent_task

ROOT = Path(__file__).resolve().parents[4]
FOLDER = ROOT / "src/denominator/adapters/agents/presets"
FRAME = {"__init__", "shape", "agent"}
EVERY = pytest.mark.parametrize("preset", PRESETS, ids=lambda one: one.name)


def _arm(preset, **more) -> Arm:
    return Arm(label="a", agent=preset.name, mounts=(f"/srv/x={HERE}",), model=ModelTerms(id="m-1"), **more)


def _task(preset, **more) -> AgentTask:
    return replace(agent_task(), arm=_arm(preset, **more))


def test_every_file_is_a_listed_preset_and_an_entry_point():
    files = {path.stem for path in FOLDER.glob("*.py")} - FRAME
    points = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"][
        "denominator.agents"
    ]
    named = {name: where for name, where in points.items() if ".presets." in where}
    assert files == {preset.name.replace("-", "_") for preset in PRESETS}
    assert set(named) == {preset.name for preset in PRESETS}
    for name, where in named.items():
        module, _, attribute = where.partition(":")
        made = getattr(import_module(module), attribute)()
        assert (made.name, made.preset) == (name, preset_named(name))


@EVERY
def test_it_conforms_and_asks_for_the_model(preset):
    task = _task(preset)
    assert check_plan(lambda: PresetAgent(preset), task) == []
    plan = PresetAgent(preset).plan(task)
    assert plan.needs_model
    assert plan.trace is not None and plan.trace.format in FORMATS
    assert dict(plan.trace.endings) == {said: str(word) for said, word in preset.endings.items()}
    assert plan.argv[0].startswith(HERE) or plan.argv[0] == "node"


@EVERY
def test_it_is_of_the_form(preset):
    assert problems(equipped(_arm(preset))) == []
    assert preset.api in APIS
    assert preset.ran in ("run by us", "untested")
    assert preset.against in preset.install
    assert preset.version_in(f"{preset.name} {preset.against}\n") == preset.against
    assert preset.version_in("no such file") == ""
    assert all(key.startswith(("status:", "exit:")) for key in preset.endings)
    assert all(".." not in path and not path.startswith("/") for path in preset.trace.files.values())


@EVERY
def test_a_page_says_what_it_was_written_against(preset):
    page = (ROOT / "docs" / "agents" / f"{preset.name}.md").read_text("utf-8")
    assert preset.against in page
    assert preset.ran in page


@EVERY
def test_filling_an_arm_twice_changes_nothing(preset):
    once = equipped(_arm(preset))
    assert once.command == preset.command
    assert equipped(once) == once


def test_an_arm_without_a_preset_stays_as_it_is():
    arm = Arm(agent="command", command=("a",))
    assert equipped(arm) is arm


def test_what_the_arm_writes_wins():
    aider = preset_named("aider")
    longer = equipped(
        _arm(aider, command=("{preset}", "--edit-format", "diff"), env={"OPENAI_API_BASE": "x", "B": "1"})
    )
    assert longer.command == (*aider.command, "--edit-format", "diff")
    assert longer.env == {**aider.env, "OPENAI_API_BASE": "x", "B": "1"}
    other = equipped(_arm(aider, command=("sh", "{prompt_file}")))
    assert other.command == ("sh", "{prompt_file}")


def test_a_mistake_of_the_arm_is_found_as_in_a_command():
    aider = preset_named("aider")
    found = problems(equipped(_arm(aider, command=("{preset}", "x{preset}", "{promt}"), env={"K": "$TOKEN"})))
    said = " ".join(map(str, found))
    assert "{preset}" in said and "{promt}" in said and "env.K" in said


def test_an_agent_without_its_installation_is_refused_with_the_way_to_it():
    (found,) = preset_problems(Arm(agent="aider"))
    assert found.where == "mounts" and "pip install aider-chat" in str(found.fix)


def test_what_the_gateway_carries_is_what_the_wire_reads():
    assert set(CARRIED) == {str(api) for api in Api if api is not Api.OTHER}


def test_an_api_that_the_gateway_does_not_carry_is_refused():
    (found,) = preset_problems(_arm(preset_named("gemini-cli")))
    assert "does not carry" in found.what
