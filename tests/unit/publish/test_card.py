"""What a card shows of situations with a known right answer, and how it reads."""

from __future__ import annotations

from dataclasses import replace

import pytest

from denominator.judge import judge
from denominator.publish import make_card, render_card
from denominator.records.envelopes import Comparison
from denominator.records.replays import HIDDEN, Look, Replay
from denominator.records.rows import Source
from denominator.records.values import NotMeasured
from judging_data import by_outcome, foreign, ledger, own, probe, run_control, said, terms


def card_of(made, given):
    judged = judge(made, given)
    return make_card(made, given, judged)


def test_a_probe_of_the_endpoint_is_one_line():
    rows, labels = by_outcome(**{"pass": 16})
    named = probe(models=["big"])
    lines = [one for one in card_of(ledger(rows, labels), terms(probe=named)).notes if "probed" in one]
    assert lines == [
        "endpoint probed before: bench 555555555555 (direct, fixture ffffffffffff, client 0.1.0+wire.1, 1 window begun "
        "2026-11-29T08:00:00.000Z)"
    ]
    assert "bench 555555555555" in render_card(card_of(ledger(rows, labels), terms(probe=named)))
    assert not [one for one in card_of(ledger(rows, labels), terms()).notes if "probed" in one]


def test_errored_rows_stay_in_the_denominator():
    rows, labels = by_outcome(**{"pass": 16, "fail": 2, "unscoreable": 2})
    card = card_of(ledger(rows, labels, declared=20), terms())
    headline, secondary = card.estimates[0], card.estimates[1]
    assert (card.verdict.status, card.verdict.rung, card.verdict.exit) == ("publishable", "counts", 0)
    assert (headline.numerator, headline.denominator, headline.value) == (16, 20, "0.800000")
    assert (headline.lo, headline.hi) == ("0.583983", "0.919342")
    assert (secondary.numerator, secondary.denominator, secondary.secondary) == (16, 18, True)
    text = render_card(card)
    assert "16/20" in text
    assert "16/18" in text
    assert "none declared" in text


def test_a_suite_of_errors_is_printed_and_blocks():
    rows, labels = by_outcome(**{"pass": 7, "fail": 1, "unscoreable": 4})
    strata = ["A"] * 4 + ["B"] * 4 + ["C"] * 4
    rows = [
        foreign(row.key.task_id, n, stratum=name, source=Source(kind="import", file="r", line=n, sha256=str(n)))
        for n, (row, name) in enumerate(zip(rows, strata, strict=True), 1)
    ]
    given = terms(strata=(("A", 4), ("B", 4), ("C", 4)))
    card = card_of(ledger(rows, labels, declared=12), given)
    text = render_card(card)
    assert card.verdict.exit == 1
    assert "NO_AGGREGATE" in card.verdict.sentence
    assert "C 0 scoreable of 4" in " ".join(text.split())
    assert card.equation == {"pass": 7, "fail": 1, "abstain": 0, "unscoreable": 4, "never_started": 0}
    for number in ("0.875", "87.5", "0.583", "58.3"):
        assert number not in text


def test_a_violated_control_hides_even_how_many_passed():
    rows = [own("neg-01", slice="negative", control="must_fail"), *[own(f"t{n}") for n in range(9)]]
    card = card_of(ledger(rows), terms(origin="seal"))
    assert card.equation == {"pass_or_fail": 9, "abstain": 0, "unscoreable": 0, "never_started": 0}
    assert isinstance(card.classes, NotMeasured)
    assert isinstance(card.mix, NotMeasured)
    assert all(
        isinstance(one.value, NotMeasured) for one in card.estimates if one.metric in ("headline", "resolved_rate")
    )
    assert "pass 9" not in render_card(card)


def test_what_gave_tampering_away_is_counted_unless_the_split_is_hidden():
    signs = [("runner: add conftest.py",), ("runner: add conftest.py", "report: a sentinel passed"), (), ()]
    rows = [own(f"t{n}", tampering=("runner",) * bool(one), gave_away=one) for n, one in enumerate(signs)]
    told = [one for one in card_of(ledger(rows), terms(origin="seal")).notes if one.startswith("tampering")]
    assert told == [
        "tampering in 2 draws: runner: add conftest.py", "tampering in 1 draw: report: a sentinel passed",
    ]  # fmt: skip
    many = [own(f"t{n}", tampering=("tests",), gave_away=(f"tests: modify tests/{n}.py",)) for n in range(9)]
    told = [one for one in card_of(ledger(many), terms(origin="seal")).notes if one.startswith("tampering")]
    assert len(told) == 7 and told[-1].startswith("tampering: 3 more signs")
    violated = [own("neg-01", slice="negative", control="must_fail"), *rows]
    hidden = card_of(ledger(violated), terms(origin="seal"))
    assert "tampering" not in render_card(hidden) and "tampered" not in str(hidden.tags)


def test_few_tasks_keep_counts_and_interval_and_lose_the_quotient():
    rows, labels = by_outcome(**{"pass": 2, "fail": 1})
    card = card_of(ledger(rows, labels, declared=3), terms())
    headline = card.estimates[0]
    assert (headline.numerator, headline.denominator) == (2, 3)
    assert isinstance(headline.value, NotMeasured)
    assert headline.withheld_by == ("GL024 few-tasks",)
    assert isinstance(headline.lo, str)
    assert "0.667" not in render_card(card)


def test_a_whole_own_run_reaches_a_rate_with_everything_beside_it():
    rows = [own(f"t{n:02}", "green" if n < 13 else "red") for n in range(16)]
    rows += [own("n1", "red", slice="negative", control="must_fail")]
    made = ledger(rows, [run_control("empty_patch_must_fail", "held")], source="own")
    card = card_of(made, terms(origin="seal", name="arm A"))
    assert (card.verdict.status, card.verdict.rung) == ("publishable", "rate_with_interval")
    sentence = card.verdict.sentence
    parts = (
        "13 of 16",
        "hidden tests",
        "81.2 %",
        "0.570 to 0.934",
        "Of 16 draws: 0 unscoreable, 0 abstained",
        "77.6 %",
    )
    for part in (*parts, "Seal aaaaaaaaaaaa"):
        assert part in sentence
    assert card.mix["NOT_EVALUATED"] == 13
    assert sum(card.mix.values()) == 16


def test_everything_broken_is_not_zero():
    from denominator.records.rows import Failure

    broken = Failure(seq=1, cause="grader_error", writer="verifier", phase="verify")
    rows = [own(f"t{n:02}", "none", first_unrecovered=broken) for n in range(12)]
    judged = judge(ledger(rows, source="own"), terms(origin="seal"))
    resolved = judged.sheet.estimate("resolved_rate")
    assert (judged.verdict.exit, resolved.denominator) == (1, 0)
    assert isinstance(resolved.value, NotMeasured)
    assert judged.sheet.estimate("harness_error_rate").value == "1.000000"


@pytest.mark.parametrize("width", [40, 80, 200])
def test_lines_fit_unless_a_word_does_not(width):
    rows, labels = by_outcome(**{"pass": 16, "fail": 2, "unscoreable": 2})
    text = render_card(card_of(ledger(rows, labels, declared=20), terms()), width)
    assert all(len(line) <= width or " " not in line.strip() for line in text.splitlines())


def test_colour_only_when_asked_and_never_from_foreign_text():
    rows = [foreign("evil\x1b[2J\u202e", 1)]
    card = card_of(ledger(rows, [said("x", "outcome", "pass", key=rows[0].key)]), terms(name="a\x1b[31mb"))
    assert "\x1b" not in render_card(card)
    assert "\u202e" not in render_card(card)
    assert "\\u001b[31m" in render_card(card)
    assert "\x1b[" in render_card(card, color=True)


REPLAY = Replay(
    run_id="again", hours=3, draws=10, flips=1, unknown=0, rate="0.100000", lo="0.017876", hi="0.404150",
    lo_bound="0.100000", hi_bound="0.100000", method="Wilson", flipped=("t01",), early_why="the box goes away",
)  # fmt: skip


def test_every_replay_is_a_line_of_the_card_unless_the_split_is_hidden():
    rows, labels = by_outcome(**{"pass": 10})
    other = replace(REPLAY, run_id="third", hours=26, early_why="")
    card = card_of(ledger(rows, labels, declared=10), terms(replays=(REPLAY, other)))
    assert card.replays == (REPLAY, other)
    text = " ".join(render_card(card).split())
    assert "again: 1 of 10 draws flipped: 0.100000 (95 % interval 0.017876 to 0.404150; Wilson); 3 h after" in text
    assert "the box goes away" in text and "third: 1 of 10 draws flipped" in text
    gone = replace(REPLAY, rate=HIDDEN, lo=HIDDEN, hi=HIDDEN, lo_bound=HIDDEN, hi_bound=HIDDEN, flips=0, flipped=())
    told = " ".join(render_card(card_of(ledger(rows, labels, declared=10), terms(replays=(gone,)))).split())
    assert "again: its flips are not told: a control of the replay is violated" in told and ": 0 of 10" not in told
    bad = [own("neg-01", slice="negative", control="must_fail"), *[own(f"t{n}") for n in range(9)]]
    hidden = card_of(ledger(bad), terms(origin="seal", replays=(REPLAY,)))
    assert hidden.replays == () and "flipped" not in render_card(hidden)


def test_looks_beyond_those_declared_are_in_the_sentence():
    rows, labels = by_outcome(**{"pass": 10})
    look = Look(at="2026-11-29T10:00:00.000Z", runs=("a", "b"), tasks=3, more_a=1, more_b=0)
    made = ledger(rows, labels, declared=10)
    said = [
        card_of(made, terms(looks=(look,), comparison=Comparison(looks=allowed))).verdict.sentence for allowed in (0, 1)
    ]
    assert "Looked at 1 time before its end, 0 declared: no p value" in said[0]
    assert "Looked at" not in said[1]
