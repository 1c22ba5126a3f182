"""Inspect: every ending, what is scheduled, retried logs, scores of every kind, usage, damage, and what is not carried over."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from backports.zstd import zipfile
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from denominator.errors import InputError
from denominator.importers.crashes import CRASHES, crash_of
from denominator.importers.foreign import text_of
from denominator.importers.formats.inspect import IMPORTER
from denominator.importers.formats.inspect import endings as lines
from denominator.importers.formats.inspect import scores as words
from denominator.importers.formats.inspect.logs import logs_of
from denominator.records.keys import DrawKey
from denominator.records.values import NotMeasured
from denominator.wire.sources import open_source
from foreign_data import broken, ended, kinds, promised, read_all, read_or_refused
from importer_examples.inspect import DEFLATE, TRACE, USAGE, Log, error, log, members, packed, sample, small, written

CANCELLED = error("CancelledError('Cancelled via cancel scope')")
OPERATOR = error("RuntimeError('Sample errored: interrupted by operator')")
NAN = float("nan")


def unscored(reason: str) -> dict[str, Any]:
    return {"scores": {"tests": {"value": NAN, "reason": reason}}}


def edited(now: str, before: str) -> dict[str, Any]:
    history = [{"value": before}, {"value": now, "provenance": {"author": "somebody", "reason": "looked again"}}]
    return {"scores": {"tests": {"value": now, "history": history}}}


def limited(kind: str, score: object) -> dict[str, Any]:
    return sample("s", 1, score, limit={"type": kind, "limit": 6.0, "reason": "r"})


ONE_EACH: list[tuple[Any, dict[str, Any]]] = [
    *((lines.CORRECT, sample("s", 1, value)) for value in ("C", True, 1, 1.0, "yes", "True", "1.0")),
    *((lines.INCORRECT, sample("s", 1, value)) for value in ("I", False, 0, 0.0, "no", "false", "0")),
    (lines.NO_ANSWER, sample("s", 1, "N")),
    *((lines.PARTIAL, sample("s", 1, value)) for value in ("P", 0.5, 7, -1, "B+", "0.25", "c")),
    (lines.SEVERAL, sample("s", scores={"a": {"value": "C"}, "b": {"value": "I"}})),
    (lines.UNSCORED, sample("s", 1, NAN)),
    (lines.UNSCORED, sample("s", **unscored("grader_failed"))),
    (lines.UNSCORED, sample("s", **unscored("something of its own"))),
    *((lines.REFUSED, sample("s", **unscored(reason))) for reason in ("refusal", "no_response")),
    (lines.MALFORMED, sample("s", **unscored("invalid_response_format"))),
    (lines.MALFORMED, sample("s", scores={"t": {"value": NAN, "metadata": {"unscored_reason": "invalid_response_format"}}})),
    (lines.NO_SCORE, sample("s", 1, None)),
    (lines.EDITED_UP, sample("s", **edited("C", "I"))),
    (lines.EDITED_DOWN, sample("s", **edited("I", "C"))),
    (lines.CORRECT, sample("s", **edited("C", "C"))),
    (lines.INCORRECT, sample("s", scores=None) | {"score": {"value": "I"}}),
    (lines.INVALIDATED, sample("s", invalidation={"timestamp": "x", "author": "somebody", "reason": "r"})),
    *((lines.AFTER_LIMIT[kind, "correct"], limited(kind, "C")) for kind in lines.LIMITS),
    *((lines.AFTER_LIMIT[kind, "incorrect"], limited(kind, "I")) for kind in lines.LIMITS),
    *((lines.AFTER_LIMIT[kind, ""], limited(kind, None)) for kind in lines.LIMITS),
    (lines.AFTER_LIMIT["message", "incorrect"], limited("message", "N")),
    (lines.UNSCORED, limited("message", NAN)),
    (lines.PARTIAL, limited("time", 0.5)),
    (lines.OPERATOR_CORRECT, limited("operator", "C")),
    *((lines.OPERATOR, limited("operator", value)) for value in ("I", 0.5, NAN, None)),
    (lines.OPERATOR_ERROR, sample("s", 1, None, error=OPERATOR)),
    (lines.CANCELLED, sample("s", 1, None, error=CANCELLED)),
    (lines.CANCELLED, sample("s", 1, None, error=error("Cancelled(source='deadline')"))),
    (lines.ERROR_CORRECT, sample("s", 1, "C", error=error("ValueError('x')"))),
    (crash_of("ValueError"), sample("s", 1, "I", error=error("ValueError('x')"))),
    (crash_of("RateLimitError"), sample("s", 1, "I", error=error("Error code: 429", f"{TRACE}openai.RateLimitError: 429"))),
    (crash_of("ConnectionError"), sample("s", 1, None, error=error("ConnectionError('x')"))),
    (crash_of(""), sample("s", 1, None, error=error("the whole thing broke"))),
    (crash_of("ContextWindowExceededError", 1), sample("s", 1, None, error=error("ContextWindowExceededError('x')"))),
]  # fmt: skip


def opened(tmp_path: Path, of: Log, finished: bool = True):
    return open_source(packed(tmp_path / "log.eval", members(of, finished)))


def read(tmp_path: Path, of: Log):
    return read_all(IMPORTER, opened(tmp_path, of))


@pytest.mark.parametrize(("line", "one"), ONE_EACH, ids=lambda one: getattr(one, "word", "")[:40])
def test_each_ending_is_what_the_rules_say(tmp_path: Path, line: Any, one: dict[str, Any]):
    _, rows = read(tmp_path, log(["s"], [one]))
    assert [found.ending for found in rows] == [line.word]
    assert ended(rows[0], on_timeout="grade") == promised(line)


def test_every_line_of_the_table_is_reached():
    shown = {id(line) for line, _ in ONE_EACH}
    rest = [one.word for one in IMPORTER.endings if id(one) not in shown and one not in CRASHES]
    assert rest == [lines.RECOVERED.word, lines.BROKEN.word], "these two have tests of their own"


def test_a_rate_limit_that_was_scored_red_is_not_the_models(tmp_path: Path):
    dead = sample("s", 1, "I", error=error("Error code: 429", f"{TRACE}openai.RateLimitError: 429"))
    run, (row,) = read(tmp_path, log(["s"], [dead]))
    assert ended(row) == ("unscoreable", "INFRA", "provider_rate_limit")
    assert (row.row.grade, row.row.extra["score"]) == ("none", '"I"')
    assert kinds(run, blocks=False) == ["scored_on_error"]


def test_a_crash_of_the_harness_that_was_recovered(tmp_path: Path):
    of = log(["s"], [sample("s", 1, None, error=error("CancelledError()"), started_at=None, total_time=None)])
    run, (row,) = read(tmp_path, of | {"status": "error", "error": error("Eval recovered from crash")})
    assert row.ending == lines.RECOVERED.word
    assert ended(row) == promised(lines.RECOVERED)
    assert isinstance(row.row.wall_ms, NotMeasured)
    assert any("recovered" in note for note in run.told.notes)


def test_a_limit_that_nobody_knows_blocks(tmp_path: Path):
    run, (row,) = read(tmp_path, log(["s"], [limited("patience", "C")]))
    assert (kinds(run), row.ending) == (["unknown_ending"], "")
    assert ended(row)[0] == "unscoreable"


@pytest.mark.parametrize("status", ["success", "cancelled", "error"])
def test_scheduled_is_the_plan_and_not_what_the_log_holds(tmp_path: Path, status: str):
    of = log(["a", "b", 3], [sample("a"), sample(3, 2)], epochs=2)
    run, rows = read(tmp_path, of | {"status": status})
    (group,) = run.declared.tasks
    assert (group.tasks, group.repeats, run.declared.declared_n) == (("a", "b", "3"), 2, 6)
    assert [one.row.key.draw for one in rows] == [DrawKey("3", 2), DrawKey("a", 1)]
    assert ("the log's status is " + status in run.told.notes) is (status != "success")


def test_a_log_that_was_never_finished_is_read_from_its_journal(tmp_path: Path):
    of = log(["a", "b"], [sample("a")], epochs=2)
    run, (row,) = read_all(IMPORTER, opened(tmp_path, of, finished=False))
    assert (run.declared.declared_n, row.row.key.draw) == (4, DrawKey("a", 1))
    assert run.told.files["_journal/start.json"] == "header"
    assert "the log's status is started" in run.told.notes
    assert run.told.published == []


def test_a_subset_of_the_dataset_is_told(tmp_path: Path):
    spec = {"dataset": {"name": "pack", "samples": 500, "sample_ids": ["a"]}, "config": {"epochs": 1, "limit": 1}}
    run, _ = read(tmp_path, log(["a"], [sample("a")], **spec))
    assert (run.declared.declared_n, kinds(run, blocks=False)) == (1, ["subset"])
    assert "1 of the 500" in run.told.defects[0].what
    assert str(run.document["name"]).startswith("a part of ")
    assert "(1 of the 500 samples of its dataset)" in str(run.document["name"])


def test_without_ids_only_the_printed_number_is_known(tmp_path: Path):
    run, _ = read(tmp_path, log(["a", "b"], [sample("a")], dataset={"name": "pack", "samples": 2}))
    assert (run.declared.tasks, run.declared.declared_n) == ((), 2)
    of = log(["a"], [sample("a")], dataset={"name": "pack"}) | {"results": None}
    assert isinstance(read(tmp_path, of)[0].declared.declared_n, NotMeasured)


def test_samples_beside_the_plan_block(tmp_path: Path):
    run, rows = read(tmp_path, log(["a"], [sample("a"), sample("a", 2), sample("b")]))
    assert (kinds(run), run.told.defects[0].keys, len(rows)) == (["not_scheduled"], ("a", "b"), 3)


def test_tries_after_an_error_are_attempts_in_order(tmp_path: Path):
    _, rows = read(tmp_path, small())
    tries = [one for one in rows if one.row.key.draw == DrawKey("c", 1)]
    assert [(one.row.key.attempt, one.row.cause) for one in tries] == [(1, "plan"), (2, "retry"), (3, "retry")]
    assert [ended(one)[2] for one in tries] == ["env_flake", "provider_rate_limit", ""]
    assert [isinstance(one.row.usage.prompt, NotMeasured) for one in tries] == [True, True, False]
    assert "error_retries" in str(tries[0].row.usage.prompt)


def test_usage_of_last_tries_is_a_lower_bound(tmp_path: Path):
    of = log(["a"], [sample("a", error_retries=[error("ValueError('x')")])])
    of["stats"]["model_usage"]["acme/m"] = {"input_tokens": 20, "output_tokens": 10, "total_tokens": 30}
    run, _ = read(tmp_path, of)
    assert any(note.startswith("tokens: 15 ") and "30" in note and "lower bound" in note for note in run.told.notes)
    assert {(one.metric, one.value) for one in run.told.published} >= {("acme/m total_tokens", "30")}


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        (USAGE, (10, 5)),
        ({"input_tokens": 10, "output_tokens": 5, "total_tokens": 15, "input_tokens_cache_read": 4}, (10, 5)),
        ({"input_tokens": 10, "output_tokens": 5, "total_tokens": 19, "input_tokens_cache_read": 4}, (14, 5)),
        ({"input_tokens": 10, "output_tokens": 5, "total_tokens": 22, "reasoning_tokens": 7}, (10, 12)),
        ({"input_tokens": 10, "output_tokens": 5, "total_tokens": 99}, None),
        ({"input_tokens": True, "output_tokens": "5"}, None),
    ],
)
def test_the_total_tells_what_input_tokens_counts(
    tmp_path: Path, usage: dict[str, Any], tokens: tuple[int, int] | None
):
    _, (row,) = read(tmp_path, log(["a"], [sample("a", model_usage={"acme/m": usage})]))
    found = row.row.usage
    assert (found.prompt, found.completion) == tokens if tokens else isinstance(found.prompt, NotMeasured)


@pytest.mark.parametrize(("cost", "kept"), [(0.25, '"0.25"'), (0, None), (None, None)])
def test_a_cost_of_nothing_is_unknown(tmp_path: Path, cost: float | None, kept: str | None):
    _, (row,) = read(tmp_path, log(["a"], [sample("a", model_usage={"acme/m": {**USAGE, "total_cost": cost}})]))
    assert row.row.extra.get("cost_usd") == kept


def test_several_scores(tmp_path: Path):
    two = {"a": {"value": "C"}, "b": {"value": {"x": 1, "y": "I"}}}
    of = log(["s"], [sample("s", scores=two)])

    def with_headline(headline: object):
        return read(tmp_path, of | {"results": {"headline": headline}})

    for headline, line in (
        ({"scorer": "a"}, lines.CORRECT), ({"scorer": "b", "score": "y"}, lines.INCORRECT),
        ({"scorer": "pack/b", "score": "x"}, lines.CORRECT), ({"scorer": "b"}, lines.SEVERAL),
    ):  # fmt: skip
        run, (row,) = with_headline(headline)
        assert row.ending == line.word
        assert kinds(run) == (["several_scores"] if line is lines.SEVERAL else [])
    assert "b.y incorrect" in run.told.defects[0].what
    alike = log(["s"], [sample("s", scores={"a": {"value": "C"}, "b": {"value": [1, True]}})]) | {"results": None}
    assert [one.ending for one in read(tmp_path, alike)[1]] == [lines.CORRECT.word]


def test_partial_credit_blocks_until_a_line_is_drawn(tmp_path: Path):
    run, (row,) = read(tmp_path, log(["s"], [sample("s", 1, 0.75)]))
    assert (kinds(run), row.row.extra["score"]) == (["no_pass_line"], '"0.75"')
    assert "pass_from" in IMPORTER.cannot_tell
    from decimal import Decimal

    assert words.word_of(Decimal("0.75"), Decimal("0.5")) == words.CORRECT
    assert words.word_of("0.25", Decimal("0.5")) == words.INCORRECT
    assert words.word_of("P", Decimal("0.5")) == words.PARTIAL


def test_an_edited_score_keeps_what_it_was(tmp_path: Path):
    run, (row,) = read(tmp_path, log(["s"], [sample("s", **edited("C", "I"))]))
    assert (row.row.extra["score"], row.row.extra["score_before"], row.row.grade) == ('"C"', '"I"', "none")
    assert kinds(run, blocks=False) == ["edited_score"]
    assert "somebody" not in repr(row)


def test_other_contents_under_one_id_block(tmp_path: Path):
    changed = sample("a", 2)
    changed["events"] = [{"event": "sample_init", "sample": {"input": "something else", "id": "a"}}]
    run, rows = read(tmp_path, log(["a"], [sample("a"), changed, sample("a", 3)], epochs=3))
    assert (kinds(run), run.told.defects[0].keys) == (["mixed_content"], ("a",))
    assert len({one.row.extra["content_sha256"] for one in rows}) == 2


def test_an_answer_from_the_cache_is_no_new_draw(tmp_path: Path):
    events = [{"event": "model", "cache": "read", "retries": 2}, {"event": "model", "retries": 1}]
    _, (row,) = read(tmp_path, log(["a"], [sample("a", events=events)]))
    assert (row.row.played, row.row.provider_retries, row.row.usage.calls) == (True, 3, 2)


def test_its_own_count_of_completed_samples_is_held_against_them(tmp_path: Path):
    of = log(["a", "b"], [sample("a"), sample("b", 1, NAN)])
    assert "counts_differ" not in kinds(read(tmp_path, of)[0], blocks=False)
    of["results"]["completed_samples"] = 1
    assert "counts_differ" in kinds(read(tmp_path, of)[0], blocks=False)


def test_a_model_that_stood_in_is_told(tmp_path: Path):
    run, (row,) = read(
        tmp_path, log(["a"], [sample("a", model_fallbacks=[{"model": "acme/m", "fallback_model": "acme/n"}])])
    )
    assert row.row.served_models == ("acme/m-2026", "acme/n")
    assert kinds(run, blocks=False) == ["other_model"]


def test_a_log_without_samples_blocks(tmp_path: Path):
    of = log(["a"], [])
    for path in (packed(tmp_path / "log.eval", members(of)), written(tmp_path / "log.json", of)):
        run, rows = read_all(IMPORTER, open_source(path))
        assert (rows, kinds(run), run.declared.declared_n) == ([], ["no_samples"], 1)


def test_retried_logs_of_a_task_are_one_run(tmp_path: Path):
    spec = {"task_id": "same", "created": "2026-01-01T00:00:00+00:00"}
    packed(tmp_path / "x" / "1.eval", members(log(["a", "b"], [sample("a")], eval_id="old", **spec)))
    taken = [sample("a", started_at="2026-01-05T09:00:00+00:00"), sample("b")]
    packed(
        tmp_path / "x" / "2.eval", members(log(["a", "b"], taken, **spec | {"created": "2026-01-02T00:00:00+00:00"}))
    )
    files = open_source(tmp_path / "x")
    found = IMPORTER.recognise(files)
    assert found is not None
    assert [part.name for part in found.parts] == ["2.eval"]
    run, rows = read_all(IMPORTER, files)
    assert kinds(run, blocks=False) == ["other_log_of_task", "reused_sample"]
    assert [one.row.extra.get("reused") for one in rows] == ["true", None]
    assert rows[0].row.source.file.startswith("2.eval#/samples/")
    assert [one.row.key.run_id for one in read_all(IMPORTER, files, "1.eval")[1]] == ["old"]


def test_both_shapes_of_a_log_give_the_same_rows(tmp_path: Path):
    zipped = read(tmp_path, small())
    for indent in (None, 0, 2):
        plain = read_all(IMPORTER, open_source(written(tmp_path / "log.json", small(), indent)))
        for (one, others), (other, theirs) in ((zipped, plain),):
            assert one.document == other.document
            assert one.declared == other.declared
            seen = {r.row.key: (r.ending, r.row.usage, r.row.wall_ms, r.row.extra) for r in others}
            assert seen == {r.row.key: (r.ending, r.row.usage, r.row.wall_ms, r.row.extra) for r in theirs}


def test_members_packed_with_deflate_and_the_shape_of_large_samples(tmp_path: Path):
    found = members(log(["a/b", "c"], [sample("a/b"), sample("c")]))
    found["samples/a/b_epoch_1/sample.json"] = found.pop("samples/a/b_epoch_1.json")
    found["samples/a/b_epoch_1/messages/1.json"] = b"[]"
    run, rows = read_all(IMPORTER, open_source(packed(tmp_path / "log.eval", found, DEFLATE)))
    assert ([one.row.key.task_id for one in rows], run.told.defects) == (["a/b", "c"], [])


def test_of_a_member_that_stands_twice_the_last_counts(tmp_path: Path):
    found = list(members(log(["a"], [sample("a", 1, "I")])).items())
    with pytest.warns(UserWarning, match="Duplicate"):
        path = packed(tmp_path / "log.eval", [*found, ("samples/a_epoch_1.json", json.dumps(sample("a")).encode())])
    run, (row,) = read_all(IMPORTER, open_source(path))
    assert (row.ending, kinds(run, blocks=False)) == (lines.CORRECT.word, ["member_twice"])


def test_a_sample_twice_in_a_document(tmp_path: Path):
    of = log(["a", "b"], [sample("a"), sample("a"), sample("b"), sample("b", 1, "I")])
    run, rows = read_all(IMPORTER, open_source(written(tmp_path / "log.json", of)))
    assert (kinds(run), kinds(run, blocks=False)) == (["conflicting_rows"], ["counts_differ", "duplicate_rows"])
    assert [one.ending for one in rows] == [lines.CORRECT.word] * 2


def test_a_broken_member_is_read_from_its_summary_and_blocks(tmp_path: Path):
    found = members(log(["a", "b", "c"], [sample("a", 1, "I"), sample("b"), sample("c")]))
    found["samples/a_epoch_1.json"] = b'{"id": "a", "epoch"'
    del found["samples/b_epoch_1.json"]
    run, rows = read_all(IMPORTER, open_source(packed(tmp_path / "log.eval", found)))
    assert {one.row.key.task_id: one.ending for one in rows} == {
        "a": lines.INCORRECT.word, "b": lines.CORRECT.word, "c": lines.CORRECT.word,
    }  # fmt: skip
    assert (kinds(run), kinds(run, blocks=False)) == (["broken_sample"], ["sample_missing"])
    del found["summaries.json"], found["_journal/summaries/1.json"]
    _, rows = read_all(IMPORTER, open_source(packed(tmp_path / "log.eval", found)))
    assert [(one.row.key.task_id, one.ending) for one in rows] == [("a", lines.BROKEN.word), ("c", lines.CORRECT.word)]
    assert ended(rows[0]) == promised(lines.BROKEN)


@pytest.mark.parametrize("field", ["scores", "events", "error_retries", "epoch", "id", "model_usage"])
def test_a_field_of_another_type_blocks_and_the_rest_is_read(tmp_path: Path, field: str):
    run, rows = read(
        tmp_path,
        log(["a", "b"], [sample("a") | {field: [{"a": [7]}]} | {"id": "a", "epoch": 1, field: [7]}, sample("b")]),
    )
    names = [one.row.key.task_id for one in rows if one.ending == lines.CORRECT.word]
    assert "b" in names
    assert kinds(run)


def test_a_document_that_breaks_off(tmp_path: Path):
    path = written(tmp_path / "log.json", small())
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.rindex(b'"id": "c"')])
    run, rows = read_all(IMPORTER, open_source(path))
    assert (kinds(run), len(rows), run.declared.declared_n) == (["torn_log"], 7, 6)


def test_no_name_path_or_key_is_carried_over(tmp_path: Path):
    spec = {
        "model_args": {"api_key": "hush-hush-hush", "path": "/home/someone/x"}, "model_base_url": "https://u:p@api.acme.test/v1",
        "task_args": {"folder": "/home/someone/y", "kind": "z"}, "sandbox": {"type": "docker", "config": "/home/someone/c.yaml"},
        "model_roles": {"grader": {"model": "acme/judge", "args": {"api_key": "hush"}}}, "revision": {"type": "git", "origin": "git@x:y", "commit": "abc1234", "dirty": True}, "created_by": "someone",
    }  # fmt: skip
    broke = sample("a", 1, None, error=error("FileNotFoundError('/home/someone/.cache/x')"))
    run, rows = read(tmp_path, log(["a"], [broke], **spec))
    for shown in (text_of(dict(run.document)), repr(rows), repr(run.told)):
        assert not any(word in shown for word in ("someone", "hush", "u:p"))
    assert run.document["model_roles"] == {"grader": "acme/judge"}
    assert {name: run.document[name] for name in ("endpoint_host", "sandbox", "task_commit", "task_commit_dirty")} == {
        "endpoint_host": "api.acme.test", "sandbox": "docker", "task_commit": "abc1234", "task_commit_dirty": True,
    }  # fmt: skip


def test_conditions_and_printed_numbers(tmp_path: Path):
    run, _ = read(tmp_path, small())
    expected = {
        "model_id": "acme/m", "harness_version": "0.3.1", "agent_id": "behave", "repeats": 2, "max_attempts": 3,
        "retry_policy": "retry_on_error=2", "on_timeout": "grade", "message_cap": 6, "wall_cap_s": "none", "seed": 7,
        "max_output_tokens": 900, "scorer": "tests", "headline_metric": "accuracy",
    }  # fmt: skip
    assert {name: run.document[name] for name in expected} == expected
    assert str(run.document["temperature"]) == "0.5"
    mean = next(one for one in run.told.published if one.metric.endswith(" accuracy"))
    assert (mean.metric, mean.value, mean.unit, mean.of) == (
        "tests [mean] accuracy",
        "0.5",
        "share",
        "3 ids after reduction",
    )
    assert (mean.role, mean.out_of, mean.unit_of) == ("rate", 3, "tasks"), (
        "a mean over ids of what their epochs come to"
    )
    full, _ = read(tmp_path, log(["a"], [sample("a"), sample("a", 2, "I")], epochs=2))
    assert [(one.value, one.out_of, one.unit_of) for one in full.told.published if one.role == "rate"] == [
        ("0.5", 1, "tasks")
    ]
    parts, _ = read(tmp_path, log(["a"], [sample("a", 1, "P")]))
    assert {one.unit_of for one in parts.told.published if one.role == "rate"} == {"other"}, (
        "partial credit is no count"
    )
    bare, _ = read(tmp_path, log(["a"], [sample("a")], model_generate_config={}, packages={}))
    assert {"temperature", "seed", "max_output_tokens", "harness_version"} <= set(bare.unknown)


@pytest.mark.parametrize(
    ("retries", "policy", "tries"), [(None, "none", 1), (0, "none", 1), (1, "retry_on_error=1", 2)]
)
def test_the_retry_policy(tmp_path: Path, retries: int | None, policy: str, tries: int):
    run, _ = read(tmp_path, log(["a"], [sample("a")], config={"epochs": 1, "retry_on_error": retries}))
    assert (run.document["retry_policy"], run.document["max_attempts"]) == (policy, tries)


def test_no_log_of_a_folder_is_kept_open(tmp_path: Path):
    for number in range(12):
        packed(tmp_path / f"{number:02}.eval", members(log(["a"], [sample("a")], task_id=f"t{number}")))
    files = open_source(tmp_path)
    before = len(list(Path("/proc/self/fd").iterdir()))
    logs, faults = logs_of(files)
    assert (len(logs), faults, len(list(Path("/proc/self/fd").iterdir()))) == (12, {}, before)
    assert len(read_all(IMPORTER, files, "11.eval")[1]) == 1


def test_what_is_no_log(tmp_path: Path):
    for name, data in (
        ("a.json", b'{"version": 2, "status": "success"}'),
        ("b.eval", b"PK\x03\x04"),
        ("c.json", b"[1]"),
    ):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(InputError):
            IMPORTER.read(open_source(tmp_path / name))
    with zipfile.ZipFile(tmp_path / "d.eval", "w") as archive:
        archive.writestr("header.json", "{}")
    assert IMPORTER.recognise(open_source(tmp_path / "d.eval")) is None
    assert IMPORTER.recognise(open_source(tmp_path)) is None


WHOLE = members(small())
DOCUMENT = json.dumps(small(), indent=2).encode()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_damage_is_refused_or_told(data: st.DataObject):
    with TemporaryDirectory() as folder:
        name = data.draw(st.sampled_from(sorted(WHOLE)))
        found = {**WHOLE, name: data.draw(broken(WHOLE[name]))}
        assert read_or_refused(IMPORTER, open_source(packed(Path(folder) / "x.eval", found))) <= 9


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(broken(DOCUMENT))
def test_a_damaged_document_is_refused_or_told(data: bytes):
    with TemporaryDirectory() as folder:
        (Path(folder) / "x.json").write_bytes(data)
        assert read_or_refused(IMPORTER, open_source(Path(folder) / "x.json")) <= 9
