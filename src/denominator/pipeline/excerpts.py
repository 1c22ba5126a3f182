"""What an attempt left, in excerpts that may travel: its change, its grader's report, the ends of what was printed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from denominator.errors import DenominatorError
from denominator.pipeline.diffs import readable_diff
from denominator.pipeline.world import OpenRun
from denominator.publish.graded import graded_text
from denominator.records.events import Event
from denominator.records.keys import AttemptKey
from denominator.records.reports import Excerpt
from denominator.wire.private import PERSONAL
from denominator.wire.secrets import NONE as NO_SECRETS
from denominator.wire.secrets import Secrets

READ_BYTES = 6_000
DIFF_BYTES = 200_000
"""Above this a change is not compared line by line: it takes too long, and nobody reads it on a page."""
UNREAD = ("trajectory", "atif")
"""Streams in which an agent tells of itself, at length; `show --trajectory` has them."""
HOME = PERSONAL["a home folder"]


def excerpts_of(run: OpenRun, key: AttemptKey, patch_bytes: int = 0) -> tuple[Excerpt, ...]:
    """The change first, then the grader's report, then streams by name. What cannot be read says so."""
    events = [one for one in run.journal.events(key) if one.blob and one.kind in ("output", "patch", "graded")]
    found = {one.name: one for one in _each(run, key, events, patch_bytes)}
    return tuple(
        sorted(found.values(), key=lambda one: (one.name != "change", one.name != "grader's report", one.name))
    )


def _each(run: OpenRun, key: AttemptKey, events: Sequence[Event], patch_bytes: int) -> Iterator[Excerpt]:
    for event in events:
        if event.kind == "output" and event.stream in UNREAD:
            continue
        try:
            yield _excerpt(run, key, event, patch_bytes)
        except (DenominatorError, OSError) as error:
            why = error.what if isinstance(error, DenominatorError) else error.strerror
            yield Excerpt(name=_name(event), text=f"(cannot be shown: {why})", blob=str(event.blob))


def _excerpt(run: OpenRun, key: AttemptKey, event: Event, patch_bytes: int) -> Excerpt:
    blob = str(event.blob)
    if event.kind == "patch":
        if patch_bytes > DIFF_BYTES:
            text = f"(a change of {patch_bytes} bytes, not set out here: denominator show {key.task_id})"
            return Excerpt(name="change", text=text, blob=blob)
        return _start("change", readable_diff(run, key.task_id, run.blobs.get(blob)), blob, run.secrets)
    data = run.blobs.get(blob)
    if event.kind == "graded":
        expected = event.payload.get("expected", ())
        known = set(map(str, expected)) if isinstance(expected, list | tuple) else set()
        return _start(_name(event), graded_text(data.decode("utf-8", "replace"), known), blob, run.secrets)
    cut = max(0, len(data) - READ_BYTES)
    text = quiet(data[cut:].decode("utf-8", "replace"), run.secrets)
    return Excerpt(name=_name(event), text=text, left_out=cut, cut="start", blob=blob)


def _start(name: str, text: str, blob: str, secrets: Secrets) -> Excerpt:
    data = text.encode("utf-8", "replace")
    shown = data[:READ_BYTES].decode("utf-8", "ignore")
    return Excerpt(name=name, text=quiet(shown, secrets), left_out=max(0, len(data) - READ_BYTES), blob=blob)


def _name(event: Event) -> str:
    if event.kind == "graded":
        return "grader's report"
    return "change" if event.kind == "patch" else f"{event.phase} {event.stream or event.kind}"


def quiet(text: str, secrets: Secrets = NO_SECRETS) -> str:
    """The same text without lines that hold a secret or look like one, and without the names of home folders."""
    return "\n".join(_lines(text, secrets))


def _lines(text: str, secrets: Secrets) -> Iterator[str]:
    for line, kind in secrets.lines(text):
        yield f"(a line is left out: it looks like {kind})" if kind else HOME.sub("(home)", line)
