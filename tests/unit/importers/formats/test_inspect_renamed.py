"""Members of an eval log that hold another sample than they are called after: one attempt each, never two."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from denominator.importers.formats.inspect import IMPORTER
from denominator.wire.sources import open_source
from foreign_data import kinds, read_all
from importer_examples.inspect import log, members, packed, sample


@pytest.mark.parametrize("finished", [True, False])
@pytest.mark.parametrize("planned", [True, False])
@pytest.mark.parametrize(("id_", "epoch"), [("x", 1), ("9" * 400, 1), ("p/a", 7)])
def test_a_renamed_sample_is_not_read_from_the_summaries_too(
    id_: str, epoch: int, planned: bool, finished: bool, tmp_path: Path
) -> None:
    spec = {} if planned else {"dataset": {"name": "pack", "samples": 2}}
    of = log(["p/a", "b"], [sample("p_a"), sample("b")], **spec)
    for one in of["samples"]:
        one["id"] = one["id"].replace("p_a", "p/a")
    content = members(of, finished)
    content = {name.replace("p/a", "p_a"): data for name, data in content.items()}
    name = "samples/p_a_epoch_1.json"
    content[name] = json.dumps(json.loads(content[name]) | {"id": id_, "epoch": epoch}).encode()
    run, rows = read_all(IMPORTER, open_source(packed(tmp_path / "log.eval", content)))
    assert sorted((one.row.key.task_id, one.row.key.repeat) for one in rows) == sorted([(id_, epoch), ("b", 1)])
    assert "renamed_sample" in kinds(run, blocks=False)
    assert ("not_scheduled" in kinds(run)) is planned


def test_a_missing_member_is_still_read_from_the_summaries(tmp_path: Path) -> None:
    content = members(log(["a", "b"], [sample("a"), sample("b")]))
    del content["samples/a_epoch_1.json"]
    run, rows = read_all(IMPORTER, open_source(packed(tmp_path / "log.eval", content)))
    assert sorted(one.row.key.task_id for one in rows) == ["a", "b"]
    assert "sample_missing" in kinds(run, blocks=False)
