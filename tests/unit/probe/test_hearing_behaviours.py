"""Every scripted fault, without a server: the bytes as its file has them, judged by themselves."""

from __future__ import annotations

import json

import pytest

from denominator.records.probe_words import FLAGS, PARAM_IGNORED
from denominator.records.probes import Case
from unit.probe.hearing_lab import BEHAVIOURS, MODEL, TERMS, also, exchange, hear, scripted, word

FILES = sorted(BEHAVIOURS.glob("*.json"))
BY_NEIGHBOURS = ("stream_mismatch", "prompt_tokens_unstable", "fingerprint_changed")


def case_of(behaviour) -> Case:
    """The case that a scripted request stands for."""
    when, body = behaviour["when"], behaviour["request"].get("body") or {}
    fixed = {"id": "c", "group": "g", "mode": "stream" if when.get("stream") else "plain"}
    if when.get("malformed"):
        return Case(**fixed, kind="malformed", body="{")
    prompt = body["messages"][0]["content"]
    request = {name: body[name] for name in ("response_format", "tools", "tool_choice") if name in body}
    fixed |= {"prompt": prompt, "max_tokens": body["max_tokens"], "request": request, "model": body["model"]}
    if "tools" in body:
        return Case(**fixed, kind="call", expect={"name": "get_weather"})
    if "JSON object" in prompt:
        return Case(**fixed, kind="json", expect={"value": {"ok": True, "count": 2}})
    if "exact text: " in prompt:
        return Case(**fixed, kind="text", expect={"text": prompt.partition("exact text: ")[2]})
    return (
        Case(**fixed, kind="cap") if "1000-word" in prompt else Case(**fixed, kind="answer", expect={"contains": "OK"})
    )


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_scripted_fault_is_heard_as_what_it_is(path):
    behaviour = json.loads(path.read_text("utf-8"))
    case, expect = case_of(behaviour), behaviour["expect"]
    wire, end = scripted(behaviour)
    late = behaviour["response"].get("header_delay_ms", 1)
    heard = hear(case, exchange(wire, end, case.mode, at_us=late * 1000), MODEL, TERMS)
    words = {one.word for one in heard.faults}
    if expect["class"] in ("pass", PARAM_IGNORED) or expect["reason"] in BY_NEIGHBOURS:
        assert word(heard) == "pass", words
    else:
        assert word(heard) == f"{expect['class']}:{expect['reason']}", words
    assert set(expect.get("also", ())) <= also(heard)
    if expect["reason"] in set(FLAGS) - set(BY_NEIGHBOURS):
        assert expect["reason"] in heard.flags


def test_the_scripted_faults_are_there():
    assert len(FILES) >= 80
