"""A run's calls -> a cassette -> the same answers: whatever was asked and however it ended."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import NoFailpoints
from denominator.adapters.gateway.proxy.cassette import CassetteOrigin
from denominator.adapters.store.blobs import FolderBlobs
from denominator.adapters.store.sqlite import SqliteJournal
from denominator.errors import InputError, OpenPromisesError
from denominator.pipeline.world import OpenRun
from denominator.records.cassettes import BROKEN, SealedCassette
from denominator.records.envelopes import GatewayTerms, ModelTerms
from denominator.records.events import Draft
from denominator.records.keys import AttemptKey
from denominator.records.rows import LEFT_WORDS, CallRow
from denominator.records.values import NotMeasured
from denominator.run.layout import RunFolder
from denominator.wire.canonical import sha256_bytes
from denominator.wire.cassettes import read_cassette
from denominator.wiring.cassettes import changed_cassette, copy_cassette, make_cassette, whole_cassette
from denominator.wiring.opening import Absent
from unit.adapters.gateway.proxy.tapes import call, got
from unit.compare.arms import SEAL

KEY = AttemptKey("r", "t", 1, 1)
SECRET = "sk-canary-record-0123456789"
SEALED = replace(SEAL, arm=replace(SEAL.arm, model=ModelTerms(key_env="TAPE_KEY")))


def a_run(
    folder: Path, calls: Iterable[CallRow], *, bodies: Iterable[bytes] = (), seal=SEALED, dead: int = 0
) -> OpenRun:
    """A finished run with these calls: one attempt of task t, of which `dead` incarnations died."""
    at = RunFolder(folder / "r")
    at.root.mkdir()
    at.blobs.mkdir()
    blobs = FolderBlobs(at.blobs)
    for body in bodies:
        blobs.put(body)
    journal = SqliteJournal(at.journal, "r", SystemClock(), NoFailpoints(), create=True)
    keys = sorted({one.key for one in calls} | {KEY})
    for key in keys:
        journal.append(_draft("promised", key, {"slice": "solvable"}))
        for number in range(1, dead + 2):
            journal.append(_draft("started", key, number=number))
            for one in (one for one in calls if (one.key, one.incarnation) == (key, number)):
                journal.put_calls(replace(one, outcome="open"))
                if one.outcome != "open":
                    journal.put_calls(one)
        journal.append(_draft("closed", key, {"stop_reason": "pass"}, number=dead + 1))
    return OpenRun(
        run_id="r", seal=seal, seal_digest="s" * 64, folder=at, pack_root=at.pack, journal=journal, blobs=blobs, agent=Absent()
    )  # fmt: skip


def _draft(kind: str, key: AttemptKey, payload=None, number: int = 1) -> Draft:
    return Draft(kind=kind, phase="harness", writer="harness", payload=payload or {}, key=key, incarnation=number)


def row(seq: int, request: bytes, response: bytes | None, key: AttemptKey = KEY, **fields) -> CallRow:
    told = {
        "outcome": "ok", "sent": True, "status": 200, "method": "POST", "path": "/v1/chat/completions",
        "request_sha256": sha256_bytes(request), "content_type": "application/json",
        "response_sha256": NotMeasured("no answer came") if response is None else sha256_bytes(response),
    }  # fmt: skip
    return CallRow(key=key, seq=seq, **told | fields)


REQUESTS = st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=9) | st.none(), max_size=3).map(
    lambda one: json.dumps(one).encode("utf-8", "surrogatepass")
) | st.binary(max_size=20)
EXCHANGES = st.tuples(
    REQUESTS,
    st.none() | st.binary(max_size=30),
    st.sampled_from([200, 429, 500]),
    st.sampled_from(["", *(word for word in BROKEN if word not in LEFT_WORDS)]),
    st.sampled_from(["application/json", "text/event-stream"]),
)


@settings(max_examples=25, deadline=None)
@given(st.lists(EXCHANGES, min_size=1, max_size=4))
def test_what_was_recorded_is_what_is_played(exchanges) -> None:
    with tempfile.TemporaryDirectory(prefix="denominator-tape-") as name:
        folder = Path(name)
        rows, bodies = [], []
        for seq, (request, response, status, broke, kind) in enumerate(exchanges, 1):
            head = {} if response is not None else {"status": NotMeasured("no answer came")}
            ended = {"error": broke, "outcome": "gave_up"} if broke else {}
            rows.append(row(seq, request, response, content_type=kind, **{"status": status} | head | ended))
            bodies += [request, *([response] if response is not None else [])]
        run = a_run(folder, rows, bodies=bodies)
        with closing(run.journal):
            made = make_cassette(run, folder / "tape", (), {})
        assert (made.calls, made.attempts, made.left_out) == (len(exchanges), 1, {})
        origin = CassetteOrigin(folder / "tape", whole_cassette(folder / "tape").sha256)
        for seq, (request, response, status, broke, kind) in enumerate(exchanges, 1):
            head, pieces, word, _ = got(origin, call(request, seq=seq))
            assert b"".join(pieces) == (response or b"")
            assert word == (broke if broke or response is not None else "no_answer")
            if response is not None:
                assert (head.status, dict(head.headers)["content-type"]) == (status, kind)


def made_of(folder: Path, *rows: CallRow, bodies: Iterable[bytes] = (b"{}", b"a"), volatile=(), environ=None, **run):
    opened = a_run(folder, rows, bodies=bodies, **run)
    with closing(opened.journal):
        return make_cassette(opened, folder / "tape", volatile, environ or {})


def test_calls_that_are_asked_again_or_refused_again_are_left_out(tmp_path: Path) -> None:
    made = made_of(
        tmp_path,
        row(1, b"{}", b"a", incarnation=1),
        row(1, b"{}", b"a", incarnation=2),
        row(2, b"{}", None, incarnation=2, outcome="open"),
        row(3, b"{}", None, incarnation=2, outcome="gave_up", sent=False, error="bad_token", purpose="refused"),
        row(4, b"{}", None, incarnation=2, outcome="gave_up", sent=False, cap_state="tokens", error="budget_exhausted"),
        row(5, b"{}", None, incarnation=2, outcome="gave_up", sent=False, error="connect_failed"),
        row(6, b"{}", b"a", incarnation=2, outcome="gave_up", sent=False, injected="rate_limit", status=429),
        dead=1,
    )
    assert made.left_out == {"dead_incarnation": 1, "open": 1, "refused": 2}
    calls = read_cassette(tmp_path / "tape").calls.values()
    assert [(one.call, one.sent, one.broke) for one in calls] == [
        (1, True, ""), (5, False, "connect_failed"), (6, False, ""),
    ]  # fmt: skip


def test_a_warm_up_and_every_attempt_have_calls_of_their_own(tmp_path: Path) -> None:
    keys = [AttemptKey("r", "t", 0, 1), KEY, AttemptKey("r", "t", 1, 2), AttemptKey("r", "u", 2, 1)]
    made = made_of(tmp_path, *(row(1, b"{}", b"a", key) for key in keys))
    assert (made.calls, made.attempts) == (4, 4)
    assert sorted(read_cassette(tmp_path / "tape").calls) == [
        ("t", 0, 1, 1),
        ("t", 1, 1, 1),
        ("t", 1, 2, 1),
        ("u", 2, 1, 1),
    ]


def test_the_key_is_covered_wherever_it_should_stand(tmp_path: Path) -> None:
    request, response = json.dumps({"k": SECRET}).encode(), f"so {SECRET}".encode()
    made_of(
        tmp_path,
        row(1, request, response, request_id=f"id-{SECRET}"),
        bodies=(request, response),
        environ={"TAPE_KEY": SECRET},
    )
    blobs = FolderBlobs(tmp_path / "tape" / "blobs")
    (kept,) = read_cassette(tmp_path / "tape").calls.values()
    assert blobs.get(kept.response) == b"so " + b"*" * len(SECRET)
    assert SECRET.encode() not in blobs.get(kept.request)
    assert all(SECRET.encode() not in path.read_bytes() for path in (tmp_path / "tape").rglob("*") if path.is_file())


def test_volatile_places_are_taken_out_before_anything_is_kept(tmp_path: Path) -> None:
    request = b'{"session":"secret-of-today","n":1,"at":2}'
    terms = replace(SEALED, envelope=replace(SEALED.envelope, gateway=GatewayTerms(volatile=("session",))))
    made = made_of(tmp_path, row(1, request, b"a"), bodies=(request, b"a"), volatile=["at", "at"], seal=terms)
    assert made.volatile == ("at", "session")
    (kept,) = read_cassette(tmp_path / "tape").calls.values()
    assert FolderBlobs(tmp_path / "tape" / "blobs").get(kept.request) == b'{"n":1}'


def test_a_run_that_cannot_be_recorded_says_why_and_leaves_nothing(tmp_path: Path) -> None:
    for number, (rows, seal, says) in enumerate(
        (
            ([row(1, b"{}", b"gone")], SEALED, "have no texts"),
            ([], SEALED, "no call of a model"),
            (
                [row(1, b"{}", b"a")],
                replace(SEALED, cassette=SealedCassette(sha256="a", run_id="first", seal="s")),
                "itself played",
            ),
        )
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        with pytest.raises(InputError, match=says):
            made_of(folder, *rows, seal=seal)
        assert sorted(path.name for path in folder.iterdir()) == ["r"]
    with pytest.raises(InputError, match="no places of a request"):
        (tmp_path / "places").mkdir()
        made_of(tmp_path / "places", row(1, b"{}", b"a"), volatile=["a..b"])


def test_an_open_promise_is_no_finished_run(tmp_path: Path) -> None:
    run = a_run(tmp_path, [row(1, b"{}", b"a")], bodies=(b"{}", b"a"))
    with closing(run.journal):
        run.journal.append(_draft("promised", AttemptKey("r", "later", 1, 1), {"slice": "solvable"}))
        with pytest.raises(OpenPromisesError):
            make_cassette(run, tmp_path / "tape", (), {})


def test_a_copy_is_whole_or_refused(tmp_path: Path) -> None:
    made_of(tmp_path, row(1, b"{}", b"a"))
    sealed = whole_cassette(tmp_path / "tape").sealed
    assert (sealed.run_id, sealed.seal, sealed.calls) == ("r", "s" * 64, 1)
    (tmp_path / "one").mkdir()
    copy_cassette(tmp_path / "tape", tmp_path / "one" / "cassette", sealed)
    assert whole_cassette(tmp_path / "one" / "cassette").sealed == sealed
    assert changed_cassette(tmp_path / "one", sealed) == ""
    assert "sealed was 000000000000" in changed_cassette(tmp_path / "one", replace(sealed, sha256="0" * 64))
    with pytest.raises(InputError, match="changed while"):
        copy_cassette(tmp_path / "tape", tmp_path / "two", replace(sealed, sha256="0" * 64))
    kept = next(iter(read_cassette(tmp_path / "tape").calls.values()))
    (tmp_path / "tape" / "blobs" / kept.response[:2] / kept.response[2:]).unlink()
    with pytest.raises(InputError, match="damaged: 1 of its blobs"):
        whole_cassette(tmp_path / "tape")


def test_a_call_without_a_body_needs_no_text(tmp_path: Path) -> None:
    listing = row(1, b"", b"", method="GET", path="/v1/models", purpose="listing")
    assert made_of(tmp_path, listing, bodies=()).calls == 1
    asked = replace(call(b""), method="GET", below="/models")
    head, pieces, word, _ = got(CassetteOrigin(tmp_path / "tape", ""), asked)
    assert (head.status, head.length, pieces, word) == (200, 0, [], "")
