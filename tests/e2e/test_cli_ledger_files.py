"""`gate` and `card` of a ledger file: what the folder of its run says, in bounded memory, and refusals in words."""

from __future__ import annotations

import json
import sys

import pytest

from denominator.records.seals import Terms
from denominator.wire.canonical import canonical
from e2e.cli_lab import copy_run
from judging_data import own, terms

OF_ROWS = (
    "run_id", "declared", "equation", "equation_all", "never_started", "reasons", "origins", "classes", "mix", "tags", "strata",
    "grading_levels", "scorer_green", "seal_digest", "budgets",
)  # fmt: skip


def test_a_ledger_file_says_of_its_rows_what_the_card_of_the_run_says(lab, here, cli):
    """What stands only in the journal (controls of the whole run) is not in the file, and the card says so."""
    run = copy_run(lab, here / "runs")
    whole, alone = cli("card", run, "--json").json, cli("card", run / "ledger.jsonl", "--json").json
    assert {name: alone[name] for name in OF_ROWS} == {name: whole[name] for name in OF_ROWS}
    assert any("from ledger.jsonl alone" in note for note in alone["notes"])


def an_import(folder, rows, declared=None):
    folder.mkdir()
    (folder / "ledger.jsonl").write_bytes(b"".join(canonical(row) + b"\n" for row in rows))
    given: Terms = terms(origin="seal")
    (folder / "terms.json").write_bytes(canonical(given) + b"\n")
    if declared is not None:
        (folder / "declared.json").write_text(json.dumps(declared))
    return folder / "ledger.jsonl"


def test_declared_draws_beside_a_file_are_its_denominator(here, cli):
    rows = [own(f"t{n}") for n in range(9)]
    tasks = [{"tasks": [f"t{n}" for n in range(10)]}]
    file = an_import(here / "a", rows, {"schema_version": 1, "run_id": "r1", "declared_n": 10, "tasks": tasks})
    card = cli("card", file, "--json").json
    assert (card["declared"], card["never_started"], card["run_id"]) == (10, ["t9"], "r1")
    assert cli("gate", file).code == 1


def test_without_declared_draws_there_is_no_denominator(here, cli):
    said = cli("gate", an_import(here / "a", [own("t1")]))
    assert said.code == 1 and "nobody stated which draws were declared" in said.out


def test_a_line_that_is_no_row_blocks(here, cli):
    file = an_import(here / "a", [own("t1")], {"schema_version": 1, "run_id": "r1", "declared_n": 1})
    file.write_bytes(file.read_bytes() + b'{"key": 3}\n\n{"torn')
    said = cli("gate", file)
    assert said.code == 1 and "ledger.jsonl:2" in said.out


@pytest.mark.parametrize(
    "declared, part",
    [
        ({"schema_version": 1, "run_id": "r1", "declared_n": 1, "tasks": [{"tasks": ["t1"], "repeats": 0}]}, "repeats"),
        ({"run_id": "r1", "declared_n": 1}, "schema_version"),
        ([], "expected"),
    ],
)
def test_declared_draws_that_cannot_be_read_are_refused(here, cli, declared, part):
    said = cli("card", an_import(here / "a", [own("t1")], declared))
    assert said.code == 2 and part in said.err


def test_what_is_typed_wrong_is_said(here, cli):
    assert "no such file" in cli("gate", "nowhere.jsonl").err
    alone = here / "ledger.jsonl"
    alone.write_bytes(canonical(own("t1")) + b"\n")
    assert cli("gate", alone).code == 2 and "under which terms" in cli("gate", alone).err


def test_labels_of_people_beside_a_file_are_not_left_out_in_silence(here, cli):
    file = an_import(here / "a", [own("t1")])
    (file.parent / "labels.jsonl").write_text("")
    said = cli("card", file)
    assert said.code == 2 and "laid over whole runs" in said.err and "move them away" in said.err


def in_parquet(cli, file):
    """The same ledger, in a folder of its own, as Parquet."""
    pytest.importorskip("polars", reason="polars is not installed: pip install 'denominator[parquet]'")
    folder = file.parent / "columns"
    folder.mkdir()
    for beside in ("terms.json", "declared.json"):
        (folder / beside).write_bytes((file.parent / beside).read_bytes())
    said = cli("runs", "parquet", file, "-o", folder / "ledger.parquet")
    assert said.code == 0 and "rows" in said.out, said.err
    return folder / "ledger.parquet"


def test_a_ledger_in_parquet_has_the_card_of_its_lines(here, cli):
    rows = [own(f"t{n}", "green" if n % 3 else "red") for n in range(9)]
    file = an_import(here / "a", [*rows, rows[0], own("foreign")], {
        "schema_version": 1, "run_id": "r1", "declared_n": 10, "tasks": [{"tasks": [f"t{n}" for n in range(10)]}],
    })  # fmt: skip
    parquet = in_parquet(cli, file)
    lines = cli("card", file, "--json")
    assert "foreign" in lines.out
    assert cli("card", parquet, "--json").out == lines.out
    assert cli("gate", parquet).code == cli("gate", file).code == 1
    assert cli("runs", "parquet", file, "-o", parquet).code == 2


def test_a_parquet_file_that_is_no_ledger_is_refused_with_every_column(here, cli):
    file = an_import(here / "a", [own("t1")], {"schema_version": 1, "run_id": "r1", "declared_n": 1})
    parquet = in_parquet(cli, file)
    import polars

    frame = polars.read_parquet(parquet)
    frame.drop("slice", "wall_ms").with_columns(polars.lit(1).alias("mine")).write_parquet(parquet)
    said = cli("card", parquet)
    assert said.code == 2 and all(name in said.err for name in ("slice", "wall_ms", "mine")), said.err
    parquet.write_bytes(b"PAR1 not at all")
    assert cli("card", parquet).code == 2


@pytest.mark.parametrize(
    "change", [{"slice": None}, {"key.task_id": None}, {"hints": "{"}, {"patch.not_measured": "?"}]
)
def test_a_row_that_is_none_is_refused(here, cli, change):
    file = an_import(here / "a", [own("t1"), own("t2")], {"schema_version": 1, "run_id": "r1", "declared_n": 2})
    parquet = in_parquet(cli, file)
    import polars

    frame = polars.read_parquet(parquet)
    (name, value), second = *change.items(), polars.int_range(polars.len()) == 1
    changed = polars.when(second).then(polars.lit(value, frame.schema[name])).otherwise(polars.col(name)).alias(name)
    frame.with_columns(changed).write_parquet(parquet)
    said = cli("card", parquet)
    assert said.code == 2 and "Traceback" not in said.err, said.err


def test_without_the_extra_the_way_to_it_is_named(here, cli, monkeypatch):
    file = an_import(here / "a", [own("t1")], {"schema_version": 1, "run_id": "r1", "declared_n": 1})
    monkeypatch.setitem(sys.modules, "polars", None)
    said = cli("runs", "parquet", file, "-o", here / "out.parquet")
    assert said.code == 2 and "denominator[parquet]" in said.err
