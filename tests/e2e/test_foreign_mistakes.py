"""What a user gets wrong with results of other harnesses, and what the error tells to do."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def tables(here):
    """Two runs of one leaderboard."""
    for name in ("one", "two"):
        (here / "pro" / name).mkdir(parents=True)
        (here / "pro" / name / "eval_results.json").write_text(json.dumps({"a": True, "b": name == "one"}))
    return here / "pro"


@pytest.mark.parametrize("text", ['"43.72 of 730"', "43.72", '"about half"', '["50 %", "x"]'])
def test_a_declared_percentage_that_cannot_be_read_is_refused_before_anything_is_read(cli, tables, here, text):
    (here / "known.toml").write_text(f"concurrency = 4\npublished = {text}\n")
    said = cli("audit", tables, "--run", "one", "--declare", here / "known.toml")
    assert said.code == 2
    assert "known.toml:2 published" in said.err
    assert '"43.72 % of 730"' in said.err


def test_the_folder_of_several_kept_imports_names_them(cli, tables, here):
    assert cli("audit", tables, "-o", here / "kept").code == 1
    for verb in ("gate", "card", "labels"):
        said = cli(verb, here / "kept")
        assert (said.code, "is a folder of imports" in said.err) == (2, True), said.err
        assert str(here / "kept" / "one") in said.err
        assert cli(verb, here / "kept" / "one").code in (0, 1)


def test_a_result_that_was_not_imported_yet_is_pointed_to_audit(cli, tables):
    said = cli("gate", tables)
    assert (said.code, f"denominator audit {tables}" in said.err) == (2, True), said.err


def test_a_source_of_several_formats_says_what_to_name(cli, tables):
    (tables / "board.yml").write_text("- dirname: x\n  model: m\n  pass_rate_1: 50.0\n  test_cases: 2\n")
    said = cli("audit", tables)
    assert said.code == 2
    assert "several formats fit" in said.err
    assert "name the folder or the file of one of them" in said.err
