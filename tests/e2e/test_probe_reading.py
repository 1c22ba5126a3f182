"""score, show and compare of stored probes through the command line, whole, damaged and with open promises."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from denominator.probe.order import asks
from denominator.records.probes import Path as Way
from e2e.cli_lab import Said
from probe_data import FIRST, SECOND, fixture
from probe_stored import JSON_CASE, STORED, answered, completion, kept, sealed, store, stream
from warm import denominator

FENCED = answered(json.dumps(completion('```json\n{"ok": true}\n```')).encode())
CANARY = "canary-\u202e-text-1234"


def probe(cwd: Path, *words: str) -> Said:
    command = denominator(
        ["probe", *words],
        cwd=cwd,
        env=os.environ | {"COLUMNS": "100"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    out, err = command.communicate(timeout=60)
    assert "Traceback" not in err and "E008" not in err, err
    return Said(command.returncode, out, err)


def flat(said: Said) -> str:
    return " ".join(said.out.split())


def fenced_once(case, ask):
    return FENCED if (case.id, ask.attempt) == ("json-ok", 1) and ask.purpose == "measured" else kept(case, ask)


def limited(case, ask):
    return answered(b"", "429 Too Many Requests") if case.id == "json-ok" else kept(case, ask)


def blob_of(root: Path, case_id: str) -> Path:
    lines = [json.loads(line) for line in (root / "window-1" / "attempts.jsonl").read_text().splitlines()]
    digest = next(one["wire_sha256"] for one in lines if one["ask"]["case_id"] == case_id)
    return root / "blobs" / digest[:2] / digest[2:]


def test_a_probe_is_scored_and_scored_again_byte_for_byte(tmp_path):
    store(tmp_path / "p", {FIRST: fenced_once, SECOND: kept})
    first = probe(tmp_path, "score", "p")
    assert first.code == 0, first
    written = (tmp_path / "p" / "score.json").read_bytes()
    assert "5 of 6 strict_json attempts passed, 1 format_drift, two windows 2 h 10 min apart" in flat(first)
    again = probe(tmp_path, "score", "p", "--json")
    assert (again.code, again.json["file"], again.json["moved"]) == (0, "reproduced", [])
    assert (tmp_path / "p" / "score.json").read_bytes() == written
    assert json.loads(written) == again.json["score"] == probe(tmp_path, "show", "p", "--json").json


def test_show_has_every_miss_and_one_case_with_its_bytes(tmp_path):
    store(tmp_path / "p", fenced_once)
    page = probe(tmp_path, "show", "p")
    assert page.code == 0 and "json-ok plain 1.1: format_drift code_fence" in page.out
    assert "6 of 6 accounting attempts passed" in flat(page)
    one = probe(tmp_path, "show", "p", "--case", "json-ok")
    assert one.out.count("\nwindow 1, plain, attempt") == 3 and "```json" in one.out and "the same bytes as" in one.out
    document = probe(tmp_path, "show", "p", "--case", "json-ok", "--json").json
    assert sorted(each["attempt"]["cls"] for each in document["attempts"]) == ["format_drift", "pass", "pass"]
    missing = probe(tmp_path, "show", "p", "--case", "json-ko")
    assert missing.code == 2 and "json-ok" in missing.err


def test_the_report_as_a_page_holds_no_text_of_an_answer(tmp_path):
    private = answered(json.dumps(completion(CANARY)).encode())
    store(tmp_path / "p", lambda case, ask: private if case.id == "json-ok" else kept(case, ask))
    said = probe(tmp_path, "show", "p", "--html", "page.html", "--json")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert said.code == 0 and said.json["name"] == "bench"
    assert "0 of 3 strict_json attempts passed" in page and "canary" not in page
    for place in ("page.html", "no/such/place.html", "/proc/page.html"):
        assert probe(tmp_path, "show", "p", "--html", place).code == 2


def test_foreign_text_is_made_harmless(tmp_path):
    hostile = answered(json.dumps(completion(f"\x1b[31m{CANARY}\x07"), ensure_ascii=False).encode())
    store(tmp_path / "p", lambda case, ask: hostile if case.id == "json-ok" else kept(case, ask))
    for words in (["show", "p"], ["show", "p", "--case", "json-ok"], ["score", "p"]):
        said = probe(tmp_path, *words)
        assert not [char for char in said.out if not char.isprintable() and char != "\n"]


def test_pairs_that_contradict_each_other_are_told(tmp_path):
    def other(case, ask):
        return stream("OK.", prompt_tokens=8, total_tokens=11) if ask.mode == "stream" else kept(case, ask)

    store(tmp_path / "p", other)
    document = probe(tmp_path, "show", "p", "--json").json
    assert [(one["reason"], one["k"], one["n"]) for one in document["across"]] == [("stream_mismatch", 3, 3)]
    assert {one["cls"] for one in document["attempts"] if one["case_id"] == "say-ok"} == {"accounting_anomaly"}
    assert {one["cls"] for one in document["attempts"] if one["case_id"] != "say-ok"} == {"pass"}


def test_redacted_bodies_are_counted_and_never_shown(tmp_path):
    private = answered(json.dumps(completion(f'{{"ok": "{CANARY}"}}')).encode())
    root = tmp_path / "p"
    store(root, lambda case, ask: private if case.id == "json-ok" else kept(case, ask), redact_bodies=True)
    said = [
        probe(tmp_path, *words)
        for words in (["score", "p"], ["show", "p"], ["show", "p", "--case", "json-ok"], ["show", "p", "--json"])
    ]
    assert [one.code for one in said] == [0, 0, 0, 0]
    assert "cannot be judged again" in flat(said[0]) and "bodies are redacted" in said[2].out
    assert not [one for one in said if "canary" in one.out + one.err]
    assert not [path for path in root.rglob("*") if path.is_file() and b"canary" in path.read_bytes()]
    assert probe(tmp_path, "score", "p", "--json").json["file"] == "reproduced"


def test_attempts_never_asked_are_named_and_the_exit_says_open(tmp_path):
    plan = [one for one in asks(fixture(STORED), sealed().envelope.run, 1) if one.case_id == "json-ok"]
    left_out = next(one for one in plan if one.purpose == "measured")
    store(tmp_path / "p", lambda case, ask: None if ask == left_out else kept(case, ask))
    said = probe(tmp_path, "score", "p")
    assert said.code == 4 and "2 of 2 strict_json attempts passed, 1 planned attempt never asked" in flat(said)
    assert f"window 1: json-ok plain attempt {left_out.attempt}" in probe(tmp_path, "show", "p").out


def test_above_the_ceiling_no_form_of_the_answer_counts_passes(tmp_path):
    store(tmp_path / "p", limited)
    said = probe(tmp_path, "score", "p")
    assert said.code == 1 and "no count of passes is given" in flat(said) and "withheld" in said.out
    document = probe(tmp_path, "show", "p", "--json").json
    assert [(one["cls"], one["reason"], one["k"]) for one in document["histogram"]] == [
        ("http_error", "rate_limited", 3)
    ]
    for words in (["score", "p"], ["show", "p"], ["score", "p", "--json"]):
        text = " ".join(probe(tmp_path, *words).out.split())
        assert "passed" not in text and "6/6" not in text and " 3/3 " not in text.replace("rate_limited 3/3", "")


@pytest.mark.parametrize("damage", ["fixture", "seal", "blob gone", "blob changed", "both blobs", "attempt", "request"])
def test_what_was_changed_afterwards_is_named_and_nothing_is_scored(tmp_path, damage):
    root = tmp_path / "p"
    store(root)
    lines = root / "window-1" / "attempts.jsonl"
    if damage == "fixture":
        (root / "fixture.jsonl").write_bytes((root / "fixture.jsonl").read_bytes().replace(b"Say OK.", b"Say KO."))
    elif damage == "seal":
        (root / "seal.json").write_bytes(
            (root / "seal.json").read_bytes().replace(b'"deadline_ms":60000', b'"deadline_ms":60001')
        )
    elif damage == "blob gone":
        blob_of(root, "json-ok").unlink()
    elif damage == "blob changed":
        blob_of(root, "json-ok").write_bytes(blob_of(root, "no-json").read_bytes())
    elif damage == "both blobs":
        blob_of(root, "json-ok").unlink()
        blob_of(root, "no-json").unlink()
    elif damage == "attempt":
        lines.write_text(lines.read_text().replace('"case_id":"json-ok"', '"case_id":"json-no"'))
    else:
        lines.write_text(lines.read_text().replace('"case_id":"json-ok"', '"case_id":"say-ok"', 1))
    for words in (["score", "p"], ["show", "p"], ["show", "p", "--json"], ["compare", "p", "p"]):
        said = probe(tmp_path, *words)
        assert said.code == 2 and not said.out.strip(), said
    named = {"fixture": "fixture.jsonl", "seal": "seal.json", "both blobs": "no-json plain attempt 3"}.get(
        damage, "json-ok"
    )
    assert (named if damage not in ("attempt", "request") else "attempt") in said.err
    assert not (root / "score.json").exists()


def test_an_edited_score_is_kept_and_named(tmp_path):
    store(tmp_path / "p", fenced_once)
    probe(tmp_path, "score", "p")
    path = tmp_path / "p" / "score.json"
    edited = path.read_bytes().replace(b'"k":1,"n":3,"reason":"code_fence"', b'"k":0,"n":3,"reason":"code_fence"')
    assert edited != path.read_bytes()
    path.write_bytes(edited)
    said = probe(tmp_path, "score", "p")
    assert said.code == 1 and "does not follow from the stored bytes" in said.err and path.read_bytes() == edited


def test_probes_side_by_side_in_the_order_given(tmp_path):
    store(tmp_path / "a", fenced_once)
    store(tmp_path / "b", kept, url="https://other.example.net/v1")
    for order in (["a", "b"], ["b", "a"]):
        said = probe(tmp_path, "compare", *order)
        assert said.code == 0, said
        assert said.out.index(f"A  {order[0]}:") < said.out.index(f"B  {order[1]}:")
        (passes,) = [line.split() for line in said.out.splitlines() if line.split()[:2] == ["strict_json", "pass"]]
        assert passes[2:] == (["2/3", "3/3"] if order[0] == "a" else ["3/3", "2/3"])
        found = probe(tmp_path, "compare", *order, "--json").json
        assert [one["name"] for one in found["comparison"]["sides"]] == order and found["exit"] == 0


def test_direct_and_through_a_gateway_is_refused_with_every_difference(tmp_path):
    store(tmp_path / "a")
    store(tmp_path / "b", path=Way(kind="gateway", name="litellm", version="1.2"), gap_ms=5_000)
    said = probe(tmp_path, "compare", "a", "b")
    assert said.code == 3 and "NOT COMPARABLE" in said.out
    assert all(name in said.out for name in ("path.kind", "path.name", "path.version", "run.gap_ms"))
    found = probe(tmp_path, "compare", "a", "b", "--json").json
    assert found["exit"] == 3 and found["comparison"]["lines"] == [] and "/3" not in said.out


def test_compare_needs_two_probes_and_not_the_same_twice(tmp_path):
    store(tmp_path / "a")
    (tmp_path / "empty").mkdir()
    assert "two probes or more" in probe(tmp_path, "compare", "a").err
    assert "same probe" in probe(tmp_path, "compare", "a", "a").err
    assert probe(tmp_path, "compare", "a", "empty").code == 2
    assert probe(tmp_path, "compare").code == 2


def test_a_folder_that_is_no_probe(tmp_path):
    for verb in ("score", "show"):
        said = probe(tmp_path, verb, ".")
        assert said.code == 2 and "seal.json" in said.err


def test_a_window_that_is_not_independent_says_so_everywhere(tmp_path):
    close = replace(SECOND, started_at="2026-11-29T08:10:00Z")
    store(tmp_path / "p", {FIRST: kept, close: kept}, cases=[JSON_CASE])
    for words in (["score", "p"], ["show", "p"], ["show", "p", "--json"]):
        assert "not independent" in probe(tmp_path, *words).out
