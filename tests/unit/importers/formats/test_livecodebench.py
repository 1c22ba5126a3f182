"""LiveCodeBench: what a false means, samples as repeats, the file by position refused."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings

from denominator.errors import InputError
from denominator.importers.formats.livecodebench import IMPORTER
from denominator.importers.formats.livecodebench.endings import BY_CODE, NO_CODE, PASSED
from denominator.wire.sources import open_source
from foreign_data import broken, ended, kinds, promised, read_all, read_or_refused, source

FILE = "Scenario.codegeneration_2_0.2_eval_all.json"
BY_POSITION = "Scenario.codegeneration_2_0.2_eval.json"


def question(task: str = "q1", graded: object = (True, False), codes: object = (None, -2), **over: object) -> dict:
    given = list(graded) if isinstance(graded, tuple) else graded
    metadata = [json.dumps({} if one is None else {"error_code": one}) for one in codes]
    share = sum(one is True for one in given) / len(given) if isinstance(given, list) and given else 0
    return {
        "question_content": "..", "platform": "atcoder", "question_id": task, "contest_id": "c",
        "contest_date": "2023-05-13T00:00:00", "difficulty": "easy", "output_list": ["x"] * len(metadata),
        "code_list": ["print(1)"] * len(metadata), "graded_list": given, "pass@1": share, "metadata": metadata, **over,
    }  # fmt: skip


def questions(tmp_path, *found: object, name: str = FILE):
    return source(tmp_path, {name: list(found)})


CASES = [(True, None, PASSED), (False, None, NO_CODE), *((False, code, one) for code, one in BY_CODE.items())]


@pytest.mark.parametrize(("graded", "code", "ending"), CASES)
def test_ending(tmp_path, graded, code, ending):
    run, rows = read_all(IMPORTER, questions(tmp_path, question(graded=(graded, graded), codes=(code, code))))
    assert ended(rows[0]) == promised(ending)
    assert rows[1].ending == ending.word
    assert kinds(run) == []


def test_every_line_of_the_table_is_reached():
    assert {one.word for *_, one in CASES} == {one.word for one in IMPORTER.endings}


@pytest.mark.parametrize(
    ("graded", "code"), [(True, -2), (False, -9), (False, "x"), ("true", None), (1, None), (False, True)]
)
def test_an_unknown_ending_keeps_its_row_and_blocks(tmp_path, graded, code):
    run, rows = read_all(IMPORTER, questions(tmp_path, question(graded=(graded, False), codes=(code, -2))))
    assert "unknown_ending" in kinds(run)
    assert ended(rows[0]) == ("unscoreable", "HARNESS", "")


def test_samples_are_repeats(tmp_path):
    run, rows = read_all(IMPORTER, questions(tmp_path, question("q1"), question("q2")))
    assert [(one.row.key.task_id, one.row.key.repeat) for one in rows] == [("q1", 1), ("q1", 2), ("q2", 1), ("q2", 2)]
    assert (rows[0].row.stratum, rows[0].row.extra["contest_date"]) == ("easy", '"2023-05-13T00:00:00"')
    assert (run.document["repeats"], str(run.document["temperature"])) == (2, "0.2")
    assert not run.declared.declared_n
    assert "2023-05-13" in run.told.notes[0]


TOLD = [
    ([question(), question()], [], ["duplicate_rows"]),
    ([question(), question(graded=(False, False), codes=(-2, -2))], ["conflicting_rows"], []),
    ([question(graded=(True,), codes=(None,))], ["repeats_differ"], []),
    ([question(), {**question("q2"), "pass@1": 0.75}], ["contradiction"], []),
    ([question(), {**question("q2"), "metadata": ["{}"]}], ["bad_value"], []),
    ([question(), {**question("q2"), "metadata": ["{}", "{"]}], ["bad_value"], []),
    ([question(), {**question("q2"), "graded_list": "x"}], ["bad_row"], []),
    ([question(), 7], ["bad_row"], []),
    ([question(), question("../x")], ["refused_id"], []),
]


@pytest.mark.parametrize(("found", "blocks", "notes"), TOLD)
def test_told(tmp_path, found, blocks, notes):
    run, _ = read_all(IMPORTER, questions(tmp_path, *found))
    assert (kinds(run), kinds(run, blocks=False)) == (blocks, notes)


def test_without_the_tools_own_name_nothing_says_how_many(tmp_path):
    found = [question(), question("q2", graded=(True,), codes=(None,))]
    run, rows = read_all(IMPORTER, questions(tmp_path, *found, name="mine_eval_all.json"))
    assert (len(rows), kinds(run, blocks=False)) == (3, ["uneven_repeats"])
    assert {"temperature", "repeats"} <= set(run.unknown)


def test_questions_without_metadata_are_judgements(tmp_path):
    run, rows = read_all(IMPORTER, questions(tmp_path, question(metadata=None)))
    assert kinds(run) == []
    assert [one.ending for one in rows] == [PASSED.word, NO_CODE.word]


def test_a_file_that_breaks_off_keeps_what_came_before(tmp_path):
    text = json.dumps([question("q1"), question("q2")])[:-40]
    run, rows = read_all(IMPORTER, source(tmp_path, {FILE: text}))
    assert ([one.row.key.task_id for one in rows], kinds(run)) == (["q1", "q1"], ["torn_file"])


def test_the_file_by_position_is_refused_by_itself(tmp_path):
    by_position = [{"pass@1": 0.5, "detail": {"pass@1": {"0": 0.5}}}, {"0": [[True], [-2]]}, []]
    files = source(tmp_path / "alone", {BY_POSITION: by_position})
    assert "keyed by position" in IMPORTER.recognise(files).why
    with pytest.raises(InputError, match="keyed by position"):
        IMPORTER.read(files)
    run, _ = read_all(IMPORTER, source(tmp_path / "both", {BY_POSITION: by_position, FILE: [question()]}))
    assert [(one.metric, one.value) for one in run.told.published] == [("pass@1", "0.5"), ("pass@1 of q1", "0.5")]
    run, _ = read_all(IMPORTER, source(tmp_path / "cut", {BY_POSITION: "[", FILE: [question()]}))
    assert "was not read" in run.told.notes[0]


def test_several_files(tmp_path):
    files = source(tmp_path, {f"m/{FILE}": [question()], f"n/{FILE}": [question()]})
    names = [one.name for one in IMPORTER.recognise(files).parts]
    assert names == ["m/Scenario.codegeneration_2_0.2", "n/Scenario.codegeneration_2_0.2"]
    assert read_all(IMPORTER, files, names[1])[0].arm == "n"
    with pytest.raises(InputError, match="holds 2 runs"):
        IMPORTER.read(files)


def test_other_files_are_not_taken(tmp_path):
    assert (
        IMPORTER.recognise(source(tmp_path, {FILE: {"question_id": 1}, BY_POSITION: [1], "x.json": [question()]}))
        is None
    )


@settings(max_examples=60)
@given(broken(json.dumps([question("q1"), question("q2", graded=(False, False), codes=(-5, -3))]).encode()))
def test_broken_files_are_rows_or_defects(data):
    with TemporaryDirectory() as name:
        path = Path(name, FILE)
        path.write_bytes(data)
        assert read_or_refused(IMPORTER, open_source(path)) <= 12
