"""The verb `report` on imports and ledger files: where it writes, what it refuses, what a hostile import cannot do."""

from __future__ import annotations

import json

import pytest

from report_pages import read

HOSTILE = "</td><script>alert(1)</script>\u202e"


@pytest.fixture
def folder(cli, here):
    """A kept import of sixteen rows, one of which has a hostile name."""
    rows = [{"task_id": f"t{n}", "status": "pass" if n % 4 else "fail"} for n in range(15)]
    rows.append({"task_id": HOSTILE, "status": "fail"})
    (here / "rows.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))
    said = cli("import", "rows", "rows.jsonl", "-o", "kept")
    assert (here / "kept" / "ledger.json").is_file(), said.err
    return here / "kept"


def test_the_page_lies_in_the_folder_and_is_made_anew(cli, folder):
    first = cli("report", folder, "--json").json
    data = (folder / "report.html").read_bytes()
    assert first["path"] == str(folder / "report.html") and first["bytes"] == len(data)
    reader = read(data.decode())
    assert "alert(1)" in reader.text and "this is an import" in reader.text
    assert cli("report", folder, "--json").json == first


def test_the_exit_code_is_that_of_the_card(cli, folder):
    assert cli("report", folder).code == cli("card", folder).code


def test_a_file_of_a_person_is_never_overwritten(cli, folder, here):
    (here / "mine.html").write_text("mine")
    said = cli("report", folder, "-o", here / "mine.html")
    assert said.code == 2 and "is there already" in said.err
    assert (here / "mine.html").read_text() == "mine"


def test_a_folder_that_is_not_there_is_named(cli, folder, here):
    said = cli("report", folder, "-o", here / "nowhere" / "page.html")
    assert said.code == 2 and "no such folder" in said.err


def test_a_ledger_file_needs_a_name_for_its_page(cli, here):
    (here / "ledger.jsonl").write_text("")
    said = cli("report", "ledger.jsonl")
    assert said.code == 2 and "-o report.html" in said.err


def test_two_arms_whose_conditions_nobody_stated_are_not_comparable(cli, folder, here):
    (here / "rows.jsonl").write_text(
        "".join(json.dumps({"task_id": f"t{n}", "status": "pass"}) + "\n" for n in range(16))
    )
    cli("import", "rows", "rows.jsonl", "-o", "other")
    said = cli("report", folder, here / "other", "--json")
    assert said.code == 3
    reader = read((folder / "report-other.html").read_text())
    assert "NOT COMPARABLE" in reader.text and "numbers" not in reader.ids


def test_options_of_two_arms_are_refused_for_one(cli, folder):
    assert cli("report", folder, "--equal", "why").code == 2


def test_rows_that_are_held_by_kind_are_counted_and_not_told(cli, folder, here):
    kept = here / "long"
    kept.mkdir()
    whole = json.loads((folder / "ledger.json").read_text())
    (kept / "ledger.jsonl").write_text("".join(json.dumps(one) + "\n" for one in whole["rows"]))
    (kept / "terms.json").write_bytes((folder / "terms.json").read_bytes())
    said = cli("report", kept / "ledger.jsonl", "-o", here / "long.html")
    assert said.code == cli("card", kept / "ledger.jsonl").code
    assert "Counts" in read((here / "long.html").read_text()).text
    assert cli("report", kept).code == said.code and (kept / "report.html").is_file()
