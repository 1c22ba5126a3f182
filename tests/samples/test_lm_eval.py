"""A result that lm_eval 0.4.13 wrote: 6 documents, 2 answers each, 2 filters."""

from __future__ import annotations

import pytest

from denominator.importers.formats.lm_eval import IMPORTER
from denominator.pipeline.foreign import import_foreign
from denominator.wire.sources import open_source
from foreign_data import kinds, sample


@pytest.mark.parametrize("part", ["toy_code,first", "toy_code,strict"])
def test_six_documents_and_not_twelve(part: str):
    found = import_foreign(IMPORTER, open_source(sample("lm-eval-0.4.13")), part)
    assert [draw.exit for draw in found.result.judged.sheet.draws] == ["fail", "pass"] * 3
    assert (kinds(found.run), kinds(found.run, blocks=False)) == ([], ["repeats_in_one_row"])
    rate = [(one.value, one.of) for one in found.run.told.published if one.role == "rate"]
    assert rate == [("0.5", "6")]
    assert found.run.document["harness_version"] == "0.4.13"
