"""Bundles of runs with a model's calls, a narration probe, labels of people, lost artifacts, a replay; and of one that is open."""

from __future__ import annotations

import json
import random
import shutil
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from denominator.pipeline.people import append_labels
from denominator.pipeline.verifying import verify
from denominator.records.labels import Label
from denominator.run.layout import RunFolder
from denominator.testing.scripted_server import ScriptedServer
from e2e import bundle_lab, model_runs, runs
from e2e.test_bundle import assert_found

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run over a scripted model with a narration probe and two people's labels."""
    folder = tmp_path_factory.mktemp("kinds")
    with ScriptedServer(model_runs.commands) as server:
        model_runs.situation(folder, server, ["once"], ["double-it", "clamp-low"])
        args = ("run", "envelope.toml", "--run-id", "m", "--narration-probe")
        done = runs.cli(folder, *args, env={model_runs.KEY_ENV: model_runs.KEY})
    assert done.code in (0, 1), done.err
    key = next(iter(runs.ledger_of(folder, "m").rows)).key
    people = [
        Label(key=key, axis="origin", value="HARNESS", by=f"person:{who}", at="2026-11-30") for who in ("ann", "bob")
    ]
    append_labels(folder / "runs" / "m", lambda _: people)
    assert runs.cli(folder, "bundle", "m", "-o", "b").code == 0
    return folder


def test_calls_labels_and_the_probe_travel(place: Path) -> None:
    found = verify(place / "b")
    assert (found.exit, found.faults) == (0, ())
    calls = (place / "b" / "calls.jsonl").read_bytes().splitlines()
    assert len(calls) == len([*runs.opened(place, "m").journal.calls()]) >= 2
    assert len((place / "b" / "labels.jsonl").read_bytes().splitlines()) == 2
    assert len(json.loads((place / "b" / "narration_probe.json").read_bytes())) == 2
    card = runs.cli(place, "card", "m", "--json").json
    assert found.sentence == card["verdict"]["sentence"] and card["people"]["labelers"] == 2
    assert model_runs.KEY.encode() not in b"".join(
        path.read_bytes() for path in (place / "b").rglob("*") if path.is_file()
    )


def _tokens(values: list[Any]) -> None:
    counted = next(one for one in values if one["key"]["repeat"] == 1 and one["usage"])
    counted["usage"]["prompt"] += 1000


CASES: dict[str, tuple[bundle_lab.Tamper, str, str, str]] = {
    "tokens of a call": (bundle_lab.edit_lines("calls.jsonl", _tokens), "ledger", "ledger.jsonl", "usage"),
    "no calls": (bundle_lab.rewrite("calls.jsonl", lambda _: b""), "ledger", "ledger.jsonl", ""),
    "a call that is none": (bundle_lab.edit_lines("calls.jsonl", lambda v: v[0].pop("key")), "unreadable", "calls.jsonl", "key"),
    "a label is gone": (bundle_lab.edit_lines("labels.jsonl", lambda v: v.pop()), "card", "card.json", "people"),
    "all labels are gone": (bundle_lab.remove("labels.jsonl"), "card", "card.json", "people"),
    "a label says otherwise": (
        bundle_lab.edit_lines("labels.jsonl", lambda v: v[0].update(value="INFRA")), "card", "card.json", "people",
    ),
    "a label is a machine's": (
        bundle_lab.edit_lines("labels.jsonl", lambda v: v[0].update(by="rule@1")), "labels", "labels.jsonl", "no person",
    ),
    "a probe that held": (
        bundle_lab.edit_json("narration_probe.json", lambda v: v[0].update(held="yes")), "derived", "narration_probe.json", "",
    ),
    "no probe": (bundle_lab.remove("narration_probe.json"), "missing", "narration_probe.json", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_is_changed_in_them_is_found(place: Path, tmp_path: Path, name: str) -> None:
    tamper, *expected = CASES[name]
    folder = bundle_lab.copied(place / "b", tmp_path / "b")
    tamper(folder)
    bundle_lab.reseal(folder)
    assert_found(verify(folder), *expected)


def test_no_changed_byte_of_any_file_passes(place: Path, tmp_path: Path) -> None:
    """One byte of one file at a time, the sums made again each time; drawn by a fixed seed, half of them in documents."""
    drawn = random.Random(9)
    folder = bundle_lab.copied(place / "b", tmp_path / "b")
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and "SHA256SUMS" not in path.name)
    for number in range(160):
        path = drawn.choice(paths if number % 2 else [one for one in paths if one.parent == folder])
        before = path.read_bytes()
        at = drawn.randrange(len(before))
        path.write_bytes(before[:at] + bytes([before[at] ^ drawn.randrange(1, 256)]) + before[at + 1 :])
        bundle_lab.reseal(folder)
        found = verify(folder)
        assert (found.exit, found.sentence) == (1, ""), (path.name, before[max(0, at - 40) : at + 20])
        assert not any(one.kind == "not_judged" for one in found.faults), found.faults
        path.write_bytes(before)


def test_a_lost_artifact_is_said_to_be_gone(place: Path, tmp_path: Path) -> None:
    work = tmp_path / "runs" / "m"
    shutil.copytree(place / "runs" / "m", work)
    lost = sorted(path.name for path in (place / "b" / "blobs").iterdir())[0]
    (stored,) = [
        path for path in (work / "blobs").rglob("*") if path.is_file() and lost.endswith(path.name.split(".")[0])
    ]
    stored.unlink()
    assert runs.cli(tmp_path, "bundle", "m", "-o", "b").code == 0
    found = verify(tmp_path / "b")
    assert (found.exit, (tmp_path / "b" / "blobs" / lost).exists()) == (0, False)
    head = json.loads((tmp_path / "b" / "bundle.json").read_bytes())
    (gone,) = [one for one in head["artifacts"] if one["sha256"] == lost]
    assert gone["left_out"].startswith("gone when")
    if head["beside"]["missing_blobs"]:
        assert any("that were gone" in one for one in found.stated)


def test_what_a_violated_control_hides_is_in_no_text_of_a_bundle(tmp_path: Path) -> None:
    runs.make_pack(tmp_path, "double-it", "clamp-low", "keep-sorted")
    breaks = "for f in *.py; do echo 'raise SystemExit(3)' >> $f; done; exit 0"
    arm = {"label": "o", "agent": "command", "command": ["/bin/sh", "-c", breaks]}
    (tmp_path / "envelope.toml").write_text(runs.envelope([arm]))
    assert runs.cli(tmp_path, "run", "envelope.toml", "--run-id", "v").code == 1
    assert runs.cli(tmp_path, "bundle", "v", "-o", "b").code == 0
    card = json.loads((tmp_path / "b" / "card.json").read_bytes())
    assert "pass_or_fail" in card["equation"] and "pass" not in card["equation"]
    said = runs.cli(tmp_path, "verify", "b", "--json").json
    assert (said["status"], said["sentence"]) == ("consistent", card["verdict"]["sentence"])
    assert "labels" not in dict(said["recomputed"])
    text = runs.cli(tmp_path, "verify", "b").out + (tmp_path / "b" / "README.md").read_text()
    for word in ("0/2", "0 of 2", "2/2", "2 of 2", " passed", "resolved"):
        assert word not in text, word


def test_an_open_run_and_a_changed_journal_make_no_bundle(tmp_path: Path) -> None:
    runs.make_pack(tmp_path, "double-it")
    arm = {"label": "o", "agent": "command", "command": ["/bin/sh", "-c", "sleep 60"]}
    (tmp_path / "envelope.toml").write_text(runs.envelope([arm]))
    process = runs.start(tmp_path, "run", "envelope.toml", "--run-id", "o")
    while not _begun(tmp_path) and process.poll() is None:
        time.sleep(0.1)
    process.send_signal(signal.SIGTERM)
    assert runs.Done(process).code == 4
    for target in ("b", "b.zip"):
        done = runs.cli(tmp_path, "bundle", "o", "-o", target)
        assert (done.code, "denominator resume o" in done.err, (tmp_path / target).exists()) == (4, True, False)


def _begun(folder: Path) -> bool:
    if not RunFolder(folder / "runs" / "o").journal.is_file():
        return False
    try:
        return any(one.kind == "started" for one in runs.opened(folder, "o").journal.events())
    except Exception:  # it is being made right now
        return False


def test_a_replay_says_whose_and_its_run_states_it(tmp_path: Path) -> None:
    runs.make_pack(tmp_path, "double-it")
    (tmp_path / "envelope.toml").write_text(runs.envelope([{"label": "o", "agent": "oracle"}]))
    assert runs.cli(tmp_path, "run", "envelope.toml", "--run-id", "first").code in (0, 1)
    assert runs.cli(tmp_path, "replay", "first", "--early", "a test cannot wait").code in (0, 1)
    for name, expected in (("first", "1 replays, as the issuer judged them"), ("first-replay-1", "sealed at")):
        assert runs.cli(tmp_path, "bundle", name, "-o", name).code == 0
        found = verify(tmp_path / name)
        assert found.exit == 0 and any(expected in one for one in found.stated), found
    again = json.loads((tmp_path / "first-replay-1" / "card.json").read_bytes())
    assert "REPLAY of first" in again["stamps"]
    bundle_lab.edit_json("bundle.json", lambda h: h.update(replay_of=""))(tmp_path / "first-replay-1")
    bundle_lab.reseal(tmp_path / "first-replay-1")
    assert_found(verify(tmp_path / "first-replay-1"), "card", "card.json", "stamps")
