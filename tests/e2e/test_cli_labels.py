"""`labels` on a real run, on an import and on a stream: the table, why, what a person must read, and what is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from denominator.records.labelled import LabelledRow, WhyRow
from denominator.wire.codec import from_json, to_json
from e2e.cli_lab import copy_run, environment, process

LONG = "a-project__a-project-with-a-long-name-12345"
WORDS = ("OUTCOME", "WHOSE", "CLASS", "BUCKET", "RULE")


def keep(cli, here, rows, name="kept"):
    """An import of rows in their own folder."""
    (here / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert cli("import", "rows", f"{name}.jsonl", "-o", name, "--brief").code in (0, 1)
    return here / name


def stream_of(cli, path, *more):
    said = cli("labels", path, *more)
    assert said.code == 0, said.err
    return [json.loads(line) for line in said.out.splitlines()]


def test_the_table_has_a_line_a_row(lab, cli):
    said = cli("labels", "window-script", "--runs-dir", lab / "runs")
    assert said.code == 0
    lines = said.out.splitlines()
    assert [lines[0].split()[0], lines[0].split()[1]] == ["TASK", "OUTCOME"]
    found = {line.split()[0]: line.split()[1:3] for line in lines[1:] if not line.startswith(" ")}
    assert found["count-words"] == ["fail", "MODEL"] and found["clamp-low"][0] == "pass"
    assert sorted(found) == ["clamp-low", "count-words", "double-it", "keep-sorted"]


def test_why_shows_every_rule_with_evidence_and_what_would_change_it(lab, cli):
    said = cli("labels", "window-script", "--why", "count-words", "--runs-dir", lab / "runs")
    assert said.code == 0
    assert said.out.startswith("count-words repeat 1 attempt 1\nending:\n  no   tampered-report@1: ")
    text = " ".join(said.out.split())
    assert "YES red@1 (LB124): outcome = fail, origin = MODEL" in text
    assert "seen: row grade: red" in text and "would change it: " in text
    assert all(f"\n{axis}:\n" in said.out for axis in ("ending", "failure_class", "mix", "tag"))
    (row,) = cli("labels", "window-script", "--why", "count-words", "--json", "--runs-dir", lab / "runs").json["rows"]
    won = [rule for rule in row["tried"] if rule["won"]]
    assert {said.split(" = ")[0] for rule in won for said in rule["said"]} >= {
        "outcome",
        "origin",
        "failure_class",
        "mix",
    }
    assert all(rule["why"] and rule["code"].startswith("LB") for rule in row["tried"])
    assert won[0]["evidence"] and won[0]["would_change"]


def test_the_document_lists_every_row_with_its_labels(lab, cli):
    found = cli("labels", "window-script", "--json", "--runs-dir", lab / "runs").json
    assert (found["run_id"], found["to_read"], len(found["rows"])) == ("window-script", 0, 4)
    for row in found["rows"]:
        axes = {label["axis"]: label for label in row["labels"]}
        assert row["outcome"] == axes["outcome"]["value"] and row["schema_version"] == 1
        assert all(label["by"] and label["evidence"] for label in row["labels"])


def test_what_is_printed_fits_its_schema(lab, cli):
    listed = cli("labels", "window-script", "--json", "--runs-dir", lab / "runs").json["rows"]
    whys = cli("labels", "window-script", "--why", "count-words", "--json", "--runs-dir", lab / "runs").json["rows"]
    for name, kind, rows in (("labelled-row", LabelledRow, listed), ("why-row", WhyRow, whys)):
        schema = cli("schema", name).json["$defs"][kind.__name__]
        for row in rows:
            assert set(row) == set(schema["properties"]) and set(schema["required"]) <= set(row)
            assert to_json(from_json(kind, row)) == row


def test_a_stream_says_what_the_list_says(lab, here, cli):
    run = copy_run(lab, here / "runs")
    listed = cli("labels", run, "--json").json["rows"]
    streamed = stream_of(cli, run / "ledger.jsonl")
    assert streamed == [{name: row[name] for name in streamed[0]} for row in listed]
    assert stream_of(cli, run / "ledger.jsonl", "--to-read") == []


def test_a_stream_can_be_cut_down_to_what_must_be_read(lab, here, cli):
    run = copy_run(lab, here / "runs")
    path = run / "ledger.jsonl"
    first, *others = path.read_text().splitlines()
    row = json.loads(first) | {"grade": "none", "stop_reason": "", "closed": False}
    path.write_text("\n".join([json.dumps(row), *others]) + "\n")
    (found,) = stream_of(cli, path, "--to-read")
    assert found["task_id"] == row["key"]["task_id"] and found["read_it"]


def test_a_stream_says_that_labels_of_people_are_not_in_it(lab, here, cli):
    run = copy_run(lab, here / "runs")
    settle = ("review", "adjudicate", run, "count-words", "--axis", "mix", "--value", "TIMEOUT")
    assert cli(*settle, "--by", "dee", "--why", "the clock").code == 0
    assert "people decided it" in cli("labels", run).out
    said = cli("labels", run / "ledger.jsonl")
    assert said.code == 0 and "labels of people" in said.err and "not applied" in said.err


def test_lines_that_are_no_rows_are_named_and_the_others_are_labelled(lab, here, cli):
    run = copy_run(lab, here / "runs")
    path = run / "ledger.jsonl"
    good = path.read_text()
    path.write_text("{bad\n" + good + '{"torn')
    said = cli("labels", path)
    assert said.code == 2 and len(said.out.splitlines()) == 4
    assert "2 lines are no rows" in said.err and "ledger.jsonl:1" in said.err and "ledger.jsonl:6" in said.err


@pytest.mark.parametrize(
    "args, part",
    [
        (("nowhere.jsonl",), "no such file"),
        (("LEDGER", "--why", "count-words"), "without its rules"),
        (("LEDGER", "--json"), "each line is a JSON document"),
        (("nosuch",), "no run is called"),
        (("",), "the name of the run is empty"),
        (("RUN", "--why", "count-wrods"), "one of: count-words"),
        (("RUN", "--why", ""), "no row of task ''"),
        (("RUN", "--why", "count-words", "--to-read"), "leave out --to-read"),
        (("alone/ledger.jsonl",), "under which terms"),
    ],
)
def test_what_is_typed_wrong_is_said(lab, here, cli, args, part):
    run = copy_run(lab, here / "runs")
    (here / "alone").mkdir()
    (here / "alone" / "ledger.jsonl").write_bytes((run / "ledger.jsonl").read_bytes())
    names = {"RUN": str(run), "LEDGER": str(run / "ledger.jsonl")}
    said = cli("labels", *(names.get(arg, arg) for arg in args))
    assert said.code == 2 and said.out == "" and part in said.err and "next: " in said.err


def test_what_must_be_read_and_when_there_is_nothing(lab, here, cli):
    said = cli("labels", "window-script", "--to-read", "--runs-dir", lab / "runs")
    assert (said.code, said.out, said.err) == (0, "no row needs a person\n", "")
    rows = [{"task_id": "a", "outcome": "unscoreable"}, {"task_id": "b", "outcome": "fail"}]
    said = cli("labels", keep(cli, here, rows), "--to-read")
    assert said.code == 0 and [line.split()[0] for line in said.out.splitlines() if line[0] != " "] == ["TASK", "a"]
    assert "read it: " in said.out and "1 row needs a person" in said.err and "review export RUN" in said.err


@pytest.mark.parametrize("columns", ["40", "60", "80", "100", "200"])
def test_no_name_is_cut_and_no_line_is_too_long(here, cli, monkeypatch, columns):
    rows = [{"task_id": f"{LONG}-{n}", "outcome": "fail"} for n in range(2)]
    rows += [{"task_id": "short", "outcome": "unscoreable", "reason": "no_verdict"}]
    kept = keep(cli, here, rows)
    monkeypatch.setenv("COLUMNS", columns)
    said = cli("labels", kept)
    lines = said.out.splitlines()
    assert f"{LONG}-0" in lines and f"{LONG}-1" in lines
    assert all(len(line) <= max(int(columns), len(LONG) + 2) for line in lines)
    text = " ".join(said.out.split())
    head = lines[0].split()
    assert head == ["TASK", *WORDS[: len(head) - 1]]
    for word, value in zip(WORDS, ("fail", "MODEL", "test_fail", "SCORER_RED", "word-of-the-source@1"), strict=True):
        assert (value if word in head else f"{word.lower()} {value}") in text


def test_many_names_are_cut_and_counted_in_the_advice(here, cli):
    kept = keep(cli, here, [{"task_id": f"t{n:02}" + "x" * 200, "outcome": "fail"} for n in range(20)])
    said = cli("labels", kept, "--why", "zzz")
    assert said.code == 2 and "and 12 more" in said.err and len(said.err) < 1000


def test_names_of_others_cannot_steer_a_terminal(here, cli):
    kept = keep(cli, here, [{"task_id": "=1+1", "outcome": "fail"}, {"task_id": "t\u00e9\u65e5", "outcome": "pass"}])
    said = cli("labels", kept)
    assert "=1+1" in said.out and "t\u00e9\u65e5" in said.out
    assert cli("labels", kept, "--why", "\x1b[31m").err.count("\x1b") == 0


def test_a_console_without_unicode_and_a_reader_that_leaves(lab, here, cli):
    kept = keep(cli, here, [{"task_id": "t\u00e9", "outcome": "fail"}])
    plain = process(here, "labels", "kept", env={"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "NO_COLOR": "1"})
    assert plain.code == 0 and "t\\xe9" in plain.out
    assert kept.is_dir()
    run = copy_run(lab, here / "runs")
    ledger = run / "ledger.jsonl"
    ledger.write_bytes(ledger.read_bytes() * 2000)
    left = subprocess.Popen(
        [sys.executable, "-m", "denominator", "labels", str(ledger)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(here),
    )  # fmt: skip
    assert left.stdout is not None and left.stderr is not None
    os.read(left.stdout.fileno(), 100)
    left.stdout.close()
    assert left.wait(60) == 0 and left.stderr.read() == b""
    left.stderr.close()
