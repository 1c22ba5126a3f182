"""A run that was sealed before some keys existed: it is read, judged, replaced by nothing, and keeps its digest."""

from __future__ import annotations

import json
import shutil
from hashlib import sha256

import pytest

from e2e.cli_lab import copy_run, process

KEYS = ("previous", "loosened", "lineage", "house")


@pytest.fixture
def older(lab, tmp_path):
    """A sealed run that never started, its seal without the keys of this version; the folder of runs, the digest."""
    for run_id, name in (("old", "oracle.toml"), ("older", "oracle.toml")):
        assert process(lab, "seal", name, "--run-id", run_id, "--runs-dir", str(tmp_path / "runs")).code == 0
    digests = []
    for run_id in ("old", "older"):
        path = tmp_path / "runs" / run_id / "seal.json"
        document = json.loads(path.read_text())
        for key in KEYS:
            del document[key]
        for key in ("comparison", "clause", "loosen"):
            del document["envelope"][key]
        del document["provenance"], document["probe"], document["envelope"]["gateway"]["probe"]
        stored = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        path.write_bytes(stored + b"\n")
        digests.append(sha256(stored).hexdigest())
    return tmp_path / "runs", digests[0]


def test_it_is_run_and_judged_and_keeps_its_digest(lab, older):
    runs, digest = older
    assert process(lab, "status", "old", "--runs-dir", str(runs), "--json").json["seal"] == digest
    assert process(lab, "resume", "old", "--runs-dir", str(runs), "-q").code == 0
    card = process(lab, "card", "old", "--runs-dir", str(runs), "--json").json
    assert card["seal_digest"] == digest
    codes = {one["code"]: one for one in card["verdict"]["findings"]}
    assert not [one["what"] for one in codes.values() if one["severity"] == "block"]
    assert any("older" in json.dumps(one) for one in codes.values()), "a sibling of the same older form is named"
    file = process(lab, "card", str(runs / "old" / "ledger.jsonl"), "--json").json
    assert file["seal_digest"] == digest
    assert not [one for one in file["verdict"]["findings"] if one["code"] == "GL016" and one["severity"] == "block"]


def test_an_edit_is_refused_or_blocks(lab, tmp_path):
    run = copy_run(lab, tmp_path, "window-oracle")
    text = (run / "seal.json").read_text()
    (run / "seal.json").write_text(text.replace(":", ": ", 1))
    said = process(lab, "gate", "window-oracle", "--runs-dir", str(tmp_path))
    assert said.code == 2 and "edited after sealing" in said.err
    canonical = json.loads(text)
    del canonical["house"]
    (run / "seal.json").write_text(json.dumps(canonical, sort_keys=True, separators=(",", ":"), ensure_ascii=False))
    said = process(lab, "gate", "window-oracle", "--runs-dir", str(tmp_path))
    assert said.code == 1 and "the run was started under seal" in " ".join(said.out.split())
    shutil.rmtree(run)
