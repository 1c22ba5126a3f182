"""Verbs that look at a real run: what they print, how they end, and that what is on disk is what `schema` says."""

from __future__ import annotations

import json
import sqlite3
import tomllib
from contextlib import closing
from pathlib import Path

import jsonschema
import pytest

from denominator.pipeline.soundness import require_sound
from denominator.run.layout import RunFolder
from denominator.wire.codec import to_json
from denominator.wire.documents import DOCUMENTS
from denominator.wiring.opening import look_into
from e2e.cli_lab import cards, copy_run, files_of

pytestmark = [pytest.mark.needs_bwrap, pytest.mark.xdist_group("cli")]


@pytest.fixture
def runs(lab):
    return lab / "runs"


def test_the_window_printed_cards_and_then_a_summary(lab):
    out = (lab / "window.out").read_text()
    assert cards(out) == ["window-script", "window-oracle"]
    summary = out[out.index("SUMMARY") :].splitlines()
    assert summary == [
        "SUMMARY",
        "  script  publishable (counts)  pass 1 + fail 1 + abstain 0 + unscoreable 0 + never started 0 = 2 declared",
        "  oracle  publishable (counts)  pass 2 + fail 0 + abstain 0 + unscoreable 0 + never started 0 = 2 declared",
    ]
    assert out.index("SUMMARY") > out.rindex("run window-")
    said = (lab / "window.err").read_text()
    assert "no arm is compared here\n  next: denominator compare window-script window-oracle\n" in said


def test_progress_is_one_line_an_attempt_and_no_control_codes_elsewhere(lab):
    lines = [line for line in (lab / "window.err").read_text().splitlines() if line.startswith("[")]
    assert len(lines) == 8
    assert lines[-1].startswith("[8/8] ")
    assert "\x1b" not in (lab / "window.out").read_text() + (lab / "window.err").read_text()


@pytest.mark.parametrize("verb", ["card", "gate", "status", "show"])
def test_json_is_one_document_and_nothing_else(verb, runs, cli):
    args = ["clamp-low", "--run", "window-script"] if verb == "show" else ["window-script"]
    said = cli(verb, *args, "--runs-dir", runs, "--json")
    assert (said.code, said.err) == (0, "")
    assert isinstance(said.json, dict)


def test_a_run_is_found_by_id_by_path_and_as_the_latest(lab, runs, cli, monkeypatch):
    by_id = cli("card", "window-script", "--runs-dir", runs, "--brief")
    assert by_id.code == 0 and "run window-script" in by_id.out
    assert cli("card", runs / "window-script", "--brief").out == by_id.out
    monkeypatch.chdir(runs)
    assert cli("card", "./window-script", "--brief").out == by_id.out
    monkeypatch.chdir(lab)
    latest = cli("status").out.split()[1]
    assert latest in {path.name for path in runs.iterdir()}
    assert cli("card", "window-script", "--runs-dir", "./runs", "--brief").out == by_id.out


def test_brief_is_a_part_of_the_card(runs, cli):
    whole, brief = (cli("card", "window-oracle", "--runs-dir", runs, *more).out for more in ((), ("--brief",)))
    assert len(brief) < len(whole) / 2
    assert "pass 2 + fail 0" in brief and "RATES" not in brief


def test_looking_changes_nothing(lab, tmp_path, cli):
    folder = copy_run(lab, tmp_path / "runs")
    before = files_of(folder)
    for args in (
        ("status", "window-script"), ("card", "window-script"), ("gate", "window-script", "-v"), ("runs", "ls"),
        ("show", "clamp-low", "--run", "window-script"), ("resume", "window-script", "--dry-run"), ("runs", "gc", "--dry-run"),
    ):  # fmt: skip
        assert cli(*args, "--runs-dir", tmp_path / "runs").code == 0
    assert files_of(folder) == before
    assert not list(folder.glob("journal.db-*")), "a reader leaves no lock behind"


def test_gate_shows_every_clause(runs, cli):
    some, every = (cli("gate", "window-script", "--runs-dir", runs, *more) for more in ((), ("-v",)))
    assert some.code == every.code == 0
    assert "GL024" in some.out and "GL001" not in some.out
    assert "GL001" in every.out


def test_show_escapes_what_an_agent_printed(runs, cli):
    said = cli("show", "clamp-low", "--run", "window-script", "--runs-dir", runs)
    assert "\\x1b[31mred" in said.out and "\\x07" in said.out
    assert "\x1b" not in said.out and "\x07" not in said.out
    assert "label  outcome = pass" in said.out


def test_show_names_the_tasks_there_are(runs, cli):
    said = cli("show", "clamp", "--run", "window-script", "--runs-dir", runs)
    assert said.code == 2 and "clamp-low" in said.err and said.out == ""


def test_runs_ls_lists_states(runs, cli):
    said = cli("runs", "ls", "--runs-dir", runs, "--json")
    rows = {row["run_id"]: row for row in said.json}
    assert {"window-script", "window-oracle"} <= rows.keys()
    assert (rows["window-script"]["closed"], rows["window-script"]["open"]) == (4, 0)


def test_an_unknown_run_names_the_nearest(runs, cli):
    for args in (
        ("card", "windov-script"),
        ("status", "windov-script"),
        ("gate", "windov-script"),
        ("resume", "windov-script"),
    ):
        said = cli(*args, "--runs-dir", runs)
        assert said.code == 2 and "one of: window-script" in said.err and said.out == ""


@pytest.fixture
def valid(cli):
    """Holds a value against the schema as it is printed, and a broken copy of it, which must not pass."""
    printed: dict[str, jsonschema.Draft202012Validator] = {}

    def check(name: str, value: dict[str, object]) -> None:
        if name not in printed:
            printed[name] = jsonschema.Draft202012Validator(cli("schema", name).json)
        assert [error.message for error in printed[name].iter_errors(value)] == []
        broken = {**value, min(value): object()}
        assert not printed[name].is_valid(broken)

    return check


def test_the_files_of_a_run_are_what_the_schemas_say(lab, valid):
    run = lab / "runs" / "window-script"
    for name, file in {
        "card": "card.json",
        "seal": "seal.json",
        "baseline": "baseline.json",
        "pack-lock": "pack/pack.lock",
    }.items():
        valid(name, json.loads((run / file).read_bytes()))
    for line in (run / "ledger.jsonl").read_bytes().splitlines():
        valid("row", json.loads(line))
    seal = json.loads((run / "seal.json").read_bytes())
    valid("box", seal["box"])
    valid("sandbox", seal["sandbox"])


def test_what_people_write_is_what_the_schemas_say(lab, valid):
    task = tomllib.loads((lab / "four" / "tasks" / "clamp-low" / "task.toml").read_text())
    valid("task", task)
    pack = tomllib.loads((lab / "four" / "pack.toml").read_text())
    pack["provenance"]["created"] = pack["provenance"]["created"].isoformat()
    valid("pack", pack)
    valid("envelope", tomllib.loads((lab / "envelope.toml").read_text()))


def test_events_labels_and_patches_are_what_the_schemas_say(lab, cli, valid):
    run = look_into(RunFolder(lab / "runs" / "window-script"))
    events = list(run.journal.events())
    assert len(events) > 40
    for event in {event.kind: event for event in events}.values():
        valid("event", to_json(event))
    patch = next(event for event in events if event.kind == "patch")
    valid("patch", json.loads(run.blobs.get(patch.blob)))
    require_sound(run)
    run.journal.close()
    shown = cli("show", "clamp-low", "--run", lab / "runs" / "window-script", "--json").json
    for label in shown["attempts"][0]["labels"]:
        valid("label", label)
    verdict = cli("gate", lab / "runs" / "window-script", "--json").json["verdict"]
    valid("verdict", verdict)
    for finding in verdict["findings"]:
        valid("finding", finding)


def test_an_import_is_what_the_schemas_say(cli, valid, here):
    (here / "rows.jsonl").write_text('{"run_id": "r", "task_id": "t", "attempt": 1, "outcome": "pass"}\n')
    assert cli("import", "rows", "rows.jsonl", "-o", "kept", "--json").code == 1
    valid("ledger", json.loads((here / "kept" / "ledger.json").read_bytes()))
    valid("card", json.loads((here / "kept" / "card.json").read_bytes()))
    for verb in ("card", "gate"):
        assert cli(verb, "kept").code == 1
    assert cli("import", "rows", "rows.jsonl", "-o", "kept").code == 2
    for args in (("status", "kept"), ("resume", "kept"), ("show", "t", "--run", "kept")):
        said = cli(*args)
        assert said.code == 2 and "is an import" in said.err


def test_every_format_has_a_sound_schema(cli):
    names = cli("schema", "--json").json
    assert names == sorted(DOCUMENTS) == cli("schema").out.split()
    for name in names:
        jsonschema.Draft202012Validator.check_schema(cli("schema", name).json)


def test_the_journal_is_closed_when_nobody_works(lab):
    path = lab / "runs" / "window-script" / "journal.db"
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*) FROM lease").fetchone() == (0,)
    assert Path(path).is_file()
