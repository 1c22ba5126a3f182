"""The script that changes our own rules: which changes it makes, and what it says of those that nobody noticed."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / "scripts" / "mutate.py"


@pytest.fixture(scope="module")
def mutate():
    sys.path.insert(0, str(SCRIPT.parent))
    try:
        spec = importlib.util.spec_from_file_location("mutate_script", SCRIPT)
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        yield module
    finally:
        sys.path.remove(str(SCRIPT.parent))
        sys.modules.pop("mutate_script", None)


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
    mutate.explained.cache_clear()
    yield list(mutate.ones("gate/x.py", 0))
    mutate.explained.cache_clear()


def test_decisions_are_changed_and_words_are_not(made):
    changes = {(one.mutant.line, one.mutant.before, one.mutant.after) for one in made}
    assert (5, "sheet.n < 8", "(sheet.n <= 8)") in changes
    assert (5, "8", "(9)") in changes and (5, "8", "7") in changes
    assert (7, '"word"', "''") in changes
    assert {one.mutant.line for one in made} <= {5, 6, 7}
    assert not {one.mutant.before for one in made} & {'"tasks"', '"too few of them"', '"GL999"', '"mend it"'}


CLAUSES = b"""def f(row, a, b):
    if row.grade == Grade.GREEN and a or any(b):
        return g(a, b), (Grade.RED, Grade.NONE)
"""


def test_parts_words_elements_orders_and_quantifiers_are_changed(mutate, tmp_path, monkeypatch):
    (tmp_path / "x.py").write_bytes(CLAUSES)
    monkeypatch.setattr(mutate, "SOURCE", tmp_path)
    changes = {(one.mutant.operator, one.mutant.before, one.mutant.after) for one in mutate.ones("x.py", 0)}
    assert ("clause", "row.grade == Grade.GREEN and a", "(a)") in changes
    assert ("word", "Grade.GREEN", "Grade.RED") in changes
    assert ("element", "(Grade.RED, Grade.NONE)", "(Grade.NONE,)") in changes
    assert ("swapped", "g(a, b)", "g(b, a)") in changes
    assert ("quantifier", "any(b)", "all(b)") in changes


def told(mutate, made, fates, capsys, stale=()):
    mutate.explained.cache_clear()
    return mutate.told(made, fates, stale, 1.0), capsys.readouterr().out


def test_a_survivor_is_listed_until_the_page_explains_it(mutate, made, tmp_path, capsys):
    fates = ["by cases"] * len(made)
    assert told(mutate, made, fates, capsys)[0] == 0
    fates[0] = "lived"
    code, out = told(mutate, made, fates, capsys)
    assert code == 1 and "1 lived, 0 of these explained" in out and made[0].line in out
    module, operator, digest, before, after = made[0].key
    row = f"| `{module}` | {operator} | `{digest}` | `{before}` | `{after}` |"
    page = tmp_path / "mutants.md"
    page.write_text(f"{row} it means the same |\n")
    code, out = told(mutate, made, fates, capsys)
    assert code == 0 and "1 lived, 1 of these explained" in out
    page.write_text(f"{row}  |\n")
    assert told(mutate, made, fates, capsys)[0] == 1


def test_an_explanation_goes_stale_with_its_line(mutate, made, tmp_path, capsys):
    page = tmp_path / "mutants.md"
    module, operator, digest, before, after = made[0].key
    page.write_text(f"| `{module}` | {operator} | `{digest}` | `{before}` | `{after}` | it means the same |\n")
    mutate.explained.cache_clear()
    assert mutate.gone(["gate/x.py"], made) == []
    (tmp_path / "gate" / "x.py").write_bytes(SOURCE.replace(b"sheet.n < 8", b"sheet.tasks < 8"))
    stale = mutate.gone(["gate/x.py"], list(mutate.ones("gate/x.py", 0)))
    assert len(stale) == 1 and digest in stale[0]
    code, out = told(mutate, made, ["by tests"] * len(made), capsys, stale)
    assert code == 1 and f"STALE {stale[0]}" in out


RULE_MODULE = """from denominator.records.values import NotMeasured

LEAST = 8


def few(number):
    return number < LEAST


def never_asked(number):
    return number + 1
"""
RULE_TEST = """from denominator.gate.trial_of_mutants import few


def test_few():
    assert few(7) and not few(8)
"""


def test_a_change_is_noticed_by_the_tests_that_call_it_and_by_no_others(mutate, tmp_path):
    """In a package and with tests of their own, in the process that is warm and in one that reads all anew."""
    source = tmp_path / "src" / "denominator"
    (source / "gate").mkdir(parents=True)
    (source / "__init__.py").write_text("")
    (source / "gate" / "__init__.py").write_text("")
    (source / "gate" / "trial_of_mutants.py").write_text(RULE_MODULE.partition("\n\n")[2])
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_few.py").write_text(RULE_TEST)
    shown = subprocess.run(
        [sys.executable, "-c", TRY, str(SCRIPT.parent), str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
        env=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "XDG_CACHE_HOME": str(tmp_path / "cache")},
        check=False,
    )
    assert shown.returncode == 0, shown.stderr
    fates = json.loads(shown.stdout)
    assert fates["number < LEAST -> (number <= LEAST)"] == ["by tests", "by tests", "by tests"]
    assert fates["8 -> (9)"] == ["by tests", "by tests", "by tests"]
    assert fates["number + 1 -> (number - 1)"] == ["close, lived", "lived", "lived"]
    assert len(list((tmp_path / "cache" / "denominator-mutants").glob("*.json"))) == 1


TRY = """
import json, sys, time
from pathlib import Path
sys.path[:0] = [sys.argv[1]]
import mutants_anew, mutants_warm, mutate
place = Path(sys.argv[2])
mutate.SOURCE = place / "src" / "denominator"
asked = {"(number <= LEAST)", "(9)", "(number - 1)"}
ones = [one for one in mutate.ones("gate/trial_of_mutants.py", 0) if one.mutant.after in asked]
trials = [mutants_warm.Trial(number=at, module=one.module, source=one.mutant.source, line=one.mutant.line)
          for at, one in enumerate(ones)]
for name in [name for name in sys.modules if name.startswith("denominator")]:
    del sys.modules[name]
sys.path.insert(0, str(place / "src"))
tests = [str(place / "tests" / "test_few.py")]
fates = {}
for until in (time.monotonic() + mutants_warm.SHORT_S - 1, float("inf")):  # the second time what was seen is kept
    told = {}
    for said in mutate.warm(lambda out: mutants_warm.main(mutate.SOURCE, trials, tests, out, until)):
        if "fate" in said:
            told.setdefault(said["number"], []).append(said["fate"])
    for number, words in told.items():
        one = ones[number].mutant
        fates.setdefault(f"{one.before} -> {one.after}", []).append(", ".join(words))
for one in ones:
    anew = mutants_anew.fate(mutate.SOURCE, one.module, one.mutant.source, tests)
    fates[f"{one.mutant.before} -> {one.mutant.after}"].append(anew)
print(json.dumps(fates))
"""


def test_the_changed_module_is_the_one_that_is_imported(mutate, tmp_path, monkeypatch):
    source = b"VALUE = 2\n"
    (tmp_path / "one.py").write_bytes(b"VALUE = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    mutated = mutate.mutants_anew.Mutated("one", source, tmp_path / "one.py")
    monkeypatch.setattr(sys, "meta_path", [mutated, *sys.meta_path])
    try:
        assert importlib.import_module("one").VALUE == 2
    finally:
        sys.modules.pop("one", None)


@dataclass(frozen=True)
class Item:
    path: Path
    name: str

    @property
    def nodeid(self) -> str:
        return f"{self.path}::{self.name}"


def test_tests_are_close_by_the_name_of_a_case_an_import_or_a_file_and_else_by_their_folder(mutate, tmp_path):
    texts = {
        "tests/unit/gate/test_rule_cases.py": "from denominator.gate import RULES\n",
        "tests/unit/gate/test_sizes.py": "from denominator.gate.few_tasks import LEAST\n",
        "tests/unit/gate/probing/test_probe.py": "from denominator.gate.probing import PROBE_RULES\n",
        "tests/unit/compare/test_delivered.py": "",
    }
    for name, text in texts.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    names = ["test_case[few-tasks: seven]", "test_seven", "test_windows", "test_one"]
    items = [Item(tmp_path / path, name) for path, name in zip(texts, names, strict=True)]
    for module, expected in (
        ("gate/few_tasks.py", names[:2]),
        ("gate/probing/one_window.py", [names[2]]),
        ("compare/delivered.py", [names[3]]),
    ):
        assert [one.name for one in mutate.mutants_warm.close(items, [module])] == expected


def test_what_was_seen_is_kept_until_a_byte_of_source_or_tests_differs(mutate, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    source, test = tmp_path / "src" / "denominator", tmp_path / "tests" / "test_one.py"
    for folder in (source, test.parent):
        folder.mkdir(parents=True)
    test.write_text("def test_one(): ...\n")
    items, module = [Item(test, "test_one")], "gate/few_tasks.py"
    seen = [mutate.mutants_warm.Calls(str(test), 0.5, {(module, "check")})]

    def kept():
        return mutate.mutants_warm.Kept.of(source, [module], ["tests"])

    assert kept().read(items) is None
    kept().write(items, seen)
    assert kept().read(items) == seen
    assert kept().read([*items, Item(test, "test_two")]) is None
    test.write_text("def test_one(): pass\n")
    assert kept().read(items) is None
    test.write_text("def test_one(): ...\n")
    kept().path.write_text("[{")
    assert kept().read(items) is None
