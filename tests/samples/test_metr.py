"""METR's public runs: runs, tasks, passes and runs at usage limits of every alias, and what two revisions say differently."""

from __future__ import annotations

from collections import Counter

import pytest

from denominator.importers.formats.metr import IMPORTER
from denominator.pipeline.foreign import import_foreign
from denominator.wire.sources import open_source
from foreign_data import sample

FACTS = {
    # runs, tasks, passes, at usage limits, passes at usage limits, fewest and most runs of a task
    "Claude 3 Opus": (866, 83, 184, 266, 4, 1, 39),
    "Claude 3.5 Sonnet (New)": (802, 83, 366, 194, 22, 4, 96),
    "Claude 3.5 Sonnet (Old)": (845, 83, 287, 238, 6, 4, 88),
    "GPT-4 0314": (429, 83, 83, 206, 0, 1, 19),
    "GPT-4 Turbo": (891, 83, 171, 266, 2, 6, 40),
    "GPT-4o": (885, 83, 216, 248, 2, 1, 37),
    "davinci-002": (68, 16, 0, 44, 0, 2, 5),
    "gpt-3.5-turbo-instruct": (485, 76, 3, 0, 0, 1, 8),
    "human": (211, 83, 152, 0, 0, 1, 17),
    "o1": (1014, 83, 363, 429, 15, 2, 65),
}


@pytest.mark.parametrize("alias", FACTS)
def test_alias(alias):
    files = open_source(sample("metr-eval-analysis", "all_runs.2025-02-05.jsonl"))
    rows = list(IMPORTER.read(files, alias).rows)
    passed = [one for one in rows if any(label.axis == "outcome" and label.value == "pass" for label in one.labels)]
    tasks = Counter(one.row.key.task_id for one in rows)
    assert (
        len(rows),
        len(tasks),
        len(passed),
        sum("usageLimits" in one.ending for one in rows),
        sum("usageLimits" in one.ending for one in passed),
        min(tasks.values()),
        max(tasks.values()),
    ) == FACTS[alias]


def test_judged_as_the_source_counts():
    files = open_source(sample("metr-eval-analysis", "all_runs.2025-02-05.jsonl"))
    found = import_foreign(IMPORTER, files, "GPT-4o")
    assert Counter(draw.exit for draw in found.result.judged.sheet.draws) == {"pass": 216, "fail": 669}
    assert found.result.judged.verdict.status == "blocked"
    assert not found.run.declared.declared_n


def test_two_revisions_differ():
    """359 runs belong to another alias and one has another binary score; a folder of both blocks."""
    run = IMPORTER.read(open_source(sample("metr-eval-analysis")), "all_runs.2025-02-05: o1")
    assert sum(1 for _ in run.rows) == 1014
    told = [one for one in run.told.defects if one.kind == "revisions_differ"]
    assert [one.blocks for one in told] == [True]
    assert "1010 of 1014 runs" in told[0].what
    assert "359 with another alias" in told[0].what
    assert "1 with another score_binarized" in told[0].what
