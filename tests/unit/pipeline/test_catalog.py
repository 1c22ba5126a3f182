"""The catalog is complete and current, and the digest of the rule set moves exactly when a decision can."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from denominator import gate, labels, metrics
from denominator.errors import InputError
from denominator.pipeline.catalog import all_entries, find_entries, rule_entries
from denominator.pipeline.rules import deciding_sources, rules_digest, shape_of
from denominator.publish.pages import pages

ROOT = Path(__file__).parents[3]
NOT_RULES = {
    "gate": {
        "__init__",
        "shape",
        "verdict",
        "waivers",
        "withhold",
        "sentence",
        "known",
        "citing",
        "context",
        "ladder",
        "house",
    },
    "metrics": {
        "__init__",
        "account",
        "amounts",
        "curves",
        "quantities",
        "reading",
        "seeds",
        "shape",
        "spending",
        "tally",
    },
}


@pytest.mark.parametrize("family", NOT_RULES)
def test_no_rule_file_is_unlisted(family):
    listed = {
        "gate": {rule.entry.name.replace("-", "_") for rule in gate.RULES},
        "metrics": {metric.entry.name for metric in metrics.METRICS},
    }[family]
    found = {path.stem for path in (ROOT / "src" / "denominator" / family).glob("*.py")} - NOT_RULES[family]
    assert found == listed


def test_no_label_rule_file_is_unlisted():
    package = ROOT / "src" / "denominator" / "labels"
    listed = {rule.judge.__module__ for rule in labels.RULES if isinstance(rule, labels.Rule)}
    for family in ("endings", "classes", "mixes", "tags", "controls"):
        found = {f"denominator.labels.{family}.{path.stem}" for path in (package / family).glob("*.py")}
        assert found - listed == {f"denominator.labels.{family}.__init__"}
    assert len(listed) == sum(isinstance(rule, labels.Rule) for rule in labels.RULES)


def test_pages_are_current():
    folder = ROOT / "docs" / "catalog"
    made = pages(all_entries())
    assert {path.name for path in folder.glob("*.md")} == set(made)
    for name, text in made.items():
        assert (folder / name).read_text(encoding="utf-8") == text, f"make docs: {name} is stale"


def test_every_rule_page_says_why_and_shows_a_bad_and_a_good_case():
    for entry in all_entries():
        if entry.family.startswith(("gate", "label", "metrics")):
            for word in ("Why it matters:", "Bad:", "Good:", "Fix:"):
                assert word in entry.doc, (entry.code, word)


def test_an_entry_is_found_by_code_and_by_name_and_a_wrong_word_names_the_nearest():
    assert find_entries("gl010") == find_entries("violated-control")
    with pytest.raises(InputError, match="violated-control"):
        find_entries("violated-contrl")


def test_comments_docstrings_and_layout_do_not_move_the_digest():
    plain = "def f(x):\n    return x > 1\n"
    dressed = '"""Doc."""\n\n\ndef f(x):\n    """Doc."""\n    # why\n    return (x\n        > 1)\n'
    assert shape_of(plain) == shape_of(dressed)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f(x):\n    return x > 1\n", "def f(x):\n    return x > 2\n"),
        ("def f(x):\n    return x > 1\n", "def f(x):\n    return x >= 1\n"),
        ("def f(x):\n    return x > 1\n", "def f(y):\n    return y > 1\n"),
        ("x = 1", "x = True"),
        ("x = 1", "x = '1'"),
        ("x = ('a', 'b')", "x = ('a,str b')"),
        ("x = 'a'", "x = b'a'"),
        ("f(a, b)", "f(a)(b)"),
        ("if x:\n    a()\nelse:\n    b()", "if x:\n    a()\n    b()"),
        ("x = None", "x: None"),
    ],
)
def test_a_decision_moves_the_digest(one, other):
    assert shape_of(one) != shape_of(other)


def test_the_digest_covers_what_decides():
    names = {name for name, _ in deciding_sources()}
    assert {"judge.py", "gate/few_tasks.py", "labels/causes.py", "ledger/counting.py", "stats/rates.py"} <= names
    assert len(rules_digest()) == 64


def test_the_digest_is_that_of_all_rules_and_then_every_file_in_order():
    entries = sorted([entry.code, entry.name, entry.version] for entry in rule_entries())
    shapes = "".join(f"\n{name}\n{shape_of(text)}" for name, text in sorted(deciding_sources()))
    text = json.dumps(entries, separators=(",", ":"), ensure_ascii=False) + shapes
    assert rules_digest() == hashlib.sha256(text.encode()).hexdigest()
