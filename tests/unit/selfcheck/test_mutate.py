"""The script that changes our own rules: which changes it makes, and what it says of those that nobody noticed."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / "scripts" / "mutate.py"


@pytest.fixture(scope="module")
def mutate():
    spec = importlib.util.spec_from_file_location("mutate_script", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SOURCE = b"""from denominator.catalog import Entry
FIX = "mend it"
RULE = Entry("GL999", "a-name", "0.1.0", "gate", "")
def check(sheet):
    if sheet.n < 8:
        yield note("tasks", "too few of them", "more")
        return "word"
"""


@pytest.fixture
def made(mutate, tmp_path, monkeypatch):
    (tmp_path / "gate").mkdir()
    (tmp_path / "gate" / "x.py").write_bytes(SOURCE)
    monkeypatch.setattr(mutate, "SOURCE", tmp_path)
    monkeypatch.setattr(mutate, "EXPLAINED", tmp_path / "mutants.md")
    return mutate.decisions("gate/x.py", 0)


def test_decisions_are_changed_and_words_are_not(made):
    changes = {(one.line, one.before, one.after) for one in made}
    assert (5, "sheet.n < 8", "(sheet.n <= 8)") in changes and (5, "8", "(9)") in changes
    assert (7, '"word"', "''") in changes
    assert {one.line for one in made} <= {5, 6, 7}
    assert not {one.before for one in made} & {'"tasks"', '"too few of them"', '"GL999"', '"mend it"'}


def test_a_survivor_is_listed_until_the_page_explains_it(mutate, made, tmp_path, capsys):
    pairs = [("gate/x.py", one) for one in made]
    fates = ["by cases"] * len(pairs)
    assert mutate.told(pairs, fates) == 0
    fates[0] = "lived"
    assert mutate.told(pairs, fates) == 1
    out = capsys.readouterr().out
    assert "1 lived, 0 explained" in out and mutate.line_of(made[0]) in out
    path, before, after = mutate.key_of(made[0])
    (tmp_path / "mutants.md").write_text(f"| `{path}` | `{before}` | `{after}` | it means the same |\n")
    assert mutate.told(pairs, fates) == 0
    assert "1 lived, 1 explained" in capsys.readouterr().out
    (tmp_path / "mutants.md").write_text(f"| `{path}` | `{before}` | `{after}` |  |\n")
    assert mutate.told(pairs, fates) == 1


def test_the_changed_module_is_the_one_that_is_imported(mutate, made, tmp_path, monkeypatch):
    source = b"VALUE = 2\n"
    (tmp_path / "one.py").write_bytes(b"VALUE = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "meta_path", [mutate.Mutated("one", source, tmp_path / "one.py"), *sys.meta_path])
    try:
        assert importlib.import_module("one").VALUE == 2
    finally:
        sys.modules.pop("one", None)
