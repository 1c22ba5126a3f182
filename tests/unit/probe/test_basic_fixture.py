"""The built-in fixture: whole, without warnings, kept by a conformant endpoint, and met by every scripted behaviour."""

from __future__ import annotations

import importlib.util
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from denominator.probe.asking import request_body
from denominator.probe.expects import tool_parameters
from denominator.probe.fixture import read_fixture
from denominator.probe.linting import lint
from denominator.probe.schema import check, same_value
from denominator.records.probe_words import Group, Kind, Mode
from denominator.records.probes import Case, Fixture

PLACES = [Path(__file__).parents[2] / "probe", Path(__file__).parents[4] / "shared" / "probe"]
SERVER = next((place for place in PLACES if (place / "replay_server.py").is_file()), None)
needs_server = pytest.mark.skipif(SERVER is None, reason="the replay server is not here (tests/probe, ../shared/probe)")


def basic() -> Fixture:
    """The fixture as `probe init` writes it."""
    return read_fixture(files("denominator").joinpath("data/probe/basic.jsonl").read_bytes(), "basic.jsonl")


def replay() -> Any:
    """The replay server's module: what a conformant endpoint answers."""
    assert SERVER is not None
    spec = importlib.util.spec_from_file_location("replay_server", SERVER / "replay_server.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ASKED = [(case, mode) for case in basic().cases for mode in case.modes]


def test_it_covers_every_group_without_a_warning() -> None:
    """At least 24 cases, all groups, pairs, text and emoji and marks in both modes, several kinds of malformed controls."""
    fixture = basic()
    assert lint(fixture) == ()
    assert len(fixture.cases) >= 24
    assert {case.group for case in fixture.cases} == set(Group)
    assert sum(case.control for case in fixture.cases) >= 6
    unicode = [case for case in fixture.cases if case.group == Group.UNICODE]
    assert sum(case.mode == "both" for case in unicode) >= 5
    tools = {mode for case in fixture.cases if case.kind == Kind.CALL for mode in case.modes}
    assert tools == {Mode.PLAIN, Mode.STREAM}


def test_the_case_that_is_cut_has_the_cap_of_the_method() -> None:
    """64 tokens, as the scripted answers that are cut there have."""
    cut = [case for case in basic().cases if "1000-word" in case.prompt]
    assert [case.max_tokens for case in cut] == [64]


@needs_server
@pytest.mark.parametrize(("case", "mode"), ASKED, ids=[f"{case.id}-{mode}" for case, mode in ASKED])
def test_a_conformant_endpoint_keeps_every_promise(case: Case, mode: Mode) -> None:
    """What the replay server answers is what the case expects."""
    server = replay()
    body = request_body(case, mode, "conformant")
    request, refused = server.validate(body)
    if case.control:
        assert refused is not None and refused["status"] == 400
        return
    assert refused is None
    answer = server.conformant({**request, "stream": False}, body)
    choice = json.loads(answer["chunks"][0]["bytes"])["choices"][0]
    assert choice["finish_reason"] == {Kind.CAP: "length", Kind.CALL: "tool_calls"}.get(Kind(case.kind), "stop")
    assert is_kept(case, choice["message"])


def is_kept(case: Case, message: dict[str, Any]) -> bool:
    """Does the message hold what is expected?"""
    if case.kind == Kind.CALL:
        called = message["tool_calls"][0]["function"]
        return called["name"] == case.expect["name"] and not check(
            json.loads(called["arguments"]), tool_parameters(case)
        )
    content = message["content"]
    if case.kind == Kind.JSON:
        value = json.loads(content)
        sound = not check(value, case.expect.get("schema", True))
        return sound and ("value" not in case.expect or same_value(value, case.expect["value"]))
    return bool(content == case.expect["text"]) if case.kind == Kind.TEXT else bool(content)


@needs_server
def test_every_behaviour_has_a_case_that_meets_it() -> None:
    """Each `when` of the scripted behaviours holds for a request of the fixture, in the mode that it needs."""
    server = replay()
    assert SERVER is not None
    asked = [(request_body(case, mode, "m"), mode) for case, mode in ASKED]
    read = [(raw, *server.validate(raw)) for raw, _mode in asked]
    unmet = []
    for path in sorted((SERVER / "behaviours").glob("*.json")):
        told = json.loads(path.read_text("utf-8"))
        for rule in told.get("rules") or [{"when": told.get("when", {})}]:
            when = rule.get("when", told.get("when", {}))
            if not any(server.matches(when, request, raw, bad is not None) for raw, request, bad in read):
                unmet.append(told["id"])
    assert unmet == []


@needs_server
def test_controls_name_the_model_as_a_behaviour_is_named() -> None:
    """A control that names a model can be answered by a scripted behaviour; that is so of every kind of control here."""
    server = replay()
    for case in basic().cases:
        if case.control:
            raw = request_body(case, "plain", "x-y/030-malformed-200")
            assert b'"x-y/030-malformed-200"' in raw
            assert server.validate(raw)[1] is not None
