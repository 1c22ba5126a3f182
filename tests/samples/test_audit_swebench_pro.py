"""SWE-bench Pro's tables through `audit`, `import` and `compare`: the facts that were computed independently."""

from __future__ import annotations

import pytest

from denominator.stats import Pairs, newcombe_paired
from foreign_data import sample

S45, S4, GPT5, KIMI = (
    "claude-45sonnet-10132025",
    "claude-4sonnet-10132025",
    "gpt-5-250-turns-10132025",
    "kimi-k2-instruct-10132025",
)
ROWS = {
    S45: (730, 319), S4: (562, 240), "claude-opus-4-1-paper": (891, 206), "claude-sonnet-4-paper": (663, 166),
    "gemini-2-5-pro-preview-paper": (955, 105), "gpt-4o-paper": (619, 36), GPT5: (729, 265), "gptoss-paper": (728, 118),
    KIMI: (729, 202),
}  # fmt: skip
GIVES = {
    S45: ("43.72", []),
    S4: ("42.70", [562]),
    GPT5: ("36.30", [730]),
    "gptoss-paper": ("16.20", []),
    KIMI: ("27.67", [730]),
}
"""What the page prints of a run, and the denominators over which its passes print so."""
KNOWN = """
max_attempts = 1
retry_policy = "none"
scorer = "tests"
on_timeout = "fail"
invalid_rate_ceiling = 0.1
"""
SUBSET = """
[subset]
name = "ids that both tables hold"
why = "each table lacks ids of the other"
task_ids_file = "shared.txt"
"""
PAIRS = [
    (S45, S4, 562, 193, 59, 47, 263, "0.285284", "0.245891", (-0.014626, 0.057212)),
    (S45, GPT5, 729, 206, 113, 59, 351, "0.000047", "0.000035", (0.039032, 0.108783)),
    (GPT5, KIMI, 728, 146, 119, 56, 407, "0.000002", "0.000002", (0.051279, 0.121515)),
    (S4, GPT5, 562, 154, 86, 53, 269, "0.006435", "0.005103", (0.01768, 0.099405)),
]


@pytest.fixture
def pro():
    return sample("swebench-pro")


def test_all_tables_of_the_folder(cli, pro):
    said = cli("audit", pro, "--json")
    assert said.code == 1
    assert said.json["ids"] == {"union": 970, "intersection": 418}
    assert {one["name"]: (one["recorded"], one["passes"]) for one in said.json["runs"]} == ROWS
    assert all(one["rung"] == "refused" for one in said.json["runs"])
    text = cli("audit", pro).out
    assert text.count("%") == text.count(' %"') + 2 * len(ROWS), "no percent but those of the page and the bounds"


def test_the_four_dated_runs_over_their_union(cli, pro):
    runs = [word for name in (S45, S4, GPT5, KIMI) for word in ("--run", name)]
    said = cli("audit", pro, *runs, "--json")
    assert said.json["ids"] == {"union": 730, "intersection": 561}
    least = {one["name"]: round(100 * float(one["least"]), 2) for one in said.json["runs"]}
    assert least == {S45: 43.7, S4: 32.88, GPT5: 36.3, KIMI: 27.67}
    most = {one["name"]: one["most"] for one in said.json["runs"]}
    assert most[S4] == f"{(240 + 168) / 730:.6f}"
    assert {one["name"]: one["absent"] for one in said.json["runs"]} == {S45: 0, S4: 168, GPT5: 1, KIMI: 1}


@pytest.mark.parametrize("run", GIVES)
def test_which_denominators_give_the_printed_percent(cli, pro, here, run):
    printed, over = GIVES[run]
    (here / "known.toml").write_text(f'published = "{printed} %"\n')
    lines = cli("audit", pro, "--run", run, "--declare", here / "known.toml", "--json").json["run"]["published"]
    assert {line["printed"] for line in lines} == {printed}
    for line in lines:
        n = line["other_n"]
        assert list(range(n[0], n[1] + 1) if n else []) == over
        assert (line["says"] == "given") == (ROWS[run][0] in over)


@pytest.mark.parametrize(("a", "b", "n", "both", "b_only_a", "c_only_b", "neither", "p", "midp", "newcombe"), PAIRS)
def test_pairs_on_the_shared_ids(cli, pro, here, a, b, n, both, b_only_a, c_only_b, neither, p, midp, newcombe):
    assert cli("audit", pro, "--run", a, "--run", b, "-o", here / "kept").code == 1
    refused = cli(
        "compare", here / "kept" / a, here / "kept" / b, "--equal", "one configuration, says their README", "--json"
    )
    assert refused.code == 3
    assert not refused.json["comparison"]["estimates"]
    (here / "kept" / "known.toml").write_text(KNOWN + SUBSET)
    for run in (a, b):
        assert (
            cli(
                "import", "swebench-pro", pro, "--run", run, "--declare", here / "kept" / "known.toml", "-o", here / run
            ).code
            == 0
        )
    said = cli(
        "compare",
        here / a,
        here / b,
        "--treatment",
        "model_id",
        "--equal",
        "one configuration, says their README",
        "--json",
    )
    assert said.code == 0, said.err
    made = said.json["comparison"]
    assert made["tasks"] == n
    assert (len(made["more_a"]), len(made["more_b"])) == (b_only_a, c_only_b)
    assert (made["test"]["p_exact"], made["test"]["p_mid"]) == (p, midp)
    rows = made["table"]
    counts = {
        (one, two): sum((row["passes_a"], row["passes_b"]) == (one, two) for row in rows)
        for one in (0, 1)
        for two in (0, 1)
    }
    assert counts == {(1, 1): both, (1, 0): b_only_a, (0, 1): c_only_b, (0, 0): neither}
    found = newcombe_paired(Pairs(both=both, a_only=b_only_a, b_only=c_only_b, neither=neither))
    assert (round(found.lo, 6), round(found.hi, 6)) == newcombe


def test_percents_under_names_of_no_folder_are_told_and_no_run_is_guessed(cli, pro):
    said = cli("audit", pro, "--json").json
    printed = {one["name"]: [each["printed"] for each in one["printed"]] for one in said["runs"] if one["printed"]}
    assert printed == {S45: ["43.72"], S4: ["42.70"], KIMI: ["27.67"]}
    assert {each["says"] for one in said["runs"] for each in one["printed"]} == {"unexplained", "given"}
    (note,) = [one for one in said["notes"] if one.startswith("index.html prints")]
    for name in ("gpt-5-2025-08-07 (High) 36.30", "gpt-oss-120b 16.20", "claude-4-5-haiku 39.45", "glm-4.5 35.52"):
        assert name in note
    assert "nothing says which runs these are of" in " ".join(cli("audit", pro).out.split())
