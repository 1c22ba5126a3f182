"""aider's published tables through `audit`: which printed percents no count gives."""

from __future__ import annotations

import pytest

from foreign_data import sample

PARTIAL = {
    "2024-12-21-19-23-03--polyglot-o1-hard-diff": ("61.7", "cut", {225}),
    "2025-01-31-20-42-47--o3-mini-diff-high": ("60.4", "given", {225}),
    "2025-02-15-19-51-22--chatgpt4o-feb15-diff": ("27.1", "given", {225}),
    "2025-02-27-20-26-15--gpt45-diff3": ("44.9", "given", {225}),
    "2025-06-06-16-47-07--r1-diff": ("71.4", "given", {224}),
    "2025-06-27-23-53-57--o3-mini-high-diff-arch": ("78.2", "given", {225}),
}
"""Runs of which exercises are missing: what is printed, and over which denominator its own count gives it."""


@pytest.fixture(scope="module")
def polyglot():
    return sample("aider-leaderboards", "polyglot_leaderboard.yml")


@pytest.fixture
def audited(cli, polyglot):
    return cli("audit", polyglot, "--json").json["runs"]


def test_no_run_of_the_table_has_a_row_and_none_gets_a_number(audited):
    assert len(audited) == 69
    assert all(one["recorded"] == 0 and one["rung"] == "refused" for one in audited)


def test_every_printed_percentage_but_one_is_a_count_out_of_n(audited):
    odd = [
        (one["name"], line["metric"], line["printed"], line["says"])
        for one in audited
        for line in one["printed"]
        if line["says"] != "given"
    ]
    assert odd == [("2024-12-21-19-23-03--polyglot-o1-hard-diff", "pass_rate_2", "61.7", "cut")]


def test_runs_with_missing_exercises_print_percents_of_two_denominators(audited):
    lines = {one["name"]: line for one in audited for line in one["printed"] if line["metric"] == "pass_rate_2"}
    for name, (printed, says, over) in PARTIAL.items():
        line = lines[name]
        assert (line["printed"], line["says"]) == (printed, says)
        assert {one["n"] for one in line["given_by"]} == (over if says == "given" else set())
        if says == "given" and over == {225}:
            assert "not over the 224" in line["what"] or "not over the 223" in line["what"]


def test_percents_that_no_count_of_the_printed_number_gives_and_nobody_says_of_how_many_they_are(cli):
    said = cli("audit", sample("aider-leaderboards", "quant.yml"), "--json").json["runs"]
    odd = {
        (one["name"].split(" ")[0], line["printed"])
        for one in said
        for line in one["printed"]
        if line["says"] == "unexplained"
    }
    assert odd == {
        ("2024-11-22-18-56-13--ollama-qwen2.5-coder:32b-instruct-fp16", "71.4"),
        ("2024-11-26-03-15-06--ollama-qwen2.5-coder:32b-instruct-fp16-2kctx", "51.9"),
    }
