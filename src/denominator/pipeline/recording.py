"""`runs cassette`: a finished run -> its calls and their texts, to be played in the provider's place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from denominator.errors import InputError, OpenPromisesError, Problem
from denominator.pipeline.run import open_promises
from denominator.pipeline.world import OpenRun
from denominator.ports import Blobs
from denominator.records.cassettes import BROKEN, Cassette, RecordedCall
from denominator.records.rows import CallRow
from denominator.run.progress import Progress, read_progress
from denominator.wire.canonical import sha256_bytes
from denominator.wire.cassettes import write_cassette
from denominator.wire.requests import place_problem, request_form

KEPT = 'bodies = "keep" under [gateway], then run again'
HEADERS = (
    ("content-type", "content_type"),
    ("content-encoding", "content_encoding"),
    ("retry-after", "retry_after_s"),
    ("x-request-id", "request_id"),
)
MOST = 20
NOTHING = sha256_bytes(b"")


def record(run: OpenRun, folder: Path, blobs: Blobs, volatile: Iterable[str] = (), key: str = "") -> Cassette:
    """Write a cassette of every call of a finished run into a folder, its texts into `blobs`.

    `volatile` are places beside those that the envelope names; `key` is the provider's, which is covered wherever it
    should stand. Raises OpenPromisesError for a run that is not done, InputError for one whose texts were not kept.
    """
    places = sorted({*run.seal.envelope.gateway.volatile, *volatile})
    _refuse(run, places)
    states, left_out = read_progress(run.journal.events()), Counter[str]()
    made, missing = [], []
    for call in run.journal.calls():
        if why := _left_out(call, states.get(call.key)):
            left_out[why] += 1
        elif not _kept(run, call):
            missing.append(call)
        else:
            made.append(_recorded(run, call, blobs, places, key))
    _refuse_missing(run, missing)
    if not made:
        raise InputError("no call of a model was recorded in it", where=str(run.folder.root), fix="name another run")
    head = Cassette(
        run_id=run.run_id,
        seal=run.seal_digest,
        volatile=tuple(places),
        left_out=left_out,
        calls=0,
        attempts=0,
        calls_sha256="",
    )
    return write_cassette(folder, head, made)


def _refuse(run: OpenRun, places: Iterable[str]) -> None:
    where = str(run.folder.root)
    if open_promises(run):
        raise OpenPromisesError("promises are still open", where=where, fix=f"denominator resume {run.run_id}")
    if run.seal.cassette is not None:
        what = f"it was itself played from a recording of {run.seal.cassette.run_id}"
        raise InputError(what, where=where, fix=f"denominator runs cassette {run.seal.cassette.run_id} -o FOLDER")
    problems = [Problem("--volatile", why) for place in places if (why := place_problem(place))]
    if problems:
        raise InputError("these are no places of a request", problems=problems, fix="--volatile messages.*.id")


def _left_out(call: CallRow, state: Progress | None) -> str:
    """Why a call is in no cassette, or "". What dead incarnations asked is asked again, what the gateway refused refused."""
    if state is not None and call.incarnation != state.incarnation:
        return "dead_incarnation"
    if call.outcome == "open":
        return "open"
    own = call.sent is False and not call.injected and call.error not in BROKEN
    return "refused" if own or call.cap_state else ""


def _kept(run: OpenRun, call: CallRow) -> bool:
    wanted = [sha for sha in (call.request_sha256, call.response_sha256) if isinstance(sha, str)]
    return isinstance(call.request_sha256, str) and all(sha == NOTHING or run.blobs.has(sha) for sha in wanted)


def _text(run: OpenRun, sha256: str, key: str) -> bytes:
    """A kept text with as many asterisks in the place of the key; an empty one needs no blob."""
    text = run.blobs.get(sha256) if sha256 != NOTHING else b""
    return _covered(text, key)


def _refuse_missing(run: OpenRun, missing: list[CallRow]) -> None:
    if missing:
        problems = [Problem(_named(call), "its texts were not kept", KEPT) for call in missing[:MOST]]
        what = f"{len(missing)} calls have no texts, and a recording without them could not answer"
        raise InputError(what, where=str(run.folder.root), problems=problems)


def _named(call: CallRow) -> str:
    return f"{call.key.task_id} repeat {call.key.repeat} attempt {call.key.attempt} call {call.seq}"


def _recorded(run: OpenRun, call: CallRow, blobs: Blobs, places: Iterable[str], key: str) -> RecordedCall:
    assert isinstance(call.request_sha256, str)  # kept
    request = request_form(_text(run, call.request_sha256, key), places)
    response = _text(run, call.response_sha256, key) if isinstance(call.response_sha256, str) else b""
    return RecordedCall(
        task=call.key.task_id,
        repeat=call.key.repeat,
        attempt=call.key.attempt,
        call=call.seq,
        incarnation=call.incarnation,
        method=call.method,
        path=call.path,
        request=blobs.put(request),
        status=call.status if isinstance(call.status, int) else 0,
        headers={name: _covered(value.encode(), key).decode() for name, value in _headers(call)},
        response=blobs.put(response) if response else "",
        sent=call.sent is not False,
        broke=call.error if isinstance(call.error, str) and call.error in BROKEN else "",
    )


def _headers(call: CallRow) -> Iterator[tuple[str, str]]:
    for name, field in HEADERS:
        value = getattr(call, field)
        if isinstance(value, str) and value:
            yield name, value


def _covered(text: bytes, key: str) -> bytes:
    """The same bytes with as many asterisks in the place of the key."""
    return text.replace(key.encode(), b"*" * len(key.encode())) if key else text
