"""A withheld number stays withheld: random ledgers and terms, and everything that is printed of them searched."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.judge import PERFORMANCE, judge
from denominator.publish import make_card, render_brief, render_card
from denominator.records.cards import Card
from denominator.records.estimates import Estimate
from denominator.records.findings import Waiver
from denominator.records.judgements import Judged
from denominator.records.keys import AttemptKey
from denominator.records.rows import AttemptRow, Failure, Ledger
from denominator.records.seals import Terms
from denominator.records.values import NotMeasured
from denominator.wire.canonical import canonical
from judging_data import PATCH, foreign, ledger, own, run_control, said, terms

GONE = NotMeasured("nobody said")
BROKEN = Failure(seq=1, cause="disk_full", writer="harness", phase="agent")
ENDS: dict[str, dict[str, Any]] = {
    "pass": {"grade": "green"},
    "fail": {"grade": "red"},
    "lost": {"grade": "none", "first_unrecovered": BROKEN},
    "late": {"grade": "green", "after_cap": True, "killed_by": "budget_wall"},
    "unresolved": {"grade": "none"},
    "slip": {"grade": "green", "patch": replace(PATCH, outside=("x",))},
}
plain = st.sampled_from(("pass", "pass", "pass", "fail", "fail", "lost"))
any_end = st.sampled_from(tuple(ENDS))


@st.composite
def repeated(draw: Any, ends: st.SearchStrategy[str], most: int = 14) -> list[AttemptRow]:
    """Solvable draws, some with repeats, not always as many for every task."""
    rows = []
    for n in range(draw(st.integers(0, most))):
        for k in range(1, draw(st.sampled_from((1, 1, 1, 2, 3))) + 1):
            row = own(f"t{n}", **ENDS[draw(ends)], stratum=draw(st.sampled_from(("", "A", "B"))))
            rows.append(replace(row, key=AttemptKey("r1", f"t{n}", k)))
    return rows


@st.composite
def blocked(draw: Any) -> tuple[Ledger, Terms]:
    """Ledgers that are mostly not publishable, each for reasons of its own."""
    rows = draw(repeated(any_end))
    rows += [own("n1", draw(st.sampled_from(("red", "green"))), slice="negative", control="must_fail")]
    labels = [run_control("empty_patch_must_fail", draw(st.sampled_from(("held", "held", "violated"))))]
    if draw(st.booleans()):
        row = foreign("f1", 99)
        rows, labels = [*rows, row], [*labels, said("f1", "outcome", draw(st.sampled_from(("pass", "fail", "?"))))]
    ids = [*dict.fromkeys(row.key.task_id for row in rows), *draw(st.sampled_from(([], [], ["lost-1"])))]
    made = ledger(rows, labels) if draw(st.booleans()) else ledger(rows, labels, ids)
    if draw(st.integers(0, 3)) == 0:
        made = replace(made, declared=GONE, declared_n=draw(st.sampled_from((GONE, len(rows) + 2))))
    waiver = Waiver(rule="invalid-rate-above-ceiling", why="w", who="x", until="2027-01-01")
    origin = draw(st.sampled_from(("seal", "manifest")))
    words = {} if origin == "seal" else _foreign_words(draw)
    given_terms = terms(
        origin=origin,
        **words,
        invalid_ceiling=draw(st.sampled_from(("", "0.03", "0.9"))),
        infra_ceiling=draw(st.sampled_from(("", "0.03", "0.9"))),
        on_timeout=draw(st.sampled_from(("", "fail", "grade"))),
        repeats=draw(st.sampled_from((1, 1, 2, 3))),
        missing=draw(st.sampled_from(((), ("budget.wall_s",)))),
        changed=draw(st.sampled_from(((), (), ("the pack",)))),
        strata=draw(st.sampled_from(((), (("A", 3), ("B", 4))))),
        allow=draw(st.sampled_from(((), (waiver,)))),
        sealed_at="2026-03-01T00:00:00Z",
    )
    return made, given_terms


def _foreign_words(draw: Any) -> dict[str, Any]:
    """What a manifest may say that would give a rate away by being quoted."""
    return {
        "printed_percents": draw(st.sampled_from(((), ("66.7%",), ("50%", "71%")))),
        "name": draw(st.sampled_from(("made-up", "we got 66.7 %", "75.0% of 8", "0.500 is ours", "run of 3/4"))),
        "environment": draw(st.sampled_from(((), (("result", "0.667"), ("note", "half: 1/2, or 33.3 %"))))),
    }


def published(made: Ledger, given_terms: Terms) -> tuple[Judged, Card, tuple[str, ...]]:
    judged = judge(made, given_terms)
    card = make_card(made, given_terms, judged)
    places = (canonical(card).decode("utf-8"), render_card(card, 10_000), render_brief(card, 10_000))
    return judged, card, places


def quotients(value: str) -> Iterable[str]:
    """How people write a rate."""
    for digits in (6, 3, 2):
        yield rounded(Decimal(value), digits)
    for digits in (1, 0):
        percent = rounded(100 * Decimal(value), digits)
        yield from (f"{percent} %", f"{percent}%")


def rounded(value: Decimal, digits: int) -> str:
    return str(value.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_EVEN))


def fractions(one: Estimate) -> Iterable[str]:
    yield from (f"{one.numerator}/{one.denominator}", f"{one.numerator} of {one.denominator}")


def numbers_of(estimates: Iterable[Estimate]) -> set[str]:
    """Everything that these estimates may put on paper."""
    found: set[str] = set()
    for one in estimates:
        for value in (one.value, one.lo, one.hi):
            if isinstance(value, str):
                found.update(quotients(value))
        if isinstance(one.numerator, int):
            found.update(fractions(one))
    return found


def found_in(number: str, place: str) -> str:
    """Where the number stands for itself, not as a part of a longer one, a digest or a name; or nothing."""
    found = re.search(rf"(?<![\w.]){re.escape(number)}(?![\w])(?!\.\d)", place)
    return place[max(0, found.start() - 60) : found.end() + 60] if found else ""


COUNTED = (
    "assumption_share", "loop_share", "compile_fail_share", "test_fail_share", "timeout_share", "over_edit_share",
    "no_patch_share", "first_try_share",
)  # fmt: skip
"""Shares whose counts the card prints by class and bucket, and its advice beside what is no contract pass."""


@settings(max_examples=60, deadline=None)
@given(blocked())
def test_no_form_of_a_withheld_number_is_printed(found: tuple[Ledger, Terms]) -> None:
    made, given_terms = found
    judged, card, places = published(made, given_terms)
    shown = numbers_of(card.estimates) | {
        given_terms.invalid_ceiling,
        given_terms.infra_ceiling,
        "0.20",
        "0.95",
        "95 %",
    }
    # 75.0% of 8 is a claim about its own eight; only what this ledger withholds must be gone.
    for one in judged.sheet.estimates:
        after = next(other for other in card.estimates if other.metric == one.metric)
        if one.metric not in PERFORMANCE or not after.withheld_by or not isinstance(one.value, str):
            continue
        gone = set(quotients(one.value))
        if judged.verdict.status == "blocked":
            ends = [end for end in (one.lo, one.hi) if isinstance(end, str)]
            gone |= {form for end in ends for form in quotients(end)}
            gone |= set() if one.metric in COUNTED else set(fractions(one))
        for number in gone - shown:
            assert not [around for place in places if (around := found_in(number, place))], (one.metric, number)


@settings(max_examples=40, deadline=None)
@given(repeated(plain, 10), st.randoms(use_true_random=False), st.sampled_from(("seal", "manifest")))
def test_with_a_violated_control_nothing_printed_depends_on_who_passed(rows: Any, rng: Any, origin: str) -> None:
    """Turn passes into fails and fails into passes at will: not one byte of what is printed moves."""
    control = own("n1", "green", slice="negative", control="must_fail")
    given_terms = terms(
        origin=origin, name="66.7 % of 3", printed_percents=("66.7%",), environment=(("score", "0.5, or 1/2"),)
    )
    seen = set()
    for _ in range(4):
        flipped = [_flip(row, rng.random() < 0.5) for row in rows]
        _, card, places = published(ledger([*flipped, control]), given_terms)
        assert card.verdict.status == "blocked"
        seen.add(places)
    assert len(seen) == 1


def _flip(row: AttemptRow, turn: bool) -> AttemptRow:
    if row.grade == "none" or not turn:
        return row
    other = own(row.key.task_id, "red" if row.grade == "green" else "green", stratum=row.stratum)
    return replace(other, key=row.key)


@settings(max_examples=30, deadline=None)
@given(blocked())
def test_counts_first_they_add_up_whatever_is_withheld(found: tuple[Ledger, Terms]) -> None:
    _, card, _ = published(*found)
    assert not isinstance(card.equation, NotMeasured)
    if isinstance(card.declared, int):
        assert sum(card.equation.values()) == card.declared
    for line in card.strata:
        assert sum(line.exits.values()) == max(line.declared, sum(line.exits.values()))


def test_edges_are_judged_and_printed() -> None:
    """Nothing at all, only controls, only unscoreable rows, ragged repeats, huge ids, ids that steer a terminal."""
    lost = [own(f"t{n}", **ENDS["lost"]) for n in range(9)]
    ragged = [replace(own("t1"), key=AttemptKey("r1", "t1", k)) for k in (1, 2, 3)] + [own("t2")]
    huge = [own("x" * 5000), own("y\x1b[2J\x1b]0;owned\x07\u202e\u2066z", "red")]
    control = own("n1", "red", slice="negative", control="must_fail")
    for rows, over in (
        ([], {}),
        ([control], {}),
        ([*lost, control], {}),
        ([*ragged, control], {"repeats": 3}),
        ([*huge, control], {}),
        ([control, control], {}),
    ):
        for origin in ("seal", "manifest"):
            _, card, (_, text, brief) = published(ledger(rows), terms(origin=origin, **over))
            assert card.verdict.status in ("publishable", "blocked")
            assert "\x1b" not in text + brief
            assert "\u202e" not in text + brief
            assert "None" not in text
            assert "nan" not in text.casefold().replace("provenance", "").split()
