"""Every registered importer keeps the contract, over the examples in tests/importer_examples."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from denominator.testing.importer_suite import CHECKS, Check, ImporterBench, check_damage
from denominator.wiring.importers import importer, importer_names
from importer_examples import examples

NAMES = importer_names()
COPIES = 1_000 if os.environ.get("HYPOTHESIS_PROFILE") == "nightly" else 20


@pytest.fixture(scope="session")
def every_example(tmp_path_factory: pytest.TempPathFactory):
    """The examples of every format, written once."""
    return {name: examples(name, tmp_path_factory.mktemp(name)) for name in NAMES}


def bench_of(name: str, every_example, tmp_path: Path) -> ImporterBench:
    aliens = [one.path for other in NAMES if other != name for one in every_example[other]]
    return ImporterBench(importer=importer(name), examples=every_example[name], scratch=tmp_path, aliens=aliens)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
@pytest.mark.parametrize("name", NAMES)
def test_an_importer_keeps_the_contract(name: str, check: Check, every_example, tmp_path: Path) -> None:
    assert check(bench_of(name, every_example, tmp_path)) == []


@pytest.mark.parametrize("name", NAMES)
def test_damaged_copies_are_refused_or_read_with_defects(name: str, every_example, tmp_path: Path) -> None:
    bench = bench_of(name, every_example, tmp_path)
    each = max(5, -(-COPIES // max(1, len(bench.examples))))
    assert check_damage(bench, each) == []
