"""Words of the endpoint bench: none is shown that nobody explains."""

from __future__ import annotations

import pytest

from denominator.catalog.probe_words import PROBE_WORDS, REASON_WORDS
from denominator.cli.main import run_cli
from denominator.pipeline.catalog import find_entries
from denominator.records.probe_words import FLAGS, REASONS, Contract, Group, Kept


def test_every_reason_of_every_class_has_its_line():
    assert {cls: set(said) for cls, said in REASON_WORDS.items()} == {cls: set(all_) for cls, all_ in REASONS.items()}


@pytest.mark.parametrize(("word", "names"), [("contracts", Contract), ("flag", FLAGS), ("group", Group)])
def test_every_name_of_a_kind_is_told(word, names):
    assert all(f"{name}:" in PROBE_WORDS[word][1] for name in names)


@pytest.mark.parametrize(
    "word", [*FLAGS, *Group, *REASONS, *(reason for all_ in REASONS.values() for reason in all_), Kept.NOT_EVALUABLE]
)
def test_explain_knows_every_word_of_a_score(word):
    assert find_entries(word)


def test_a_reason_of_two_classes_is_told_of_both(capsys):
    assert run_cli(["explain", "duplicate_key"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "envelope_error duplicate_key" in told and "schema_miss duplicate_key" in told
