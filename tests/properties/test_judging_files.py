"""A ledger file that is held by kind gives the card that its rows give in memory, to the byte, in any order of lines."""

from __future__ import annotations

import io
import random
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.judge import judge
from denominator.pipeline.declaring import BY_NUMBER, Promised, of_plan
from denominator.pipeline.house import house_rules
from denominator.pipeline.judging_file import judge_rows, take_rows
from denominator.pipeline.rules import rules_digest
from denominator.publish import make_card
from denominator.records.facts import ToolFacts
from denominator.records.keys import DrawKey
from denominator.records.rows import Declared, Ledger, Usage
from denominator.records.values import NotMeasured
from denominator.wire.canonical import canonical
from judging_data import PATCH, key, own, terms
from properties.test_label_order import ROWS

AMOUNT = st.sampled_from([0, 7, 900, 40_000, 2**31 + 5, 10**16, NotMeasured("no clock")])
TOKENS = st.builds(
    Usage, prompt=AMOUNT, completion=AMOUNT, calls=st.sampled_from([0, 3, 9, NotMeasured("not seen")]),
    complete=st.sampled_from([True, False]),
)  # fmt: skip
PLACES = st.fixed_dictionaries({
    "started": st.sampled_from([True, True, True, False]), "stratum": st.sampled_from(["", "A", "B"]), "usage": TOKENS,
    "wall_ms": AMOUNT, "agent_ms": AMOUNT, "setup_ms": AMOUNT, "queue_wait_ms": AMOUNT, "time_to_first_green_ms": AMOUNT,
    "cause": st.sampled_from(["plan", "retry"]), "grading_level": st.sampled_from(["G1", "G3"]),
    "started_at": st.sampled_from(["2026-11-29T10:00:00Z", "2026-11-30T00:00:01Z", NotMeasured("not seen")]),
    "served_models": st.sampled_from([(), ("m",), ("m", "n")]), "served_hosts": st.sampled_from([(), ("h",), ("i",)]),
    "asked_model": st.sampled_from(["m", NotMeasured("none")]), "prompt_sha256": st.sampled_from(["a", "b", NotMeasured("no")]),
    "tools_sha256": st.sampled_from(["a", "b"]), "seed": st.sampled_from([1, 2, NotMeasured("none")]),
    "limits_enforced": st.sampled_from([{}, {"wall": "5"}, {"wall": "6"}]), "notes": st.sampled_from([(), ("a note",)]),
    "extra": st.sampled_from([{}, {"excluded_after_lock": "true"}, {"terms": "v1"}, {"terms": "v2"}]),
    "invalid_calls": st.sampled_from([{}, {"http_500": 1}]), "cold_start": st.booleans(),
})  # fmt: skip
TASK = st.sampled_from(["t1", "t2", "t3", "t\u00e9 4", 'a "quoted" task', "t6"])
KEYS = st.builds(
    key, TASK, st.integers(1, 2), st.integers(1, 2), st.sampled_from(["r1", "r1", "r1", "r1", "r2"])
)  # fmt: skip


@st.composite
def rows(draw):
    plain = own(
        "t", draw(st.sampled_from(["green", "red", "none"])), patch=replace(PATCH, bytes=draw(st.integers(0, 9)))
    )
    row = draw(ROWS) if draw(st.booleans()) else plain
    if draw(st.booleans()):
        return replace(row, key=draw(KEYS))
    tools = draw(st.sampled_from([row.tools, ToolFacts(source="t", calls=3, with_results=2, complete=True)]))
    return replace(row, key=draw(KEYS), tools=tools, **draw(PLACES))


@st.composite
def ledgers(draw):
    found = draw(st.lists(rows(), max_size=9))
    found += draw(st.lists(st.sampled_from(found), max_size=2)) if found else []
    made = Ledger(
        run_id="r1", source="import", declared=BY_NUMBER, declared_n=draw(st.integers(0, 9)), rows=tuple(found)
    )
    if draw(st.booleans()):
        places = st.builds(DrawKey, TASK, st.integers(1, 2))
        unique = draw(st.booleans())
        listed = draw(st.lists(places, max_size=8, unique=unique))
        declared = tuple(
            Declared(draw=one, slice=draw(st.sampled_from(["solvable", "solvable", "negative", "floor"])))
            for one in listed
        )
        made = replace(made, declared=declared, declared_n=len(declared))
    elif draw(st.booleans()):
        made = replace(made, declared_n=NotMeasured("nobody said"))
    return made


TERMS = st.builds(
    terms, origin=st.sampled_from(["seal", "manifest"]), invalid_ceiling=st.sampled_from(["0.10", "1"]),
    infra_ceiling=st.just("1"), on_timeout=st.sampled_from(["", "fail", "grade"]), repeats=st.sampled_from([1, 2]),
    attempts=st.sampled_from([1, 2]), retry_declared=st.booleans(), flaky_tasks=st.sampled_from([(), ("t1",)]),
    strata=st.sampled_from([(), (("A", 2), ("B", 1))]), never_started_allowed=st.sampled_from([(), ("t2",)]),
    tool_loop_n=st.sampled_from([2, 3]),
)  # fmt: skip


def file_of(made) -> io.BytesIO:
    return io.BytesIO(b"".join(canonical(row) + b"\n" for row in made.rows))


def by_kind(made, given_terms):
    taken = take_rows(file_of(made), "ledger.jsonl", given_terms)
    listed = None if isinstance(made.declared, NotMeasured) else of_plan(made.declared)
    return judge_rows(taken, given_terms, Promised("r1", made.declared_n, listed))


def in_memory(made, given_terms):
    judged = judge(made, given_terms, house_rules())
    return judged, make_card(made, given_terms, judged, rules_digest=rules_digest())


@settings(max_examples=80, deadline=None)
@given(ledgers(), TERMS, st.randoms(use_true_random=False))
def test_the_card_is_the_one_of_the_rows_in_memory(made, given_terms, shuffle: random.Random):
    judged, card = in_memory(made, given_terms)
    order = list(made.rows)
    for _ in range(2):
        found = by_kind(replace(made, rows=tuple(order)), given_terms)
        assert [one for one in found.judged.findings if one.severity != "held"] == [
            one for one in judged.findings if one.severity != "held"
        ]
        assert canonical(found.card) == canonical(card)
        shuffle.shuffle(order)
