"""The table of fields: closed, described, one name a field."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from denominator.compare.fields import BLOCKS_FOR, BY_NAME, CLOCKED, FIELDS, FOLLOWS, OF_MODEL, WANTED, blocks, field_of
from denominator.compare.pages import field_table, follow_lines
from denominator.envelopes.conditions import conditions_of
from denominator.records.field_names import ALSO, NAMES, known_snapshot, our_name
from denominator.records.values import NotMeasured
from unit.compare.arms import SEAL

PAGE = Path(__file__).parents[3] / "docs" / "formats" / "conditions.md"
OURS_ALONE = {"site_packages"}
"""Fields of our seals that no foreign document is expected to have: conditions like any unknown one."""


@pytest.mark.parametrize(("name", "made"), [("fields", field_table), ("follows", follow_lines)])
def test_the_page_is_the_table(name, made):
    found = re.search(rf"<!-- {name}:[^\n]*-->\n(.*?)\n<!-- /{name} -->", PAGE.read_text("utf-8"), re.S)
    assert found is not None and found[1] == made()


def test_every_name_is_used_once_and_explained():
    assert len(BY_NAME) == len(FIELDS)
    assert all(one.why and one.blocks in BLOCKS_FOR for one in FIELDS)
    assert {one.kind for one in FIELDS} == {"question", "subject", "conditions", "referee", "note"}
    aliases = [alias for names in ALSO.values() for alias in names]
    assert len(aliases) == len(set(aliases)) == len(NAMES)
    assert not set(aliases) & BY_NAME.keys(), "an alias would hide a field"
    known = {*ALSO, *FOLLOWS, *OF_MODEL, *WANTED, *CLOCKED, *(one for names in FOLLOWS.values() for one in names)}
    assert known <= BY_NAME.keys()


def test_a_seal_states_no_field_that_the_table_does_not_know():
    stated = {one.name for one in conditions_of(SEAL)}
    assert stated - BY_NAME.keys() == OURS_ALONE


@pytest.mark.parametrize(
    ("told", "name"),
    [
        ("model_id", "model_id"), ("arm.model.id", "model_id"), ("agent", "agent_id"), (" seed ", "seed"),
        ("env.mem_kill_mb", "mem_kill_mb"), ("envelope.retry_cap", "max_attempts"), ("judge.model", "judge.model"),
        ("agent_timeout_multiplier", "agent_timeout_multiplier"), ("env.odd", "odd"), ("", ""), ("env.", "env."),
    ],
)  # fmt: skip
def test_names(told, name):
    assert our_name(told) == name


def test_what_nobody_knows_is_a_condition():
    field = field_of("agent_timeout_multiplier")
    assert field.kind == "conditions" and blocks(field, "rate") and not field.core


@pytest.mark.parametrize(
    ("model", "stated", "known"),
    [
        ("prov/fam", "fam-2026-08-01", True), ("prov/fam", "fam", False), ("fam", "fam", False),
        ("prov/fam", "fam-latest", False), ("prov/fam", "latest", False), ("prov/fam", "", False),
        ("prov/fam", "REPLACE", False), ("none", "none", True), ("prov/fam", "fam-latestage", True),
    ],
)  # fmt: skip
def test_snapshots(model, stated, known):
    assert (known_snapshot(model, stated) == stated) is known
    assert known_snapshot(model, NotMeasured("x")) == NotMeasured("x")
