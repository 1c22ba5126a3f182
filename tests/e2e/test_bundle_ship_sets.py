"""The ship sets of METHODS M11 and M13 on a real run: every item is there, follows from the evidence, and is missed when it is gone."""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from denominator.bundles.items import ASKED, HERE, NONE, NOT_RUN
from denominator.envelopes.contracts import fork
from denominator.envelopes.contracts import lock as lock_document
from denominator.pipeline.importing import import_paths
from denominator.pipeline.verifying import verify
from denominator.wire.canonical import canonical
from e2e import bundle_lab, runs
from e2e.test_bundle import assert_found
from e2e.test_contract import LONG_AGO, contract

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]
SOLVES_ONE = (
    f"grep -q 'nothing is edited' /in/prompt.md && exit 0; test -e bounds.py && {runs.SOLVE['clamp-low']}; exit 0"
)
ROLE = "noop_must_stay_green"


def terms(**changes: Any) -> dict[str, Any]:
    """The contract of the run: two tasks to solve and one that must be left alone; a third was dropped by a fork."""
    base = contract(
        task_ids=["clamp-low", "count-words"],
        controls=[{"task_id": "keep-sorted", "expected": "pass", "role": ROLE}],
        contamination="written for this test, never published",
    )
    base["metrics"]["timeout_s"] = runs.BUDGET["wall_s"]
    return base | changes


def write_contract(path: Path, document: dict[str, Any]) -> None:
    path.write_bytes(canonical(lock_document(document, "study-1", LONG_AGO, str(path))) + b"\n")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two seeds, a narration probe that holds, a contract that is a fork; bundles with and without the contract."""
    folder = tmp_path_factory.mktemp("ship")
    runs.make_pack(folder, "clamp-low", "count-words", "double-it", "keep-sorted")
    arm = {"label": "a", "agent": "command", "command": ["/bin/sh", "-c", SOLVES_ONE]}
    (folder / "envelope.toml").write_text(runs.envelope([arm], budget={"repeats": 2}, run={"seeds": [7, 11]}))
    first = lock_document(terms(task_ids=["clamp-low", "count-words", "worn"]), "study-0", LONG_AGO, "first")
    again = fork(first, ["worn"], "its tests depend on the date", "first")
    write_contract(folder / "contract.json", {**again, "run_id": "", "locked_at": "", "sha256": ""})
    for name, probe in (("r", ["--narration-probe"]), ("plain", [])):
        done = runs.cli(folder, "run", "envelope.toml", "--run-id", name, *probe, "--json")
        assert done.code in (0, 1), done.err
    for run, name, more in (("r", "b", ["--contract", "contract.json"]), ("plain", "p", [])):
        made = runs.cli(folder, "bundle", run, "-o", name, *more, "--json")
        assert made.code == 0, made.err
        (folder / f"{name}.said").write_text(made.out)
    return folder


@pytest.fixture
def copy(place: Path, tmp_path: Path) -> Path:
    return bundle_lab.copied(place / "b", tmp_path / "b")


def states(place: Path, name: str) -> dict[str, str]:
    return {one["asked"]: one["state"] for one in json.loads((place / f"{name}.said").read_text())["items"]}


def test_every_item_is_there_or_says_why_not(place: Path) -> None:
    found = states(place, "b")
    assert {*found} == {asked for asked, _, _ in ASKED}
    assert {asked for asked, state in found.items() if state != HERE} == {"labels of people"}
    plain = states(place, "p")
    assert plain["narration probe"] == NOT_RUN and plain["labels of people"] == NONE
    assert plain["scoring contract"] == "none: the seal is the contract"
    text = runs.cli(place, "bundle", "r", "-o", "shown", "--contract", "contract.json")
    assert "journal export with its chain: events.jsonl, here" in text.err
    assert "narration probe: not run" in (place / "p" / "README.md").read_text()
    for name in ("b", "p"):
        said = verify(place / name)
        assert (said.faults, said.exit) == ((), 0), said.faults


def test_the_readme_says_all_that_is_asked_of_it(place: Path) -> None:
    text, plain = ((place / name / "README.md").read_text() for name in ("b", "p"))
    for part in (
        "solvable, 4 draws",
        "access class:",
        "terms: read on",
        "narration of the run: held",
        "Nothing here puts vendors",
    ):
        assert part in text, part
    assert "Contamination unknown" in plain
    assert "Contamination, as the contract states it: written for this test, never published" in text


def test_the_rate_is_that_of_the_contract_or_of_the_seal(place: Path, tmp_path: Path) -> None:
    scored = runs.cli(place, "contract", "score", "contract.json", "r", "-o", str(tmp_path / "scored"))
    assert scored.code in (0, 1), scored.err
    rate = json.loads((place / "b" / "rate.json").read_bytes())
    assert rate == json.loads((tmp_path / "scored" / "rate.json").read_bytes())
    assert (rate["k"], rate["n"], rate["narration_probe"]["state"]) == (2, 4, "held")
    plain = json.loads((place / "p" / "rate.json").read_bytes())
    assert (plain["k"], plain["n"], plain["narration_probe"]) == (2, 4, {"state": "not run", "why": ""})
    seal = json.loads((place / "p" / "bundle.json").read_bytes())["seal_sha256"]
    assert (plain["contract_sha256"], plain["contamination"]) == (seal, "unknown")
    assert all(row["clauses"]["tests_green"] is (row["exit"] == "pass") for row in plain["rows"])


def test_provenance_says_who_wrote_the_tasks_and_what_was_dropped(place: Path) -> None:
    told = tomllib.loads((place / "b" / "provenance.toml").read_text())
    assert told["authors"] == ["denominator maintainers"] and str(told["created"]) == "2026-11-29"
    assert told["run"]["operator"] == "a test"
    assert [(one["task_ids"], one["why"]) for one in told["removed"]] == [(["worn"], "its tests depend on the date")]
    assert tomllib.loads((place / "p" / "provenance.toml").read_text())["removed"] == []


def test_the_failure_classes_come_back_to_the_same_numbers(place: Path) -> None:
    card = json.loads((place / "b" / "card.json").read_bytes())
    told = json.loads((place / "b" / "m13" / "classes.json").read_bytes())
    assert [(one["seed"], one["classes"]["pass"], one["classes"]["no_patch"]) for one in told["logs"]] == [
        (7, 1, 1),
        (11, 1, 1),
    ]
    assert {name: k for name, k in told["classes"].items() if k} == card["classes"]
    assert told["commits"]["task_file"] == card["pack_digest"] and told["sentence"] == card["verdict"]["sentence"]
    result = import_paths([place / "b" / "m13"], None, (), None)[1]
    assert (result.card.equation, result.card.classes) == (card["equation"], card["classes"])
    assert result.card.verdict.status == "publishable"
    headline = result.judged.estimate("headline")
    ours = next(one for one in card["estimates"] if one["metric"] == "headline")
    assert headline is not None
    assert (headline.numerator, headline.denominator) == (ours["numerator"], ours["denominator"]) == (2, 4)


FILES = sorted({file for _, file, _ in ASKED} - {"labels.jsonl", "m13/"} | {"m13/seed-7.jsonl", "m13/provenance.toml"})


@pytest.mark.parametrize("name", FILES)
def test_an_item_that_is_gone_is_named(copy: Path, name: str) -> None:
    (copy / name).unlink()
    assert_found(verify(copy), "missing", name, "")
    if name == "SHA256SUMS":
        return
    bundle_lab.reseal(copy)
    said = verify(copy)
    named = {one.where for one in said.faults}
    others = (
        {"README.md", "rate.json", "provenance.toml", "m13/provenance.toml"}
        if name == "scoring_contract.json"
        else set()
    )
    assert said.exit == 1 and named & ({name} | others), said.faults


Change = Callable[[Any], None]
EDITS: dict[str, tuple[str, Change]] = {
    "one more pass": ("rate.json", lambda rate: rate.update(k=rate["k"] + 1)),
    "a clause": ("rate.json", lambda rate: rate["rows"][0]["clauses"].update(tests_green=None)),
    "a probe that held": ("narration_probe.json", lambda rows: rows[0].update(held=None)),
    "a class": ("m13/classes.json", lambda told: told["classes"].update(timeout=9)),
    "a seed": ("m13/header.json", lambda header: header.update(seeds=[1, 2])),
}


@pytest.mark.parametrize("name", EDITS)
def test_what_does_not_follow_from_the_ledger_is_named(copy: Path, name: str) -> None:
    file, change = EDITS[name]
    bundle_lab.edit_json(file, change)(copy)
    bundle_lab.reseal(copy)
    assert_found(verify(copy), "derived", file, "give")


def test_other_files_that_do_not_follow_are_named_too(copy: Path) -> None:
    for name in ("provenance.toml", "row_labels.jsonl", "m13/seed-7.jsonl"):
        before = (copy / name).read_bytes()
        (copy / name).write_bytes(before + b"\n")
        bundle_lab.reseal(copy)
        assert_found(verify(copy), "derived", name, "give")
        (copy / name).write_bytes(before)
    (copy / "m13" / "seed-9.jsonl").write_bytes(b"")
    bundle_lab.reseal(copy)
    assert_found(verify(copy), "derived", "m13/seed-9.jsonl", "give")
    (copy / "m13" / "seed-9.jsonl").rename(copy / "m13" / "more.jsonl")
    bundle_lab.reseal(copy)
    assert_found(verify(copy), "foreign", "m13/more.jsonl", "no file of a bundle")


def test_a_contract_of_another_run_is_no_part_of_it(place: Path, copy: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    write_contract(other, terms(task_ids=["clamp-low"]))
    refused = runs.cli(place, "bundle", "r", "-o", str(tmp_path / "x"), "--contract", str(other))
    assert (refused.code, "not of this run" in refused.err, (tmp_path / "x").exists()) == (2, True, False), refused.err
    (copy / "scoring_contract.json").write_bytes(other.read_bytes())
    bundle_lab.reseal(copy)
    assert_found(verify(copy), "contract", "scoring_contract.json", "count-words")
    locked = json.loads((place / "contract.json").read_bytes())
    (copy / "scoring_contract.json").write_bytes(canonical(locked | {"claim": "all"}) + b"\n")
    bundle_lab.reseal(copy)
    assert_found(verify(copy), "contract", "scoring_contract.json", "sha256")
    open_ = tmp_path / "open.json"
    open_.write_text(json.dumps(terms()))
    refused = runs.cli(place, "bundle", "r", "-o", str(tmp_path / "x"), "--contract", str(open_))
    assert (refused.code, "not locked" in refused.err) == (2, True)


def test_while_a_control_is_violated_nothing_tells_a_pass_row_by_row(tmp_path: Path) -> None:
    runs.make_pack(tmp_path, "clamp-low", "keep-sorted")
    arm = {
        "label": "v",
        "agent": "command",
        "command": ["/bin/sh", "-c", "for f in *.py; do echo '# seen' >> $f; done"],
    }
    (tmp_path / "envelope.toml").write_text(runs.envelope([arm]))
    assert runs.cli(tmp_path, "run", "envelope.toml", "--run-id", "v").code == 1
    made = runs.cli(tmp_path, "bundle", "v", "-o", "b", "--json")
    assert made.code == 0, made.err
    held = {one["asked"] for one in made.json["items"] if one["state"].startswith("held back")}
    assert held == {"labels of rows", *(asked for asked, file, _ in ASKED if file.startswith("m13/"))}
    rate = json.loads((tmp_path / "b" / "rate.json").read_bytes())
    assert "not_measured" in rate["k"] and "not_measured" in rate["rows"]
    assert (verify(tmp_path / "b").exit, (tmp_path / "b" / "m13").exists()) == (0, False)
    assert runs.cli(tmp_path, "export", "m13", "v", "-o", "m").code == 1
