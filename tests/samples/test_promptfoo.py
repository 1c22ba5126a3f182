"""The sample of promptfoo: two columns, an error that only a message explains, an answer from the cache."""

from __future__ import annotations

from collections import Counter

from denominator.importers.formats.promptfoo import IMPORTER
from denominator.pipeline.foreign import import_foreign
from denominator.wire.sources import open_source
from foreign_data import sample


def read(column: str):
    found = import_foreign(IMPORTER, open_source(sample("handmade-formats", "promptfoo", "output.json")), column)
    assert not any(one.blocks for one in found.run.told.defects)
    blocks = {one.code for one in found.result.judged.findings if one.severity == "block"}
    return Counter((one.exit, one.origin) for one in found.result.judged.sheet.draws), blocks


def test_a_pass_a_fail_and_an_error():
    exits, blocks = read("column-0")
    assert exits == {("pass", "MODEL"): 1, ("fail", "MODEL"): 1, ("unscoreable", "HARNESS"): 1}
    assert "GL060" not in blocks


def test_an_answer_of_the_cache_is_no_draw():
    exits, blocks = read("column-1")
    assert exits == {("pass", "MODEL"): 1}
    assert "GL060" in blocks
