"""Each defence taken away alone: the self-test names it, and runs nothing where it is a wall."""

from __future__ import annotations

import os
import shutil

import pytest

from denominator.adapters.sandboxes.bubblewrap import Bubblewrap
from denominator.adapters.sandboxes.facts import NAMES, WALLS
from denominator.adapters.sandboxes.meanings import MEANINGS
from denominator.adapters.sandboxes.prepare import Weakened
from denominator.records.envelopes import SandboxTerms

pytestmark = [
    pytest.mark.needs_bwrap,
    pytest.mark.needs_root,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.skipif(os.geteuid() != 0, reason="uids and capabilities are dropped by root only"),
]
WEAK = {
    "network": (Weakened(network=True), {"no_network"}),
    "pids": (Weakened(pids=True), {"pid_namespace"}),
    "proc_sys": (Weakened(proc_sys=True), {"private_proc"}),
    "capabilities": (Weakened(capabilities=True), {"no_capabilities"}),
    "uid": (Weakened(uid=True), {"separate_uids", "no_capabilities"}),
    "seccomp": (Weakened(seccomp=True), {"seccomp", "userns_closed"}),
    "cgroups": (Weakened(cgroups=True), {"memory_limit", "process_limit"}),
    "rlimits": (Weakened(rlimits=True), {"file_size_limit", "open_files"}),
}


def lacking(weakened: Weakened) -> tuple[set[str], bool, str]:
    box = Bubblewrap(weakened=weakened)
    try:
        facts = box.facts(SandboxTerms())
    finally:
        box.close()
    return {one.name for one in facts.protections if not one.holds}, facts.usable, facts.why_not


@pytest.fixture(scope="module")
def usual() -> set[str]:
    """What this machine cannot promise anyhow."""
    missing, usable, why = lacking(Weakened())
    assert usable, why
    return missing


@pytest.mark.parametrize("name", [pytest.param(one, marks=() if one == "network" else pytest.mark.e2e) for one in WEAK])
def test_what_is_taken_away_is_named(name: str, usual: set[str]) -> None:
    weakened, gone = WEAK[name]
    missing, usable, why = lacking(weakened)
    assert gone <= missing, missing
    walls = missing & set(WALLS)
    assert usable is not bool(walls)
    assert all(wall in why for wall in walls) and ("escape" in why) is bool(walls)


def test_every_protection_has_a_meaning() -> None:
    assert MEANINGS.keys() == set(NAMES)
