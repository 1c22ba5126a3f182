"""Arms as they are read: relative places lie beside the envelope, and what could not run is refused before it is sealed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from denominator.adapters.agents.mounts import read_mount
from denominator.envelopes import starter
from denominator.errors import InputError
from denominator.ports import Mount
from denominator.records.envelopes import Envelope, ModelTerms
from denominator.wire.toml import read_toml
from denominator.wiring.arms import arm_problems, check_arm, placed, sealed_mounts
from denominator.wiring.reading import read_starts

MODEL = ModelTerms(id="big", endpoint="https://models.example.org/v1", key_env="THE_KEY")


def envelope_of(**changed):
    text = starter("command").replace("REPLACE: policy.on_timeout", "fail").replace("REPLACE: ", "our ")
    envelope = read_toml(Envelope, text, "envelope.toml")
    return replace(envelope, arm=(replace(envelope.arm[0], **{"mounts": (), **changed}),))


def wheres(envelope, **env):
    return [problem.where for problem in arm_problems(envelope.arm[0], envelope, env)]


def test_a_relative_mount_is_beside_the_envelope(tmp_path, monkeypatch):
    text = starter("command").replace("REPLACE: policy.on_timeout", "fail").replace("REPLACE: ", "our ")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "A.toml").write_text(text)
    monkeypatch.chdir("/")
    (start,) = read_starts([tmp_path / "sub" / "A.toml"], None, "", "now")
    assert start.arm.mounts == (f"{tmp_path}/sub/agent=/opt/agent",)


def test_an_absolute_mount_and_one_that_is_none_stay_as_they_are(tmp_path):
    odd = ("/srv/a=/opt/a", "=/opt/b", "c")
    assert placed(envelope_of(mounts=odd).arm[0], tmp_path).mounts == odd


def test_an_arm_that_can_run(tmp_path):
    assert wheres(envelope_of(mounts=(f"{tmp_path}=/opt/agent",))) == []


def test_all_mistakes_of_an_arm_in_one_pass():
    odd = envelope_of(
        command=("sh", "{promptfile}"), env={"URL": "{model_url}"}, mounts=("/not/there=/opt/a", "/srv=/etc")
    )
    found = ["arm.command[2]", "arm.env.URL", "arm.mounts: '/not/there=/opt/a'", "arm.mounts: '/srv=/etc'"]
    assert wheres(odd) == found
    with pytest.raises(InputError) as refused:
        check_arm(odd.arm[0], odd, "A.toml", {})
    assert len(refused.value.problems) == 4 and refused.value.where == "A.toml"


def test_the_model_is_reached_by_an_address_and_a_key_that_is_there():
    envelope = envelope_of(model=MODEL, env={"URL": "{model_url}"})
    envelope = replace(envelope, sandbox=replace(envelope.sandbox, network="gateway"))
    assert wheres(envelope, THE_KEY="long-enough-key") == []
    assert wheres(envelope) == ["arm.model.key_env"]
    assert arm_problems(envelope.arm[0], envelope) == [], "an envelope may be checked where its key is not"
    bare = replace(envelope, arm=(replace(envelope.arm[0], model=replace(MODEL, endpoint="models.example.org/v1")),))
    assert wheres(bare, THE_KEY="long-enough-key") == ["arm.model.endpoint"]


def test_a_mount_is_sealed_by_what_it_holds(tmp_path):
    agent = tmp_path / "agent"
    (agent / "__pycache__").mkdir(parents=True)
    (agent / "agent.sh").write_text("echo one\n")
    arm = envelope_of(mounts=(f"{agent}=/opt/agent",)).arm[0]
    (first,) = sealed_mounts(arm)
    assert first.inside == "/opt/agent"
    (agent / "__pycache__" / "x.pyc").write_bytes(b"bytecode")
    assert sealed_mounts(arm) == (first,)
    moved = tmp_path / "elsewhere"
    agent.rename(moved)
    assert sealed_mounts(envelope_of(mounts=(f"{moved}=/opt/agent",)).arm[0]) == (first,)
    (moved / "agent.sh").write_text("echo two\n")
    assert sealed_mounts(envelope_of(mounts=(f"{moved}=/opt/agent",)).arm[0]) != (first,)


@pytest.mark.parametrize(
    ("typed", "sealed"),
    [
        ("agent=/opt/agent", "~/w/agent=/opt/agent"),
        ("/home/ann/agent=/opt/agent", "~/agent=/opt/agent"),
        ("/home/ann=/opt/agent", "~=/opt/agent"),
        ("~/agent=/opt/agent", "~/agent=/opt/agent"),
        ("/home/anne/agent=/opt/agent", "/home/anne/agent=/opt/agent"),
        ("/srv/agent=/opt/agent", "/srv/agent=/opt/agent"),
    ],
)
def test_a_mount_below_the_home_of_who_seals_names_nobody(
    typed: str, sealed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    assert placed(envelope_of(mounts=(typed,)).arm[0], Path("/home/ann/w")).mounts == (sealed,)
    read, before = read_mount(sealed), typed.partition("=")[0]
    assert isinstance(read, Mount)
    assert str(read.host) == {"agent": "/home/ann/w/agent", "~/agent": "/home/ann/agent"}.get(before, before)


def test_a_home_that_is_no_persons_is_sealed_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/srv")
    assert placed(envelope_of(mounts=("/srv/agent=/opt/agent",)).arm[0], Path("/srv")).mounts == (
        "/srv/agent=/opt/agent",
    )
    assert not isinstance(read_mount("~ann/agent=/opt/agent"), Mount)
