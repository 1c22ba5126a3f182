"""Known texts that an agent or its tests printed are kept to be read, with their place, and move nothing."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.importers import import_rows
from denominator.labels import label_row
from denominator.readers.logs import read_log, words_of
from denominator.readers.logs.words import MOST_WORDS
from judging_phrases import PHRASES

CASE = Path(__file__).parents[3] / "cases" / "situations" / "001-fixture-prints-reset"
HEAD = "10:00:00.000 "


def words(text: bytes) -> list[tuple[str, str]]:
    return [(one.stream, one.quote) for one in words_of(read_log("combined.log", [text]))]


def test_the_phrases_of_a_fixture_are_kept_with_stream_and_place() -> None:
    files = [(path.name, path.read_bytes()) for path in CASE.iterdir() if path.name != "case.json"]
    found = import_rows(files)
    (row,) = found.ledger.rows
    log = dict(files)["combined.log"]
    assert {(one.stream, one.writer) for one in row.words} == {("agent/out", "agent"), ("verify/out", "agent")}
    for one in row.words:
        assert (
            b"onnection reset" in log[one.offset : one.offset + 40] or b"No space" in log[one.offset : one.offset + 40]
        )
    assert row.hints == ()
    assert "text_hint" not in {label.value for label in label_row(row, found.terms)}


def test_streams_of_the_harness_are_no_words() -> None:
    text = "".join(f"{HEAD}{stream}| {PHRASES[0]}\n" for stream in ("setup/err", "harness/err", "verify/err"))
    assert words(text.encode()) == []


@settings(deadline=None, max_examples=25)
@given(st.binary(max_size=300), st.integers(20, 900))
def test_any_bytes_in_any_chunks_give_the_same_few_words(noise: bytes, size: int) -> None:
    text = noise + "".join(f"\n{HEAD}agent/out| {phrase}" for phrase in PHRASES).encode()
    chunks = [text[at : at + size] for at in range(0, len(text), size)]
    whole = words_of(read_log("combined.log", [text]))
    assert whole == words_of(read_log("combined.log", chunks))
    assert 0 < len(whole) <= MOST_WORDS
    for one in whole:
        assert 0 <= one.offset < one.offset + one.length <= len(text)
