"""Every situation about classes, mixes, controls, flaky tests and packs has its right answer on the command line.

The table of meanings is in `situations.py`; nothing in it knows a case by name. What a case asks of a pack or of a whole
run is built for real in the tests below.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from e2e.situations import FOLDERS, NAMES, NUMBERS, ORIGINS, Said, answer_of, forbidden, holds, import_case, lint

CARDS = ("task", "tasks", "pack_scan")
PACKS = tuple(name for name in NAMES if {path.stem for path in FOLDERS[name].iterdir()} <= {"case", *CARDS})
"""Folders that hold nothing but task cards: `pack lint` answers, no row says anything."""
REJECTED = tuple(name for name in NAMES if "rejected" in str(answer_of(name).get("verdict")))
TWICE = "021-timed-out-yet-graded"
ROWS = [name for name in NAMES if name not in (*PACKS, TWICE)]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[[str], Said]:
    return lambda name: import_case([prepared(name, tmp_path)], tmp_path / "out", capsys)


def prepared(name: str, tmp_path: Path) -> Path:
    """The folder itself, or a copy with the log that its own script writes (200 MB, one line of 20 MB)."""
    folder = FOLDERS[name]
    script = folder / "make_log.py"
    if not script.is_file():
        return folder
    copy = tmp_path / name
    copy.mkdir()
    for path in folder.iterdir():
        if path.suffix == ".json":
            (copy / path.name).write_bytes(path.read_bytes())
    subprocess.run([sys.executable, str(script), str(copy / "combined.log")], check=True)
    return copy


@pytest.mark.parametrize("name", ROWS)
def test_right_answer(name: str, say: Callable[[str], Said]) -> None:
    said, answer = say(name), answer_of(name)
    assert said.rows
    for key, judge in ANSWERS.items():
        if key in answer:
            judge(said, answer[key])
    for text in answer.get("must_not", []):
        forbidden(said, text)


def _label(said: Said, text: str) -> None:
    for row in said.rows:
        assert row["origin"] == text, row


def _labels(said: Said, found: dict[str, str] | str) -> None:
    if isinstance(found, str):
        for row in said.rows:
            holds(row, found)
        return
    for name, text in found.items():
        rows = said.named(name)
        assert rows, name
        for row in rows:
            holds(row, text)


def _success(said: Said, wanted: bool | None) -> None:
    outcome = {True: ("pass",), False: ("fail", "abstain"), None: ("unscoreable",)}[wanted]
    assert {row["outcome"] for row in said.rows} <= set(outcome)


def _eligible(said: Said, wanted: bool) -> None:
    for row in said.rows:
        assert (row["outcome"] != "unscoreable") == wanted, row


def _bucket(said: Said, wanted: str) -> None:
    assert {row["mix"] for row in said.rows} == {wanted}


def _buckets(said: Said, wanted: dict[str, str | None]) -> None:
    for name, bucket in wanted.items():
        assert {row["mix"] for row in said.named(name)} == {bucket or ""}, name


def _reason(said: Said, wanted: str) -> None:
    censored = [row for row in said.rows if row["outcome"] == "unscoreable"]
    assert {row["reason"] for row in censored} == {wanted.replace(" ", "_")}


def _reasons(said: Said, wanted: dict[str, str]) -> None:
    for name, reason in wanted.items():
        assert {row["reason"] for row in said.named(name)} == {reason}, name


def _controls(said: Said, wanted: dict[str, str]) -> None:
    for name, state in wanted.items():
        assert {row["control_state"] for row in said.named(name)} == {state}, (name, said.named(name))


def _row_tags(said: Said, wanted: dict[str, list[str]]) -> None:
    for name, tags in wanted.items():
        for row in said.named(name):
            assert set(tags) <= set(row["tags"]), row


def _tags(said: Said, wanted: list[str]) -> None:
    for row in said.rows:
        assert set(wanted) <= set(row["tags"]), row


def _numbers(said: Said, wanted: dict[str, object]) -> None:
    blocked = said.card["verdict"]["status"] == "blocked"
    for key, value in wanted.items():
        if key in NUMBERS:
            try:
                found = NUMBERS[key](said)
            except (StopIteration, ValueError, TypeError):
                assert blocked, key  # a number that the gate withholds is not on the card
                continue
            withheld = blocked and (found is None or "not_measured" in str(found))
            assert withheld or found == value or (value is None and found is None), (key, found, value)
        else:
            assert key in BASELINE, key
            assert BASELINE[key](said) == value, key


def _ledger(said: Said, wanted: dict[str, object]) -> None:
    for outcome in ("pass", "fail", "unscoreable"):
        assert sum(row["outcome"] == outcome for row in said.rows) == wanted[outcome]
    _reason(said, str(wanted["reason"]))


def _verdict(said: Said, text: str) -> None:
    if "BLOCKED" in text or "headline_allowed: false" in text:
        assert said.card["verdict"]["status"] == "blocked"
        assert said.code == 1


def _run(said: Said, wanted: dict[str, object]) -> None:
    assert wanted["verdict"] in said.card["verdict"]["sentence"]
    headline = said.card["estimates"][0]
    assert wanted["rate"] is None and "not_measured" in str(headline["value"])


def _outcomes(said: Said, wanted: dict[str, str]) -> None:
    _labels(said, wanted)


def _patch_bytes(said: Said, wanted: dict[str, object]) -> None:
    for fact in said.facts:
        patch, size = fact["patch"], wanted[fact["key"]["task_id"]]
        if size == 0:
            assert patch["bytes"] == 0
        else:
            assert patch["touched"] or (isinstance(patch["bytes"], int) and patch["bytes"] > 0), fact
            assert patch["bytes"] != 0


def _relabel(said: Said, wanted: dict[str, str]) -> None:
    _labels(said, wanted)
    others = [row for row in said.rows if row["task_id"] not in wanted]
    assert {row["origin"] for row in others} == {"MODEL"}


def _task(said: Said, text: str) -> None:
    assert text == "broken for every arm"
    assert "every arm" in said.told() or any("without" in row["why"] or "arm" in row["why"] for row in said.rows)


ANSWERS = {
    "label": _label,
    "labels": _labels,
    "relabel": _relabel,
    "rows": _labels,
    "outcomes": _outcomes,
    "trace": _labels,
    "success": _success,
    "eligible": _eligible,
    "bucket": _bucket,
    "buckets": _buckets,
    "reason": _reason,
    "reasons": _reasons,
    "tags": _tags,
    "row_tags": _row_tags,
    "controls": _controls,
    "numbers": _numbers,
    "ledger": _ledger,
    "verdict": _verdict,
    "run": _run,
    "patch_bytes": _patch_bytes,
    "task": _task,
}
ELSEWHERE = {
    "must", "must_not", "basis", "why", "blocks", "quota", "findings", "clean", "with manifest_fail.json",
    "with manifest_grade.json", "compare the two", "always", "missing on_timeout field",
}  # fmt: skip
"""Parts of an answer that a test below checks, that are prose, or that repeat another part."""


def baseline(said: Said, word: str) -> int:
    """What the import says of the agent-off results: `5 results with the agent off: 3 green, 2 red`."""
    text = " ".join(said.report["notes"]) + said.text
    found = re.search(r"(\d+) agent-off results?: (\d+) green, (\d+) red", text)
    assert found, text
    return int(found[{"runs": 1, "green": 2, "red": 3}[word]])


BASELINE: dict[str, Callable[[Said], object]] = {
    "baseline_runs": lambda said: baseline(said, "runs"),
    "baseline_pass": lambda said: baseline(said, "green"),
    "flip": lambda said: baseline(said, "green") > 0 and baseline(said, "red") > 0,
}


def test_every_part_of_every_answer_has_a_meaning() -> None:
    for name in NAMES:
        unknown = answer_of(name).keys() - ANSWERS.keys() - ELSEWHERE
        assert not unknown, (name, unknown)


@pytest.mark.parametrize("name", [*REJECTED, "058-pipe-masks-red-suite"])
def test_a_pack_is_rejected_at_freeze_time(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    answer = answer_of(name)
    cards = [path for path in sorted(FOLDERS[name].iterdir()) if path.stem in CARDS]
    code, text = lint(cards, capsys)
    assert code == 1
    assert "rejected" in text
    findings = answer.get("findings", [])
    for task, wanted in findings.items() if isinstance(findings, dict) else (("", one) for one in findings):
        for one in wanted if isinstance(wanted, list) else [wanted]:
            spelled = re.split(r" (objects|inside)", str(one))[0]
            assert spelled.split()[0] in text, (task, one)
    for clean in answer.get("clean", []):
        assert re.search(rf"clean: .*\b{clean}\b", text), text


@pytest.mark.parametrize("name", PACKS)
def test_task_cards_alone_are_no_result(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    from denominator.cli.main import run_cli

    assert run_cli(["import", "rows", str(FOLDERS[name])]) == 2
    assert "pack lint" in capsys.readouterr().err


def test_a_verdict_after_the_cap_is_a_policy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = answer_of(TWICE)
    rows = FOLDERS[TWICE] / "traces.jsonl"
    for policy in ("fail", "grade"):
        manifest = f"manifest_{policy}.json"
        said = import_case([rows, FOLDERS[TWICE] / manifest], tmp_path / policy, capsys)
        (row,) = said.rows
        wanted = answer[f"with {manifest}"]
        assert row["mix"] == wanted["bucket"]
        assert (row["outcome"] == "pass") == wanted["pass"]
        assert set(wanted.get("tags", [])) <= set(row["tags"])
        assert row["origin"] == answer["always"]["label"]
    alone = import_case([rows], tmp_path / "none", capsys)
    assert answer["missing on_timeout field"] == "refuse to aggregate"
    assert alone.card["verdict"]["status"] == "blocked"
    assert alone.rows[0]["outcome"] not in ("pass", "fail")


def test_origins_are_the_four() -> None:
    found = {text for name in ROWS for text in _origins(answer_of(name))}
    assert found == set(ORIGINS)


def _origins(answer: dict[str, object]) -> set[str]:
    text = str({key: answer.get(key) for key in ("label", "labels", "relabel")})
    return {origin for origin in ORIGINS if re.search(rf"\b{origin}\b", text)}
