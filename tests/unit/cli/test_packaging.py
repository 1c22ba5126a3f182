"""What is installed is what was declared: dependencies, commands, entry points."""

from __future__ import annotations

import re
import tomllib
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def pinned(name):
    return set(re.findall(r"^([a-z0-9-]+)==", (ROOT / "requirements" / name).read_text(), re.M))


def test_the_lock_is_of_the_declared_dependencies():
    assert (ROOT / "requirements" / "base.in").read_text().splitlines() == PROJECT["dependencies"]
    names = {re.sub(r"[-_.]+", "-", re.split(r"[>=<;]", one)[0]).lower() for one in PROJECT["dependencies"]}
    assert names <= pinned("base.txt") <= pinned("dev.txt")


def test_every_pin_has_a_hash():
    for path in (ROOT / "requirements").glob("*.txt"):
        text = path.read_text()
        assert len(re.findall(r"^[a-zA-Z0-9._-]+==", text, re.M)) == len(
            re.findall(r"(?:\\\n    --hash=\S+ ?)+", text)
        ), path


@pytest.mark.parametrize("group", sorted(PROJECT["entry-points"]))
def test_entry_points_lead_somewhere(group):
    declared = PROJECT["entry-points"][group]
    installed = {point.name for point in entry_points(group=group)}
    assert installed >= set(declared), "pyproject.toml is newer than this environment: make setup"
    for target in declared.values():
        module, _, attribute = target.partition(":")
        assert getattr(import_module(module), attribute)
