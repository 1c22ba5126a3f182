"""Which files of rows are read line by line, which as a whole; either way they come to the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from denominator.errors import InputError
from denominator.importers import read_column_map
from denominator.pipeline.importing import import_paths
from denominator.pipeline.judging_file import judge_file, open_ledger
from denominator.pipeline.large_import import import_large
from denominator.pipeline.large_rows import LargeRows
from denominator.wire.canonical import canonical

Row = dict[str, Any]
MANIFEST: Row = {"run_id": "r", "task_ids": ["t0", "t1", "t2"], "repeats": 4, "on_timeout": "fail", "max_attempts": 1}
OUTCOMES = ("pass", "fail", "pass", "unscoreable")


def rows(many: int = 12) -> list[Row]:
    """Rows of a few kinds; numbers and a text differ from row to row."""
    found: list[Row] = []
    for at in range(many):
        ended = OUTCOMES[at % 4]
        row: Row = {"task_id": f"t{at % 3}", "repeat": at // 3 + 1, "outcome": ended, "prompt_tokens": 100 + at}
        row |= {"completion_tokens": at, "wall_s": at / 4, "note": f"free {at}"}
        found.append(row | ({"reason": "env_flake"} if ended == "unscoreable" else {}))
    return found


def written(folder: Path, text: str, manifest: Row | None = None) -> list[Path]:
    """The file of rows and its manifest."""
    paths = [folder / "rows.jsonl", folder / "manifest.json"]
    paths[0].write_text(text)
    paths[1].write_text(json.dumps(manifest or MANIFEST))
    return paths


def lines(found: list[Row]) -> str:
    """Rows as a file."""
    return "".join(json.dumps(row) + "\n" for row in found)


def by_line(paths: list[Path], column_map: Path | None = None) -> bool:
    """Is it read line by line?"""
    found = read_column_map(column_map.read_text(), "columns.toml") if column_map else None
    return import_large([(one.name, one) for one in paths], found, None, (), least=1) is not None


def told(paths: list[Path], large: int, column_map: Path | None = None) -> Any:
    """Report, terms and card."""
    report, result = import_paths(paths, column_map, (), None, large=large)
    return report, result.terms, canonical(result.card)


def same(paths: list[Path], column_map: Path | None = None) -> bool:
    """Does it come to the same either way?"""
    return bool(told(paths, 1, column_map) == told(paths, 1 << 60, column_map))


def test_plain_rows_are_read_line_by_line(tmp_path: Path) -> None:
    paths = written(tmp_path, lines(rows()))
    assert by_line(paths)
    assert same(paths)


def test_new_columns_behind_the_first_lines(tmp_path: Path) -> None:
    """The first 200 lines say what the rows are; later ones may still hold more."""
    many = rows(300)
    many[250] |= {"stopped_by": "provider", "new": 1}
    manifest = MANIFEST | {"repeats": 100}
    paths = written(tmp_path, lines(many), manifest)
    assert by_line(paths)
    assert same(paths)


@pytest.mark.parametrize(
    "odd",
    [
        lines(rows()[:1]),
        '{"task_id": "t9", "outcome": "pass", "outcome": "fail"}\n',
        '{"task_id": "t9", "outcome": "pass", "wall_s": NaN}\n',
        '{"task_id": "t9", "outcome": "pa',
        "\n",
        '{"task_id": "t9",\r "outcome": "pass"}\n',
        '{"task_id": "t9", "outcome": "pass", "run_id": "other"}\n',
        '{"task_id": "t9", "outcome": "pass", "tests_without_agent_pass": true}\n',
        '{"task_id": "t9", "outcome": "pass", "facts": {"agent_exit": 0}}\n',
        '{"task_id": "t1", "outcome": "fail", "repeat": 1, "note": "another one"}\n',
    ],
    ids=[
        "twice",
        "key twice",
        "NaN",
        "torn",
        "blank",
        "a return inside",
        "two runs",
        "a bad task",
        "facts",
        "conflict",
    ],
)
def test_what_a_line_alone_cannot_tell_is_read_as_a_whole(tmp_path: Path, odd: str) -> None:
    paths = written(tmp_path, lines(rows()) + odd)
    assert not by_line(paths)
    assert same(paths)


def test_a_bad_name_says_nothing_of_other_rows_of_its_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first of its kind or not: only its own line is read by itself."""
    many = rows(60)
    many[1]["task_id"] = many[40]["task_id"] = "todo"
    paths = written(tmp_path, lines(many), MANIFEST | {"repeats": 20})
    alone: list[int] = []
    read = LargeRows._alone
    monkeypatch.setattr(
        LargeRows, "_alone", lambda self, run, at: (alone.append(run.number + at), read(self, run, at))[1]
    )
    assert by_line(paths)
    assert {2, 41} <= {*alone} and len(alone) < 8
    monkeypatch.undo()
    assert same(paths)


def test_rows_of_one_arm_are_chosen(tmp_path: Path) -> None:
    """Tasks that only the other arm ran, and columns that only its rows hold, are no part of it."""
    other = [{**row, "arm": "b", "task_id": f"other {row['task_id']}", "more": 1} for row in rows()]
    paths = written(
        tmp_path,
        lines([one for both in zip(({**row, "arm": "a"} for row in rows()), other, strict=True) for one in both]),
    )
    for where in (("arm=a",), ("arm=b",)):
        chosen = dict(one.split("=") for one in where)
        assert import_large([(one.name, one) for one in paths], None, None, (), 1, chosen) is not None
        by_lines, whole = (import_paths(paths, None, where, None, large=large) for large in (1, 1 << 60))
        assert by_lines[0] == whole[0]
        assert canonical(by_lines[1].card) == canonical(whole[1].card)
        assert len(by_lines[1].ledger.rows) == 12


def test_lines_may_end_with_a_carriage_return(tmp_path: Path) -> None:
    paths = written(tmp_path, lines(rows()).replace("\n", "\r\n", 7) + '{"task_id": "t9", "outcome": "pass"}\r')
    assert by_line(paths)
    assert same(paths)


def test_rows_with_something_wrong_are_named_one_by_one(tmp_path: Path) -> None:
    bad: list[Row] = [
        {"outcome": "pass"},
        {"task_id": "..", "outcome": "pass"},
        {"task_id": "t1", "repeat": 9, "outcome": "odd"},
    ]
    paths = written(tmp_path, lines([*rows(), *bad, {"task_id": "t1", "repeat": 10, "wall_s": -1, "outcome": "pass"}]))
    assert by_line(paths)
    assert same(paths)
    wheres = [one.where for one in import_paths(paths, None, (), None, large=1)[1].ledger.defects]
    assert wheres[:4] == ["rows.jsonl:13", "rows.jsonl:14", "rows.jsonl:15", "rows.jsonl:16"]


def test_several_arms_are_refused_in_the_same_words(tmp_path: Path) -> None:
    paths = written(tmp_path, lines([{**row, "arm": "ab"[at % 2]} for at, row in enumerate(rows())]))
    with pytest.raises(InputError) as by_lines:
        import_paths(paths, None, (), None, large=1)
    with pytest.raises(InputError) as whole:
        import_paths(paths, None, (), None, large=1 << 60)
    assert str(by_lines.value) == str(whole.value)


def test_a_line_before_the_rows_describes_them(tmp_path: Path) -> None:
    head = {"_fingerprint": {"run_id": "r", "model_id": "made-up-1"}}
    paths = written(tmp_path, lines([head, *rows()]))
    assert by_line(paths)
    assert same(paths)


@pytest.mark.parametrize("where", ["", '[where]\nverdict = "good"\n'])
def test_a_column_map(tmp_path: Path, where: str) -> None:
    column_map = tmp_path / "columns.toml"
    column_map.write_text(
        'run = "mine"\noutcome = "verdict"\n[columns]\ntask_id = "case"\nrepeat = "n"\nwall_s = "took"\n'
        '[outcomes]\ngood = "pass"\nbad = "fail"\n' + where
    )
    words = {"pass": "good", "fail": "bad", "unscoreable": "odd"}
    mapped = [
        {
            "case": row["task_id"],
            "n": row["repeat"],
            "took": row["wall_s"],
            "verdict": words[row["outcome"]],
            "status": at,
        }
        for at, row in enumerate(rows())
    ]
    paths = written(tmp_path, lines(mapped))
    assert by_line(paths, column_map)
    assert same(paths, column_map)


@pytest.mark.parametrize("number", [3, 1])
def test_tasks_by_number_only(tmp_path: Path, number: int) -> None:
    paths = written(tmp_path, lines(rows()), {"run_id": "r", "task_count": number, "repeats": 4})
    assert by_line(paths)
    assert same(paths)


def test_a_kept_import_is_read_again_with_the_same_card(tmp_path: Path) -> None:
    paths = written(tmp_path, lines(rows()))
    report, kept = import_paths(paths, None, (), tmp_path / "kept", large=1)
    assert report == import_paths(paths, None, (), None, large=1 << 60)[0]
    whole = import_paths(paths, None, (), None, large=1 << 60)[1]
    assert canonical(kept.card) == canonical(whole.card)
    assert (tmp_path / "kept" / "ledger.jsonl").is_file()
    path = tmp_path / "kept" / "ledger.jsonl"
    with open_ledger(path) as file:
        again = json.loads(canonical(judge_file(path, file).card))
    card = json.loads((tmp_path / "kept" / "card.json").read_bytes())
    assert {name for name in card if card[name] != again[name]} <= {"notes"}
    assert next(iter(kept.ledger.rows)).source.line == 1
    assert json.loads((tmp_path / "kept" / "beside.jsonl").read_text().splitlines()[0])["extra"]["note"] == '"free 0"'


def test_rows_are_there_one_by_one(tmp_path: Path) -> None:
    paths = written(tmp_path, lines(rows()))
    whole = import_paths(paths, None, (), None, large=1 << 60)[1].ledger
    lined = import_paths(paths, None, (), None, large=1)[1].ledger
    assert len(lined.rows) == len(whole.rows)
    found = {row.key: row for row in lined.rows}
    assert all(found[row.key].usage == row.usage and found[row.key].source == row.source for row in whole.rows)
    assert found[whole.rows[0].key].extra["note"] == whole.rows[0].extra["note"]
