"""`gate` and `card` of a ledger file: what the folder of its run says, in bounded memory, and refusals in words."""

from __future__ import annotations

import json

import pytest

from e2e.cli_lab import copy_run
from denominator.records.seals import Terms
from denominator.wire.canonical import canonical
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
    assert said.code == 2 and "name the folder" in said.err
