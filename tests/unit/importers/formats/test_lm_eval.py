"""lm-eval: filters are no repeats, what is scheduled, which metric is a verdict, damage, and what is not carried over."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from denominator.errors import InputError
from denominator.importers.foreign import text_of
from denominator.importers.formats.lm_eval import IMPORTER
from denominator.importers.formats.lm_eval import rows as lm_eval
from denominator.records.values import NotMeasured
from foreign_data import broken, by_task, ended, kinds, promised, read_all, read_or_refused, source
from importer_examples.lm_eval import STAMP, folder, lines, results, row, small

NAME = f"acme__m/samples_toy_{STAMP}.jsonl"
FOUND = f"acme__m/results_{STAMP}.json"


def read(tmp_path: Path, rows: list[dict[str, Any]], found: dict[str, Any] | None = None, part: str = "toy,first"):
    return read_all(IMPORTER, source(tmp_path, folder(rows, found or results())), part)


@pytest.mark.parametrize(
    ("value", "line", "blocks"),
    [
        *((one, lm_eval.RIGHT, []) for one in (1, 1.0, True)),
        *((one, lm_eval.WRONG, []) for one in (0, 0.0, False)),
        *((one, lm_eval.OPEN, ["no_pass_line"]) for one in (0.5, -3.25, 7, [1, 0], "1", {"a": 1})),
        *((one, lm_eval.MISSING, ["no_value"]) for one in (None, float("nan"))),
    ],
)
def test_each_ending_is_what_the_rules_say(tmp_path: Path, value: object, line: Any, blocks: list[str]):
    run, (one,) = read(tmp_path, [row(0, value)], results(original=1, effective=1))
    assert (one.ending, kinds(run)) == (line.word, blocks)
    assert ended(one) == promised(line)


def test_filters_are_no_repeats(tmp_path: Path):
    rows = [row(0, 1.0), row(1, 0.0), row(0, 0.0, "strict"), row(1, 0.0, "strict")]
    files = source(tmp_path, folder(rows, results(original=2, effective=2)))
    found = IMPORTER.recognise(files)
    assert found is not None
    assert [part.name for part in found.parts] == ["toy,first", "toy,strict"]
    for part, passed in (("toy,first", ["0"]), ("toy,strict", [])):
        run, every = read_all(IMPORTER, files, part)
        assert [one.row.key.task_id for one in every if one.ending == lm_eval.RIGHT.word] == passed
        assert (len(every), run.declared.declared_n, run.told.defects) == (2, 2, [])
        assert "lines by filter: first 2, strict 2; filters read the same answers and are no repeats" in run.told.notes
    with pytest.raises(InputError, match="holds 2 runs"):
        IMPORTER.read(files)


def test_several_answers_in_one_line_are_one_draw(tmp_path: Path):
    run, every = read(tmp_path, [row(0, 1.0, resps=[["x", "y", "z"]])])
    assert ([one.row.extra["answers"] for one in every], kinds(run, blocks=False)) == (["3"], ["repeats_in_one_row"])


def test_scheduled_are_all_documents_also_under_a_limit(tmp_path: Path):
    run, every = read(tmp_path, [row(0, 1.0)], results(original=40, effective=1))
    assert (run.declared.declared_n, run.declared.tasks[0].tasks[-1], len(every)) == (40, "39", 1)
    assert kinds(run, blocks=False) == ["limited"]
    assert {(one.metric, one.value, one.role) for one in run.told.published} >= {
        ("original", "40", "scheduled"), ("effective", "1", "completed"),
    }  # fmt: skip


def test_without_counts_nobody_knows_what_was_scheduled(tmp_path: Path):
    run, _ = read(tmp_path, [row(0, 1.0)], results() | {"n-samples": {}})
    assert isinstance(run.declared.declared_n, NotMeasured)
    run, _ = read(tmp_path, [row(0, 1.0)], results(original=10**15, effective=1))
    assert (run.declared.declared_n, run.declared.tasks) == (10**15, ())


def test_documents_that_the_task_does_not_have(tmp_path: Path):
    run, every = read(tmp_path, [row(0, 1.0), row(9, 1.0)])
    assert (kinds(run), run.told.defects[0].keys, len(every)) == (["not_scheduled"], ("9",), 2)


def test_a_document_twice(tmp_path: Path):
    run, every = read(tmp_path, [row(0, 1.0), row(0, 1.0), row(1, 1.0), row(1, 0.0)])
    assert (kinds(run), kinds(run, blocks=False)) == (["conflicting_rows"], ["duplicate_rows"])
    assert [one.ending for one in every] == [lm_eval.RIGHT.word] * 2


def test_of_several_metrics_one_is_chosen(tmp_path: Path):
    both = {"metrics": ["acc", "acc_norm"], "acc": 1.0, "acc_norm": 0.0, "exact_match": None}
    printed = {"toy": {"alias": "toy", "acc,none": 1.0, "acc_stderr,none": "N/A", "acc_norm,none": 0.0}}
    found = results() | {"results": printed, "higher_is_better": {"toy": {"acc": True}}}
    files = source(tmp_path, folder([row(0, None, "none", **both)], found))
    parts = IMPORTER.recognise(files)
    assert parts is not None
    assert [part.name for part in parts.parts] == ["toy,none,acc", "toy,none,acc_norm"]
    for part, line in (("toy,none,acc", lm_eval.RIGHT), ("toy,none,acc_norm", lm_eval.WRONG)):
        run, (one,) = read_all(IMPORTER, files, part)
        assert (one.ending, kinds(run)) == (line.word, [])


def test_a_metric_of_which_less_is_wanted_is_no_verdict(tmp_path: Path):
    run, (one,) = read(tmp_path, [row(0, 1.0)], results(higher_is_better={"toy": {"exact_match": False}}))
    assert (one.ending, kinds(run)) == (lm_eval.OPEN.word, ["no_pass_line"])


def test_numbers_without_rows_are_refused(tmp_path: Path):
    files = source(tmp_path, {FOUND: results()})
    found = IMPORTER.recognise(files)
    assert found is not None
    assert found.parts[0].title.endswith("without rows")
    with pytest.raises(InputError, match="holds none of its rows"):
        IMPORTER.read(files, "toy,first")


def test_samples_alone(tmp_path: Path):
    rows = [row(0, 1.0), row(0, 0.0, "strict"), row(1, 0.0), row(1, 0.0, "strict")]
    run, every = read_all(IMPORTER, source(tmp_path, folder(rows)))
    assert ([one.ending for one in every], kinds(run)) == (
        [lm_eval.RIGHT.word, lm_eval.WRONG.word],
        ["several_filters"],
    )
    assert isinstance(run.declared.declared_n, NotMeasured)
    assert run.unknown["model_id"] == "the file of results is not there"


def test_runs_of_two_times_are_told_apart(tmp_path: Path):
    later = STAMP.replace("01-05", "02-05")
    members = folder(small(), results())
    members |= {f"acme__m/samples_toy_{later}.jsonl": lines(*small()), f"acme__m/results_{later}.json": results()}
    found = IMPORTER.recognise(source(tmp_path, members))
    assert found is not None
    assert [part.name for part in found.parts] == [
        f"acme__m/{stamp}/toy,{filter_}" for stamp in (STAMP, later) for filter_ in ("first", "strict")
    ]


def test_groups_are_told_and_are_no_rate_of_a_task(tmp_path: Path):
    found = results(group_subtasks={"suite": ["toy", "other"]}, groups={"suite": {"exact_match,first": 0.75}})
    run, _ = read(tmp_path, small(), found)
    assert [(one.value, one.role) for one in run.told.published if one.metric == "suite exact_match,first"] == [
        ("0.75", "other")
    ]
    assert any("group suite" in note for note in run.told.notes)
    rate = [one for one in run.told.published if one.role == "rate"]
    assert [(one.metric, one.value, one.of) for one in rate] == [("toy exact_match,first", "0.5", "3")]


def test_conditions_without_keys_and_paths(tmp_path: Path):
    config = {
        "model_args": {"base_url": "http://u:p@127.0.0.1:8000/v1", "model": "m-1", "cache_dir": "/home/someone/x"},
        "use_cache": "c",
    }
    run, rows = read(tmp_path, small(), results(config=config, chat_template_sha="cd" * 32))
    expected = {
        "model_id": "m-1",
        "endpoint_host": "127.0.0.1",
        "harness_version": "0.4.13",
        "task_slice_sha256": "ab" * 32,
    }
    assert {name: run.document[name] for name in expected} == expected
    plain, _ = read(tmp_path, small())
    assert plain.document["model_id"] == "acme/m"
    for shown in (text_of(dict(run.document)), text_of(dict(plain.document)), repr(rows)):
        assert not any(word in shown for word in ("someone", "hush", "u:p"))
    assert "temperature" in run.unknown
    assert any("cache of answers" in note for note in run.told.notes)
    choice = results() | {"configs": {"toy": {"output_type": "multiple_choice"}}}
    assert read(tmp_path, small(), choice)[0].document["temperature"] == "none"


def test_bad_lines_are_told_and_the_rest_is_read(tmp_path: Path):
    text = lines(row(0, 1.0)) + "[1]\n{\n" + lines(row("../x", 1.0), row(None, 1.0), row(2, 0.0)) + '{"doc_id": 1'
    run, rows = read_all(IMPORTER, source(tmp_path, {NAME: text, FOUND: results()}), "toy,first")
    assert list(by_task(rows)) == ["0", "2"]
    assert kinds(run) == ["bad_line", "bad_line", "refused_id", "refused_id", "torn_tail"]


def test_what_is_something_else(tmp_path: Path):
    other = {
        "results.json": {"results": {"a": 1}},
        "samples_a.jsonl": '{"task": 1}\n',
        "results_x.json": "[",
        "samples_b.jsonl": "",
    }
    files = source(tmp_path, other)
    assert IMPORTER.recognise(files) is None
    with pytest.raises(InputError, match="no result of lm-eval"):
        IMPORTER.read(files)


ROWS = lines(*small()).encode()
PRINTED = json.dumps(results()).encode()


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.one_of(st.tuples(broken(ROWS), st.just(PRINTED)), st.tuples(st.just(ROWS), broken(PRINTED))))
def test_damage_is_refused_or_told(both: tuple[bytes, bytes]):
    with TemporaryDirectory() as place:
        read_or_refused(IMPORTER, source(Path(place), {NAME: both[0], FOUND: both[1]}))


def test_a_mean_of_partial_credit_is_no_count_and_is_never_called_impossible(tmp_path: Path):
    numbers = {"f1,first": 0.437, "f1,strict": 0.437}
    document = json.loads(json.dumps(results()).replace("exact_match", "f1"))
    document["results"]["toy"] |= numbers
    lines = "".join(json.dumps(row(doc, value, metric="f1")) + "\n" for doc, value in enumerate((0.5, 0.311, 0.5)))
    names = {f"m/results_{STAMP}.json": document, f"m/samples_toy_{STAMP}.jsonl": lines}
    run, _ = read_all(IMPORTER, source(tmp_path, names), "toy,first")
    assert {one.unit_of for one in run.told.published if one.role == "rate"} == {"other"}
