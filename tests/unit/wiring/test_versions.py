"""The version that a program says in the sandbox: taken when it is what the arm declares, refused else."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from denominator.adapters.sandboxes.bubblewrap import Bubblewrap
from denominator.envelopes import demo_envelope
from denominator.errors import InputError
from denominator.records.envelopes import Arm, ModelTerms
from denominator.records.values import NotMeasured
from denominator.wiring.arms import placed
from denominator.wiring.versions import reported_version

pytestmark = [
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]
ENVELOPE = demo_envelope("a", "nop", version="1")


@pytest.fixture
def world():
    sandbox = Bubblewrap()
    yield SimpleNamespace(sandbox=sandbox)
    sandbox.close()


def _arm(tmp_path: Path, program: str, version: str = "1.18.33") -> Arm:
    """An installation whose opencode is a few lines of shell."""
    place = tmp_path / "agent" / "node_modules" / ".bin"
    place.mkdir(parents=True)
    (place / "opencode").write_text(f"#!/bin/sh\n{program}\n")
    (place / "opencode").chmod(0o755)
    for parent in (tmp_path, *tmp_path.parents):
        if parent.stat().st_uid == os.getuid() and parent != Path("/"):
            parent.chmod(parent.stat().st_mode | 0o011)
    arm = Arm(
        label="a", agent="opencode", agent_version=version, mounts=("agent=/opt/agent",), model=ModelTerms(id="m")
    )
    return placed(arm, tmp_path)


def test_the_program_says_what_the_arm_declares(world, tmp_path):
    arm = _arm(tmp_path, 'test "$1" = --version && echo "opencode 1.18.33"')
    assert reported_version(world, arm, ENVELOPE, "e.toml") == "1.18.33"


def test_another_version_is_refused_by_both_names(world, tmp_path):
    with pytest.raises(InputError) as refused:
        reported_version(world, _arm(tmp_path, "echo 1.19.0"), ENVELOPE, "e.toml")
    assert "declares opencode 1.18.33," in refused.value.what and "says 1.19.0" in refused.value.what
    assert refused.value.fix.startswith('agent_version = "1.19.0"')


@pytest.mark.parametrize("program", ["exit 3", "echo nothing known", "kill -9 $$"])
def test_a_program_that_says_no_version_is_refused(world, tmp_path, program):
    with pytest.raises(InputError) as refused:
        reported_version(world, _arm(tmp_path, program), ENVELOPE, "e.toml")
    assert "does not say its version" in refused.value.what


def test_it_is_asked_without_the_model_and_its_token(world, tmp_path):
    arm = _arm(tmp_path, 'env | grep -q "@DENOMINATOR" && echo 0.0.0 || echo 1.18.33')
    assert reported_version(world, arm, ENVELOPE, "e.toml") == "1.18.33"


def test_an_agent_without_a_preset_is_not_asked(world):
    found = reported_version(world, Arm(agent="command", command=("a",)), ENVELOPE, "e.toml")
    assert isinstance(found, NotMeasured)
