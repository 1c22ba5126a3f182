"""The bytes of requests, and the order in which a window asks."""

from __future__ import annotations

import base64
import json
from collections import Counter
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.probe.asking import request_body
from denominator.probe.order import asks, warming
from denominator.records.probes import Case, Fixture, Terms
from denominator.wire.providers import read_request

OK = Case(id="a", group="accounting", kind="answer", prompt="Sag „OK“.")
BAD = Case(id="b", group="malformed", kind="malformed")


def test_a_request_is_canonical_json() -> None:
    """Keys sorted, text as it is, temperature as a number, nothing about streams in a plain request."""
    assert request_body(OK, "plain", "m/1").decode() == (
        '{"max_tokens":64,"messages":[{"content":"Sag „OK“.","role":"user"}],"model":"m/1","temperature":0}'
    )


def test_the_cap_goes_out_under_the_name_that_the_endpoint_takes() -> None:
    """One name, never both; a control goes out as it was written; the reader of requests finds the same cap."""
    for mode in ("plain", "stream"):
        sent = request_body(OK, mode, "m", "max_completion_tokens")
        assert json.loads(sent)["max_completion_tokens"] == OK.max_tokens and b'"max_tokens"' not in sent
        assert read_request(sent).output_cap == read_request(request_body(OK, mode, "m")).output_cap == OK.max_tokens
    written = replace(BAD, body={"max_tokens": -1})
    assert request_body(written, "plain", "m", "max_completion_tokens") == request_body(written, "plain", "m")


def test_a_streamed_request_asks_for_usage() -> None:
    """Unless the case says not to."""
    sent = json.loads(request_body(OK, "stream", "m"))
    assert (sent["stream"], sent["stream_options"]) == (True, {"include_usage": True})
    assert "stream_options" not in json.loads(request_body(replace(OK, stream_usage=False), "stream", "m"))


def test_further_fields_and_a_model_of_its_own() -> None:
    """`request` goes in as it stands, the case's model stands for the envelope's, a temperature may be left out."""
    case = replace(OK, system="s", model="own", temperature="", request={"tools": [], "seed": 1})
    sent = json.loads(request_body(case, "plain", "m"))
    assert [one["role"] for one in sent["messages"]] == ["system", "user"]
    assert (sent["model"], sent["tools"], sent["seed"], "temperature" in sent) == ("own", [], 1, False)


def test_a_temperature_is_sent_exactly() -> None:
    """Decimal text as the JSON number of that value."""
    for text, number in (("0.70", b"0.7"), ("1", b"1"), ("0.0000001", b"0.0000001"), ("2.0", b"2")):
        assert b'"temperature":' + number + b"}" in request_body(replace(OK, temperature=text), "plain", "m")


def test_controls_are_sent_as_they_were_written() -> None:
    """Text and bytes with the model's name put in as JSON; an object with the model where it names none."""
    cut = replace(BAD, body='{"model": $model, "messages": [')
    assert request_body(cut, "plain", 'a"b') == rb'{"model": "a\"b", "messages": ['
    assert request_body(replace(BAD, body=""), "plain", "m") == b""
    raw = base64.b64encode(b'{"model": $model, "\xff').decode()
    assert request_body(replace(BAD, body={"$base64": raw}), "plain", "é") == '{"model": "é", "'.encode() + b"\xff"
    assert json.loads(request_body(replace(BAD, body={"messages": []}), "plain", "m")) == {"messages": [], "model": "m"}
    assert json.loads(request_body(replace(BAD, body={"model": None}), "plain", "m")) == {"model": None}
    assert json.loads(request_body(replace(BAD, model="own", body={}), "plain", "m")) == {"model": "own"}


CASES = st.lists(
    st.builds(
        Case,
        id=st.text("abcdef", min_size=1, max_size=3),
        group=st.just("accounting"),
        kind=st.sampled_from(["answer", "malformed"]),
        mode=st.sampled_from(["plain", "stream", "both"]),
        model=st.sampled_from(["", "own"]),
    ),
    min_size=1,
    max_size=6,
    unique_by=lambda case: case.id,
)


@settings(max_examples=60, deadline=None)
@given(CASES, st.integers(1, 4), st.integers(0, 3), st.integers(), st.integers(1, 3), st.randoms())
def test_the_order_is_a_permutation_of_all_attempts(
    cases: list[Case], attempts: int, warmups: int, seed: int, window: int, chance: object
) -> None:
    """Warm-ups first, then each attempt of each case and mode once; numbered from 1; the file's order changes nothing."""
    terms = Terms(attempts=attempts, warmups=warmups, seed=seed)
    found = asks(Fixture(name="f", sha256="", cases=tuple(cases)), terms, window)
    assert [one.seq for one in found] == list(range(1, len(found) + 1))
    assert [one.purpose for one in found] == ["warmup"] * warmups + ["measured"] * (len(found) - warmups)
    measured = [(one.case_id, one.mode, one.attempt) for one in found[warmups:]]
    wanted = [(case.id, str(mode), n) for case in cases for mode in case.modes for n in range(1, attempts + 1)]
    assert Counter(measured) == Counter(wanted)
    chance.shuffle(cases)  # type: ignore[attr-defined]
    again = asks(Fixture(name="g", sha256="", cases=tuple(cases)), terms, window)
    assert [(one.case_id, one.mode, one.attempt) for one in again[warmups:]] == measured


def test_another_window_and_another_seed_give_another_order() -> None:
    """And the same ones give the same, on every machine: the first places are frozen here."""
    fixture = Fixture(name="f", sha256="", cases=tuple(replace(OK, id=f"c{n}") for n in range(8)))
    one, two, three = (
        [(ask.case_id, ask.attempt) for ask in asks(fixture, Terms(seed=seed, warmups=0), window)]
        for seed, window in ((1, 1), (1, 2), (2, 1))
    )
    assert len({tuple(one), tuple(two), tuple(three)}) == 3
    assert one[:4] == [("c6", 2), ("c7", 2), ("c4", 1), ("c1", 3)]


def test_what_warms_up_is_a_good_request_of_the_model_that_is_measured() -> None:
    """A control asks for nothing, and a case with a model of its own would wake another one."""
    own = replace(OK, id="own", model="x")
    fixture = Fixture(name="f", sha256="", cases=(BAD, own, OK))
    assert warming(fixture) == OK
    assert warming(replace(fixture, cases=(BAD, own))) == own
    assert warming(replace(fixture, cases=(BAD,))) == BAD


def test_a_fraction_of_a_request_goes_out_as_a_number() -> None:
    """Whatever its spelling; whole numbers and text beside it stay what they are."""
    case = replace(OK, request={"top_p": {"$decimal": "0.90"}, "seed": 7, "user": "0.9", "min_p": {"$decimal": "1"}})
    sent = request_body(case, "plain", "m").decode()
    assert '"top_p":0.9,' in sent or '"top_p":0.9}' in sent
    assert json.loads(sent) | {"messages": []} == {
        "max_tokens": 64,
        "messages": [],
        "model": "m",
        "temperature": 0,
        "top_p": 0.9,
        "seed": 7,
        "user": "0.9",
        "min_p": 1,
    }
