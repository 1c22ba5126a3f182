"""What is heard beside the class: flags, times, digests, observations, and a verdict for each promise."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace

import pytest

from denominator.records.probe_results import NOT_READ
from denominator.records.probe_words import FLAGS
from denominator.records.values import NotMeasured
from unit.probe.heard_cases import control, doc, json_said, piece, said, told, tool_stream
from unit.probe.hearing_lab import (
    CASES,
    MODEL,
    TERMS,
    TEXT,
    also,
    call,
    called,
    chunk,
    counts,
    document,
    dumps,
    events,
    exchange,
    hear,
    http,
    last,
    plain,
    spoken,
    stream,
    word,
)

SSE = {"content-type": "text/event-stream"}
RUNNING = [chunk({"content": "OK."}, "stop", usage=counts((12, 1))), last()]


def late(at_us: int):
    return lambda: hear(CASES["answer"], exchange(http(dumps(document())), at_us=at_us), MODEL, TERMS)


def limited(**headers: str):
    return doc(b"", status=429, headers={name.replace("_", "-"): value for name, value in headers.items()})


RAISED = (
    ("model_mismatch", doc(document() | {"model": "m-2024-08-06"}), doc(document())),
    (
        "model_mismatch",
        told(events(chunk({"content": "OK."}, "stop", model="x"), last())),
        doc(document() | {"model": ""}),
    ),
    (
        "fingerprint_changed",
        told(events(*(one | {"system_fingerprint": str(at)} for at, one in enumerate(RUNNING)))),
        told(events(*RUNNING)),
    ),
    ("usage_repeated", told(events(*RUNNING)), told(spoken("OK."))),
    ("usage_repeated", told(events(*RUNNING)), told(events(chunk({"content": "OK."}, "stop", usage=None), last()))),
    ("nonstandard_error_shape", control(422, b'{"detail": []}'), control(400)),
    ("nonstandard_error_shape", control(400, b'{"error": "no"}'), control(400, b"<html>")),
    ("gzip_unrequested", doc(gzip.compress(dumps(document())), headers={"content-encoding": "gzip"}), doc(document())),
    ("slow", late(1_000_001), late(1_000_000)),
    ("sse_comments", told(b": x\n\n" + spoken("OK.")), told(spoken("OK."))),
    ("open_after_done", told(spoken("OK."), end="done"), told(spoken("OK."))),
    ("bytes_after_end", told(spoken("OK.") + spoken("OK.")), told(spoken("OK."))),
    (
        "bytes_after_end",
        lambda: hear(CASES["answer"], exchange(http(dumps(document())) + b"HTTP/1.1 400"), MODEL, TERMS),
        doc(document()),
    ),
    ("retry_after_unreadable", limited(retry_after="soon"), limited(retry_after="Wed, 21 Oct 2026 07:28:00 GMT")),
    (
        "retry_after_unreadable",
        limited(retry_after_ms="", retry_after="7"),
        limited(retry_after_ms="7000", retry_after="7.5"),
    ),
    (
        "key_echoed",
        lambda: hear(CASES["answer"], exchange(http(dumps(document())), key_echoed=True), MODEL, TERMS),
        doc(document()),
    ),
    ("cut_by_cap", said("OK.", finish="length"), said("Some words", "cap", "length")),
)


@pytest.mark.parametrize(("flag", "shown", "without"), RAISED)
def test_a_flag_is_raised_by_its_oddity_and_changes_no_class(flag, shown, without):
    assert flag in shown().flags
    assert flag not in without().flags
    assert word(shown()) in ("pass", "http_error:rate_limited")


def test_every_flag_has_an_example():
    assert {flag for flag, *_ in RAISED} == set(FLAGS)


def test_times_are_of_the_byte_the_first_text_and_the_final_event():
    body = events(chunk({"role": "assistant", "content": ""}), chunk({"content": "OK."}), chunk({}, "stop"), last())
    head = http(b"", headers=SSE, framing="eof")
    text = len(head) + body.index(b"OK.")
    at = (
        (5, 10),
        (len(head) + 3, 20),
        (text, 30),
        (text + 200, 40),
        (len(head) + len(body), 50),
        (len(head) + len(body) + 2, 60),
    )
    made = exchange(head + body + b"\n\n", "done", "stream", at=at, end_us=900)
    heard = hear(CASES["answer"], made, MODEL, TERMS)
    assert (heard.first_byte_us, heard.first_content_us, heard.total_us) == (10, 40, 50)


def test_a_first_empty_piece_is_no_text_and_a_call_is_one():
    heard = tool_stream(
        [piece("", 0, id="a", function={"name": "get_weather", "arguments": '{"city": "x", "days": 1}'})]
    )()
    assert isinstance(heard.first_content_us, int) and word(heard) == "pass"
    assert isinstance(told(events(chunk({"content": ""}, "stop"), last()))().first_content_us, NotMeasured)


def test_times_through_gzip_are_of_the_coded_bytes():
    coded = gzip.compress(spoken("OK."))
    wire = http(coded, headers=SSE | {"content-encoding": "gzip"})
    heard = hear(CASES["answer"], exchange(wire, mode="stream", cut=range(0, len(wire), 10)), MODEL, TERMS)
    assert word(heard) == "pass"
    assert heard.first_byte_us < heard.first_content_us <= heard.total_us


def test_a_document_has_no_first_text_and_ends_when_http_does():
    heard = doc(document())()
    assert isinstance(heard.first_content_us, NotMeasured)
    assert heard.total_us == 500_000


def test_what_did_not_end_has_no_total():
    assert isinstance(
        told(spoken("O", done=False), end="gap", framing="", headers=SSE | {"content-length": "999"})().total_us,
        NotMeasured,
    )
    assert doc(b"", status=500)().total_us == 500_000


def test_one_text_and_one_call_have_one_digest_plain_and_streamed():
    assert said(TEXT, "text")().content_sha256 == told(spoken(*TEXT), "text")().content_sha256
    arguments = '{"city": "Oslo", "days": 3}'
    parts = [
        piece("", 0, id="b", function={"name": "get_weather", "arguments": ""}),
        piece(arguments[:9], 0),
        piece(arguments[9:], 0),
    ]
    assert plain("call", called(call())).content_sha256 == tool_stream(*([one] for one in parts))().content_sha256
    assert (
        plain("call", called(call('{"city": "Oslo", "days": 4}'))).content_sha256
        != plain("call", called(call())).content_sha256
    )
    assert isinstance(said("")().content_sha256, NotMeasured)


def test_an_emoji_cut_between_two_pieces_is_whole_and_one_half_is_not():
    case = replace(CASES["text"], expect={"text": "a😀b"})
    whole = events(
        *(
            b'data: {"choices":[{"index":0,"delta":{"content":"' + one + b'"}}]}\n\n'
            for one in (b"a\\ud83d", b"\\ude00b")
        ),
        chunk({}, "stop"),
        last(),
    )
    assert word(stream(case, whole)) == "pass"
    assert word(stream(case, whole.replace(b"\\ude00", b""))) == "content_miss:unicode_loss"


@pytest.mark.parametrize(
    ("heard", "wanted"),
    [
        (doc(document()), True),
        (json_said("not JSON"), True),
        (said("", message={"reasoning": "x"}), True),
        (told(spoken("OK.")), True),
        (doc(document(), status=201), False),
        (doc({"error": {"code": 1}}), False),
        (told(spoken("OK.", done=False)), False),
        (told(dumps(document()), framing="length"), False),
        (doc(b"<html>"), False),
        (control(400), False),
        (control(200, dumps(document())), False),
    ],
)
def test_complete_is_a_whole_answer_to_a_good_request(heard, wanted):
    assert heard().complete is wanted


OBSERVED = (
    ("stream", told(dumps(document()), framing="length"), told(dumps({"error": {"code": 1}}), framing="length")),
    ("max_tokens", said("word " * 100, "cap", usage=(12, 90)), said("word", "cap", usage=(12, 90))),
    (
        "tool_choice",
        said("It is sunny.", "call"),
        lambda: plain(
            replace(CASES["call"], request={**CASES["call"].request, "tool_choice": "auto"}), document("Sunny.")
        ),
    ),
    (
        "response_format",
        lambda: plain(replace(CASES["json"], request={"response_format": {"type": "json_object"}}), document("Two.")),
        json_said("Two."),
    ),
)


@pytest.mark.parametrize(("name", "shown", "without"), OBSERVED)
def test_a_parameter_that_was_ignored_is_told_beside_the_class(name, shown, without):
    assert f"param_ignored:{name}" in also(shown())
    assert not any(one.observed for one in without().faults)
    assert not word(shown()).startswith("param_ignored")


def test_a_cut_value_says_nothing_of_form_shape_and_value():
    heard = json_said('{"ok": tr', "length")()
    assert word(heard) == "format_drift:cut_by_cap" and "cut_by_cap" in heard.flags
    assert {heard.judgements[one] for one in ("format", "schema", "value")} == {"not_evaluable"}
    assert heard.judgements["finish"] == "pass"


def test_a_fault_of_the_count_hides_behind_no_other_fault():
    heard = json_said("nothing", usage=(12, 900))()
    assert word(heard) == "accounting_anomaly:completion_gt_max"
    assert "format_drift:not_json" in also(heard)
    assert (heard.judgements["accounting"], heard.judgements["format"], heard.judgements["transport"]) == (
        "fail",
        "fail",
        "pass",
    )


def test_what_broke_off_says_nothing_of_what_was_to_follow():
    heard = told(spoken("O", done=False), end="reset", framing="", headers=SSE | {"content-length": "99999"})()
    assert [one.word for one in heard.faults] == ["transport_error:reset"]
    assert {heard.judgements[one] for one in ("finish", "accounting", "content", "value")} == {"not_evaluable"}


def test_an_error_before_the_connection_broke_is_told_beside_it():
    heard = told(
        events({"error": {"code": 1}}, done=False), end="reset", framing="", headers=SSE | {"content-length": "9999"}
    )()
    assert word(heard) == "transport_error:reset" and also(heard) == {"inband_error:error_in_stream"}


def test_a_case_names_its_own_model():
    case = replace(CASES["answer"], model="own")
    assert "model_mismatch" not in plain(case, document() | {"model": "own"}).flags
    assert "model_mismatch" in plain(case, document()).flags


def test_no_text_of_an_answer_is_kept():
    secret = "cedar-9431"
    for made in (
        json_said(f"{secret} {{"),
        said(secret, "text"),
        doc({"error": {"message": secret}}),
        doc(called(call(json.dumps({secret: 1}), name=secret)), "call"),
        control(400, secret.encode()),
    ):
        assert secret not in repr(made())


def test_nothing_is_read_of_an_answer_that_never_came():
    heard = hear(CASES["answer"], exchange(b"", "refused"), MODEL, TERMS)
    assert heard.status is NOT_READ and heard.body_sha256 is NOT_READ and not heard.usage.prompt
