"""Real and tool-made output of mini-swe-agent."""

from __future__ import annotations

from collections import Counter

from denominator.importers.formats.mini_swe_agent import IMPORTER
from denominator.pipeline.foreign import import_foreign
from denominator.wire.sources import open_source
from foreign_data import sample


def test_every_ending_of_version_2():
    found = import_foreign(IMPORTER, open_source(sample("mini-swe-agent-2.4.6")))
    sheet = found.result.judged.sheet
    assert {draw.draw.task_id[-1]: (draw.exit, draw.origin) for draw in sheet.draws} == {
        "1": ("unscoreable", "HARNESS"), "2": ("abstain", "MODEL"), "3": ("fail", "MODEL"), "4": ("fail", "MODEL"),
        "5": ("unscoreable", "HARNESS"), "6": ("fail", "MODEL"),
    }  # fmt: skip
    kinds = Counter(one.kind for one in found.run.told.defects if one.blocks)
    # One trajectory of the sample is no JSON; the runs were made with three different sets of limits.
    assert kinds == {"broken_file": 1, "limits_differ": 3}


def test_three_trajectories_of_version_1():
    found = import_foreign(IMPORTER, open_source(sample("mini-swe-agent-gemini3pro")))
    rows = {one.row.key.task_id: one.row for one in found.result.judged.sheet.draws if one.row is not None}
    assert Counter(draw.exit for draw in found.result.judged.sheet.draws) == {"unscoreable": 2, "abstain": 1}
    assert rows["pylint-dev__pylint-7080"].patch.bytes == 0
    usage = rows["django__django-11163"].usage
    assert (usage.prompt, usage.completion, usage.calls, usage.complete) == (71166, 2773, 13, True)
    assert found.run.document["model_id"] == "google/gemini-3-pro-preview"
    assert found.run.document["agent_version"] == "1.15.0"
    assert any("import swebench" in note for note in found.run.told.notes)
