"""Server-sent events do not depend on where the bytes were cut."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from denominator.wire.sse import SseEvent, SseReader

_text = st.text(alphabet=st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=12)
_events = st.lists(
    st.tuples(st.sampled_from(["", "ping", "error"]), st.lists(_text, min_size=1, max_size=3)), max_size=5
)


def _wire(events: list[tuple[str, list[str]]], end: str, comment: bool) -> bytes:
    lines: list[str] = []
    for kind, data in events:
        lines += [": keep-alive"] if comment else []
        lines += [f"event: {kind}"] if kind else []
        lines += [f"data: {line}" for line in data] + [""]
    return "".join(line + end for line in lines).encode()


@given(_events, st.sampled_from(["\n", "\r\n", "\r"]), st.booleans(), st.booleans(), st.data())
def test_any_cut_gives_the_same_events(events, end, comment, bom, data):
    raw = (b"\xef\xbb\xbf" if bom else b"") + _wire(events, end, comment)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=8)))
    reader, got = SseReader(), []
    for start, stop in zip([0, *cuts], [*cuts, len(raw)], strict=True):
        got += reader.feed(raw[start:stop])
    got += reader.feed(b"", last=True)
    assert got == [SseEvent(kind or "message", "\n".join(lines)) for kind, lines in events]


@given(st.binary(max_size=200))
def test_no_bytes_raise(raw):
    SseReader().feed(raw, last=True)


def test_an_event_past_the_cap_is_reported_not_kept():
    reader = SseReader(event_bytes_max=100)
    assert reader.feed(b"data: 1\n\n") == [SseEvent("message", "1")]
    reader.feed(b"data: " + b"x" * 200)
    assert reader.overflow
    assert reader.feed(b"\n\ndata: 2\n\n") == []
