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


@pytest.mark.parametrize(
    "named", ["swebench", "inspect", "harbor", "metr", "evalplus", "promptfoo", "aider", "lm-eval"]
)
def test_a_source_of_another_format_says_which_one_and_how(cli, tables, named):
    said = cli("import", named, tables)
    assert said.code == 2
    assert f"denominator import swebench-pro {tables}" in said.err, said.err
    assert cli("import", "swebench-pro", tables, "--run", "one").code == 1


def test_a_source_of_no_format_points_to_what_tells_what_was_seen(cli, here):
    (here / "odd").mkdir()
    (here / "odd" / "a.json").write_text('{"colour": 1}')
    said = cli("import", "swebench", here / "odd")
    assert (said.code, f"denominator import auto {here / 'odd'}" in said.err) == (2, True), said.err


def test_a_mistake_inside_the_format_that_was_named_is_told_as_it_is(cli, tables):
    said = cli("import", "swebench-pro", tables, "--run", "three")
    assert (said.code, "there is no run 'three'" in said.err, "looks like" in said.err) == (2, True, False), said.err


def test_a_misspelt_word_of_a_declaration_is_no_condition(cli, tables, here):
    (here / "known.toml").write_text('concurrency = 4\ntask_idz = ["a"]\n')
    for verb in (("audit", tables), ("import", "auto", tables), ("import", "swebench-pro", tables)):
        said = cli(*verb, "--run", "one", "--declare", here / "known.toml")
        assert said.code == 2
        assert "known.toml:2 task_idz" in said.err
        assert "did you mean task_ids?" in said.err


def test_kept_folders_are_named_at_the_end(cli, tables, here):
    text = _words(cli("audit", tables, "-o", here / "kept"))
    assert f"{here / 'kept' / 'one'}" in text
    assert f"denominator card {here / 'single'}" in _words(cli("audit", tables, "--run", "one", "-o", here / "single"))
    said = cli("import", "auto", tables, "--run", "one", "-o", here / "imported")
    assert f"kept in {here / 'imported'}" in said.err
    for folder in (here / "kept" / "one", here / "single", here / "imported"):
        assert cli("card", folder).code in (0, 1)


def _words(said):
    """The text as if no line were wrapped."""
    return " ".join(said.out.split())
