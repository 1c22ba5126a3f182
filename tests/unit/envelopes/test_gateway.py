"""The table [gateway]: what cannot act, or is no word, is refused before anything is sealed; every mistake at once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from denominator.envelopes import complete, terms_of
from denominator.envelopes.conditions import conditions_of
from denominator.envelopes.gateway import FAULTS, refuse_unknown_tasks
from denominator.errors import InputError
from denominator.records.cassettes import SealedCassette
from denominator.records.conditions import condition
from denominator.records.envelopes import Budget, Envelope, GatewayTerms, ProviderFault
from denominator.records.values import NotMeasured
from judging_data import probe
from unit.compare.arms import SEAL
from unit.envelopes.test_envelopes import DEMO, MODELLED


def told(envelope: Envelope, **terms) -> dict[str, str]:
    found = complete(replace(envelope, gateway=GatewayTerms(**terms)))
    return {one.where: one.what for one in found}


@pytest.mark.parametrize(
    ("terms", "where"),
    [
        ({"retry_on": ("connect", "timeout")}, "gateway.retry_on[1]"),
        ({"bodies": "all"}, "gateway.bodies"),
        ({"volatile": ("a.b", "a..b")}, "gateway.volatile[1]"),
        ({"volatile": ("",)}, "gateway.volatile[0]"),
        ({"retries": -1}, "gateway.retries"),
        ({"wait_max_s": -1}, "gateway.wait_max_s"),
        ({"fault": (ProviderFault(kind="flood"),)}, "gateway.fault[0].kind"),
        ({"fault": (ProviderFault(kind="no_answer", call=0),)}, "gateway.fault[0].call"),
        ({"fault": (ProviderFault(kind="no_answer", times=0),)}, "gateway.fault[0].times"),
        ({"fault": (ProviderFault(kind="no_answer", value=-1),)}, "gateway.fault[0].value"),
        ({"fault": (ProviderFault(kind="no_answer", repeat=9),)}, "gateway.fault[0].repeat"),
        ({"fault": (ProviderFault(kind="no_answer", attempt=9),)}, "gateway.fault[0].attempt"),
        ({"fault": (ProviderFault(kind="server_error", value=404),)}, "gateway.fault[0].value"),
    ],
)
def test_a_mistake_is_named_by_its_place(terms, where):
    assert list(told(MODELLED, **terms)) == [where]


@pytest.mark.parametrize("kind", FAULTS)
def test_every_kind_of_fault_may_be_sealed(kind):
    assert (
        told(MODELLED, fault=(ProviderFault(kind=kind),), retries=2, cassette="tape", volatile=("messages.*.id",)) == {}
    )


def test_every_mistake_in_one_pass():
    fault = ProviderFault(kind="x", call=0, times=0)
    assert len(told(MODELLED, retry_on=("a",), bodies="b", volatile=(".",), fault=(fault,))) == 6


@pytest.mark.parametrize(
    "terms", [{"cassette": "tape"}, {"probe": "answers"}, {"fault": (ProviderFault(kind="no_answer"),)}]
)
def test_what_no_call_would_reach_is_refused(terms):
    (where,) = told(DEMO, **terms)
    assert "no call" in told(DEMO, **terms)[where]


def test_one_recording_is_of_one_arm():
    two = replace(MODELLED, arm=(*MODELLED.arm, replace(MODELLED.arm[0], label="other")))
    assert "2 arms" in told(two, cassette="tape")["gateway.cassette"]


def test_a_fault_of_an_unknown_task_is_refused_when_sealed():
    plan = (
        ProviderFault(kind="no_answer", task="t1"),
        ProviderFault(kind="no_answer"),
        ProviderFault(kind="no_answer", task="gone"),
    )
    envelope = replace(MODELLED, gateway=GatewayTerms(fault=plan))
    with pytest.raises(InputError) as error:
        refuse_unknown_tasks(envelope, {"t1", "t2"}, "envelope.toml")
    assert [one.where for one in error.value.problems] == ["gateway.fault[2].task"]
    refuse_unknown_tasks(envelope, {"t1", "gone"}, "envelope.toml")


def stated(seal, name):
    return condition(conditions_of(seal), name)


def test_how_calls_are_carried_is_a_condition_and_whether_texts_are_kept_is_none():
    plain = conditions_of(SEAL)
    assert [stated(SEAL, name) for name in ("transport_retries", "provider_faults", "cassette", "call_cap")] == [
        '"none"'
    ] * 4
    kept = replace(SEAL, envelope=replace(SEAL.envelope, gateway=GatewayTerms(bodies="digests")))
    assert conditions_of(kept) == plain
    probed = replace(SEAL, envelope=replace(SEAL.envelope, gateway=GatewayTerms(probe="answers")), probe=probe())
    assert conditions_of(probed) == plain and terms_of(probed).probe == probe()
    terms = GatewayTerms(retries=2, retry_on=("server_error", "connect"), fault=(ProviderFault(kind="no_answer"),))
    other = replace(SEAL, envelope=replace(SEAL.envelope, gateway=terms, budget=replace(SEAL.envelope.budget, calls=9)))
    moved = {one.name for one in conditions_of(other) if one not in plain}
    assert moved == {"transport_retries", "provider_faults", "call_cap"}


def test_a_recording_is_a_condition_by_what_it_holds():
    terms = replace(SEAL.envelope, gateway=GatewayTerms(cassette="here", volatile=("b", "a")))
    made = [replace(SEAL, envelope=terms, cassette=SealedCassette(sha256=sha, run_id="r", seal="s")) for sha in "ab"]
    moved = replace(made[0], envelope=replace(terms, gateway=GatewayTerms(cassette="there", volatile=("a", "b"))))
    assert stated(made[0], "cassette") == stated(moved, "cassette") != stated(made[1], "cassette")
    assert isinstance(stated(replace(SEAL, envelope=terms), "cassette"), NotMeasured)


def test_a_budget_of_calls_without_a_number_is_none():
    assert stated(replace(SEAL, envelope=replace(SEAL.envelope, budget=Budget())), "call_cap") == '"none"'
