"""Column maps read files of any shape; METR's public file, when it is there, gives the counts that its own rows add up to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from denominator.errors import InputError
from denominator.importers import import_rows, read_column_map
from denominator.judge import judge
from denominator.records.values import NotMeasured

ROOT = Path(__file__).parents[3]
MAP = ROOT / "docs" / "examples" / "metr-columns.toml"
SHARED = ROOT.parent / "shared"
SAMPLE = SHARED / "samples" / "metr-eval-analysis" / "all_runs.2025-01-22.jsonl"
GOLDEN = SHARED / "golden" / "foreign_facts.json"

TRIALS = [  # task, run id, alias, fatal error, cut score
    ("fam/a", "r1", "Claude 3.5 Sonnet (New)", None, 1),
    ("fam/a", "r2", "Claude 3.5 Sonnet (New)", None, 0),
    ("fam/a", "r3", "Claude 3.5 Sonnet (New)", "usageLimits", 0),
    ("fam/b", "r4", "Claude 3.5 Sonnet (New)", "usageLimits", 1),
    ("fam/b", "r5", "Claude 3.5 Sonnet (New)", None, 1),
    ("fam/b", "r5", "Claude 3.5 Sonnet (New)", None, 1),
    ("fam/c", "r6", "Claude 3.5 Sonnet (New)", None, None),
    ("fam/a", "r7", "other", None, 1),
    ("fam/b", "r8", "other", None, 0),
    ("fam/c", "r9", "other", None, 0),
    ("fam/d", "r10", "other", "usageLimits", 0),
    ("fam/d", "r11", "other", None, 1),
]


def small_file() -> bytes:
    rows = [
        {
            "run_id": run,
            "task_id": task,
            "task_family": task.split("/")[0],
            "alias": alias,
            "model": alias.lower(),
            "fatal_error_from": fatal,
            "score": 0.25,
            "score_binarized": cut,
            "time_limit": 1800,
            "started_at": 1734070031112,
            "completed_at": 1734071923976,
            "total_tokens": None,
        }
        for task, run, alias, fatal, cut in TRIALS
    ]
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def metr_map():  # type: ignore[no-untyped-def]
    return read_column_map(MAP.read_text("utf-8"), MAP.name)


def test_trials_become_repeats_and_one_model_is_selected() -> None:
    imported = import_rows([("all_runs.jsonl", small_file())], metr_map())
    ledger = imported.ledger
    assert [(r.key.task_id, r.key.repeat) for r in ledger.rows] == [
        ("fam/a", 1),
        ("fam/a", 2),
        ("fam/a", 3),
        ("fam/b", 1),
        ("fam/b", 2),
        ("fam/c", 1),
    ]
    assert imported.report.deduplicated == 1
    assert [r.stop_reason for r in ledger.rows if not isinstance(r.stop_reason, NotMeasured)] == ["budget", "budget"]
    assert all(r.limits_enforced == {"wall_s": "1800"} for r in ledger.rows)
    outcomes = [one.value for one in ledger.labels if one.axis == "outcome"]
    assert outcomes == ["pass", "fail", "fail", "pass", "pass", "unscoreable"]
    draws = {(one.draw.task_id, one.draw.repeat): one.exit for one in judge(ledger, imported.terms).sheet.draws}
    assert (draws["fam/b", 1], draws["fam/a", 3]) == ("unknown", "fail")


def test_nothing_is_rebuilt_from_surviving_rows_and_the_headline_is_withheld() -> None:
    imported = import_rows([("all_runs.jsonl", small_file())], metr_map(), {"alias": "other"})
    assert isinstance(imported.ledger.declared, NotMeasured)
    assert isinstance(imported.ledger.declared_n, NotMeasured)
    judged = judge(imported.ledger, imported.terms)
    assert judged.verdict.status == "blocked"
    shown = {one.metric for one in judged.estimates if not isinstance(one.value, NotMeasured)}
    assert "headline" not in shown
    assert any("scheduled cannot be rebuilt" in one.what for one in judged.findings)


def test_the_real_file_adds_up_to_its_own_counts() -> None:
    if not SAMPLE.exists():
        pytest.skip("the public METR sample is not beside the repository (../shared/samples)")
    data = SAMPLE.read_bytes()
    golden = json.loads(GOLDEN.read_text("utf-8"))["metr"]["by_alias"]
    for alias in ("Claude 3.5 Sonnet (New)", "davinci-002"):
        imported = import_rows([(SAMPLE.name, data)], metr_map(), {"alias": alias})
        ledger, facts = imported.ledger, golden[alias]
        passed = {one.key for one in ledger.labels if (one.axis, one.value) == ("outcome", "pass")}
        limited = {row.key for row in ledger.rows if row.stop_reason == "budget"}
        assert len(ledger.rows) == facts["runs"]
        assert len({row.key.task_id for row in ledger.rows}) == facts["tasks"]
        assert len(passed) == facts["success"]
        assert len(limited) == facts["fatal_error_usageLimits"]
        assert len(passed & limited) == facts["fatal_but_success"]
        assert judge(ledger, imported.terms).verdict.status == "blocked"


def test_csv_through_a_map() -> None:
    text = 'id,ok,secs,n\n"a,1",true,1.5,3\nb,false,2,4\n'
    columns = (
        '[columns]\ntask_id = "id"\nwall_s = "secs"\nprompt_tokens = "n"\n[outcomes]\ntrue = "pass"\nfalse = "fail"\n'
    )
    imported = import_rows([("rows.csv", text.encode())], read_column_map('outcome = "ok"\n' + columns, "m.toml"))
    assert [(r.key.task_id, r.wall_ms, r.usage.prompt) for r in imported.ledger.rows] == [
        ("a,1", 1500, 3),
        ("b", 2000, 4),
    ]
    assert [one.value for one in imported.ledger.labels] == ["pass", "fail"]
    with pytest.raises(InputError, match="3 cells under 2 columns"):
        import_rows([("rows.csv", b"id,ok\na,1,2\n")], read_column_map('[columns]\ntask_id = "id"\n', "m.toml"))


def test_a_value_without_a_meaning_blocks() -> None:
    column_map = read_column_map('outcome = "s"\n[columns]\ntask_id = "t"\n[outcomes]\nok = "pass"\n', "m.toml")
    imported = import_rows([("a.jsonl", b'{"t": "x", "s": "ok"}\n{"t": "y", "s": "oops"}\n')], column_map)
    assert [(one.kind, one.keys) for one in imported.ledger.defects if one.blocks] == [("unknown_outcome", ("y",))]


def test_a_column_of_a_known_name_means_nothing_unless_mapped() -> None:
    column_map = read_column_map('[columns]\ntask_id = "t"\n', "m.toml")
    imported = import_rows([("a.jsonl", b'{"t": "x", "exit_code": 0, "attempt": "first"}\n')], column_map)
    (row,) = imported.ledger.rows
    assert row.grade == "none"
    assert row.extra["attempt"] == '"first"'


def test_all_mistakes_of_a_map_at_once() -> None:
    text = 'outcome = "s"\n[columns]\nwall = "w"\n[outcomes]\n"1" = "win"\n"0" = "unscoreable"\n[[meaning]]\ncolumn = "c"\nvalue = "v"\nfacts = { nope = "1" }\n'
    with pytest.raises(InputError) as caught:
        read_column_map(text, "m.toml")
    told = str(caught.value)
    assert all(word in told for word in ("columns.wall", "task_id is missing", "outcomes.1", "outcomes.0", "nope"))


def test_a_where_that_fits_nothing_says_what_there_is() -> None:
    with pytest.raises(InputError, match="no row has alias='nobody'") as caught:
        import_rows([("all_runs.jsonl", small_file())], metr_map(), {"alias": "nobody"})
    assert "Claude 3.5 Sonnet (New), other" in str(caught.value)
