"""A card names the protections that the machine of its run did not have."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from denominator.envelopes import demo_envelope
from denominator.judge import judge
from denominator.publish import make_card, render_card
from denominator.publish.conditions import audit_notes
from denominator.records.boxes import Box, Protection, SandboxFacts
from denominator.records.packs import Provenance
from denominator.records.seals import Plan, Seal
from denominator.records.values import NotMeasured
from judging_data import ledger, own, terms

ENVELOPE = demo_envelope("oracle", "oracle", version="1")
BOX = Box(**{f.name: NotMeasured("a test") for f in fields(Box) if f.name != "schema_version"})
SEAL = Seal(
    envelope=ENVELOPE,
    arm=ENVELOPE.arm[0],
    pack_id="p",
    pack_version="1",
    pack_digest="d" * 64,
    pack_reason="convenience",
    pack_license="MIT",
    selection_rule="convenience",
    tasks=(),
    plan=Plan(draws=()),
    rules_digest="r" * 64,
    causes=(),
    box=BOX,
    sandbox=SandboxFacts(name="bubblewrap", version="1", mode="user", usable=True, protections=()),
    grader_sha="g" * 64,
    baseline_digest="b" * 64,
    unsandboxed=False,
    version="0",
    commit="c" * 40,
    sealed_at="2026-11-29T12:00:00.000Z",
)
GONE = ("separate_uids", "memory_limit")


def card_of(*missing, **changed):
    held = tuple(Protection(name=n, holds=n not in missing, how="tried") for n in ("no_network", *GONE))
    seal = replace(SEAL, sandbox=replace(SEAL.sandbox, protections=held), **changed)
    made, given = ledger([own(f"t{n}") for n in range(9)]), terms(origin="seal")
    return make_card(made, given, judge(made, given), seal=seal)


def test_what_does_not_hold_is_on_the_card():
    card = card_of(*GONE)
    assert card.environment["sandbox.does_not_hold"] == "separate_uids, memory_limit"
    said = "protections of the sandbox that did not hold on this machine: separate_uids, memory_limit"
    assert said in card.notes and said in " ".join(render_card(card).split())


@pytest.mark.parametrize(("missing", "changed"), [((), {}), (GONE, {"unsandboxed": True})])
def test_nothing_is_said_where_all_holds_or_a_stamp_says_it(missing, changed):
    card = card_of(*missing, **changed)
    assert not any("protections" in note for note in card.notes)
    assert card.environment["sandbox.does_not_hold"] == (", ".join(missing) or "nothing")


@pytest.mark.parametrize(
    ("helpers", "model", "noted"),
    [
        (("lab/M-1",), "m-1", True),
        (("m-1-0711",), "m-1", True),
        (("m-2",), "m-1", False),
        ((), "m-1", False),
        (("none",), "none", False),
    ],
)
def test_a_model_that_helped_and_is_measured_is_a_note(helpers, model, noted):
    arm = replace(ENVELOPE.arm[0], model=replace(ENVELOPE.arm[0].model, id=model, snapshot="m-1-0711"))
    provenance = Provenance(authors=("us",), created="2026-11-29", models=helpers)
    card = card_of(envelope=replace(ENVELOPE, arm=(arm,)), provenance=provenance)
    assert any("helped to write these tasks and is the model of oracle" in note for note in card.notes) is noted


def test_a_card_repeats_what_the_audit_of_the_pack_had_found_and_an_older_seal_says_nothing():
    said = "pack audit: 16 of 16 automatic checks passed, 6 of 12 declared, 4 not applicable"
    assert list(audit_notes(replace(SEAL, pack_audit=said))) == [said]
    assert list(audit_notes(SEAL)) == list(audit_notes(None)) == []
