"""Scripted faults through the command line: each has its class and reason in the case that names it, all other cases pass.

`make test` asks all of them in one probe; with `-m e2e` every fault has a probe of its own, the whole fixture three times.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from denominator.records.probe_words import FLAGS, PARAM_IGNORED
from e2e.probe_further import further
from e2e.probe_lab import CONFORMANT, Probe, behaviours, case_for, log, replaying, reset

PUBLIC = behaviours()
FURTHER = further()
TERMS = {"deadline_ms": 2_500, "gap_ms": 700, "slow_ms": 1_000}
"""The drips of the server come every 300 ms, its slow first byte after 1,200."""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with replaying() as address:
        yield address


@pytest.fixture(scope="module")
def made(tmp_path_factory, url) -> list[dict[str, Any]]:
    """The built-in fixture, as `probe init` writes it."""
    folder = tmp_path_factory.mktemp("probe-init")
    Probe(folder, url).say("init", "p", "--url", url, "--model", CONFORMANT)
    return [json.loads(line) for line in (folder / "p" / "fixture.jsonl").read_text("utf-8").splitlines()]


def run(folder: Path, url: str, cases: list[dict[str, Any]], attempts: int, rate: str = "") -> dict[str, Any]:
    """The scored document of a probe of these cases."""
    (folder / "fixture.jsonl").write_text("".join(json.dumps(one) + "\n" for one in cases), "utf-8")
    probe = Probe(folder, url)
    probe.say("init", "q", "--url", url, "--model", CONFORMANT, "--fixture", "fixture.jsonl")
    envelope = folder / "q" / "probe.toml"
    text = envelope.read_text("utf-8")
    for name, value in {**TERMS, "attempts": attempts, "rate": f'"{rate}"', "in_flight": 16}.items():
        text = set_key(text, name, value)
    envelope.write_text(text, "utf-8")
    reset(url)
    probe.say("run", "q/probe.toml", "-o", "out")
    return json.loads(probe.say("show", "out", "--json").out)


def set_key(text: str, name: str, value: int | str) -> str:
    lines = [f"{name} = {value}" if line.lstrip("# ").startswith(f"{name} =") else line for line in text.splitlines()]
    assert f"{name} = {value}" in lines, name
    return "\n".join(lines) + "\n"


def at_once(
    folder: Path, url: str, cases: list[dict[str, Any]], faults: Mapping[str, Any], attempts: int
) -> dict[str, Any]:
    """One probe in which every fault has a case of its own, beside all cases as they are."""
    named = [case_for(cases, one) | {"id": name, "model": name} for name, one in faults.items()]
    # At a fixed rate those that say nothing until the deadline do not wait for each other.
    return run(folder, url, [*cases, *named], attempts, rate="30")


@pytest.fixture(scope="module")
def public(tmp_path_factory, url, made) -> dict[str, Any]:
    return at_once(tmp_path_factory.mktemp("public"), url, made, PUBLIC, 2)


@pytest.fixture(scope="module")
def neighbours(tmp_path_factory, made) -> Iterator[dict[str, Any]]:
    folder = tmp_path_factory.mktemp("further")
    for name, one in FURTHER.items():
        (folder / f"{name}.json").write_text(json.dumps(one), "utf-8")
    with replaying(folder) as address:
        yield at_once(tmp_path_factory.mktemp("neighbours"), address, made, FURTHER, 1)


def check(document: Mapping[str, Any], chosen: str, behaviour: Mapping[str, Any]) -> None:
    """The case has the class that was scripted, and with it everything that the script names."""
    expect = behaviour["expect"]
    mine = [one for one in document["attempts"] if one["case_id"] == chosen]
    hit = [one for one in mine if one["cls"] != "pass"]
    across = [(one["cls"], one["reason"]) for one in document["across"] if one["case_id"] == chosen]
    assert mine
    if expect["class"] == PARAM_IGNORED:
        assert not hit
        assert across == [(PARAM_IGNORED, expect["reason"])]
    elif expect["class"] == "pass":
        assert not hit, [(one["cls"], one["reason"], one["note"]) for one in hit]
    else:
        assert {(one["cls"], one["reason"]) for one in hit} == {(expect["class"], expect["reason"])}, hit or mine
        assert all(set(expect.get("also", ())) <= set(one["also"]) for one in hit), hit
        modes = {one["mode"] for one in hit}
        assert len(hit) == len([one for one in mine if one["mode"] in modes])
    if expect["reason"] in FLAGS:
        assert any(expect["reason"] in one["flags"] for one in mine), mine


def leaks(document: Mapping[str, Any], named: Mapping[str, Any] | set[str]) -> list[tuple[str, str, str]]:
    """What did not pass although no fault was scripted for it."""
    return [
        (one["case_id"], one["cls"], one["reason"])
        for one in document["attempts"]
        if one["case_id"] not in named and one["cls"] != "pass"
    ]


@pytest.mark.parametrize("name", tuple(PUBLIC))
def test_a_scripted_fault_has_its_class(name, public):
    check(public, name, PUBLIC[name])


@pytest.mark.parametrize("name", tuple(FURTHER))
def test_neighbours_of_the_public_faults_have_their_own_class(name, neighbours):
    check(neighbours, name, FURTHER[name])


def test_no_fault_leaks_into_another_case(public, neighbours):
    assert leaks(public, PUBLIC) == []
    assert leaks(neighbours, FURTHER) == []


@pytest.mark.e2e
@pytest.mark.parametrize("name", tuple(PUBLIC))
def test_one_fault_shows_in_its_case_and_nowhere_else(name, tmp_path, made, url):
    chosen = case_for(made, PUBLIC[name])
    cases = [one | {"model": name} if one is chosen else one for one in made]
    document = run(tmp_path, url, cases, 3)
    check(document, chosen["id"], PUBLIC[name])
    assert leaks(document, {chosen["id"]}) == []
    seen = log(url)
    assert {one["req_on_conn"] for one in seen} == {1}, "a connection was used twice"
    assert {one["accept_encoding"] for one in seen} == {"identity"}


def test_a_conformant_endpoint_passes_everything(tmp_path, made, url):
    document = run(tmp_path, url, made, 3)
    assert {one["cls"] for one in document["attempts"]} == {"pass"}
    assert not document["across"] and not document["missing"]
    assert len(document["attempts"]) >= 3 * 24
