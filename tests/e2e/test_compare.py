"""Public and invented situations of two arms, through the command line."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from e2e.comparing import GONE, Said, compared, leaves, manifest, no_delta, pair, rows, table

CASES = Path(__file__).parents[1] / "cases" / "compare"
SITUATIONS = Path(__file__).parents[1] / "cases" / "situations"
WORDS = re.compile(
    r"\b(better|best|worse|worst arm|wins?|winner|beats?|improves?|improved|outperforms?|stronger|ahead)\b", re.I
)
Capsys = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")


def case(number: str) -> tuple[Path, dict[str, Any]]:
    folder = next(path for root in (CASES, SITUATIONS) for path in root.iterdir() if path.name.startswith(number))
    return folder, json.loads((folder / "case.json").read_text("utf-8"))["right_answer"]


def not_comparable(said: Said) -> None:
    assert said.code == 3
    assert said.found["comparability"]["status"] == "not_comparable"
    assert said.text.startswith("NOT COMPARABLE")
    no_delta(said)


# ---- public situations ----


def test_021_a_pass_after_the_cap_is_a_policy(capsys: Capsys) -> None:
    folder, answer = case("021")
    traces = ("--both", folder / "traces.jsonl")
    said = compared(capsys, "--a", folder / "manifest_fail.json", "--b", folder / "manifest_grade.json", *traces)
    assert answer["compare the two"].startswith("NOT_COMPARABLE")
    not_comparable(said)
    assert said.blocking()["on_timeout"] == "referee"
    assert said.found["a"]["exits"]["pass"] == 0 and said.found["b"]["exits"]["pass"] == 1
    equal = compared(
        capsys,
        "--a",
        folder / "manifest_fail.json",
        "--b",
        folder / "manifest_grade.json",
        *traces,
        "--equal",
        "one box",
    )
    not_comparable(equal)
    assert set(equal.blocking()) == {"on_timeout"}


def test_031_concurrency_is_a_field(capsys: Capsys, tmp_path: Path) -> None:
    folder, _ = case("031")
    copy = tmp_path / "alone"
    shutil.copytree(folder, copy)
    (copy / "manifest.json").write_text('{"concurrency": 1}')
    said = compared(capsys, folder, copy, "--equal", "one box")
    not_comparable(said)
    assert said.blocking() == {"concurrency": "conditions"}


def test_041_a_run_cut_by_its_cap_is_not_comparable_with_a_whole_one(capsys: Capsys, tmp_path: Path) -> None:
    folder, answer = case("041")
    whole = (folder / "ledger.jsonl").read_text().replace('"cap"', '"done"').replace("r41", "r42")
    last = json.loads(whole.splitlines()[-1])
    more = [json.dumps(last | {"task_id": task}) for task in ("z09", "z10")]
    (tmp_path / "ledger.jsonl").write_text(whole + "\n".join(more) + "\n")
    shutil.copy(folder / "harness_config.json", tmp_path)
    said = compared(capsys, folder, tmp_path, "--equal", "one box, one day")
    not_comparable(said)
    assert "censored" in " ".join(said.found["comparability"]["reasons"])
    exits, numbers = said.found["a"]["exits"], answer["numbers"]
    assert exits["pass"] == numbers["accepted"] and exits["never_started"] == numbers["never_started"]
    assert exits["unscoreable"] == numbers["cut"] and said.found["a"]["declared"] == numbers["declared"]
    assert "4/8" not in said.text


def test_072_a_router_that_serves_two_hosts_is_not_one_arm(capsys: Capsys) -> None:
    folder, _ = case("072")
    for more in ([], ["--equal", "one day"]):
        said = compared(capsys, folder / "armA.jsonl", folder / "armB.jsonl", *more)
        not_comparable(said)
        assert "arm B mixes 2 hosts / 2 quantisations" in said.printed


def test_073_a_doubled_budget_is_another_condition(capsys: Capsys) -> None:
    folder, answer = case("073")
    args = ["--a", folder / "runsA.jsonl", "--a", folder / "manifestA.json", "--b", folder / "manifestB.json"]
    said = compared(capsys, *args)
    not_comparable(said)
    assert said.blocking() == {"agent_timeout_multiplier": "conditions"}
    assert set(answer["numbers"]["out_of_spec"]) <= set(said.found["a"]["after_cap"])
    assert said.found["a"]["exits"]["pass"] == answer["numbers"]["in_spec"]


def test_074_the_kill_limit_counts_not_the_nominal_one(capsys: Capsys) -> None:
    folder, _ = case("074")
    said = compared(capsys, folder / "manifestA.json", folder / "manifestB.json")
    not_comparable(said)
    assert said.blocking() == {"mem_kill_mb": "conditions"}


def test_076_harmless_differences_are_notes(capsys: Capsys) -> None:
    folder, answer = case("076")
    said = compared(capsys, folder / "manifestA.json", folder / "manifestB.json")
    assert said.code == 0
    assert said.found["comparability"]["status"] == "comparable"
    notes = {one["name"] for one in said.found["comparability"]["fields"] if one["verdict"] == "note"}
    assert set(answer["notes"]) <= notes
    assert "No rows were given" in said.sentence
    no_delta(said)


def test_080_other_attempts_are_another_referee(capsys: Capsys, tmp_path: Path) -> None:
    folder, _ = case("080")
    first = [json.loads(line) for line in (folder / "ledger.jsonl").read_text().splitlines()]
    once = [json.dumps(row | {"run_id": "q5"}) for row in first if row["attempt"] == 1]
    (tmp_path / "ledger.jsonl").write_text("\n".join(once) + "\n")
    (tmp_path / "harness_config.json").write_text('{"max_attempts": 1, "cap_tokens": 250000}')
    said = compared(capsys, folder, tmp_path, "--equal", "one box")
    not_comparable(said)
    assert "max_attempts" in said.blocking()
    assert "0.819" not in said.text and "59" not in said.printed.split("NOTES")[0]


def test_090_a_difference_below_noise_is_a_direction(capsys: Capsys) -> None:
    folder, answer = case("090")
    said = compared(capsys, folder / "armA.jsonl", folder / "armB.jsonl", "--equal", "same harness, same day")
    numbers = answer["numbers"]
    assert said.code == 0 and said.verdict["rung"] == "directional"
    for metric, key in (("pass_rate_a", "rate_a"), ("pass_rate_b", "rate_b"), ("difference", "mean_d")):
        assert float(said.estimate(metric)["value"]) == numbers[key]
        assert said.estimate(metric)["value"] in said.text
    assert float(said.found["test"]["p_exact"]) == numbers["signflip_p"]
    assert round(float(said.found["test"]["sign_p"]), 4) == numbers["sign_p"]
    assert (len(said.found["more_a"]), len(said.found["more_b"])) == (numbers["wins_a"], numbers["wins_b"])
    assert "not established" in said.sentence and "20 tasks, 5 repeats" in said.sentence
    assert "p = 0.343750" in said.sentence and "-0.147 to +0.067" in said.sentence


def test_090_bare_rows_are_not_comparable_by_silence(capsys: Capsys) -> None:
    folder, _ = case("090")
    said = compared(capsys, folder / "armA.jsonl", folder / "armB.jsonl")
    not_comparable(said)
    assert any("unknown equals nothing" in one for one in said.found["comparability"]["reasons"])


def test_091_a_lost_task_is_an_exit_to_explain_first(capsys: Capsys) -> None:
    folder, answer = case("091")
    both = ("--both", folder / "manifest.json")
    for more in ([], ["--equal", "one harness"]):
        said = compared(capsys, "--a", folder / "outA.json", "--b", folder / "outB.json", *both, *more)
        not_comparable(said)
        a, b = said.found["a"], said.found["b"]
        numbers = answer["numbers"]
        assert f"{a['exits']['pass']}/{a['declared']}" == numbers["a_on_declared"]
        assert f"{b['exits']['pass']}/{b['declared']}" == numbers["b_on_declared"].split()[0]
        assert b["exits"]["never_started"] == 2
        assert said.found["comparability"]["only_a"] == ["t7", "t8"]
        assert sum(a["shared"].values()) == sum(b["shared"].values()) == numbers["shared"]
        assert (a["shared"]["pass"], b["shared"]["pass"]) == (4, 5)
        assert "t7, t8" in said.text and "5/6" not in said.text and ">" not in said.text.replace("->", "")


# ---- invented situations of the same kinds ----


def test_every_core_field_moved_alone_blocks(capsys: Capsys, tmp_path: Path) -> None:
    a, b = table(8, 2, 1, 3)
    for field, other in (
        ("model_id", "prov/other"),
        ("temperature", 0.7),
        ("scoring_script_sha256", "s2"),
        ("seed", 8),
    ):
        said = compared(capsys, *pair(tmp_path, a, b, **{field: other}))
        not_comparable(said)
        assert set(said.blocking()) == {field}


def test_a_missing_field_blocks_and_is_named(capsys: Capsys, tmp_path: Path) -> None:
    a, b = table(8, 2, 1, 3)
    said = compared(capsys, *pair(tmp_path, a, b, env_image_digest=GONE))
    not_comparable(said)
    assert said.blocking() == {"env_image_digest": "unknown"}


def test_a_manifest_and_outcomes_give_pairs_and_a_sentence(capsys: Capsys, tmp_path: Path) -> None:
    """The shape of METHODS M8: the slice by digest, outcomes as task_id and passed."""
    args: list[object] = []
    for name, marks in zip("AB", table(10, 4, 1, 5), strict=True):
        path = tmp_path / f"outcomes{name}.json"
        path.write_text(json.dumps([{"task_id": task, "passed": mark == "P"} for task, mark in marks.items()]))
        args += [f"--{name.lower()}", path, f"--{name.lower()}", manifest(tmp_path, name)]
    said = compared(capsys, *args)
    assert said.code == 0 and said.verdict["rung"] == "directional"
    assert said.found["more_b"] == ["t015"] and len(said.found["more_a"]) == 4
    assert said.estimate("difference")["value"] == "0.150000"
    assert any("taken as declared" in note for note in said.found["notes"])


def test_a_treatment_named_afterwards_establishes_nothing(capsys: Capsys, tmp_path: Path) -> None:
    a, b = table(10, 12, 0, 5)
    args = pair(tmp_path, a, b, model_id="prov/other")
    not_comparable(compared(capsys, *args))
    said = compared(capsys, *args, "--treatment", "model_id")
    assert said.code == 0 and said.verdict["rung"] == "directional"
    assert "named afterwards" in said.sentence
    assert "seal a treatment field" in said.verdict["lifts"]


def test_a_large_difference_without_a_plan_is_a_direction(capsys: Capsys, tmp_path: Path) -> None:
    said = compared(capsys, *pair(tmp_path, *table(10, 15, 0, 5)))
    assert said.verdict["rung"] == "directional"
    assert "declare a primary comparison before the run" in said.verdict["lifts"]


def test_no_task_differs_has_a_width(capsys: Capsys, tmp_path: Path) -> None:
    said = compared(capsys, *pair(tmp_path, *table(12, 0, 0, 8)))
    found = said.estimate("difference")
    assert (found["value"], found["lo"], found["hi"]) == ("0.000000", "-0.161125", "0.161125")
    assert "read an interval that contains 0 as equality" in said.verdict["may_not"]
    assert said.found["test"]["p"] == "1.000000"


def test_fewer_than_six_discordant_tasks_cannot_establish(capsys: Capsys, tmp_path: Path) -> None:
    said = compared(capsys, *pair(tmp_path, *table(10, 5, 0, 5)))
    assert "cannot be established at this N: 5 tasks differ, it takes 6" in said.sentence
    assert "1 more discordant task, all in the same direction" in said.verdict["lifts"]


def test_few_tasks_are_counts(capsys: Capsys, tmp_path: Path) -> None:
    said = compared(capsys, *pair(tmp_path, *table(2, 3, 0, 1)))
    assert said.code == 0 and said.verdict["rung"] == "counts"
    assert said.found["estimates"] == [] and "not_measured" in said.found["test"]
    assert said.found["more_a"] == ["t003", "t004", "t005"]
    assert not re.search(r"\d %|[+-]0\.\d", said.text.split("NOTES")[0])
    assert any("GL024 few-tasks" in one for one in said.verdict["lifts"])


def test_a_blocked_side_is_refused_with_the_rules(capsys: Capsys, tmp_path: Path) -> None:
    a, b = table(8, 2, 1, 3)
    said = compared(capsys, *pair(tmp_path, a, b | {"t001": "-"}))
    assert said.code == 1 and said.verdict["rung"] == "refused"
    assert "GL002 unbalanced-ledger" in said.sentence
    no_delta(said)


def test_unseen_draws_can_take_a_direction_back(capsys: Capsys, tmp_path: Path) -> None:
    a, b = table(20, 6, 0, 4)
    said = compared(capsys, *pair(tmp_path, a, b | {"t021": "U", "t022": "U"}))
    worst = said.found["worst"]
    assert (worst["unseen_a"], worst["unseen_b"], worst["holds"]) == (0, 2, False)
    assert (worst["difference_lo"], worst["difference_hi"]) == ("0.133333", "0.200000")
    moves = {(one["a"], one["b"]): one for one in said.found["transitions"]}
    assert moves["pass", "unscoreable INFRA"]["draws"] == ["t021", "t022"]
    assert "B 2 of 30 draws each" in said.sentence


def test_repeats_of_one_arm_only_are_not_comparable(capsys: Capsys, tmp_path: Path) -> None:
    a, b = table(8, 2, 1, 3)
    twice = {task: mark * 2 for task, mark in b.items()}
    said = compared(capsys, *pair(tmp_path, a, twice, repeats=2))
    not_comparable(said)


def test_ragged_repeats_are_refused_with_the_reason(capsys: Capsys, tmp_path: Path) -> None:
    marks = {f"t{n:02}": "PPF" for n in range(1, 11)} | {"t10": "PP"}
    a, b = rows(tmp_path, "A", marks), rows(tmp_path, "B", marks)
    said = compared(capsys, a, b, "--equal", "one harness")
    assert said.code in (1, 3)
    no_delta(said)
    assert "t10" in said.text


def test_tasks_of_one_repository_count_as_one_unit(capsys: Capsys, tmp_path: Path) -> None:
    a, b = table(4, 12, 0, 4)
    repos = {task: f"repo-{int(task[1:]) % 4}" for task in a}
    files = [rows(tmp_path, "A", a, repository=repos), rows(tmp_path, "B", b, repository=repos)]
    said = compared(capsys, *files, "--equal", "one harness")
    assert said.found["unit"] == "family" and said.found["units"] == 4
    assert "4 families as units" in said.sentence
    assert said.found["test"]["p_exact"] == "0.125000"


def test_strata_are_counts_only(capsys: Capsys, tmp_path: Path) -> None:
    a, b = table(8, 3, 1, 4)
    strata = {task: "easy" if int(task[1:]) <= 10 else "hard" for task in a}
    files = [rows(tmp_path, "A", a, stratum=strata), rows(tmp_path, "B", b, stratum=strata)]
    said = compared(capsys, *files, "--equal", "one harness")
    lines = {one["name"]: one for one in said.found["strata"]}
    assert (lines["easy"]["passes_a"], lines["easy"]["passes_b"], lines["easy"]["draws"]) == (10, 8, 10)
    assert (lines["hard"]["more_a"], lines["hard"]["more_b"]) == (1, 1)


def test_two_arms_in_one_file(capsys: Capsys, tmp_path: Path) -> None:
    a, b = table(8, 3, 1, 4)
    text = rows(tmp_path, "A", a, arm="old").read_text() + rows(tmp_path, "B", b, arm="new").read_text()
    (tmp_path / "all.jsonl").write_text(text.replace('"run_id": "B"', '"run_id": "A"'))
    one = tmp_path / "all.jsonl"
    said = compared(
        capsys, "--a", one, "--b", one, "--where-a", "arm=old", "--where-b", "arm=new", "--equal", "one file"
    )
    assert said.code == 0 and said.estimate("difference")["numerator"] == 2
    assert (said.found["a"]["name"], said.found["b"]["name"]) == ("old", "new")


def test_three_arms_without_a_family_have_no_p_value(capsys: Capsys, tmp_path: Path) -> None:
    a, b = table(8, 8, 0, 4)
    files = [rows(tmp_path, "A", a), rows(tmp_path, "B", b), rows(tmp_path, "C", a)]
    said = compared(capsys, *files, "--equal", "one harness")
    grid = said.document["grid"]
    assert said.code == 0 and len(grid["pairs"]) == 3
    assert all("not_measured" in one["adjusted"] and "not_measured" in one["separates"] for one in grid["pairs"])
    assert all("not_measured" in one["test"]["p"] for one in grid["comparisons"])
    assert "p =" not in said.printed and "No p value" in said.printed


def test_undeclared_looks_take_the_p_value(capsys: Capsys, tmp_path: Path) -> None:
    said = compared(capsys, *pair(tmp_path, *table(8, 8, 0, 4)), "--looks", 2)
    assert "not_measured" in said.found["test"]["p"] and "No p value" in said.sentence
    assert "p =" not in said.printed


def test_a_margin_of_two_manifests_is_shown_and_establishes_nothing(capsys: Capsys, tmp_path: Path) -> None:
    plan = {"primary": ["A", "B"], "question": "equivalent", "margin": "0.10"}
    said = compared(capsys, *pair(tmp_path, *table(60, 1, 1, 38), both_comparison=plan))
    assert said.code == 0 and said.verdict["rung"] == "directional"
    found = said.estimate("difference_for_margin")
    assert found["level"] == "0.9" and found["value"] == "0.000000"
    assert "lies inside the stated margin 0.1; without a seal nothing follows" in said.printed
    assert "equivalent within" not in said.printed
    assert (
        compared(capsys, *pair(tmp_path, *table(60, 1, 1, 38), both_comparison=plan), "--require", "equivalent").code
        == 1
    )


def test_require_fails_by_exit_code(capsys: Capsys, tmp_path: Path) -> None:
    args = pair(tmp_path, *table(8, 8, 0, 4))
    assert compared(capsys, *args, "--require", "directional").code == 0
    said = compared(capsys, *args, "--require", "not_worse")
    assert said.code == 1 and said.document["met"] is False


def test_spend_and_times_need_windows(capsys: Capsys, tmp_path: Path) -> None:
    a, b = table(8, 2, 1, 3)
    said = compared(capsys, *pair(tmp_path, a, b, started_at_utc="2026-10-20T09:12:00Z"))
    assert said.code == 0
    assert "not_measured" in said.estimate("spend_ratio")["value"]
    assert "not_measured" in said.estimate("median_wall_ms_a")["value"]
    not_comparable(compared(capsys, *pair(tmp_path, a, b, provider_region="us"), "--for", "time"))


def test_swapped_sides_mirror(capsys: Capsys, tmp_path: Path) -> None:
    args = pair(tmp_path, *table(8, 5, 2, 3))
    first = compared(capsys, *args)
    second = compared(capsys, "--a", args[5], "--a", args[7], "--b", args[1], "--b", args[3])
    there, back = first.estimate("difference"), second.estimate("difference")
    assert (float(there["value"]), float(there["lo"])) == (-float(back["value"]), -float(back["hi"]))
    assert first.found["more_a"] == second.found["more_b"]
    assert first.found["test"] == second.found["test"]


def test_row_order_changes_no_byte(capsys: Capsys, tmp_path: Path) -> None:
    a, b = table(8, 5, 2, 3)
    files = rows(tmp_path, "A", a), rows(tmp_path, "B", b)
    first = compared(capsys, *files, "--equal", "one harness")
    for path in files:
        path.write_text("\n".join(reversed(path.read_text().splitlines())) + "\n")
    second = compared(capsys, *files, "--equal", "one harness")
    gone = ("digest", "sentence")
    assert [one for one in leaves(first.found) if not one[0].endswith(gone)] == [
        one for one in leaves(second.found) if not one[0].endswith(gone)
    ]


@pytest.mark.parametrize("counts", [(10, 12, 0, 5), (12, 0, 0, 8), (3, 1, 9, 9), (2, 3, 0, 1)])
def test_no_ranking_word_in_any_output(capsys: Capsys, tmp_path: Path, counts: tuple[int, int, int, int]) -> None:
    said = compared(capsys, *pair(tmp_path, *table(*counts)))
    text = said.text.replace("worst case", "")
    assert not WORDS.search(text), WORDS.search(text)


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["one"], "no run is called"),
        (["--require", "splendid", "a", "b"], "no rung"),
        ([], "needs two sides"),
    ],
)
def test_unusable_arguments(capsys: Capsys, tmp_path: Path, args: list[str], says: str) -> None:
    from denominator.cli.main import run_cli

    assert run_cli(["compare", *args, "--runs-dir", str(tmp_path)]) == 2
    assert says in capsys.readouterr().err
