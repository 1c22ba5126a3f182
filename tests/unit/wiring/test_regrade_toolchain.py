"""A seal names no path of the verifier's machine: neither a program to start nor a folder to show."""

from __future__ import annotations

import sys
import sysconfig
from dataclasses import replace
from pathlib import Path

import pytest

from denominator.cli.progress import LineReporter
from denominator.errors import InputError
from denominator.records.envelopes import SandboxTerms
from denominator.records.values import NotMeasured
from denominator.wiring.regrade_toolchain import terms_here
from denominator.wiring.regrading import bench_here

OWN = SandboxTerms(backend="bubblewrap")


@pytest.mark.parametrize(
    "over",
    [
        {},
        {"python": "/usr/bin/python3.12"},
        {"python": "/usr/local/bin/python3"},
        {"python": sys.executable, "site": sysconfig.get_path("purelib")},
        {"site": "/usr/lib/python3/dist-packages"},
        {"backend": "docker", "python": "/opt/python"},
    ],
)
def test_the_machines_own_toolchain_is_used_as_sealed(over) -> None:
    terms = replace(OWN, **over)
    assert terms_here(terms, "", "") == terms


@pytest.mark.parametrize(
    "over",
    [
        {"python": "/tmp/b/blobs/python3"},
        {"python": "python3"},
        {"python": ""},
        {"python": "/usr/bin/bash"},
        {"python": "/usr/bin/python3\n"},
        {"python": "/usr/bin/../../tmp/bin/python3"},
        {"python": f"{sys.executable}/"},
        {"site": "/"},
        {"site": "/usr"},
        {"site": "/etc"},
        {"site": "/home"},
        {"site": "/usr/../etc"},
        {"site": "site"},
        {"site": str(Path(sysconfig.get_path("purelib")).parent)},
    ],
)
def test_a_sealed_path_of_another_kind_grades_nothing_until_the_verifier_names_theirs(over, tmp_path: Path) -> None:
    terms = replace(OWN, **over)
    why = terms_here(terms, "", "")
    assert isinstance(why, NotMeasured) and "to grade all the same, name yours with --" in why.not_measured
    assert terms_here(terms, sys.executable, str(tmp_path)) == replace(OWN, python=sys.executable, site=str(tmp_path))


def test_a_path_that_is_not_named_right_is_refused(tmp_path: Path) -> None:
    for python, site in ((str(tmp_path / "python3"), ""), ("", str(tmp_path / "site"))):
        with pytest.raises(InputError, match="is not there"):
            terms_here(OWN, python, site)


def test_a_refused_interpreter_is_never_started(tmp_path: Path) -> None:
    started, program = tmp_path / "started", tmp_path / "python3"
    program.write_text(f"#!/bin/sh\ntouch {started}\n")
    program.chmod(0o755)
    with bench_here(tmp_path, LineReporter(quiet=True))(replace(OWN, python=str(program))) as (bench, box):
        assert isinstance(bench, NotMeasured) and box is None
    assert not started.exists()
