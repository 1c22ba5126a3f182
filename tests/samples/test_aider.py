"""The sample of aider's benchmark: eight exercises, seven results."""

from __future__ import annotations

from collections import Counter

from denominator.importers.formats.aider import IMPORTER
from denominator.pipeline.foreign import import_foreign
from denominator.wire.sources import open_source
from foreign_data import sample


def test_the_demo_run():
    files = open_source(sample("handmade-formats", "aider"))
    found = import_foreign(IMPORTER, files)
    sheet = found.result.judged.sheet
    assert sheet.declared_n == 8
    assert Counter((draw.exit, draw.origin) for draw in sheet.draws) == {
        ("pass", "MODEL"): 3, ("fail", "MODEL"): 1, ("unscoreable", "HARNESS"): 2, ("unscoreable", "INFRA"): 1,
        ("never_started", ""): 1,
    }  # fmt: skip
    blocks = {finding.code for finding in found.result.judged.findings if finding.severity == "block"}
    assert blocks == {"GL002", "GL003"}
    assert found.run.document["tries"] == "2"
