"""500 reports of one SWE-bench run, kept as a table of one line each: read with a column map, counted as the reports say."""

from __future__ import annotations

import json

import pytest

from foreign_data import sample

MAP = """name = "gemini3pro"
outcome = "resolved"
[columns]
task_id = "instance_id"
[outcomes]
true = "pass"
false = "fail"
"""


@pytest.mark.parametrize(("plan", "code", "status"), [(None, 1, "blocked"), ({"task_count": 500}, 0, "publishable")])
def test_371_of_500_reports_are_resolved(cli, here, plan, code, status):
    (here / "columns.toml").write_text(MAP)
    files = [sample("mini-swe-agent-gemini3pro", "reports_compact.jsonl")]
    if plan is not None:
        (here / "manifest.json").write_text(json.dumps(plan))
        files.append(here / "manifest.json")
    said = cli("import", "rows", *files, "--map", here / "columns.toml", "--json")
    card = json.loads(said.out)["card"]
    assert (said.code, card["verdict"]["status"]) == (code, status), said.err
    assert {word: many for word, many in card["equation"].items() if many} == {"pass": 371, "fail": 129}
