"""METR's runs: who ended one and what it scored, repeats, people, revisions of one file."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.errors import InputError
from denominator.importers.formats.metr import IMPORTER
from denominator.importers.formats.metr.endings import TABLE
from denominator.importers.formats.metr.revisions import lines_of_alias
from denominator.wire.sources import loose_lines, open_source
from foreign_data import broken, ended, kinds, promised, read_all, read_or_refused, source

RUN = {
    "run_id": "s_1", "task_id": "fam/main", "score": 0.25, "time_limit": 1800, "started_at": 1734070031112,
    "completed_at": 1734070032112, "task_family": "fam", "alias": "agent a", "model": "a1", "fatal_error_from": None,
    "human_minutes": 5.5, "total_tokens": None, "score_binarized": 0, "equal_task_weight": 0.5, "invsqrt_task_weight": 0.25,
}  # fmt: skip


def run(number: int = 1, **over: object) -> dict[str, object]:
    return {**RUN, "run_id": f"s_{number}", **over}


def lines(*rows: object) -> str:
    return "".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in rows)


def runs(tmp_path, *rows: object):
    return source(tmp_path, {"all_runs.jsonl": lines(*rows)})


@pytest.mark.parametrize("key", TABLE, ids=str)
def test_ending(tmp_path, key):
    score, whose = key
    _, rows = read_all(IMPORTER, runs(tmp_path, run(score_binarized=score, fatal_error_from=whose or None)))
    assert ended(rows[0], on_timeout="grade") == promised(TABLE[key])
    assert rows[0].ending == TABLE[key].word


def test_the_table_is_whole():
    assert len(IMPORTER.endings) == len(TABLE) == len({one.word for one in IMPORTER.endings})


def test_a_pass_at_limits_is_the_sources_policy(tmp_path):
    rows = [run(1, score_binarized=1, fatal_error_from="usageLimits"), run(2)]
    found, read = read_all(IMPORTER, runs(tmp_path, *rows))
    assert found.document["on_timeout"] == "grade"
    assert ended(read[0])[0] == "unknown"
    assert ended(read[0], on_timeout="fail")[0] == "fail"
    assert "on_timeout" not in read_all(IMPORTER, runs(tmp_path, run(3), rows[1]))[0].document


def test_runs_of_one_task_are_repeats_in_the_order_of_the_file(tmp_path):
    rows = [run(7), run(3, task_id="fam/other"), run(5, alias="agent b"), run(1)]
    found, read = read_all(IMPORTER, runs(tmp_path, *rows), "agent a")
    assert [(one.row.key.task_id, one.row.key.repeat, one.row.extra["run_id"]) for one in read] == [
        ("fam/main", 1, '"s_7"'),
        ("fam/other", 1, '"s_3"'),
        ("fam/main", 2, '"s_1"'),
    ]
    assert not found.declared.declared_n
    assert "from 1 to 2 a task" in found.told.notes[0]


def test_facts(tmp_path):
    _, read = read_all(IMPORTER, runs(tmp_path, run()))
    row = read[0].row
    assert (row.wall_ms, row.started_at, row.stratum, row.source.line) == (1000, "2024-12-13T06:07:11Z", "fam", 1)
    assert not row.usage.prompt
    assert row.extra["equal_task_weight"] == '"0.5"'


def test_a_total_is_told_and_not_split(tmp_path):
    _, read = read_all(IMPORTER, runs(tmp_path, run(total_tokens=512)))
    assert "512" in str(read[0].row.usage.prompt)


def test_people(tmp_path):
    person = run(alias="human", model="human", started_at=0, completed_at=60_000, time_limit=0, total_tokens=9.5)
    found, read = read_all(IMPORTER, runs(tmp_path, {**person, "run_id": 65}))
    row = read[0].row
    assert (row.wall_ms, bool(row.started_at), bool(row.usage.prompt)) == (60_000, False, False)
    assert kinds(found, blocks=False) == ["human_rows"]
    assert found.document["model_id"] == "none"


def test_over_the_limit_is_a_note(tmp_path):
    found, _ = read_all(IMPORTER, runs(tmp_path, run(time_limit=1), run(2, completed_at=1734070033112, time_limit=1)))
    assert any(note.startswith("1 run lasted longer") for note in found.told.notes)


def test_a_word_of_two_aliases_names_no_model(tmp_path):
    found, _ = read_all(IMPORTER, runs(tmp_path, run(), run(2, alias="agent b")), "agent a")
    assert "model_id" not in found.document
    assert "agent b" in found.unknown["model_id"]


def test_ids_again(tmp_path):
    found, read = read_all(IMPORTER, runs(tmp_path, run(), run(), run(score_binarized=1)))
    assert len(read) == 1
    assert (kinds(found), kinds(found, blocks=False)) == (["conflicting_rows"], ["duplicate_rows"])


@pytest.mark.parametrize(
    "over",
    [
        *({"score_binarized": 0.5}, {"score_binarized": "1"}, {"score_binarized": True}),
        *({"fatal_error_from": "moon"}, {"fatal_error_from": 3}),
    ],
)
def test_an_unknown_ending_keeps_its_row_and_blocks(tmp_path, over):
    found, read = read_all(IMPORTER, runs(tmp_path, run(**over)))
    assert kinds(found) == ["unknown_ending"]
    assert ended(read[0]) == ("unscoreable", "HARNESS", "")


def test_lines_that_cannot_be_read(tmp_path):
    files = runs(tmp_path, run(), "nonsense", {"run_id": 1}, run(2, task_id="../x"), run(3))
    found, read = read_all(IMPORTER, files)
    assert len(read) == 2
    assert kinds(found) == ["bad_line", "bad_line", "refused_id"]
    torn = source(tmp_path / "torn", {"all_runs.jsonl": lines(run()) + '{"run_id": "s_2", "ta'})
    found, read = read_all(IMPORTER, torn)
    assert (len(read), kinds(found), kinds(found, blocks=False)) == (1, [], ["torn_tail"])


def test_revisions_are_held_against_each_other(tmp_path):
    old = [run(1), run(2, score=0.5), run(3, alias="agent b"), run(9)]
    new = [run(1), run(2, score=0.75), run(3)]
    files = source(tmp_path, {"v1.jsonl": lines(*old), "v2.jsonl": lines(*new)})
    found, read = read_all(IMPORTER, files, "v2: agent a")
    assert (len(read), kinds(found)) == (3, ["revisions_differ"])
    what = found.told.defects[0].what
    assert "3 of 3 runs" in what and "1 with another alias" in what and "1 with another score;" in what
    assert "1 stand only there" in what
    files = source(tmp_path / "same", {"v1.jsonl": lines(run(1, score=0.50)), "v2.jsonl": lines(run(1, score=0.5))})
    assert kinds(read_all(IMPORTER, files, "v2: agent a")[0]) == []


def test_several_aliases(tmp_path):
    files = runs(tmp_path, run(), run(2, alias="agent b"))
    assert [(one.name, one.title) for one in IMPORTER.recognise(files).parts] == [
        ("agent a", "1 run"),
        ("agent b", "1 run"),
    ]
    with pytest.raises(InputError, match="holds 2 runs"):
        IMPORTER.read(files)


def test_other_lines_are_not_taken(tmp_path):
    assert IMPORTER.recognise(source(tmp_path, {"a.jsonl": '{"run_id": 1, "task_id": "t"}\n', "b.jsonl": ""})) is None


@settings(max_examples=60)
@given(broken(lines(run(1), run(2, fatal_error_from="usageLimits"), run(3, alias="human")).encode()))
def test_broken_files_are_rows_or_defects(data):
    with TemporaryDirectory() as name:
        path = Path(name, "all_runs.jsonl")
        path.write_bytes(data)
        assert read_or_refused(IMPORTER, open_source(path)) <= 6


PARTS = st.sampled_from(
    [json.dumps(run(1)), json.dumps(run(2, alias="agent b")), json.dumps(run(3, alias="")), "", "  ", "[1]", "{", "7",
     json.dumps(run(4, alias=3)), json.dumps(run(5)) + "\r"]
)  # fmt: skip


@given(st.lists(PARTS, max_size=12), st.booleans())
def test_the_lines_of_an_alias_are_those_that_a_reader_of_all_lines_finds(parts, ended_line):
    text = "\n".join([json.dumps(run(9)), *parts]) + ("\n" if ended_line else "")
    with TemporaryDirectory() as name:
        (Path(name) / "r.jsonl").write_text(text, newline="")
        files = open_source(Path(name))
        every = list(loose_lines(files, "r.jsonl"))
        for alias in ("agent a", "agent b", "nobody"):
            wanted = [one for one in every if not _is_of_another(one.value, alias)]
            assert list(lines_of_alias(files, "r.jsonl", alias)) == wanted


def _is_of_another(value: object, alias: str) -> bool:
    named = value.get("alias") if isinstance(value, dict) else None
    return isinstance(named, str) and named not in ("", alias)
