"""What an adjudication quotes: an event of the journal, or a place in a file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from denominator.errors import InputError
from denominator.pipeline.world import OpenRun
from denominator.records.keys import AttemptKey
from denominator.records.labels import Evidence
from denominator.records.words import Writer
from denominator.review import key_name
from denominator.wire.bounded import read_bytes

FILE_BYTES = 1 << 30
QUOTE_CHARS = 200
FORMS = "event:NUMBER or file:PATH"


def quotes_of(run: OpenRun | None, key: AttemptKey, wanted: Sequence[str], text: str) -> tuple[Evidence, ...]:
    """Evidence that is really there: each event is looked up, each file holds the quoted text."""
    if text.strip() and not any(one.startswith("file:") for one in wanted):
        fix = "name the file that says so: --evidence file:PATH"
        raise InputError("these words are quoted from no file", where="--quote", fix=fix)
    return tuple(_quotes(run, key, wanted, text))


def _quotes(run: OpenRun | None, key: AttemptKey, wanted: Iterable[str], text: str) -> Iterable[Evidence]:
    for one in wanted:
        kind, _, ref = one.partition(":")
        if kind == "event" and ref.isdecimal() and run is not None:
            yield _event(run, key, int(ref))
        elif kind == "file" and ref:
            yield _file(Path(ref), text)
        elif kind == "event" and run is None:
            raise InputError("an import has no journal", where=f"--evidence {one}", fix="file:PATH with --quote TEXT")
        else:
            raise InputError("is no evidence", where=f"--evidence {one}", fix=FORMS)


def _event(run: OpenRun, key: AttemptKey, seq: int) -> Evidence:
    """An event about this row or about the whole run; what an agent wrote is no evidence."""
    event = next((one for one in run.journal.events() if one.seq == seq), None)
    if event is None or event.key not in (None, key):
        what = (
            "there is no such event"
            if event is None or event.key is None
            else f"that event is about {key_name(event.key)}"
        )
        raise InputError(what, where=f"--evidence event:{seq}", fix="denominator show TASK lists the events of a task")
    if event.writer == Writer.AGENT:
        raise InputError("words of agents are no evidence", where=f"--evidence event:{seq}")
    said = json.dumps(dict(event.payload), sort_keys=True, ensure_ascii=False)
    quote = f"{event.kind} {said}"[:QUOTE_CHARS]
    return Evidence(kind="event", ref=str(seq), stream=f"{event.phase}/{event.writer}", quote=quote)


def _file(path: Path, text: str) -> Evidence:
    """A file by its digest, with the place of the quoted text."""
    if not text.strip():
        raise InputError("a file needs the words that it is quoted for", where="--quote")
    data, words = read_bytes(path, FILE_BYTES), text.encode("utf-8", "surrogatepass")
    offset = data.find(words)
    if offset < 0:
        raise InputError(f"{text!r:.60} is not in it", where=str(path), fix="quote what the file says, to the letter")
    ref, quote = hashlib.sha256(data).hexdigest(), text[:QUOTE_CHARS]
    return Evidence(kind="file", ref=ref, stream=path.name, offset=offset, length=len(words), quote=quote)
