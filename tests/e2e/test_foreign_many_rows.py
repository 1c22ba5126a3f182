"""An import of more rows than are held in memory: a folder that every verb reads, and the same card."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from denominator.importers.formats.swebench_pro import IMPORTER
from denominator.pipeline.foreign import import_foreign
from denominator.pipeline.foreign_declared import read_declared
from denominator.wire.sources import open_source

N = 30
KNOWN = """
max_attempts = 1
retry_policy = "none"
scorer = "tests"
on_timeout = "fail"
invalid_rate_ceiling = 0.1
task_ids_file = "ids.txt"
"""


@pytest.fixture
def many(here):
    """Two folders of rows in files, as if 30 were too many to hold, and one of the first kept as a document."""
    tables = {"a": {f"task-{n:02}": n % 3 == 0 for n in range(N)}, "b": {f"task-{n:02}": n % 2 == 0 for n in range(N)}}
    (here / "ids.txt").write_text("\n".join(tables["a"]))
    (here / "known.toml").write_text(KNOWN)
    for name, rows in tables.items():
        (here / name).mkdir()
        (here / name / "eval_results.json").write_text(json.dumps(rows))
        files, declaring = open_source(here / name), read_declared(here / "known.toml")
        import_foreign(IMPORTER, files, "", declaring, here / f"many-{name}", most=N - 1)
        import_foreign(IMPORTER, files, "", declaring, here / f"few-{name}", most=N)
    return here


def test_a_folder_of_rows_in_a_file_is_read_by_every_verb(cli, many):
    assert (many / "many-a" / "ledger.jsonl").is_file()
    assert (many / "few-a" / "ledger.json").is_file()
    for verb in (("card", "--json"), ("gate", "--json"), ("spend", "--json"), ("card",), ("gate", "-v")):
        said, same = cli(verb[0], many / "many-a", *verb[1:]), cli(verb[0], many / "few-a", *verb[1:])
        assert said.code == same.code == 0, (verb, said.err)
        assert said.out.replace("many-a", "few-a") == same.out, verb
    lines = [json.loads(line) for line in cli("labels", many / "many-a").out.splitlines()]
    assert Counter(one["outcome"] for one in lines) == {"pass": 10, "fail": 20}
    said = cli("labels", many / "many-a", "--why", "task-00")
    assert (said.code, "labelled as a stream" in said.err) == (2, True)
    said = cli("review", "export", many / "many-a", "-o", many / "sheets")
    assert (said.code, "is an import, not a run" in said.err, "import fewer" in said.err) == (2, True, True)


def test_labels_of_people_beside_rows_in_a_file_are_refused_not_overlooked(cli, many):
    (many / "many-a" / "labels.jsonl").write_text("{}\n")
    assert "labels of people" in cli("labels", many / "many-a").err
    for verb in ("gate", "card"):
        said = cli(verb, many / "many-a")
        assert (said.code, "move them away, or import fewer rows" in said.err) == (2, True), said.err


def test_rows_in_files_are_compared_as_others(cli, many):
    made = []
    for a, b in (("many-a", "many-b"), ("many-a", "few-b"), ("few-a", "few-b")):
        said = cli("compare", many / a, many / b, "--treatment", "run_id", "--equal", "one harness", "--json")
        assert said.code == 0, said.err
        made.append(
            {
                key: value
                for key, value in said.json["comparison"].items()
                if key in ("more_a", "more_b", "test", "estimates")
            }
        )
    assert made[0] == made[1] == made[2]
    assert made[0]["more_a"]
