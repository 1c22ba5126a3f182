"""`import FORMAT`, `import auto`, `import list` and `audit` as a user types them, over tables that the tests write."""

from __future__ import annotations

import json

import jsonschema
import pytest

from denominator.wire.documents import DOCUMENTS
from denominator.wire.schema import schema
from foreign_data import written
from importer_examples import inspect, lm_eval

KNOWN = """
max_attempts = 1
retry_policy = "none"
scorer = "tests"
on_timeout = "fail"
invalid_rate_ceiling = 0.1
model_id = "acme-1"
"""
PAGE = """<tr><td><span class="model-name">Harness + run a</span></td><td><span class="resolved-score">66.67</span></td></tr>
<tr><td><span class="model-name">Harness + b</span></td><td><span class="resolved-score">40.1</span></td></tr>"""


@pytest.fixture
def tables(here):
    """Two runs with ragged ids and a page that prints percents of them."""
    for name, table in {
        "run-a-1": dict.fromkeys("abcd", True) | dict.fromkeys("ef", False),
        "b": {"a": True, "b": False, "x": False},
    }.items():
        (here / "pro" / name).mkdir(parents=True)
        (here / "pro" / name / "eval_results.json").write_text(json.dumps(table))
    (here / "pro" / "index.html").write_text(PAGE)
    return here / "pro"


@pytest.fixture
def known(here):
    def write(text: str = "", name: str = "known.toml"):
        (here / name).write_text(KNOWN + text)
        return here / name

    return write


def test_formats_are_listed_and_shown_in_help_without_being_loaded(cli):
    assert "swebench-pro" in cli("import", "list").out
    assert {"name", "title"} == set(cli("import", "list", "--json").json[0])
    said = cli("import", "--help")
    assert [word in said.out for word in ("auto", "rows", "swebench-pro")] == [True] * 3
    assert "--declare" in cli("import", "swebench-pro", "--help").out


def test_an_unknown_format_is_told_with_the_nearest(cli, tables):
    said = cli("import", "swebench-prow", tables)
    assert (said.code, "Did you mean 'swebench-pro'?" in said.err) == (2, True)


def test_several_runs_are_listed(cli, tables):
    for verb in (("import", "auto"), ("import", "swebench-pro")):
        said = cli(*verb, tables)
        assert said.code == 2
        assert "run-a-1" in said.err
        assert "--run NAME" in said.err
    said = cli("import", "auto", tables, "--run", "c")
    assert (said.code, "there is no run 'c'" in said.err) == (2, True)


def test_without_a_plan_nothing_may_be_said(cli, tables):
    said = cli("import", "auto", tables, "--run", "run-a-1")
    assert said.code == 1
    assert "nobody knows how many draws were declared" in " ".join(said.out.split())
    assert "66.7" not in said.out


def test_what_a_person_declares_is_used_and_marked_as_declared(cli, tables, known, here):
    declared = known('[dataset]\ntask_ids_file = "ids.txt"\n')
    (here / "ids.txt").write_text("# those of the run\na\nb\nc\nd\ne\nf\n\n")
    said = cli(
        "import", "swebench-pro", tables, "--run", "run-a-1", "--declare", declared, "-o", here / "kept", "--json"
    )
    assert said.code == 0, said.out
    assert said.json["card"]["declared"] == 6
    terms = json.loads((here / "kept" / "terms.json").read_text())
    by = {one["name"]: (one["by"], one["value"]) for one in terms["conditions"]}
    assert by["model_id"] == ("declared", '"acme-1"')
    assert by["harness_name"] == ("recorded", '"SWE-bench Pro"')
    assert "records no image" in str(by["env_image_digest"][1]) or "record no image" in str(by["env_image_digest"][1])
    for verb in ("gate", "card", "labels", "spend"):
        again = cli(verb, here / "kept")
        assert again.code == 0, (verb, again.err)


def test_ids_outside_of_the_declared_ones_block(cli, tables, known):
    said = cli(
        "import",
        "swebench-pro",
        tables,
        "--run",
        "run-a-1",
        "--declare",
        known('task_ids = ["a", "b", "c"]'),
        "--brief",
    )
    assert said.code == 1
    assert "GL004 foreign-rows" in said.out


def test_a_contradiction_of_recorded_and_declared_blocks_by_name(cli, tables, known):
    said = cli(
        "import",
        "swebench-pro",
        tables,
        "--run",
        "b",
        "--declare",
        known('run_id = "c"\ntask_ids = ["a", "b", "x"]'),
        "--brief",
    )
    assert said.code == 1
    assert said.out.count("manifest_conflict") == 1
    assert "run_id" in said.out


def test_every_mistake_of_a_declaration_in_one_pass_with_its_line(cli, tables, here):
    (here / "bad.toml").write_text(
        'repeats = 0\non_timeout = "maybe"\n\n[dataset]\ntask_count = "x"\ntask_ids_file = "no.txt"\n'
    )
    said = cli("audit", tables, "--declare", here / "bad.toml")
    assert said.code == 2
    for place in (
        "bad.toml:1 repeats",
        "bad.toml:2 on_timeout",
        "bad.toml:5 dataset.task_count",
        "bad.toml:6 dataset.task_ids_file",
    ):
        assert place in said.err, said.err
    (here / "bad.toml").write_text("= 3")
    assert "bad.toml:1" in cli("audit", tables, "--declare", here / "bad.toml").err
    (here / "bad.toml").write_text("")
    assert "declares nothing" in cli("audit", tables, "--declare", here / "bad.toml").err


def test_a_subset_is_a_data_set_of_its_own(cli, tables, known, here):
    text = '[subset]\nname = "shared"\nwhy = "both tables hold them"\ntask_ids = ["a", "b"]\n'
    for run in ("run-a-1", "b"):
        said = cli(
            "import", "auto", tables, "--run", run, "--declare", known(text), "-o", here / f"kept-{run}", "--brief"
        )
        assert said.code == 0, said.out
        assert "shared (ids chosen afterwards: both tables hold them)" in " ".join(said.out.split())
    said = cli(
        "compare", here / "kept-run-a-1", here / "kept-b", "--treatment", "run_id", "--equal", "one harness", "--json"
    )
    assert said.code == 0
    assert (said.json["comparison"]["tasks"], said.json["comparison"]["more_a"]) == (2, ["b"])
    said = cli("import", "auto", tables, "--run", "b", "--declare", known('[subset]\nname = ""\ntask_ids = "a"\n'))
    assert said.code == 2
    assert all(f"subset.{key}" in said.err for key in ("name", "why", "task_ids"))


def test_compare_refuses_ragged_ids(cli, tables, known, here):
    for run in ("run-a-1", "b"):
        cli("import", "auto", tables, "--run", run, "--declare", known(), "-o", here / f"kept-{run}")
    said = cli("compare", here / "kept-run-a-1", here / "kept-b", "--equal", "one harness")
    assert said.code == 3
    assert "task sets differ" in " ".join(said.out.split())


def test_an_audit_of_one_run_sets_print_and_rows_side_by_side(cli, tables):
    said = cli("audit", tables, "--run", "run-a-1", "--json")
    assert said.code == said.json["exit"] == 1
    jsonschema.validate(said.json, schema(DOCUMENTS["audit"]))
    run = said.json["run"]
    (line,) = run["published"]
    assert (line["printed"], line["says"], line["where"]) == ("66.67", "given", "index.html:1")
    assert [one["n"] for one in line["given_by"]] == [6]
    assert run["passes"] == 4
    assert [(one["word"], one["n"], one["outcome"]) for one in run["endings"]] == [
        ("true", 4, "pass"),
        ("false", 2, "fail"),
    ]
    assert "env_image_digest" in run["unknown"]
    text = cli("audit", tables, "--run", "run-a-1").out
    for title in (
        "READ",
        "THE ROWS",
        "PUBLISHED (the source's words",
        "ENDINGS",
        "CONDITIONS",
        "UNKNOWN (blocks too)",
        "THE SENTENCE",
        "WHAT WOULD LIFT IT",
    ):
        assert title in text, title
    brief = cli("audit", tables, "--run", "run-a-1", "--brief").out
    assert "THE SENTENCE" in brief
    assert "ENDINGS" not in brief


def test_an_audit_of_several_runs_is_a_table_with_bounds_over_the_union(cli, tables, here):
    said = cli("audit", tables, "--json", "-o", here / "kept")
    assert said.code == 1
    jsonschema.validate(said.json, schema(DOCUMENTS["audit"]))
    assert said.json["ids"] == {"union": 7, "intersection": 2}
    lines = {one["name"]: one for one in said.json["runs"]}
    assert (lines["run-a-1"]["least"], lines["run-a-1"]["most"], lines["run-a-1"]["absent"]) == (
        "0.571429",
        "0.714286",
        1,
    )
    assert (lines["b"]["least"], lines["b"]["most"], lines["b"]["absent"]) == ("0.142857", "0.714286", 4)
    assert [one["says"] for one in lines["b"]["printed"]] == ["unexplained"]
    assert json.loads((here / "kept" / "audit.json").read_text()) == said.json
    assert (here / "kept" / "shared.txt").read_text() == "a\nb\n"
    assert (here / "kept" / "union.txt").read_text() == "a\nb\nc\nd\ne\nf\nx\n"
    assert cli("gate", here / "kept" / "b").code == 1
    text = " ".join(cli("audit", tables).out.split())
    assert "7 in any run, 2 in all of them" in text
    assert "14.3 % to 71.4 % (4 absent)" in text
    assert cli("audit", tables, "-o", here / "kept").code == 2


def test_a_declared_percentage_is_published_too(cli, tables, known):
    declared = known('published = "50.0 % of 8"\ntask_count = 8\n')
    said = cli("audit", tables, "--run", "run-a-1", "--declare", declared, "--json")
    line = said.json["run"]["published"][-1]
    assert (line["metric"], line["printed"], line["says"], line["given_by"][0]["n"]) == (
        "percentage",
        "50.0",
        "given",
        8,
    )


def test_auto_falls_back_to_shapes_of_rows(cli, here):
    (here / "rows.jsonl").write_text('{"run_id": "r", "task_id": "t", "attempt": 1, "outcome": "pass"}\n')
    said = cli("import", "auto", here / "rows.jsonl")
    assert said.code == 1
    assert "shape: outcomes" in said.err
    said = cli("audit", here / "rows.jsonl", "--json")
    assert (said.code, said.json["format"], said.json["run"]["passes"]) == (1, "rows", 1)


def test_what_nothing_reads_is_told_as_it_was_seen(cli, here):
    (here / "odd").mkdir()
    (here / "odd" / "a.json").write_text('{"colour": 1, "weight": 2}')
    (here / "odd" / "b.bin").write_bytes(b"\0\1")
    for verb in (("import", "auto"), ("audit",)):
        said = cli(*verb, here / "odd")
        assert said.code == 2
        for word in ("2: 1 .json, 1 .bin", "an object with colour, weight", "swebench-pro", "import rows --map"):
            assert word in said.err, said.err


@pytest.mark.parametrize("verb", [("import", "auto"), ("import", "swebench-pro"), ("audit",)])
def test_damaged_and_empty_input_is_refused_in_words(cli, here, verb):
    (here / "x").mkdir()
    for data in (b"", b"{", b"\xff\xfe", b"[" * 5000, b'{"a": tru', b"PK\x03\x04"):
        (here / "x" / "eval_results.json").write_bytes(data)
        said = cli(*verb, here / "x")
        assert said.code == 2, (data, said.out)
    assert cli(*verb, here / "missing").code == 2


def test_a_row_without_a_verdict_blocks(cli, here, known):
    (here / "eval_results.json").write_text('{"a": true, "b": "error"}')
    said = cli("audit", here / "eval_results.json", "--declare", known('task_ids = ["a", "b"]'), "--json")
    assert said.code == 1
    assert [(one["word"], one["n"]) for one in said.json["run"]["endings"]] == [("true", 1), ("", 1)]
    assert "unknown_outcome" in {one["kind"] for one in said.json["run"]["defects"]}


def test_two_formats_that_fit_are_both_named(cli, tables, tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.mktemp("twin")
    (folder / "twin.py").write_text(
        "from denominator.importers.formats.swebench_pro import SwebenchPro\n"
        "class Twin(SwebenchPro):\n    name = 'twin'\n"
        "IMPORTER = Twin()\n"
    )
    meta = folder / "twin-1.0.dist-info"
    meta.mkdir()
    (meta / "METADATA").write_text("Metadata-Version: 2.1\nName: twin\nVersion: 1.0\n")
    (meta / "entry_points.txt").write_text("[denominator.importers]\ntwin = twin:IMPORTER\n")
    monkeypatch.syspath_prepend(folder)
    said = cli("audit", tables)
    assert said.code == 2
    assert "several formats fit" in said.err
    assert "twin" in said.err
    assert "denominator import swebench-pro PATH" in said.err


def test_a_printed_mean_of_partial_credit_accuses_nobody(cli, here):
    document = json.loads(json.dumps(lm_eval.results()).replace("exact_match", "f1"))
    document["results"]["toy"] |= {"f1,first": 0.437, "f1,strict": 0.437}
    rows = "".join(
        json.dumps(lm_eval.row(doc, value, metric="f1")) + "\n" for doc, value in enumerate((0.5, 0.311, 0.5))
    )
    names = {f"m/results_{lm_eval.STAMP}.json": document, f"m/samples_toy_{lm_eval.STAMP}.jsonl": rows}
    said = cli("audit", written(here / "in", names), "--run", "toy,first", "--json")
    (line,) = [one for one in said.json["run"]["published"] if one["printed"] == "0.437"]
    assert (line["says"], line["unit_of"]) == ("unchecked", "other")


def test_a_printed_pass_at_k_is_held_against_the_draws_of_each_task(cli, here):
    passes = (3, 1, 0, 2, 1, 1, 0, 3)
    names = [f"HumanEval/{number}" for number in range(len(passes))]
    sample = {"base_fail_tests": [], "plus_fail_tests": []}
    table = {
        task: [
            sample | {"task_id": task, "solution": f"s{n}", "base_status": word, "plus_status": word}
            for n, word in enumerate(["pass"] * c + ["fail"] * (3 - c))
        ]
        for task, c in zip(names, passes, strict=True)
    }
    at_2 = sum(1 - ((3 - c) * (2 - c) / 6 if c < 2 else 0) for c in passes) / len(passes)
    printed = {"base": {"pass@1": sum(passes) / 24, "pass@2": at_2}}
    found = {"date": "2026-01-01 10:00", "hash": "h", "eval": table, "pass_at_k": printed}
    said = cli("audit", written(here / "in", {"m_eval_results.json": found}), "--run", "base", "--json")
    lines = {one["metric"]: (one["says"], one["what"].partition(",")[0]) for one in said.json["run"]["published"]}
    assert lines["pass@1 base"] == ("given", "by the mean of each task's rate")
    assert lines["pass@2 base"] == ("given", "by pass@2 of each task's draws")


@pytest.mark.parametrize(
    ("reducer", "value", "says", "told"),
    [
        ("mean", 0.5, "given", "by the mean of each task's rate"),
        ("at_least_2", 0.25, "given", "by tasks passed at least 2 times"),
        (
            "at_least_2",
            0.5,
            "other_count",
            "the mean of each task's rate, over 4, prints so too, and is another number",
        ),
        ("max", 0.5, "other_count", "tasks passed at least once: 3"),
        ("my_reducer", 0.5, "unchecked", "it is 'my_reducer' of each task's draws, which cannot be made of these rows"),
    ],
)
def test_what_inspect_says_that_it_reduced_to_is_what_gives_its_number(cli, here, reducer, value, says, told):
    """Four ids twice: 2, 1, 1 and 0 passes. The mean over ids is a half; one of four passed twice."""
    passes = {"a": "CC", "b": "CI", "c": "IC", "d": "II"}
    of = inspect.log(
        list(passes),
        [inspect.sample(name, n, word) for name, two in passes.items() for n, word in enumerate(two, 1)],
        2,
    )
    (score,) = of["results"]["scores"]
    score["reducer"], score["metrics"]["accuracy"]["value"] = reducer, value
    inspect.packed(here / "log.eval", inspect.members(of, True))
    said = cli("audit", here / "log.eval", "--json")
    (line,) = [one for one in said.json["run"]["published"] if "accuracy" in one["metric"]]
    assert (line["says"], told in line["what"]) == (says, True), line
    assert reducer in line["metric"]
