"""`provenance.toml` says what it was given, whatever people wrote."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.records.packs import Provenance
from denominator.records.values import NotMeasured
from denominator.wire.provenance import Removed, provenance_toml
from unit.publish.test_conditions import SEAL

TEXT = st.text(st.characters(), max_size=20)
SOUND = TEXT.filter(lambda one: not any("\ud800" <= char <= "\udfff" for char in one))
DAY = st.dates(date(1, 1, 1), date(9999, 12, 31)).map(lambda one: one.isoformat()) | SOUND
PROVENANCE = st.builds(
    Provenance,
    authors=st.lists(SOUND, max_size=3).map(tuple),
    created=DAY,
    models=st.lists(SOUND, max_size=3).map(tuple),
    models_note=SOUND,
    dates=st.dictionaries(SOUND, DAY, max_size=3),
    retired=st.lists(SOUND, max_size=3).map(tuple),
)
REMOVED = st.lists(
    st.builds(Removed, task_ids=st.lists(SOUND, max_size=3).map(tuple), why=SOUND, origin=SOUND), max_size=3
)


@settings(max_examples=60, deadline=None)
@given(PROVENANCE, REMOVED, SOUND)
def test_everything_that_is_stated_is_read_again(stated: Provenance, removed: list[Removed], run_id: str) -> None:
    told = tomllib.loads(provenance_toml(replace(SEAL, provenance=stated), run_id, "c", removed).decode())
    assert (told["authors"], told["models"], told["retired"]) == (
        [*stated.authors],
        [*stated.models],
        [*stated.retired],
    )
    assert (told["models_note"], str(told["created"])) == (stated.models_note, stated.created)
    assert {path: str(day) for path, day in told["dates"].items()} == stated.dates
    assert told["run"]["run_id"] == run_id
    assert [(tuple(one["task_ids"]), one["why"], one["origin"]) for one in told["removed"]] == [
        (one.task_ids, one.why, one.origin) for one in removed
    ]


@given(TEXT)
def test_half_a_character_and_what_nobody_states_stay_readable(text: str) -> None:
    assert (
        tomllib.loads(provenance_toml(NotMeasured("nobody says"), text, text).decode())["not_measured"] == "nobody says"
    )
