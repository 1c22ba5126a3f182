"""Every scripted fault, through the command line: its class and reason in one case, a pass in all others of the same run.

`make test` asks a small fixture twice; with `-m e2e` the whole built-in fixture is asked three times.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from denominator.records.probe_words import PARAM_IGNORED
from e2e.probe_lab import CONFORMANT, Probe, behaviours, case_for, log, replaying, reset

IDS = tuple(behaviours())
SLOW_DEADLINE_MS, GAP_MS = 2_500, 700
"""The drips of the server come every 300 ms, its slow first byte after 1,200."""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with replaying() as address:
        yield address


@pytest.fixture(scope="module")
def made(tmp_path_factory, url) -> Path:
    """`probe init`, once."""
    folder = tmp_path_factory.mktemp("probe-matrix")
    Probe(folder, url).say("init", "p", "--url", url, "--model", CONFORMANT)
    return folder / "p"


def run(folder: Path, made: Path, url: str, behaviour, attempts: int, whole: bool):
    """A run in which one case names the behaviour; gives its scored document and that case's id."""
    fixture = [json.loads(line) for line in (made / "fixture.jsonl").read_text("utf-8").splitlines()]
    chosen = case_for(fixture, behaviour)
    if not whole:
        # One of each kind beside the chosen one.
        kept = {(one["group"], one["kind"]): one for one in reversed(fixture)}
        fixture = [one for one in fixture if one is chosen or one["id"] in {each["id"] for each in kept.values()}]
    lines = [one | {"model": behaviour["id"]} if one is chosen else one for one in fixture]
    (folder / "fixture.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines), "utf-8")
    probe = Probe(folder, url)
    probe.say("init", "q", "--url", url, "--model", CONFORMANT, "--fixture", "fixture.jsonl")
    envelope = folder / "q" / "probe.toml"
    text = envelope.read_text("utf-8")
    for name, value in (
        ("attempts", attempts),
        ("deadline_ms", SLOW_DEADLINE_MS),
        ("gap_ms", GAP_MS),
        ("slow_ms", 1_000),
    ):
        text = set_key(text, name, value)
    envelope.write_text(text, "utf-8")
    reset(url)
    probe.say("run", "q/probe.toml", "-o", "out")
    return json.loads(probe.say("show", "out", "--json").out), chosen["id"]


def set_key(text: str, name: str, value: int) -> str:
    lines = [f"{name} = {value}" if line.lstrip("# ").startswith(f"{name} =") else line for line in text.splitlines()]
    assert f"{name} = {value}" in lines, name
    return "\n".join(lines) + "\n"


def check(document, chosen: str, behaviour) -> None:
    expect = behaviour["expect"]
    wanted = {expect["class"], *expect.get("any_of", ())}
    others = [one for one in document["attempts"] if one["case_id"] != chosen and one["cls"] != "pass"]
    assert not others, [(one["case_id"], one["cls"], one["reason"]) for one in others]
    mine = [one for one in document["attempts"] if one["case_id"] == chosen]
    hit = [one for one in mine if one["cls"] != "pass"]
    if PARAM_IGNORED in wanted:
        assert not hit
        assert [(one["cls"], one["reason"]) for one in document["across"]] == [(PARAM_IGNORED, expect["reason"])]
    elif "pass" in wanted:
        assert not hit, [(one["cls"], one["reason"], one["note"]) for one in hit]
    else:
        assert hit and {(one["cls"], one["reason"]) for one in hit} == {(expect["class"], expect["reason"])}, (
            hit or mine
        )
        assert all(set(expect.get("also", ())) <= set(one["also"]) for one in hit), hit
        meant = {one["mode"] for one in hit}
        assert len(hit) == len([one for one in mine if one["mode"] in meant])
    if expect["reason"] in FLAGS_OF_PASSES:
        assert any(expect["reason"] in one["flags"] for one in mine), mine


FLAGS_OF_PASSES = (
    "model_mismatch",
    "fingerprint_changed",
    "usage_repeated",
    "nonstandard_error_shape",
    "gzip_unrequested",
    "slow",
)


@pytest.mark.parametrize("name", IDS)
def test_one_fault_shows_in_its_case_and_nowhere_else(name, tmp_path, made, url):
    document, chosen = run(tmp_path, made, url, behaviours()[name], attempts=2, whole=False)
    check(document, chosen, behaviours()[name])


@pytest.mark.e2e
@pytest.mark.parametrize("name", IDS)
def test_one_fault_shows_in_the_whole_fixture(name, tmp_path, made, url):
    document, chosen = run(tmp_path, made, url, behaviours()[name], attempts=3, whole=True)
    check(document, chosen, behaviours()[name])
    seen = log(url)
    assert len({one["conn"] for one in seen}) == len(seen), "a connection was used twice"
    assert {one["accept_encoding"] for one in seen} == {"identity"}


def test_a_conformant_endpoint_passes_everything(tmp_path, made, url):
    probe = Probe(tmp_path, url)
    probe.say("init", "p", "--url", url, "--model", CONFORMANT)
    probe.say("run", "p/probe.toml", "-o", "out")
    document = json.loads(probe.say("show", "out", "--json").out)
    assert {one["cls"] for one in document["attempts"]} == {"pass"}
    assert not document["across"] and not document["missing"]
    assert len(document["attempts"]) >= 3 * 24
