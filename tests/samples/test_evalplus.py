"""The sample of EvalPlus: three tasks, two samples each."""

from __future__ import annotations

from collections import Counter

import pytest

from denominator.importers.formats.evalplus import IMPORTER
from denominator.pipeline.foreign import import_foreign
from denominator.wire.sources import open_source
from foreign_data import sample


@pytest.mark.parametrize(("suite", "passed"), [("plus", 2), ("base", 3)])
def test_the_demo(suite, passed):
    found = import_foreign(IMPORTER, open_source(sample("evalplus-0.3.1")), suite)
    sheet = found.result.judged.sheet
    assert sheet.declared_n == 6
    assert Counter(draw.exit for draw in sheet.draws) == {"pass": passed, "fail": 6 - passed}
    assert not any(one.blocks for one in found.run.told.defects)
