"""The whole check on this machine: everything that ships is caught, and no twin is accused."""

from __future__ import annotations

import shutil

import pytest

from e2e import runs

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]


def test_every_gate_bites(tmp_path):
    said = runs.cli(tmp_path, "selfcheck", "--json")
    bad = [one for one in said.json["lines"] if one["found"] not in ("caught", "not_shown")]
    assert (said.code, bad) == (0, [])
    tried = {one["kind"] for one in said.json["lines"] if one["found"] == "caught"}
    assert tried == {
        "gate rule", "label rule", "broken input", "tampered bundle of an import", "tampered bundle of a run",
        "sandbox probe", "attack",
    }  # fmt: skip


def test_quick_takes_no_sandbox(tmp_path):
    said = runs.cli(tmp_path, "selfcheck", "--quick")
    assert said.code == 0 and "every gate that was tried bites" in said.out, said.err
    assert "left out by --quick" in said.out and not list(tmp_path.iterdir())
