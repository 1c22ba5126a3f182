"""`review` on a real run and on an import: sheets go out blind, come back checked, and count when two people agree."""

from __future__ import annotations

import csv
import io
import json

import pytest

from e2e.cli_lab import copy_run

AT = "2026-11-29T14:30:00Z"
CSV_MARK = b"\xef\xbb\xbf"


def table(path):
    return list(csv.DictReader(io.StringIO(path.read_bytes().removeprefix(CSV_MARK).decode(), newline="")))


def save(path, rows, names=None):
    out = io.StringIO()
    writer = csv.DictWriter(out, names or list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(out.getvalue(), encoding="utf-8", newline="")
    return path


def fill(path, answers, why="read the log"):
    """Fill a copy: answers by (task, axis) or by axis."""
    rows = table(path)
    for row in rows:
        value = answers.get((row["task"], row["axis"]), answers.get(row["axis"], ""))
        row["value"], row["why"] = value, why if value else ""
    return save(path.with_name(f"filled-{path.name}"), rows)


@pytest.fixture
def kept(here, cli):
    """An import of eight rows without verdicts, two of them explained by nobody."""
    rows = [{"task_id": f"t{n}", "outcome": "pass" if n < 5 else "fail"} for n in range(6)]
    rows += [{"task_id": f"t{n}", "outcome": "unscoreable", "reason": "no_verdict"} for n in (6, 7)]
    (here / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (here / "manifest.json").write_text(json.dumps({"dataset": {"count": 8}}))
    assert cli("import", "rows", "rows.jsonl", "-o", "kept", "--brief").code in (0, 1)
    return here / "kept"


def equation(cli, run, *more):
    return cli("card", run, "--json", *more).json["equation"]


def test_two_people_move_a_count_and_one_does_not(kept, cli):
    before = equation(cli, kept)
    assert before["unscoreable"] == 2
    made = cli("review", "export", kept, "--axis", "origin", "--labeler", "ann", "--labeler", "bob", "-o", "out")
    assert made.code == 0
    one, two = sorted(kept.parent.glob("out/copy-*.csv"))
    assert [row["row"] for row in table(one)] != [row["row"] for row in table(two)]
    assert sorted(row["row"] for row in table(one)) == sorted(row["row"] for row in table(two))
    answers = {("t6", "origin"): "model"}
    done = cli("review", "import", kept, fill(one, answers), "--labeler", "Ann", "--at", AT)
    assert done.code == 0, done.err
    assert "1 labels recorded (0 replace earlier ones), 15 questions not answered" in done.out
    assert equation(cli, kept) == before
    assert "disputed" in " ".join(cli("card", kept).out.split())
    assert cli("review", "import", kept, fill(two, answers), "--labeler", "bob", "--at", AT).code == 0
    assert equation(cli, kept) == before | {"unscoreable": 1, "fail": before["fail"] + 1}
    card = cli("card", kept, "--json").json["people"]
    assert (card["decided"], card["changed"], card["labelers"], card["disputed"]) == (1, 1, 2, [])
    assert "rows people decided: 1 (1 other than the rules said, 0 adjudicated)" in " ".join(
        cli("card", kept).out.split()
    )


def test_what_was_recorded_says_who_when_why_and_from_which_file(kept, cli):
    cli("review", "export", kept, "--axis", "mix", "--labeler", "ann", "-o", "out")
    (copy,) = kept.parent.glob("out/copy-*.csv")
    filled = fill(copy, {("t5", "mix"): "TOOL_LOOP"}, "the same call nine times")
    cli("review", "import", kept, filled, "--labeler", "ann", "--at", AT)
    label = json.loads((kept / "labels.jsonl").read_text())
    assert (label["by"], label["at"], label["why"], label["blind"]) == (
        "person:ann",
        AT,
        "the same call nine times",
        True,
    )
    assert (label["axis"], label["value"], label["supersedes"]) == ("mix", "TOOL_LOOP", "")
    import hashlib

    assert label["evidence"][0]["ref"] == hashlib.sha256(filled.read_bytes()).hexdigest()
    again = cli("review", "import", kept, filled, "--labeler", "ann")
    assert again.code == 0 and "1 answers were recorded before" in again.err
    assert len((kept / "labels.jsonl").read_text().splitlines()) == 1
    changed = fill(copy, {("t5", "mix"): "TIMEOUT"}, "it was the clock")
    assert (
        "1 labels recorded (1 replace earlier ones)"
        in cli("review", "import", kept, changed, "--labeler", "ann", "--at", AT).out
    )
    first, second = map(json.loads, (kept / "labels.jsonl").read_text().splitlines())
    assert first == label and len(second["supersedes"]) == 64


def test_every_mistake_of_a_sheet_is_named_and_nothing_is_recorded(kept, cli):
    cli("review", "export", kept, "--axis", "origin,mix", "--labeler", "ann", "-o", "out")
    (copy,) = kept.parent.glob("out/copy-*.csv")
    rows = table(copy)
    origins = [row for row in rows if row["axis"] == "origin"]
    origins[0]["value"] = "GREMLIN"
    origins[1]["row"] = "r0000000000000000"
    origins[2]["task"] = "another"
    origins[3]["value"] = "INFRA"
    origins[4]["sheet"] = "f" * 64
    origins[5]["why"] = "no value"
    origins[6]["value"] = "MODEL"
    rows.append(dict(origins[6]))
    done = cli("review", "import", kept, save(copy, rows), "--labeler", "ann")
    assert done.code == 2
    said = ("GREMLIN", "no row of this sheet", "the key was changed", "needs a why", "its reason is not filled in")
    for part in (*said, "belongs to another sheet", "a why and no value", "is filled in line"):
        assert part in done.err
    assert not (kept / "labels.jsonl").exists()


def test_two_people_cannot_hand_in_one_copy(kept, cli):
    cli("review", "export", kept, "--axis", "mix", "-o", "out")
    one, two = sorted(kept.parent.glob("out/copy-*.csv"))
    assert cli("review", "import", kept, fill(one, {"mix": "TIMEOUT"}), "--labeler", "ann").code == 0
    refused = cli("review", "import", kept, fill(one, {"mix": "TIMEOUT"}), "--labeler", "bob")
    assert refused.code == 2 and "handed in by ann" in refused.err
    refused = cli("review", "import", kept, fill(two, {"mix": "TIMEOUT"}), "--labeler", "ann")
    assert refused.code == 2 and "handed in copy 1" in refused.err
    assert cli("review", "import", kept, fill(two, {"mix": "TIMEOUT"}), "--labeler", "bob").code == 0


def test_sheets_of_another_import_are_refused(kept, cli, here):
    cli("review", "export", kept, "--axis", "mix", "-o", "out")
    assert cli("import", "rows", "rows.jsonl", "-o", "other", "--brief").code in (0, 1)
    refused = cli("review", "import", here / "other", here / "out" / "copy-1.csv", "--labeler", "ann")
    assert refused.code == 2 and "was made here" in refused.err


def test_a_named_seed_and_a_share_draw_the_same_rows_again(kept, cli):
    drawn = []
    for out in ("one", "two"):
        made = cli(
            "review", "export", kept, "--held-out", "7", "--share", "40", "--format", "jsonl", "-o", out, "--json"
        ).json
        drawn.append([row["row"] for row in made["sheet"]["rows"]])
        assert made["sheet"]["seed_by"] == "person"
    assert drawn[0] == drawn[1] and len(drawn[0]) == 4
    assert (kept.parent / "one/copy-1.jsonl").read_bytes() == (kept.parent / "two/copy-1.jsonl").read_bytes()
    other = cli("review", "export", kept, "--held-out", "8", "--share", "40", "-o", "three", "--json").json
    assert [row["row"] for row in other["sheet"]["rows"]] != drawn[0]


def test_rows_that_somebody_picked_say_nothing_of_agreement(kept, cli):
    made = cli("review", "export", kept, "--axis", "origin", "--only", "low", "-o", "out")
    assert "not blind-random" in made.out
    for copy, who in zip(sorted(kept.parent.glob("out/copy-*.csv")), ("ann", "bob"), strict=True):
        assert cli("review", "import", kept, fill(copy, {("t6", "origin"): "MODEL"}), "--labeler", who).code == 0
    assert cli("card", kept, "--json").json["people"]["decided"] == 1
    found = cli("review", "agreement", kept, "--axis", "origin")
    assert found.code == 1 and "n = 0" in found.out
    assert cli("review", "export", kept, "--only", "disagreed", "-o", "more").code == 2


def test_agreement_on_few_rows_is_counts(kept, cli):
    cli("review", "export", kept, "--axis", "mix", "-o", "out")
    one, two = sorted(kept.parent.glob("out/copy-*.csv"))
    cli("review", "import", kept, fill(one, {"mix": "TIMEOUT"}), "--labeler", "ann")
    cli("review", "import", kept, fill(two, {"mix": "TIMEOUT", ("t5", "mix"): "TOOL_LOOP"}), "--labeler", "bob")
    found = cli("review", "agreement", kept)
    assert found.code == 1
    assert "ann and bob: same on 7 of 8 rows" in found.out
    assert "n = 8: no coefficient under 50 items" in found.out and "alpha" not in found.out
    assert "TIMEOUT / TOOL_LOOP: t5#1.1" in found.out
    (axis,) = cli("review", "agreement", kept, "--json").json["axes"]
    assert (axis["pairs"][0]["items"], axis["pairs"][0]["figures"], axis["rules"]["items"]) == (8, [], 7)


def test_agreement_counts_no_passes_while_a_violated_control_hides_them(here, cli):
    rows = [{"task_id": f"t{n}", "outcome": "pass" if n < 3 else "fail"} for n in range(4)]
    rows.append({"task_id": "neg", "outcome": "pass"})
    (here / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    controls = [{"task_id": "neg", "expected": "fail"}]
    (here / "manifest.json").write_text(json.dumps({"dataset": {"count": 5}, "controls": controls}))
    assert cli("import", "rows", "rows.jsonl", "manifest.json", "-o", "kept", "--brief").code == 1
    assert "pass_or_fail" in equation(cli, "kept")
    assert cli("review", "export", "kept", "--axis", "mix", "-o", "out").code == 0
    answers = {**{(f"t{n}", "mix"): "PASS_WEAK" for n in range(3)}, ("t3", "mix"): "SCORER_RED"}
    for name, path in zip(("ann", "bob"), sorted(here.glob("out/copy-*.csv")), strict=True):
        if name == "bob":
            answers[("t3", "mix")] = "TIMEOUT"
        assert cli("review", "import", "kept", fill(path, answers), "--labeler", name, "--at", AT).code == 0
    (axis,) = cli("review", "agreement", "kept", "--json").json["axes"]
    (pair,) = axis["pairs"]
    assert (pair["items"], pair["same"]) == (4, 3)
    assert [(cell["first"], cell["second"]) for cell in pair["confusion"]] == [("SCORER_RED", "TIMEOUT")]
    assert all(cell["first"] != cell["second"] for cell in axis["rules"]["confusion"])
    said = cli("review", "agreement", "kept")
    assert "PASS_WEAK / PASS_WEAK" not in said.out and "a control is violated" in said.err


def test_a_graded_row_of_a_real_run_needs_an_adjudication_with_an_event(lab, here, cli):
    run = copy_run(lab, here / "runs")
    before = equation(cli, run)
    made = cli("review", "export", run, "--axis", "origin", "-o", "out")
    assert made.code == 0, made.err
    answers = {("count-words", "origin"): "INFRA", ("count-words", "reason"): "evicted"}
    for copy, who in zip(sorted((here / "out").glob("copy-*.csv")), ("ann", "bob"), strict=True):
        text = copy.read_text()
        assert "event " in text and "blob " in text and "SCORER_RED" not in text
        assert cli("review", "import", run, fill(copy, answers), "--labeler", who).code == 0
    assert equation(cli, run) == before
    said = ("--axis", "origin", "--value", "INFRA", "--reason", "evicted", "--by", "dee", "--why", "the host went away")
    settle = ("review", "adjudicate", run, "count-words", *said)
    refused = cli(*settle)
    assert refused.code == 1 and "needs an adjudication that quotes" in refused.err
    assert cli(*settle, "--evidence", "event:999999").code == 2
    shown = json.loads(cli("show", "count-words", "--run", run, "--json").out)
    graded = next(event["seq"] for event in shown["attempts"][0]["events"] if event["kind"] == "graded")
    done = cli(*settle, "--evidence", f"event:{graded}", "--at", AT)
    assert done.code == 0, done.err
    assert "nothing new" in cli(*settle, "--evidence", f"event:{graded}").out
    assert equation(cli, run) == before | {"fail": before["fail"] - 1, "unscoreable": before["unscoreable"] + 1}
    shown = json.loads(cli("show", "count-words", "--run", run, "--json").out)
    origin = next(one for one in shown["attempts"][0]["labels"] if one["axis"] == "origin" and one["by"] == "people@1")
    assert any(one["kind"] == "event" and one["ref"] == str(graded) for one in origin["evidence"])


def test_a_pass_is_not_for_people(lab, here, cli):
    run = copy_run(lab, here / "runs")
    common = ("--by", "dee", "--why", "it looks right")
    refused = cli("review", "adjudicate", run, "count-words", "--axis", "outcome", "--value", "pass", *common)
    assert refused.code == 2 and "tests decide" in refused.err
    refused = cli("review", "adjudicate", run, "count-words", "--axis", "mix", "--value", "PASS_CONTRACT", *common)
    assert refused.code == 1 and "cannot be PASS_CONTRACT" in refused.err
    assert not (run / "labels.jsonl").exists()
    assert cli("review", "adjudicate", run, "count-word", "--axis", "mix", "--value", "TIMEOUT", *common).code == 2


def test_a_file_is_quoted_to_the_letter(kept, cli, here):
    (here / "host.log").write_text("14:02 disk lost\n")
    common = ("--axis", "origin", "--value", "INFRA", "--reason", "disk_full", "--by", "dee", "--why", "see the log")
    settle = ("review", "adjudicate", kept, "t5", *common, "--evidence", f"file:{here / 'host.log'}")
    assert cli(*settle).code == 2
    assert cli(*settle, "--quote", "disk full").code == 2
    assert cli(*settle, "--quote", "disk lost").code == 0
    label = json.loads((kept / "labels.jsonl").read_text().splitlines()[0])
    assert (label["evidence"][0]["offset"], label["evidence"][0]["length"]) == (6, 9)


@pytest.mark.parametrize("line", ["{", '{"schema_version":1}', ""])
def test_damaged_labels_are_said_and_block(kept, cli, line):
    (kept / "labels.jsonl").write_text(line + "\n")
    done = cli("card", kept)
    assert done.code == 2 and "labels.jsonl" in done.err and "never edited" in done.err


def test_labels_that_no_person_gave_are_refused(kept, cli):
    cli("review", "export", kept, "--axis", "mix", "-o", "out")
    (copy, _) = sorted(kept.parent.glob("out/copy-*.csv"))
    cli("review", "import", kept, fill(copy, {("t5", "mix"): "TIMEOUT"}), "--labeler", "ann")
    path = kept / "labels.jsonl"
    path.write_text(path.read_text().replace("person:ann", "harness@1"))
    assert "is no person" in cli("gate", kept).err


@pytest.mark.parametrize(
    "args, part",
    [
        (("import", "RUN", "rows.jsonl", "--labeler", "ann"), "must be text"),
        (("import", "RUN", "nowhere.csv", "--labeler", "ann"), "no such file"),
        (("import", "RUN", "rows.jsonl", "--labeler", " "), "names no person"),
        (("import", "RUN", "rows.jsonl", "--labeler", "ann", "--at", "yesterday"), "no UTC time"),
        (("export", "RUN", "-o", "out", "--axis", "outcome"), "no axis that is open"),
        (("export", "RUN", "-o", "out", "--labeler", "ann", "--labeler", "ANN "), "named twice"),
        (("export", "RUN", "-o", "RUN"), "is in use"),
        (("export", "RUN", "-o", "out", "--held-out", ""), "seed is empty"),
        (("export", "nosuch", "-o", "out"), "no run is called"),
        (("agreement", "RUN", "--axis", "vibes"), "no axis that is open"),
    ],
)
def test_what_is_typed_wrong_is_said(kept, cli, args, part):
    done = cli("review", *(str(kept) if one == "RUN" else one for one in args))
    assert done.code == 2 and part in done.err


def test_status_lists_what_is_decided_and_disputed(kept, cli):
    assert "nobody yet" in cli("review", "status", kept).out
    cli("review", "export", kept, "--axis", "mix", "-o", "out")
    one, two = sorted(kept.parent.glob("out/copy-*.csv"))
    cli("review", "import", kept, fill(one, {("t5", "mix"): "TIMEOUT", ("t0", "mix"): "PASS_WEAK"}), "--labeler", "ann")
    cli(
        "review",
        "import",
        kept,
        fill(two, {("t5", "mix"): "TOOL_LOOP", ("t0", "mix"): "PASS_WEAK"}),
        "--labeler",
        "bob",
    )
    said = cli("review", "status", kept).out
    assert "rows people decided: 1" in said and "t0#1.1 changed" in said
    assert "t5#1.1 mix: people say TIMEOUT, TOOL_LOOP" in said and "needs an adjudication" in said


def test_one_name_in_two_encodings_is_one_person(kept, cli):
    cli("review", "export", kept, "--axis", "mix", "-o", "out")
    one, two = sorted(kept.parent.glob("out/copy-*.csv"))
    assert cli("review", "import", kept, fill(one, {"mix": "TIMEOUT"}), "--labeler", "Zo\u00e9").code == 0
    refused = cli("review", "import", kept, fill(two, {"mix": "TIMEOUT"}), "--labeler", "Zoe\u0301")
    assert refused.code == 2 and "handed in copy 1" in refused.err
    assert cli("review", "status", kept, "--json").json["decided"] == []


def test_words_that_are_quoted_from_no_file_are_refused(kept, cli):
    settle = ("review", "adjudicate", kept, "t5", "--axis", "mix", "--value", "TIMEOUT", "--by", "dee", "--why", "seen")
    refused = cli(*settle, "--quote", "it hung")
    assert refused.code == 2 and "--quote" in refused.err and "file:PATH" in refused.err
    assert not (kept / "labels.jsonl").exists()


def test_an_adjudication_that_takes_the_place_of_another_says_so(kept, cli):
    settle = ("review", "adjudicate", kept, "t5", "--axis", "mix")
    first = cli(*settle, "--value", "TIMEOUT", "--by", "dee", "--why", "the clock")
    assert first.code == 0 and first.err == ""
    second = cli(*settle, "--value", "TOOL_LOOP", "--by", "eve", "--why", "nine times")
    assert second.code == 0
    assert "takes the place of TIMEOUT, adjudicated by dee" in " ".join(second.err.split())
    assert len((kept / "labels.jsonl").read_text().splitlines()) == 2


def test_a_column_that_was_taken_out_is_named(kept, cli):
    cli("review", "export", kept, "--axis", "mix", "-o", "out")
    copy = sorted(kept.parent.glob("out/copy-*.csv"))[0]
    rows = [{name: text for name, text in row.items() if name not in ("why", "copy")} for row in table(copy)]
    refused = cli("review", "import", kept, save(copy, rows), "--labeler", "ann")
    assert refused.code == 2 and "lacks the columns copy, why" in refused.err


def test_a_line_without_its_sheet_or_copy_is_said_in_words(kept, cli):
    cli("review", "export", kept, "--axis", "mix", "-o", "out")
    copy = sorted(kept.parent.glob("out/copy-*.csv"))[0]
    rows = table(copy)
    rows[2]["sheet"] = rows[2]["copy"] = ""
    refused = cli("review", "import", kept, save(copy, rows), "--labeler", "ann")
    assert refused.code == 2
    assert "names no sheet" in refused.err and "names no copy" in refused.err


def test_an_event_of_another_row_is_named_in_words(lab, here, cli):
    run = copy_run(lab, here / "runs")
    shown = json.loads(cli("show", "double-it", "--run", run, "--json").out)
    seq = shown["attempts"][0]["events"][-1]["seq"]
    refused = cli(
        *("review", "adjudicate", run, "count-words", "--axis", "origin", "--value", "INFRA", "--reason", "disk_full"),
        *("--by", "dee", "--why", "the disk", "--evidence", f"event:{seq}"),
    )
    assert refused.code == 2 and "that event is about double-it#1.1" in refused.err


def test_a_copy_that_was_given_out_is_nobody_elses_when_more_people_are_asked(kept, cli):
    cli("review", "export", kept, "--axis", "mix", "-o", "out")
    one, two = sorted(kept.parent.glob("out/copy-*.csv"))
    more = cli("review", "export", kept, "--axis", "mix", "--labeler", "cid", "--labeler", "dee", "-o", "more")
    assert more.code == 0, more.err
    assert [path.name for path in sorted(kept.parent.glob("more/copy-*"))] == ["copy-3-cid.csv", "copy-4-dee.csv"]
    assert cli("review", "import", kept, fill(one, {"mix": "TIMEOUT"}), "--labeler", "ann").code == 0
    assert cli("review", "import", kept, fill(two, {"mix": "TIMEOUT"}), "--labeler", "bob").code == 0
    again = cli("review", "export", kept, "--axis", "mix", "--labeler", "dee", "-o", "again")
    assert again.code == 0, again.err
    (copy,) = kept.parent.glob("again/copy-*")
    assert copy.name == "copy-4-dee.csv"
    assert copy.read_bytes() == (kept.parent / "more" / copy.name).read_bytes()
    assert cli("review", "import", kept, fill(copy, {"mix": "TIMEOUT"}), "--labeler", "dee").code == 0


def test_a_last_line_that_lost_its_newline_is_not_glued_to_the_next(kept, cli):
    settle = ("review", "adjudicate", kept, "t5", "--axis", "mix", "--by", "dee", "--why", "seen")
    assert cli(*settle, "--value", "TIMEOUT").code == 0
    path = kept / "labels.jsonl"
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    assert cli(*settle, "--value", "TOOL_LOOP").code == 0
    assert cli("review", "status", kept).code == 0
    assert len(path.read_text().splitlines()) == 2


def test_the_sentence_says_that_people_changed_rows(lab, here, cli):
    run = copy_run(lab, here / "runs")
    assert "people" not in cli("card", run, "--json").json["verdict"]["sentence"].lower()
    settle = ("review", "adjudicate", run, "count-words", "--axis", "mix", "--value", "TIMEOUT")
    assert cli(*settle, "--by", "dee", "--why", "the clock").code == 0
    assert "People decided 1 row otherwise than the rules." in cli("card", run, "--json").json["verdict"]["sentence"]
