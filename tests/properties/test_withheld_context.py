"""What stands beside a result withholds what the result withholds: seeds, replays, rules of citation, words of manifests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.gate import cite
from denominator.judge import judge
from denominator.publish import make_card, render_brief, render_card
from denominator.publish.terminal.citation import citation_page
from denominator.publish.terminal.page import Page
from denominator.records.keys import AttemptKey
from denominator.records.replays import Replay
from denominator.records.rows import AttemptRow
from denominator.wire.canonical import canonical
from judging_data import REPLAY, ledger, own, terms

WORDS = ("66.7 % of 3", "0.667", "2/3 passed", "never: below 66.7%", "m13: 2 of 3", "2 out of 3")
texts = st.sampled_from(WORDS)
REPLAYS = (Replay(**(REPLAY | {"draws": 6, "flips": 2, "rate": "0.333333"})),)


def published(rows: list[AttemptRow], given_terms: Any) -> tuple[str, ...]:
    """Every form in which a result and the word on citing it leave us."""
    made = ledger(rows)
    judged = judge(made, given_terms)
    card = make_card(made, given_terms, judged)
    citation = cite(judged.sheet, judged.verdict)
    page = Page(10_000, False)
    citation_page(page, citation)
    verdict = canonical(judged.verdict).decode()
    return (
        canonical(card).decode(),
        render_card(card, 10_000),
        render_brief(card),
        verdict,
        canonical(citation).decode(),
        page.text(),
    )


@st.composite
def runs(draw: Any) -> list[AttemptRow]:
    """Tasks with one to three seeded repeats, all of them green or red, dates and limits of all kinds."""
    rows = []
    for n in range(draw(st.integers(1, 9))):
        for k in range(1, draw(st.integers(1, 3)) + 1):
            row = own(
                f"t{n}",
                draw(st.sampled_from(("green", "red"))),
                key=AttemptKey("r1", f"t{n}", k),
                seed=10 + k,
                started_at=draw(st.sampled_from(("2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z"))),
                limits_enforced={"wall_s": draw(st.sampled_from(("300", "900")))},
            )
            rows.append(row)
    return rows


@settings(max_examples=40, deadline=None)
@given(runs(), st.randoms(use_true_random=False), texts, st.sampled_from(("seal", "manifest")), st.integers(1, 3))
def test_with_a_violated_control_not_a_byte_depends_on_who_passed(
    rows: list[AttemptRow], rng: Any, words: str, origin: str, repeats: int
) -> None:
    control = own("n1", "green", slice="negative", control="must_fail", seed=11)
    said = {} if origin == "seal" else {"selection": words, "claim_id": words, "rerun": words, "stopped": words}
    given_terms = terms(origin=origin, repeats=repeats, replays=REPLAYS, cite_rule="failure-classes", **said)
    seen = set()
    for _ in range(3):
        flipped = [_flip(row) if rng.random() < 0.5 else row for row in rows]
        seen.add(published([*flipped, control], given_terms))
    assert len(seen) == 1


def _flip(row: AttemptRow) -> AttemptRow:
    other = own(row.key.task_id, "red" if row.grade == "green" else "green")
    return replace(other, key=row.key, seed=row.seed, started_at=row.started_at, limits_enforced=row.limits_enforced)


@settings(max_examples=40, deadline=None)
@given(st.lists(texts, min_size=5, max_size=5), st.sampled_from(("blocked", "few", "flips")))
def test_words_of_a_manifest_mention_no_number_that_is_withheld(words: list[str], why: str) -> None:
    """2 of 3, in a selection reason, a cite rule, a claim id, a recipe or a reason to stop."""
    tripled = 4 if why == "flips" else 1
    rows = [own(f"t{n}", "green" if n < 2 * tripled else "red") for n in range(3 * tripled)]
    rows.append(own("n1", "red", slice="negative", control="must_fail"))
    names = ("selection", "cite_rule", "claim_id", "rerun", "stopped")
    over: dict[str, Any] = dict(zip(names, words, strict=True))
    if why == "blocked":
        over["changed"] = ("the pack",)
    if why == "flips":
        over["replays"] = REPLAYS
    for place in published(rows, terms(**over)):
        for number in ("66.7", "0.667", "0.666667"):
            assert number not in place, (why, place[max(0, place.find(number) - 80) : place.find(number) + 40])
        if why == "blocked":
            assert "2/3" not in place
            assert "2 of 3" not in place
            assert "2 out of 3" not in place
