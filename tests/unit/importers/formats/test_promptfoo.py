"""promptfoo: what failed, what broke and what was not tested; columns, repeats, the cache, the sums."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings

from denominator.errors import InputError
from denominator.importers.formats.promptfoo import IMPORTER, endings
from denominator.importers.formats.promptfoo.naming import shown
from denominator.pipeline.foreign import import_foreign
from denominator.wire.sources import open_source
from foreign_data import broken, ended, kinds, promised, read_all, read_or_refused, source

CONTAINS = [{"type": "contains", "value": "a"}]


def row(test: int = 0, column: int = 0, *, x: object = None, **over: object) -> dict:
    given = {"x": test if x is None else x}
    return {
        "id": f"r{column}-{test}", "promptIdx": column, "testIdx": test, "testCase": {"vars": given, "assert": CONTAINS},
        "promptId": "p", "provider": {"id": "openai:gpt-4o", "label": ""}, "vars": given,
        "response": {"output": "SECRET ANSWER", "cached": False}, "error": None, "failureReason": 0, "success": True, "score": 1,
        "latencyMs": 12, "cost": 0.001, "tokenUsage": {"total": 10, "prompt": 7, "completion": 3, "numRequests": 1}, **over,
    }  # fmt: skip


def failed(test: int = 0, **over: object) -> dict:
    return row(test, failureReason=1, success=False, error="SECRET: expected a", **over)


def broke(test: int = 0, status: object = None, **over: object) -> dict:
    http = {} if status is None else {"metadata": {"http": {"status": status, "headers": {"x": "SECRET"}}}}
    response = {"error": "SECRET 429 rate limit", **http}
    return row(test, failureReason=2, success=False, error="SECRET 429 rate limit", response=response, **over)


def document(*rows: object, config: object = None, stats: object = None, prompts: object = (), **over: object) -> dict:
    results = {"version": 3, "timestamp": "2026-01-01T00:00:00.000Z", "prompts": list(prompts), "results": list(rows)}
    return {
        "evalId": "e1", "results": {**results, **({"stats": stats} if stats else {})}, "config": config or {},
        "metadata": {"promptfooVersion": "0.123.1", "author": "someone@example.org"}, **over,
    }  # fmt: skip


def files_of(tmp_path, *rows: object, **over: object):
    return source(tmp_path, {"output.json": document(*rows, **over)})


CASES = {
    "held": (row(), endings.PASSED),
    "held, stripped of its test": (row(testCase=None), endings.PASSED),
    "failed": (failed(), endings.FAILED),
    "nothing asserted": (row(testCase={"vars": {}, "assert": []}), endings.NOT_TESTED),
    "prose": (broke(), endings.BROKE),
    "answered and broke": (broke(status=200), endings.BROKE),
    "no number": (broke(status="429"), endings.BROKE),
    "throttled": (broke(status=429), endings.BY_CAUSE["provider_rate_limit"]),
    "spent": (broke(status=402), endings.BY_CAUSE["quota_exhausted"]),
    "refused": (broke(status=401), endings.BY_CAUSE["provider_refused"]),
    "down": (broke(status=503), endings.BY_CAUSE["provider_error"]),
    "older, held": (row(failureReason=None), endings.PASSED),
    "older, failed": (
        row(failureReason=None, success=False, gradingResult={"pass": False, "componentResults": []}),
        endings.FAILED,
    ),
    "older, broke": (row(failureReason=None, success=False, response={"error": "x"}), endings.BROKE),
}


@pytest.mark.parametrize("name", CASES)
def test_ending(tmp_path, name):
    one, ending = CASES[name]
    run, rows = read_all(IMPORTER, files_of(tmp_path, one))
    assert ended(rows[0]) == promised(ending)
    assert (rows[0].ending, kinds(run)) == (ending.word, [])


def test_every_line_of_the_table_is_reached():
    assert {one.word for _, one in CASES.values()} == {one.word for one in IMPORTER.endings}


@pytest.mark.parametrize(
    "over",
    [
        *({"success": True, "failureReason": 1}, {"success": False, "failureReason": 0}, {"success": "yes"}),
        *({"success": False, "failureReason": 3}, {"success": False, "failureReason": True}),
    ],
)
def test_an_unknown_ending_keeps_its_row_and_blocks(tmp_path, over):
    run, rows = read_all(IMPORTER, files_of(tmp_path, row(**over)))
    assert kinds(run) == ["unknown_ending"]
    assert ended(rows[0]) == ("unscoreable", "HARNESS", "")


def test_a_column_is_a_part(tmp_path):
    files = files_of(tmp_path, row(0), row(0, 1), row(1), prompts=[{"label": "short", "raw": "Say {{x}}"}])
    assert [(one.name, one.title) for one in IMPORTER.recognise(files).parts] == [
        ("column-0", "openai:gpt-4o, prompt 'short'"),
        ("column-1", "openai:gpt-4o"),
    ]
    with pytest.raises(InputError, match="holds 2 runs"):
        IMPORTER.read(files)
    run, rows = read_all(IMPORTER, files, "column-0")
    assert [one.row.key.task_id for one in rows] == ["test-0", "test-1"]
    assert run.name == "e1 column-0"


def test_tests_that_are_alike_are_repeats_whichever_rows_survived(tmp_path):
    rows = [row(0, x="a"), row(1, 1, x="a"), row(2, x="b"), row(3, x="a")]
    _, read = read_all(IMPORTER, files_of(tmp_path, *rows), "column-0")
    assert [(one.row.key.task_id, one.row.key.repeat) for one in read] == [("test-0", 1), ("test-2", 1), ("test-0", 3)]


def test_what_was_added_at_run_time_is_no_part_of_a_test(tmp_path):
    one = row(0, testCase={"vars": {"x": 1, "_conversation": [1], "sessionId": "u"}, "assert": CONTAINS})
    two = row(1, testCase={"vars": {"x": 1, "_conversation": [2], "sessionId": "v"}, "assert": CONTAINS})
    _, read = read_all(IMPORTER, files_of(tmp_path, one, two))
    assert [one.row.key.repeat for one in read] == [1, 2]


def test_cached_rows_are_no_new_draws(tmp_path):
    cached = row(1, response={"output": "a", "cached": True})
    found = import_foreign(IMPORTER, files_of(tmp_path, row(0), cached))
    played = {one.row.key.task_id: one.row for one in found.result.judged.sheet.draws}
    assert (played["test-0"].played, played["test-1"].played) == (False, True)
    assert not played["test-1"].usage.prompt
    assert not played["test-1"].wall_ms
    assert "GL060" in {one.code for one in found.result.judged.findings if one.severity == "block"}


def test_facts_and_nothing_that_was_said(tmp_path):
    run, rows = read_all(IMPORTER, files_of(tmp_path, row(0), failed(1), broke(2, 500), row(3, cost=0)))
    first = rows[0].row
    assert (first.wall_ms, first.usage.prompt, first.usage.calls, first.own_account.cost) == (12, 7, 1, "0.001")
    assert not rows[3].row.own_account.cost
    assert rows[2].row.extra["http_status"] == "500"
    assert not any(word in repr((run.told, run.document, rows)) for word in ("SECRET", "someone@"))


PLANS = [
    ({"tests": [{"vars": {"x": 1}}, {"vars": {"x": 2}}]}, 2),
    ({"tests": [{"vars": {"x": 1}}], "evaluateOptions": {"repeat": 3}}, 3),
    ({"tests": [{"vars": {"x": 1}}], "evaluateOptions": {"repeat": 3}, "commandLineOptions": {"repeat": 2}}, 2),
    ({"tests": [{"description": "no variables"}], "defaultTest": {"assert": []}}, 1),
    ({"tests": "file://tests.yaml"}, None),
    ({"tests": ["file://tests.yaml"]}, None),
    ({"tests": [{"vars": {"x": [1, 2]}}]}, None),
    ({"tests": [{"vars": "file://vars.yaml"}]}, None),
    ({"tests": [{"vars": {}}], "defaultTest": {"vars": {"x": [1, 2]}}}, None),
    ({"tests": [{"vars": {}}], "defaultTest": "file://default.yaml"}, None),
    ({"tests": [{"vars": {}}], "scenarios": [{}]}, None),
    ({"tests": [{"vars": {}, "providers": ["openai:gpt-4o"]}]}, None),
    ({"tests": [{"vars": {}}], "commandLineOptions": {"filterFirstN": 3}}, None),
    ({}, None),
]


@pytest.mark.parametrize(("config", "n"), PLANS)
def test_scheduled(tmp_path, config, n):
    run, _ = read_all(IMPORTER, files_of(tmp_path, row(), config=config))
    declared = run.declared.declared_n
    assert declared == n if n else not declared
    assert run.declared.tasks == ()


def test_conditions(tmp_path):
    providers = [{"id": "openai:gpt-4o", "config": {"temperature": 0.2, "max_tokens": 64, "apiKey": "sk-1"}}]
    config = {"providers": providers, "evaluateOptions": {"maxConcurrency": 4, "repeat": 2}}
    run, _ = read_all(IMPORTER, files_of(tmp_path, row(), config=config))
    said = {name: str(value) for name, value in run.document.items()}
    assert (said["model_id"], said["temperature"], said["max_output_tokens"]) == ("openai:gpt-4o", "0.2", "64")
    assert (said["concurrency"], said["repeats"], said["harness_version"], said["scorer"]) == (
        "4",
        "2",
        "0.123.1",
        "tests",
    )
    assert set(run.unknown) == {"seed"}
    assert "sk-1" not in repr((run.document, run.told))


@pytest.mark.parametrize("kind", ["llm-rubric", "not-llm-rubric", "similar:cosine", "g-eval"])
def test_a_model_that_grades_is_the_scorer(tmp_path, kind):
    asserts = [{"type": "assert-set", "assert": [{"type": kind}]}]
    run, _ = read_all(IMPORTER, files_of(tmp_path, row(testCase={"vars": {}, "assert": asserts})))
    assert run.document["scorer"] == "model"


NAMES = [
    ({"id": "file:///home/me/prov.js"}, "file:prov.js"),
    ({"id": "python:/home/me/p.py:call"}, "python:p.py:call"),
    ({"id": "/home/me/p.py"}, "p.py"),
    ({"id": "exec: python /home/me/p.py --key k"}, "exec"),
    ({"id": "https://user:key@host.example/v1?key=k"}, "https://host.example"),
    ({"id": "openrouter:org/model"}, "openrouter:org/model"),
    ({"id": "x", "label": "mine"}, "mine"),
    ({"id": "openai:x", "label": "/home/me/mine.js"}, "openai:x"),
    ("openai:x", "openai:x"),
    (None, "a provider without a name"),
]


@pytest.mark.parametrize(("provider", "name"), NAMES)
def test_names_of_providers_hold_no_paths_and_no_keys(tmp_path, provider, name):
    assert shown(provider) == name


def test_a_program_names_no_model(tmp_path):
    run, _ = read_all(IMPORTER, files_of(tmp_path, row(provider={"id": "file://p.js"})))
    assert "model_id" not in run.document
    assert "file:p.js" in run.unknown["model_id"]


def test_sums(tmp_path):
    metrics = {"testPassCount": 1, "testFailCount": 1, "testErrorCount": 0, "score": 1}
    rows = [row(0), failed(1), broke(0, x=9, promptIdx=1)]
    stats = {"successes": 1, "failures": 1, "errors": 1}
    files = files_of(tmp_path / "right", *rows, stats=stats, prompts=[{"metrics": metrics}])
    run, _ = read_all(IMPORTER, files, "column-0")
    assert [(one.metric, one.value, one.role) for one in run.told.published] == [
        ("testPassCount", "1", "passed"), ("testFailCount", "1", "other"), ("testErrorCount", "0", "errors"),
        ("successes", "1", "other"), ("failures", "1", "other"), ("errors", "1", "other"),
    ]  # fmt: skip
    assert kinds(run) == []
    wrong = files_of(tmp_path / "wrong", *rows, stats={**stats, "errors": 0, "failures": 2})
    assert kinds(read_all(IMPORTER, wrong, "column-0")[0]) == ["sums_differ", "sums_differ"]


TOLD = [
    ([row(), row()], [], ["duplicate_rows"]),
    ([row(), failed()], ["conflicting_rows"], []),
    ([row(), 7, {"promptIdx": 0}, row(1, testIdx="2")], ["bad_row", "bad_row", "bad_row"], []),
    ([row(), row(1, provider={"id": "openai:other"})], ["mixed_provider"], []),
]


@pytest.mark.parametrize(("rows", "blocks", "notes"), TOLD)
def test_told(tmp_path, rows, blocks, notes):
    run, _ = read_all(IMPORTER, files_of(tmp_path, *rows))
    assert (kinds(run), kinds(run, blocks=False)) == (blocks, notes)


def test_version_2_is_refused_with_its_reason(tmp_path):
    files = source(tmp_path, {"output.json": {"results": {"version": 2, "results": [], "table": {}}}})
    assert IMPORTER.recognise(files) is not None
    with pytest.raises(InputError, match="version 2"):
        IMPORTER.read(files)


def test_several_evaluations(tmp_path):
    files = source(tmp_path, {"a.json": document(row()), "b.json": document(row(), row(0, 1))})
    names = [one.name for one in IMPORTER.recognise(files).parts]
    assert names == ["a.json: column-0", "b.json: column-0", "b.json: column-1"]
    assert len(read_all(IMPORTER, files, names[2])[1]) == 1
    with pytest.raises(InputError, match="holds 2 evaluations"):
        IMPORTER.read(files)


def test_columns_of_a_long_document_are_those_near_its_beginning(tmp_path):
    rows = [row(test, column, error="x" * 900_000) for test in range(2) for column in range(2)]
    files = files_of(tmp_path, *rows)
    assert [one.name for one in IMPORTER.recognise(files).parts] == ["column-0", "column-1"]
    assert len(read_all(IMPORTER, files, "column-1")[1]) == 2


def test_other_documents_are_not_taken(tmp_path):
    members = {"a.json": {"results": {"version": 1}}, "b.json": [document(row())], "c.jsonl": document(row())}
    assert IMPORTER.recognise(source(tmp_path, members)) is None
    with pytest.raises(InputError, match="holds no results"):
        IMPORTER.read(source(tmp_path, members))


@settings(max_examples=60)
@given(broken(json.dumps(document(row(), failed(1), broke(2, 429), row(0, 1), stats={"successes": 2})).encode()))
def test_broken_documents_are_rows_or_refused(data):
    with TemporaryDirectory() as name:
        path = Path(name, "output.json")
        path.write_bytes(data)
        assert read_or_refused(IMPORTER, open_source(path)) <= 4
