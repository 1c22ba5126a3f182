"""Model calls as lines: what is known is told, what is not is a question mark, what is usual is not told."""

from __future__ import annotations

from denominator.publish.terminal.calls import call_lines
from denominator.publish.terminal.page import Page
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow, Usage
from denominator.wire.codec import to_json

KEY = AttemptKey("r", "t", 1, 1)


def _lines(*calls: CallRow) -> list[str]:
    page = Page(200, color=False)
    call_lines(page, [to_json(call) for call in calls])  # type: ignore[misc]
    return page.lines


def test_a_whole_call_is_one_line() -> None:
    call = CallRow(
        key=KEY, seq=3, outcome="ok", sent=True, status=200, asked_model="fam", served_model="fam-0801", host="h",
        quantisation="fp8", fingerprint="fp_a", usage=Usage(prompt=12, completion=5), tool_calls=("sh:" + "a" * 64,),
        thread="t" * 64, cap_injected=64,
    )  # fmt: skip
    assert _lines(call) == [
        "      3  c1  solve ok 200  fam -> fam-0801 (h, fp8, fp_a)  prompt 12, completion 5  tools sh  cap_injected=64"
    ]


def test_what_is_unknown_is_no_number() -> None:
    (line,) = _lines(CallRow(key=KEY, seq=1))
    assert line == "      1  -   solve open ?  ?  prompt ?, completion ?"


def test_a_refusal_and_a_retry_say_why() -> None:
    refused = CallRow(
        key=KEY, seq=2, outcome="gave_up", status=400, sent=False, error="budget_exhausted", cap_state="tokens"
    )
    again = CallRow(key=KEY, seq=3, outcome="ok", status=200, retry_of=1, injected="rate_limited")
    lines = _lines(refused, again)
    assert "error=budget_exhausted  cap_state=tokens" in lines[0]
    assert "injected=rate_limited  retry_of=1" in lines[1]


def test_conversations_are_numbered_as_they_begin() -> None:
    lines = _lines(*(CallRow(key=KEY, seq=n, thread=thread) for n, thread in enumerate(("x", "y", "x"), 1)))
    assert [line.split()[1] for line in lines] == ["c1", "c2", "c1"]


def test_sampling_is_told_as_the_answer_named_it() -> None:
    (line,) = _lines(
        CallRow(key=KEY, seq=1, decoding={"temperature": "0.8", "seed": "7"}, decoding_asked={"top_p": "1"})
    )
    assert "completion ?  seed 7, temperature 0.8" in line
    assert "top_p" not in line, "what was only sent was not returned"
