"""Failpoints act where they were told to, and nowhere else; off they do nothing at all."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.adapters.failpoints import ACTIONS, ArmedFailpoints, NoFailpoints, Trap, from_environment, parse
from denominator.catalog.failpoints import AFTER_COMMIT, BEFORE_COMMIT, FAILPOINTS
from denominator.errors import InjectedError, InputError


@pytest.mark.parametrize(
    "text",
    [
        "agent.befor=kill", "agent.before=die", "agent.before=sleep:x", "agent.before=kill@x", "agent.before",
        "agent.before=", "=kill", "agent.before=kill@1@2", "agent.before = kill", "agent.before=kill@-1", "agent.before=kill@²",
    ],
)  # fmt: skip
def test_a_typing_error_is_refused_instead_of_doing_nothing(text: str) -> None:
    with pytest.raises(InputError):
        parse(text)


def test_a_trap_acts_at_its_hit_only_and_its_error_says_that_it_was_made() -> None:
    armed = ArmedFailpoints(parse("agent.before=enospc@2, agent.after=eio"))
    armed.hit("agent.before")
    with pytest.raises(InjectedError, match="failpoint") as full:
        armed.hit("agent.before")
    armed.hit("agent.before")
    with pytest.raises(InjectedError, match="failpoint") as broken:
        armed.hit("agent.after")
    assert (full.value.errno, broken.value.errno) == (errno.ENOSPC, errno.EIO)


def test_several_traps_may_stand_at_one_name() -> None:
    armed = ArmedFailpoints(parse("agent.before=eio@1,agent.before=enospc@3"))
    for code in (errno.EIO, 0, errno.ENOSPC, 0):
        try:
            armed.hit("agent.before")
            assert not code
        except InjectedError as error:
            assert error.errno == code


def test_a_point_inside_a_commit_is_hit_at_the_commit_that_its_opener_announces() -> None:
    armed = ArmedFailpoints(parse("patch.intent.written=eio,patch.done.synced=eio"))
    armed.hit(BEFORE_COMMIT)  # somebody else's commit
    armed.hit(AFTER_COMMIT)
    armed.hit("patch.intent.before")
    with pytest.raises(InjectedError):
        armed.hit(BEFORE_COMMIT)
    armed.hit(BEFORE_COMMIT)  # the one that writes down what went wrong
    armed.hit(AFTER_COMMIT)
    armed.hit("patch.done.before")
    armed.hit("apply.dir_synced")
    armed.hit(BEFORE_COMMIT)
    with pytest.raises(InjectedError):
        armed.hit(AFTER_COMMIT)


def test_an_intent_and_a_result_in_one_commit_are_both_there() -> None:
    for name in ("call.intent.written", "call.done.written"):
        armed = ArmedFailpoints(parse(f"{name}=eio"))
        armed.hit("call.received")
        armed.hit("call.intent.before")
        with pytest.raises(InjectedError):
            armed.hit(BEFORE_COMMIT)


def test_another_name_of_a_point_arms_it() -> None:
    assert parse("stage.synced=kill") == (Trap("apply.before_rename", "kill"),)


POINTS = st.sampled_from([point.name for point in FAILPOINTS])
NUMBERS = st.integers(0, 10**6)
TRAPS = st.builds(Trap, POINTS, st.sampled_from(ACTIONS), NUMBERS, NUMBERS)


@given(st.lists(TRAPS, max_size=6))
def test_what_is_armed_says_so_in_words_that_arm_it_again(traps: list[Trap]) -> None:
    armed = ArmedFailpoints(tuple(traps))
    assert parse(",".join(armed.armed)) == tuple(traps)
    assert parse("\n".join([*armed.armed, "# all"])) == tuple(traps)


@given(st.text(max_size=60))
def test_any_other_text_is_refused_in_words(text: str) -> None:
    try:
        parse(text)
    except InputError as error:
        assert error.fix


def test_they_come_from_the_environment_or_from_a_file(tmp_path: Path) -> None:
    assert isinstance(from_environment({}), NoFailpoints)
    assert isinstance(from_environment({"DENOMINATOR_FAILPOINTS": " "}), NoFailpoints)
    (tmp_path / "traps").write_text("# both sides\nagent.before=kill@2\n\nagent.after=sleep:5, verify.before=exit\n")
    found = from_environment({"DENOMINATOR_FAILPOINTS": f"@{tmp_path / 'traps'}"})
    assert found.armed == ("agent.before=kill@2", "agent.after=sleep:5", "verify.before=exit")
    with pytest.raises(InputError, match="cannot be read"):
        from_environment({"DENOMINATOR_FAILPOINTS": f"@{tmp_path / 'none'}"})


def test_off_they_are_a_method_that_does_nothing() -> None:
    assert NoFailpoints.hit.__code__.co_names == () and NoFailpoints().armed == ()


@pytest.mark.parametrize(
    ("action", "code"), [("kill", -signal.SIGKILL), ("exit", 70), ("sigterm", -signal.SIGTERM), ("stop", None)]
)
def test_what_an_action_does_to_its_process(action: str, code: int | None) -> None:
    script = "from denominator.adapters.failpoints import from_environment as f; f().hit('agent.before')"
    env = os.environ | {"DENOMINATOR_FAILPOINTS": f"agent.before={action}"}
    process = subprocess.Popen([sys.executable, "-c", script], env=env)
    if code is None:
        _, status = os.waitpid(process.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        process.send_signal(signal.SIGCONT)
        code = 0
    assert process.wait(60) == code
