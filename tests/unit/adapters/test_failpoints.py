"""Failpoints: every name that is hit is listed with the damage it stands for, and nothing else is."""

from __future__ import annotations

import errno
import re
from pathlib import Path

import pytest

import denominator
from denominator.adapters.failpoints import NAMES, ArmedFailpoints, parse
from denominator.errors import InputError

SOURCE = Path(denominator.__file__).parent
HIT = re.compile(r"""failpoints\.hit\((?:"([^"]*)"|([^")]*))\)""")


def hits() -> list[tuple[str, str]]:
    return [pair for path in sorted(SOURCE.rglob("*.py")) for pair in HIT.findall(path.read_text(encoding="utf-8"))]


def test_what_is_hit_is_listed_and_what_is_listed_is_hit_once() -> None:
    found = hits()
    assert all(name for name, _ in found), "a name that is computed cannot be found by anybody"
    assert sorted(name for name, _ in found) == sorted(name for name, _ in NAMES)


def test_each_name_says_which_damage_it_stands_for() -> None:
    damages = [damage for _, damage in NAMES]
    assert all(damages) and len(set(damages)) == len(damages)


@pytest.mark.parametrize(
    "text", ["agent.befor=kill", "agent.before=die", "agent.before=sleep:x", "agent.before=kill@x"]
)
def test_a_typing_error_is_refused_instead_of_doing_nothing(text: str) -> None:
    with pytest.raises(InputError):
        parse(text)


def test_a_trap_acts_at_its_hit_only() -> None:
    armed = ArmedFailpoints(parse("agent.before=enospc@2, agent.after=eio"))
    armed.hit("agent.before")
    with pytest.raises(OSError, match="failpoint") as full:
        armed.hit("agent.before")
    armed.hit("agent.before")
    with pytest.raises(OSError, match="failpoint") as broken:
        armed.hit("agent.after")
    assert (full.value.errno, broken.value.errno) == (errno.ENOSPC, errno.EIO)
