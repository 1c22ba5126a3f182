"""The hand-made samples of OpenHands benchmarks: attempts with a report, and an older evaluation."""

from __future__ import annotations

from denominator.importers.formats.openhands import IMPORTER
from denominator.pipeline.foreign import import_foreign
from denominator.wire.sources import open_source
from foreign_data import sample


def test_attempts_are_read_before_the_filtered_file():
    found = import_foreign(IMPORTER, open_source(sample("handmade-formats", "openhands")))
    sheet = found.result.judged.sheet
    assert sheet.declared_n == 5
    assert {one.draw.task_id[-1]: (one.exit, one.outcomes) for one in sheet.draws} == {
        "1": ("pass", ("pass",)), "2": ("abstain", ("abstain", "pass")), "3": ("unscoreable", ("unscoreable",) * 2),
        "4": ("fail", ("fail",)), "5": ("never_started", ()),
    }  # fmt: skip
    assert ("resolved_instances", "2") in {(one.metric, one.value) for one in found.run.told.published}
    blocks = {one.code for one in found.result.judged.findings if one.severity == "block"}
    assert {"GL002", "GL003", "GL019"} <= blocks


def test_an_older_evaluation():
    found = import_foreign(IMPORTER, open_source(sample("handmade-formats", "openhands-legacy")))
    assert [(one.exit, one.origin) for one in found.result.judged.sheet.draws] == [
        ("pass", "MODEL"),
        ("abstain", "MODEL"),
    ]
