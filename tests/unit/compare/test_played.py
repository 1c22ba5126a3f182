"""A played run beside its source, or beside another playing of it, is the same draws: no comparison, whatever it shows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from denominator.compare.comparable import comparable
from denominator.compare.played import played_reasons
from denominator.compare.spread_report import spread_one
from denominator.envelopes import terms_of
from denominator.errors import NotComparableError
from denominator.judge import judge
from denominator.pipeline.replay_pairs import refuse_played
from denominator.pipeline.results import judge_ledger
from denominator.pipeline.sides import side_of
from denominator.publish.terminal import render_card
from denominator.records.cassettes import SealedCassette
from denominator.records.comparisons import Side
from denominator.records.envelopes import GatewayTerms
from judging_data import ledger
from unit.compare.arms import SEAL, sealed_rows

SOURCE_SEAL = terms_of(SEAL).digest


def run(name: str, run_id: str, tape: SealedCassette | None = None) -> Side:
    seal = SEAL
    if tape is not None:
        seal = replace(SEAL, envelope=replace(SEAL.envelope, gateway=GatewayTerms(cassette="t")), cassette=tape)
    judged = judge(replace(ledger(sealed_rows(), source="own"), run_id=run_id), terms_of(seal))
    return Side(name=name, sheet=judged.sheet, verdict=judged.verdict)


def taped(sha: str = "ab", run_id: str = "r0", seal: str = SOURCE_SEAL) -> SealedCassette:
    return SealedCassette(sha256=sha, run_id=run_id, seal=seal)


SAME = [
    (run("A", "r0"), run("B", "r1", taped()), "B was played from a recording of A (r0)"),
    (run("A", "r1", taped()), run("B", "r0"), "A was played from a recording of B (r0)"),
    (run("A", "r1", taped()), run("B", "r2", taped()), "A and B were played from recordings of one run (r0)"),
    (run("A", "r1", taped("ab")), run("B", "r2", taped("cd")), "A and B were played from recordings of one run (r0)"),
]


@pytest.mark.parametrize(("a", "b", "says"), SAME)
def test_one_recording_is_one_set_of_draws(a: Side, b: Side, says: str) -> None:
    assert played_reasons(a, b) == [f"{says}: they are the same draws"]
    found = comparable(a, b, ["cassette", "agent_id"])
    assert found.status == "not_comparable"
    assert f"{says}: they are the same draws" in found.reasons


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (run("A", "r0"), run("B", "r9")),
        (run("A", "r7"), run("B", "r1", taped())),
        (run("A", "r0"), run("B", "r1", taped(seal="other"))),
        (run("A", "r1", taped()), run("B", "r2", taped(run_id="r5"))),
    ],
)
def test_other_draws_are_others(a: Side, b: Side) -> None:
    assert played_reasons(a, b) == []


def test_a_recording_that_differs_is_a_condition_that_differs() -> None:
    found = comparable(run("A", "r7"), run("B", "r1", taped()), [])
    assert any(one.name == "cassette" and one.blocks for one in found.fields)


def test_no_rate_of_a_played_run_is_shown_and_its_card_says_so() -> None:
    played = run("B", "r1", taped("abcdef0123456789"))
    assert played.verdict.status == "blocked" and played.verdict.exit == 1
    assert any(one.code == "GL060" for one in played.verdict.findings)
    spread = spread_one(played, next(one for one in played.sheet.estimates if one.metric == "headline"))
    assert spread.refusals
    result = judge_ledger(played.sheet.ledger, played.sheet.terms)
    assert "PLAYED from cassette abcdef012345 of run r0" in result.card.stamps
    assert "PLAYED from cassette abcdef012345 of run r0" in render_card(result.card)
    assert not any(
        isinstance(one.value, str)
        for one in result.card.estimates
        if one.metric in ("headline", "flip_rate", "pass_at_k")
    )


def test_a_played_run_is_no_second_look() -> None:
    results = [judge_ledger(one.sheet.ledger, one.sheet.terms) for one in (run("A", "r0"), run("B", "r1", taped()))]
    for pair in (results, results[::-1]):
        with pytest.raises(NotComparableError, match="no draw of it is a new one"):
            refuse_played(*pair)
    refuse_played(results[0], results[0])
    assert side_of("A", results[1]).verdict.status == "blocked"
