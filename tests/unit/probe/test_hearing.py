"""Every class and reason is told of its own example and of no neighbour that keeps the promise."""

from __future__ import annotations

import pytest

from denominator.probe.checks import CHECKS
from denominator.records.probe_words import CONTRACT_OF, PARAM_IGNORED, REASONS, Cls, Contract, Kept
from unit.probe.heard_cases import EXAMPLES
from unit.probe.hearing_lab import word

BY_NEIGHBOURS = {"accounting_anomaly:stream_mismatch", "accounting_anomaly:prompt_tokens_unstable"}
WORDS = {f"{cls}:{reason}" for cls, reasons in REASONS.items() if cls != PARAM_IGNORED for reason in reasons}
NUMBERED = [pytest.param(*one, id=f"{at}-{one[0]}") for at, one in enumerate(EXAMPLES)]


@pytest.mark.parametrize(("wanted", "shown", "_kept"), NUMBERED)
def test_an_example_is_heard_as_its_reason(wanted, shown, _kept):
    heard = shown()
    assert word(heard) == wanted, heard.faults
    assert heard.judgements[CONTRACT_OF[Cls(wanted.partition(":")[0])]] in (Kept.FAIL, Kept.NOT_EVALUABLE)


@pytest.mark.parametrize(("wanted", "_shown", "kept"), NUMBERED)
def test_its_neighbours_pass(wanted, _shown, kept):
    for neighbour in kept:
        heard = neighbour()
        assert word(heard) == "pass", heard.faults
        assert Kept.FAIL not in heard.judgements.values()


def test_every_reason_has_an_example_and_a_neighbour():
    assert {wanted for wanted, *_ in EXAMPLES} == WORDS - BY_NEIGHBOURS
    alone = WORDS - BY_NEIGHBOURS - {wanted for wanted, _, kept in EXAMPLES if kept}
    assert alone <= {"content_miss:unicode_normalised"}


def test_one_check_for_each_class_in_their_order():
    assert [check.cls for check in CHECKS] == [cls for cls in Cls if cls not in (Cls.PASS, Cls.ERROR_CONTRACT)] + [
        Cls.ERROR_CONTRACT
    ]
    assert len({check.entry.code for check in CHECKS}) == len(CHECKS)


@pytest.mark.parametrize(("_wanted", "shown", "_kept"), NUMBERED)
def test_every_promise_has_a_word(_wanted, shown, _kept):
    heard = shown()
    assert set(heard.judgements) == set(Contract)
    assert {one.word for one in heard.faults} <= WORDS | {f"{PARAM_IGNORED}:{one}" for one in REASONS[PARAM_IGNORED]}
