"""A recording answers what was recorded and refuses everything else, with a status that no client tries again."""

from __future__ import annotations

from pathlib import Path

import pytest

from denominator.adapters.gateway.proxy.answers import WORDS
from denominator.adapters.gateway.proxy.cassette import CassetteOrigin, events_of
from denominator.adapters.gateway.proxy.origins import origin_of
from denominator.adapters.gateway.proxy.settings import Settings
from denominator.adapters.gateway.upstream import Upstream
from denominator.errors import InputError
from denominator.records.cassettes import BROKEN, NOT_PLAYED
from denominator.records.envelopes import GatewayTerms, ProviderFault
from denominator.wire.cassettes import read_cassette
from unit.adapters.gateway.proxy.tapes import SSE, STREAM, call, got, recorded, tape


def test_the_recorded_answer_comes_back_with_its_head_and_is_marked(tmp_path: Path) -> None:
    sha = tape(tmp_path, recorded(tmp_path, response=b'{"ok":1}', headers={"content-type": "a/b", "retry-after": "3"}))
    asked = call()
    head, pieces, word, _ = got(CassetteOrigin(tmp_path, sha), asked)
    assert head is not None
    assert (head.status, head.headers, head.length) == (200, [("content-type", "a/b"), ("retry-after", "3")], 8)
    assert (b"".join(pieces), word) == (b'{"ok":1}', "")
    assert (asked.marks.cassette, asked.marks.sent, asked.marks.differs) == (sha, True, ())


def test_a_stream_comes_event_by_event(tmp_path: Path) -> None:
    tape(tmp_path, recorded(tmp_path, response=STREAM, headers=SSE))
    head, pieces, word, _ = got(CassetteOrigin(tmp_path, ""), call())
    assert (len(pieces), b"".join(pieces), word, head.length) == (3, STREAM, "", None)


@pytest.mark.parametrize("body", [b"", b"a", b"a\n\nb", b"\n\n", b"a\r\n\r\nb\r\n\r\n"])
def test_events_together_are_the_stream(body: bytes) -> None:
    assert b"".join(events_of(body)) == body


def test_another_request_is_refused_with_the_place(tmp_path: Path) -> None:
    tape(tmp_path, recorded(tmp_path, b'{"messages":[{"content":"ab"}]}'))
    asked = call(b'{"messages":[{"content":"aX"}]}')
    head, _, word, status = got(CassetteOrigin(tmp_path, ""), asked)
    assert (head, word, status) == (None, "cassette_mismatch", 400)
    assert (asked.marks.differs, asked.marks.sent) == (("messages[0].content at character 2",), False)


@pytest.mark.parametrize("told", [{"method": "GET"}, {"path": "/v1/messages"}])
def test_another_path_or_method_is_another_request(tmp_path: Path, told: dict[str, str]) -> None:
    tape(tmp_path, recorded(tmp_path, **told))
    assert got(CassetteOrigin(tmp_path, ""), call())[2] == "cassette_mismatch"


def test_volatile_places_of_the_recording_and_of_the_envelope_may_differ(tmp_path: Path) -> None:
    tape(tmp_path, recorded(tmp_path, b'{"id":"1","at":2,"n":3}', volatile=("id",)), volatile=("id",))
    other = call(b'{"id":"9","at":8,"n":3}')
    assert got(CassetteOrigin(tmp_path, "", ("at",)), other)[2] == ""
    assert got(CassetteOrigin(tmp_path, ""), other)[2] == "cassette_mismatch"
    assert got(CassetteOrigin(tmp_path, "", ("at",)), call(b'{"id":"9","at":8,"n":4}'))[2] == "cassette_mismatch"


@pytest.mark.parametrize("asked", [call(seq=2), call(task="u"), call(attempt=2)])
def test_a_call_that_was_not_recorded_is_refused(tmp_path: Path, asked) -> None:
    tape(tmp_path, recorded(tmp_path))
    head, _, word, status = got(CassetteOrigin(tmp_path, ""), asked)
    assert (head, word, status, asked.marks.sent) == (None, "cassette_spent", 400, False)
    assert asked.marks.differs


def test_calls_of_one_attempt_are_told_apart_by_their_number(tmp_path: Path) -> None:
    tape(tmp_path, recorded(tmp_path, response=b"one"), recorded(tmp_path, response=b"two", call=2))
    origin = CassetteOrigin(tmp_path, "")
    assert [got(origin, call(seq=seq))[1] for seq in (2, 1)] == [[b"two"], [b"one"]]


@pytest.mark.parametrize(
    ("broke", "status", "sent"), [("connect_failed", 502, False), ("timeout", 504, True), ("no_answer", 502, True)]
)
def test_an_exchange_that_broke_before_its_head_breaks_again(
    tmp_path: Path, broke: str, status: int, sent: bool
) -> None:
    tape(tmp_path, recorded(tmp_path, status=0, headers={}, broke=broke, sent=sent))
    asked = call()
    head, _, word, told = got(CassetteOrigin(tmp_path, ""), asked)
    assert (head, word, told, asked.marks.sent) == (None, broke, status, sent)


def test_a_cut_body_is_cut_at_the_same_byte(tmp_path: Path) -> None:
    tape(tmp_path, recorded(tmp_path, response=STREAM[:20], headers=SSE, broke="response_cut"))
    _, pieces, word, _ = got(CassetteOrigin(tmp_path, ""), call())
    assert (b"".join(pieces), word) == (STREAM[:20], "response_cut")


@pytest.mark.parametrize("status", [0, 200])
def test_what_the_agent_cut_short_has_no_end_of_its_own(tmp_path: Path, status: int) -> None:
    tape(tmp_path, recorded(tmp_path, response=b"half", status=status, headers=SSE, broke="attempt_ended"))
    _, pieces, word, _ = got(CassetteOrigin(tmp_path, ""), call(), wait_s=0.2)
    assert (pieces, word) == ([b"half"] if status else [], "waits")


def test_another_cassette_than_the_sealed_one_is_refused(tmp_path: Path) -> None:
    sha = tape(tmp_path, recorded(tmp_path))
    with pytest.raises(InputError, match="sealed was"):
        CassetteOrigin(tmp_path, sha.replace(sha[0], "f" if sha[0] != "f" else "0"))


def test_a_damaged_answer_is_refused_and_never_played(tmp_path: Path) -> None:
    kept = recorded(tmp_path, response=b"text")
    tape(tmp_path, kept)
    next((tmp_path / "blobs" / kept.response[:2]).iterdir()).write_bytes(b"other")
    _, pieces, word, status = got(CassetteOrigin(tmp_path, ""), call())
    assert (pieces, word, status) == ([], "cassette_damaged", 400)


def test_files_that_were_edited_are_no_cassette(tmp_path: Path) -> None:
    tape(tmp_path, recorded(tmp_path))
    (tmp_path / "calls.jsonl").write_bytes(
        (tmp_path / "calls.jsonl").read_bytes().replace(b'"status":200', b'"status":201')
    )
    with pytest.raises(InputError, match="other calls"):
        read_cassette(tmp_path)
    with pytest.raises(InputError, match="no such folder"):
        read_cassette(tmp_path / "none")


def test_every_word_of_a_broken_exchange_can_be_played_or_is_of_the_playing_itself() -> None:
    assert set(WORDS) == {*BROKEN, *NOT_PLAYED}


def test_the_terms_name_who_answers(tmp_path: Path) -> None:
    tape(tmp_path, recorded(tmp_path, response=b"kept"))
    fault = (ProviderFault(kind="no_answer"),)
    nobody = Upstream("http", "127.0.0.1", 9, "/v1", "")
    for terms, said in (
        (GatewayTerms(cassette=str(tmp_path)), ([b"kept"], "")),
        (GatewayTerms(cassette=str(tmp_path), fault=fault), ([], "no_answer")),
        (GatewayTerms(fault=fault), ([], "no_answer")),
        (GatewayTerms(), ([], "connect_failed")),
    ):
        origin = origin_of(Settings(endpoint="http://127.0.0.1:9/v1", terms=terms), nobody)
        assert got(origin, call())[1:3] == said
