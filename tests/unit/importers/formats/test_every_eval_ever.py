"""Every Eval Ever: what is a verdict, what was scheduled, rows of others, tokens, damage, and what is not carried over."""

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
from denominator.importers.formats.every_eval_ever import IMPORTER
from denominator.importers.formats.every_eval_ever import rows as eee
from denominator.records.values import NotMeasured
from foreign_data import broken, by_task, ended, kinds, promised, read_all, read_or_refused, source
from importer_examples.every_eval_ever import EVALUATION, NAME, document, folder, lines, result, row, small


def read(tmp_path: Path, rows: list[dict[str, Any]], *results: dict[str, Any], part: str = "", **over: Any):
    return read_all(IMPORTER, source(tmp_path, folder(rows, *results, **over)), part)


@pytest.mark.parametrize(
    ("made", "line", "blocks"),
    [
        (row("a"), eee.CORRECT, []),
        (row("a", False), eee.INCORRECT, []),
        (row("a", False, error="timeout"), eee.ERRED, []),
        (row("a", True, error="retried"), eee.CORRECT, []),
        (row("a", True, 0.25), eee.OPEN, ["no_pass_line"]),
        (row("a", False, 0.75), eee.OPEN, ["no_pass_line"]),
        (row("a", True, 0), eee.OPEN, ["no_pass_line"]),
        (row("a", False, 1), eee.OPEN, ["no_pass_line"]),
        (row("a", "yes"), eee.OPEN, ["no_verdict"]),
        (row("a", evaluation={"is_correct": True}), eee.OPEN, ["no_verdict"]),
        (row("a", evaluation=None), eee.OPEN, ["no_verdict"]),
    ],
)
def test_each_ending_is_what_the_rules_say(tmp_path: Path, made: Any, line: Any, blocks: list[str]):
    run, (one,) = read(tmp_path, [made])
    assert (one.ending, kinds(run)) == (line.word, blocks)
    assert ended(one) == promised(line)


def test_ends_of_the_metric_are_its_own(tmp_path: Path):
    percent = result(metric_config={"metric_name": "x", "lower_is_better": False, "min_score": 0, "max_score": 100})
    run, rows = read(tmp_path, [row("a", True, 100), row("b", False, 0), row("c", True, 1)], percent)
    assert [one.ending for one in rows] == [eee.CORRECT.word, eee.INCORRECT.word, eee.OPEN.word]
    less = result(metric_config={"metric_name": "wer", "lower_is_better": True})
    run, (one,) = read(tmp_path / "less", [row("a", True, 1)], less)
    assert (one.ending, kinds(run)) == (eee.OPEN.word, ["less_is_wanted"])
    assert next(found.role for found in run.told.published) == "other"


def test_a_result_is_a_run(tmp_path: Path):
    other = [row(one["sample_id"], metric="speed") for one in small()[:2]]
    files = source(tmp_path, folder([*small(), *other], result(), result("speed", 0.9)))
    found = IMPORTER.recognise(files)
    assert found is not None
    assert [one.name for one in found.parts] == [f"{EVALUATION}/accuracy", f"{EVALUATION}/speed"]
    with pytest.raises(InputError, match="holds 2 runs"):
        IMPORTER.read(files)
    run, rows = read_all(IMPORTER, files, f"{EVALUATION}/speed")
    assert (len(rows), kinds(run)) == (2, [])
    assert run.told.notes == [f"rows of other results of the same file: {EVALUATION}/accuracy 5"]


def test_scheduled_are_the_ids_that_the_document_lists(tmp_path: Path):
    run, rows = read(tmp_path, [row("a"), row("x")], result(ids=("a", "b", "c")))
    assert (run.declared.declared_n, run.declared.tasks[0].tasks) == (3, ("a", "b", "c"))
    assert (kinds(run), len(rows)) == (["not_scheduled"], 2)


def test_repeats_are_scheduled_where_a_table_says_so(tmp_path: Path):
    found = result(ids=("a",))
    found["generation_config"]["generation_args"]["eval_plan"] = {"name": "p", "config": {"epochs": "2"}}
    run, rows = read(tmp_path, [row("a"), row("a", False, metadata={"epoch": "2"})], found)
    assert (run.declared.declared_n, [one.row.key.repeat for one in rows]) == (2, [1, 2])


def test_without_ids_nobody_knows_what_was_scheduled(tmp_path: Path):
    run, _ = read(tmp_path, [row("a")])
    assert isinstance(run.declared.declared_n, NotMeasured)
    found = result()
    found["source_data"]["samples_number"] = 40
    run, _ = read(tmp_path / "n", [row("a")], found)
    assert (run.declared.declared_n, run.declared.tasks) == (40, ())
    found["source_data"] |= {"sample_ids": ["a", 7]}
    run, _ = read(tmp_path / "bad", [row("a")], found)
    assert (kinds(run), run.declared.tasks) == (["bad_plan"], ())


def test_a_sample_twice(tmp_path: Path):
    run, rows = read(tmp_path, [row("a"), row("a"), row("b"), row("b", False)])
    assert (kinds(run), kinds(run, blocks=False)) == (["conflicting_rows"], ["duplicate_rows"])
    assert [one.ending for one in rows] == [eee.CORRECT.word] * 2


def test_rows_of_others_are_left_out_and_block(tmp_path: Path):
    run, rows = read(tmp_path, [row("a"), row("b", evaluation_id="another"), row("c", model_id="lab/m-2")])
    assert (kinds(run), [one.row.key.task_id for one in rows]) == (["another_model", "foreign_rows"], ["a"])


def test_a_file_of_rows_is_held_against_its_document(tmp_path: Path):
    members = folder(small()[:4], result(ids=("a", "b", "c", "d")))
    members[f"{NAME}_samples.jsonl"] = lines(small()[:3])
    run, rows = read_all(IMPORTER, source(tmp_path, members))
    assert (kinds(run), kinds(run, blocks=False), len(rows)) == (["missing_rows"], ["changed_rows"], 3)
    assert run.declared.declared_n == 4


def test_a_document_without_rows_is_read_for_what_it_prints(tmp_path: Path):
    found = document(result(score=0.389), document_is="kept")
    run, rows = read_all(IMPORTER, source(tmp_path, {"x.json": found}))
    assert (rows, kinds(run)) == ([], ["no_rows"])
    (score, samples) = run.told.published
    assert (score.value, score.unit, score.role, score.out_of) == ("0.389", "share", "rate", 4)
    assert (samples.value, samples.role) == ("4", "completed")


def test_tokens_of_the_prompt_are_known_where_the_total_says_what_they_hold(tmp_path: Path):
    used = {"input_tokens": 90, "output_tokens": 10, "input_tokens_cache_read": 40, "input_tokens_cache_write": 0}
    made = [
        row("inside", token_usage=used | {"total_tokens": 100}),
        row("beside", token_usage=used | {"total_tokens": 140}),
        row("neither", token_usage=used | {"total_tokens": 120}),
        row("none", token_usage=None),
    ]
    rows = by_task(read(tmp_path, made)[1])
    assert [rows[one].row.usage.prompt for one in ("inside", "beside")] == [90, 130]
    assert all(isinstance(rows[one].row.usage.prompt, NotMeasured) for one in ("neither", "none"))
    assert rows["inside"].row.wall_ms == 1500


def test_conditions_and_what_is_missing(tmp_path: Path):
    run, _ = read(tmp_path, [row("a")])
    known = run.document
    assert (known["model_id"], known["harness_name"], known["harness_version"]) == ("lab/m-1", "inspect_ai", "0.3.285")
    assert (known["temperature"], known["max_output_tokens"], known["wall_cap_s"]) == (0, 64, 60)
    assert set(run.unknown) == {
        "model_snapshot", "turn_cap", "budget_tokens_per_task", "task_slice_sha256", "max_attempts", "sandbox",
    }  # fmt: skip
    assert not set(run.unknown) & set(IMPORTER.cannot_tell)


def test_models_that_scored_are_the_scorer(tmp_path: Path):
    found = result()
    found["metric_config"]["llm_scoring"] = {"judges": [{"model_info": {"id": "lab/judge"}}, 7], "input_prompt": "?"}
    assert read(tmp_path, [row("a")], found)[0].document["scorer"] == "LLM judge lab/judge"
    assert read(tmp_path / "none", [row("a")])[0].document["scorer"] == "accuracy"


def test_nothing_of_inputs_answers_and_errors_is_carried_over(tmp_path: Path):
    secret = "SECRET-0451"
    made = row("a", False, error=secret, input={"raw": secret, "reference": [secret]}, messages=[{"content": secret}])
    run, rows = read(tmp_path, [made], source_metadata={"source_organization_name": secret})
    assert rows[0].row.extra["error_characters"] == str(len(secret))
    assert secret not in text_of([dict(run.document), [dict(one.row.extra) for one in rows]]) + str(run.told)


def test_what_is_not_of_the_format_is_not_recognised(tmp_path: Path):
    for name, content in (("a", {"evaluation_id": "x"}), ("b", [1]), ("c", '{"evaluation_id": '), ("d", b"\xff")):
        assert IMPORTER.recognise(source(tmp_path / name, {"x.json": content})) is None


def test_two_files_of_one_evaluation_have_names_of_their_own(tmp_path: Path):
    files = source(tmp_path, {"a.json": document(result()), "b.json": document(result())})
    found = IMPORTER.recognise(files)
    assert found is not None
    assert [one.name for one in found.parts] == ["a.json#0", "b.json#0"]


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_damage_is_refused_in_words_or_read_with_defects(data: st.DataObject):
    members = folder(small(), result(ids=("a", "b", "c", "d")))
    name = data.draw(st.sampled_from(sorted(members)))
    whole = members[name] if isinstance(members[name], str) else json.dumps(members[name])
    members[name] = data.draw(broken(whole.encode()))
    with TemporaryDirectory() as place:
        read_or_refused(IMPORTER, source(Path(place), members))
