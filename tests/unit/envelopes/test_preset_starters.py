"""A starter for a real agent: the preset's name and version, and nothing that the preset knows itself."""

from __future__ import annotations

import pytest

from denominator.envelopes import complete, starter
from denominator.errors import InputError
from denominator.records.envelopes import Envelope
from denominator.wire.toml import read_toml
from denominator.wiring.presets import preset_starts

OF_MODEL = ("id", "snapshot", "endpoint", "access_class", "server_class", "temperature", "seed", "max_output_tokens")
OPEN = {f"arm[0].model.{name}" for name in OF_MODEL}
OPEN |= {"question", "policy.on_timeout", "cite.sentence", "cite.rule", "provenance.operator", "provenance.purpose"}


@pytest.mark.parametrize("name", preset_starts())
def test_only_the_model_and_what_its_author_can_say_are_open(name):
    text = starter(name, presets=preset_starts())
    envelope = read_toml(Envelope, text, "x")
    arm = envelope.arm[0]
    assert {problem.where for problem in complete(envelope)} == OPEN
    assert (arm.agent, arm.agent_version) == (name, preset_starts()[name].version)
    assert (arm.command, dict(arm.env), arm.mounts) == ((), {}, ("agent=/opt/agent",))
    assert envelope.sandbox.network == "gateway"
    assert preset_starts()[name].install in text


def test_a_name_that_is_none_is_answered_with_all():
    with pytest.raises(InputError) as refused:
        starter("aidre", presets=preset_starts())
    assert "aider" in refused.value.fix and "command" in refused.value.fix
