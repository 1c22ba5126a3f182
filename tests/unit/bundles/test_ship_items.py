"""Which names a bundle may hold, and what is said of each item that is asked for."""

from __future__ import annotations

import pytest

from denominator.bundles.items import ASKED, HELD_BACK, HERE, NOT_RUN, items_of
from denominator.bundles.layout import REQUIRED, is_document, strangers

LOGS = ("m13/header.json", "m13/classes.json", "m13/seed-7.jsonl", "m13/seed--3.jsonl", "m13/repeat-1.jsonl")


def test_an_item_that_must_be_there_and_is_not_is_missing() -> None:
    everything = {file for _, file, _ in ASKED} | {*LOGS, *REQUIRED}
    assert {one.state for one in items_of(everything)} == {HERE}
    for asked, file, absent in ASKED:
        if file in ("SHA256SUMS", "m13/"):
            continue
        (found,) = [one for one in items_of(everything - {file}) if one.asked == asked]
        assert (found.file, found.state) == (file, absent or "missing")
        assert bool(absent) is (file not in REQUIRED)


def test_without_logs_the_classes_are_held_back() -> None:
    states = {one.asked: one.state for one in items_of(REQUIRED)}
    assert states["failure classes: one log a seed"] == HELD_BACK
    assert states["narration probe"] == NOT_RUN


@pytest.mark.parametrize("name", LOGS)
def test_logs_of_seeds_are_documents_of_a_bundle(name: str) -> None:
    assert is_document(name) and strangers([name]) == []


@pytest.mark.parametrize(
    "name", ["m13/seed-.jsonl", "m13/seed-7.json", "m13/more.json", "m13/m13/header.json", "m13/repeat-x.jsonl"]
)
def test_other_names_are_not(name: str) -> None:
    assert strangers([name]) == [name]
