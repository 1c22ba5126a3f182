"""Every known text has its examples, and near misses that say the same words in another way."""

from __future__ import annotations

import re

import pytest

from denominator.labels.causes import UNKNOWN_CAUSE, cause_rule
from denominator.readers.logs import SIGNATURES, Signature, hints_of, read_log

STREAM = {"S": "setup/err", "P": "harness/err", "B": "harness/err", "H": "harness/out", "V": "verify/err"}
OF_AGENT = ("agent/out", "agent/err", "verify/out")
BARE = (
    b"429",
    b"500 503 137",
    b"line 404",
    b"killed",
    b"Killed: 14",
    b"timeout",
    b"timed out",
    b"error",
    b"rate limit",
)
PROSE = (
    b"The client now raises on quota exceeded, resource exhausted and rate limit.",
    b"API Error, fetch failed and overloaded are mapped to one class.",
    b"mutants: 14 total, 14 killed, 0 survived",
    b"# HTTP 500 handler returns a JSON body",
    b'{"result_bytes":503429,"request_id":"req_4290137"}',
)


def names(stream: str, text: bytes, one: Signature | None = None) -> set[str]:
    log = read_log("x", [b"10:00:00.000 " + stream.encode() + b"| " + text + b"\n"])
    return {hit.signature for hit in log.hits}


def test_names_are_unique_and_every_signature_is_shown_by_example() -> None:
    assert len({one.name for one in SIGNATURES}) == len(SIGNATURES)
    assert not [one.name for one in SIGNATURES if not one.examples or not one.misses]
    assert len({one.family for one in SIGNATURES}) >= 20


@pytest.mark.parametrize("one", SIGNATURES, ids=lambda one: one.name)
def test_examples_match_where_they_may_count_and_nowhere_else(one: Signature) -> None:
    for example in one.examples:
        for letter in one.where:
            assert one.name in names(STREAM[letter], example), (letter, example)
        for stream in OF_AGENT:
            assert names(stream, example) == set(), (stream, example)


@pytest.mark.parametrize("one", SIGNATURES, ids=lambda one: one.name)
def test_near_misses_do_not_match(one: Signature) -> None:
    for miss in one.misses:
        for letter in one.where:
            assert one.name not in names(STREAM[letter], miss), (letter, miss)


@pytest.mark.parametrize("one", SIGNATURES, ids=lambda one: one.name)
def test_a_signature_counts_only_in_the_places_of_its_letters(one: Signature) -> None:
    for example in one.examples:
        if not set(one.where) & set("V"):
            assert one.name not in names("verify/err", example)
        if not set(one.where) & set("SBH"):
            assert one.name not in names("setup/out", example)


@pytest.mark.parametrize("one", SIGNATURES, ids=lambda one: one.name)
def test_causes_are_words_of_the_cause_table_and_patterns_stay_on_one_line(one: Signature) -> None:
    for cause in (one.cause, one.setup_cause, *one.after.values()):
        if cause and not one.vague:
            assert cause_rule(cause) is not UNKNOWN_CAUSE, cause
    assert one.vague == (one.cause == "unknown")
    assert set(one.where) <= set("SPBVH")
    assert not re.search(rb"(?<!\\)\.[*+]", one.pattern), "an open gap could cross the line"


@pytest.mark.parametrize("text", BARE + PROSE)
def test_bare_numbers_and_prose_never_match(text: bytes) -> None:
    for stream in STREAM.values():
        assert names(stream, text) == set(), stream


def causes(*lines: str, network: str = "") -> list[str]:
    text = "".join(f"10:00:{second:02}.000 {line}\n" for second, line in enumerate(lines))
    return [hint.cause for hint in hints_of(read_log("x", [text.encode()]), network)]


MISSING = "verify/err| ERROR: No matching distribution found for covlite==2.1"
RETRYING = (
    "verify/err| WARNING: Retrying (total=0) after connection broken: [Errno 111] Connection refused: /simple/covlite/"
)


def test_the_same_last_line_means_the_network_only_after_connection_warnings_of_its_own_phase() -> None:
    assert causes(RETRYING, MISSING) == ["network_down", "network_down"]
    assert causes(MISSING) == ["install_refused"]
    assert causes(MISSING, RETRYING) == ["install_refused", "network_down"]
    assert causes(RETRYING.replace("verify", "setup"), MISSING) == ["network_down", "install_refused"]
    assert causes(RETRYING.replace("verify/err", "agent/out"), MISSING) == ["install_refused"]


def test_with_the_network_off_an_unreachable_network_means_nothing_in_the_verifier() -> None:
    assert causes(RETRYING, MISSING, network="off") == ["install_refused"]
    assert causes("verify/err| curl: (6) Could not resolve host: x.invalid", network="off") == []
    setup = "setup/err| fatal: unable to access 'https://x.invalid/': Could not resolve host: x.invalid"
    assert causes(setup, network="off") == ["clone_failed"]


def test_a_context_length_message_inside_a_server_error_is_no_server_error() -> None:
    assert causes("harness/err| InternalServerError: Error code: 500 - maximum context length is 8192") == [
        "context_window"
    ]
    assert causes("harness/err| InternalServerError: Error code: 500 - try later") == ["provider_error"]


def test_the_clock_comes_before_the_certificate() -> None:
    assert causes("verify/err| curl: (60) SSL certificate problem: certificate is not yet valid") == ["clock_skew"]
    expired = "verify/err| SSL certificate problem: certificate has expired"
    assert causes(expired) == ["tls_broken"]
    assert causes("verify/err| make: warning:  Clock skew detected.", expired) == ["clock_skew", "clock_skew"]


def test_loopback_and_deliberately_full_devices_are_the_tests_own() -> None:
    assert causes("harness/err| connect ECONNREFUSED 127.0.0.1:8000") == []
    assert causes("verify/err| connect ECONNREFUSED 127.0.0.1:8000") == ["unknown"]
    assert causes("verify/err| write to /dev/full: No space left on device") == []


def test_what_names_a_cause_comes_before_what_does_not() -> None:
    gone = "harness/err| sandbox not found (404)"
    assert causes(gone, "harness/err| OSError: [Errno 28] No space left on device") == ["disk_full", "unknown"]


def test_a_phase_can_give_the_same_text_another_cause() -> None:
    cut = "err| client_loop: send disconnect: Broken pipe"
    assert causes(f"setup/{cut}") == ["clone_failed"]
    assert causes(f"harness/{cut}") == ["sandbox_unreachable"]
