"""Starters: complete for agents of ours; for a program of one's own only what its author alone can say is open."""

from __future__ import annotations

import re

import pytest

from denominator.envelopes import AGENTS, complete, read_envelope, starter, starter_files
from denominator.errors import InputError
from denominator.records.envelopes import Envelope
from denominator.wire.toml import read_toml

OPEN = {
    "question",
    "arm[0].agent_version",
    "policy.on_timeout",
    "cite.sentence",
    "cite.rule",
    "provenance.operator",
    "provenance.purpose",
}
OF_MODEL = {f"arm[0].model.{name}" for name in ("id", "snapshot", "endpoint", "access_class", "server_class")}
OF_MODEL |= {f"arm[0].model.{name}" for name in ("temperature", "seed", "max_output_tokens")}


def left_open(text: str) -> set[str]:
    return {problem.where for problem in complete(read_toml(Envelope, text, "envelope.toml"))}


@pytest.mark.parametrize("agent", ["oracle", "nop", "script"])
def test_the_starter_of_an_agent_of_ours_is_complete(agent):
    text = starter(agent)
    assert left_open(text) == set() and "REPLACE" not in text
    assert read_toml(Envelope, text, "x").arm[0].agent == agent


def test_a_program_of_ones_own_owes_seven_answers():
    assert left_open(starter("command")) == OPEN
    assert set(re.findall(r'"REPLACE: ([\w.]+)"', starter("command"))) == {p.replace("[0]", "") for p in OPEN}


def test_an_agent_that_calls_a_model_also_owes_the_model():
    text = starter("command", model=True)
    assert left_open(text) == OPEN | OF_MODEL
    envelope = read_toml(Envelope, text, "x")
    assert envelope.sandbox.network == "gateway" and envelope.arm[0].env["OPENAI_BASE_URL"] == "{model_url}"


def test_every_agent_has_a_starter_and_its_files_are_those_it_names(tmp_path):
    for agent in AGENTS:
        (tmp_path / agent).write_text(starter(agent))
        arm = read_envelope(tmp_path / agent).arm[0]
        named = {arm.script} if arm.script else {f"{m.split('=')[0]}/agent.sh" for m in arm.mounts}
        assert set(starter_files(agent)) == named


@pytest.mark.parametrize(("agent", "model"), [("orcale", False), ("oracle", True)])
def test_what_has_no_starter_is_refused(agent, model):
    with pytest.raises(InputError) as refused:
        starter(agent, model=model)
    assert refused.value.fix
