"""The sample of LiveCodeBench: two questions, two samples each, one of them lost to the grader."""

from __future__ import annotations

from collections import Counter

import pytest

from denominator.errors import InputError
from denominator.importers.formats.livecodebench import IMPORTER
from denominator.pipeline.foreign import import_foreign
from denominator.wire.sources import open_source
from foreign_data import sample


def test_the_demo():
    found = import_foreign(IMPORTER, open_source(sample("handmade-formats", "livecodebench")))
    assert Counter((one.exit, one.origin) for one in found.result.judged.sheet.draws) == {
        ("pass", "MODEL"): 1, ("fail", "MODEL"): 2, ("unscoreable", "HARNESS"): 1,
    }  # fmt: skip
    assert not any(one.blocks for one in found.run.told.defects)
    assert found.run.told.published[0].value == "0.25"


def test_the_file_by_position_is_refused():
    path = sample("handmade-formats", "livecodebench", "Scenario.codegeneration_2_0.2_eval.json")
    with pytest.raises(InputError, match="keyed by position"):
        IMPORTER.read(open_source(path))
