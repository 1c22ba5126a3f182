"""Real trajectories of SWE-agent, alone and in a submission."""

from __future__ import annotations

from collections import Counter

import pytest

from denominator.importers.formats.swe_agent import IMPORTER
from denominator.pipeline.foreign import import_foreign
from denominator.wire.sources import open_source
from foreign_data import sample

MODELS = {
    "gpt4__swe-agent-test-repo__default_from_url__t-0.00__p-0.95__c-3.00__install-1": "gpt-4o",
    "gpt4__swe-agent__test-repo__default_from_url__t-0.00__p-0.95__c-3.00__install-1": "gpt4",
    "gpt4__swe-bench-dev-easy_first_only__default__t-0.00__p-0.95__c-3.00__install-1": "gpt4",
}


@pytest.mark.parametrize("part", MODELS)
def test_the_trajectories_of_the_tools_own_tests(part: str):
    found = import_foreign(IMPORTER, open_source(sample("swe-agent")), part)
    assert [(draw.exit, draw.origin) for draw in found.result.judged.sheet.draws] == [("unscoreable", "HARNESS")]
    assert found.run.document["model_id"] == MODELS[part]
    assert [one for one in found.run.told.defects if one.blocks] == []
    assert {one.code for one in found.result.judged.findings if one.severity == "block"} == {"GL013"}


def test_a_submission_with_two_of_its_trajectories():
    run = "20240825_SWE-agent_gpt-4o-2024-05-13"
    found = import_foreign(IMPORTER, open_source(sample("multi-swe-bench-experiments")), run)
    draws = {draw.draw.task_id: draw for draw in found.result.judged.sheet.draws}
    assert Counter(draw.exit for draw in draws.values()) == {"unscoreable": 84, "fail": 1}
    assert draws["apache__dubbo-10638"].row.after_cap is True
    assert draws["apache__dubbo-11781"].row.stop_reason == "budget"
    assert any("import swebench" in note for note in found.run.told.notes)
