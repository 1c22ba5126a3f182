"""A run in the weak sandbox: counts, the reason beside them, and nothing that is edited later gets it a rate."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from denominator.adapters.sandboxes.landlock import calls
from e2e.cli_lab import Said, process
from e2e.runs import envelope, make_pack

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(calls.abi() < calls.LEAST_ABI, reason="the Landlock of this kernel is too old"),
]
STAMP = "WEAK SANDBOX (landlock)"
REASON = "run in a weak sandbox (landlock): "


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("weak")
    make_pack(folder, "clamp-low", "count-words", "double-it", "keep-sorted")
    text = envelope([{"label": "oracle", "agent": "oracle"}], pack="pack", sandbox={"backend": "landlock"})
    (folder / "envelope.toml").write_text(text)
    said = process(folder, "run", "--run-id", "weak", "--json")
    assert said.code == 0, said.err
    assert said.err.count("IN THE WEAK SANDBOX (landlock)") == 1
    return folder


def card_of(folder: Path) -> Said:
    return process(folder, "card", "weak", "--json")


def test_counts_no_rate_and_the_reason_beside(ran: Path) -> None:
    seal = json.loads((ran / "runs/weak/seal.json").read_bytes())
    assert seal["sandbox"]["name"] == "landlock" and seal["sandbox"]["mode"].startswith("weak, ")
    assert seal["unsandboxed"] is False
    said = card_of(ran)
    assert said.code == 0
    card = said.json
    assert card["verdict"]["rung"] == "counts" and card["equation"]["pass"] == 2
    assert STAMP in card["stamps"]
    assert "print a percentage" in card["verdict"]["may_not"]
    (finding,) = [one for one in card["verdict"]["findings"] if one["code"] == "GL023"]
    assert f"capped at counts: {REASON}" in finding["what"] and "pid_namespace" in finding["what"]
    assert all("not_measured" in one["value"] for one in card["estimates"] if one["metric"] == "headline")
    text = process(ran, "card", "weak").out
    assert f"stamp: {STAMP}" in text


def test_slip_and_bundle_say_it_too(ran: Path) -> None:
    slip = process(ran, "slip", "new", "weak")
    assert slip.code == 0 and "WEAK SANDBOX" in slip.out
    made = process(ran, "bundle", "weak", "-o", "bundle")
    assert made.code == 0, made.err
    told = "publishable (counts); only counts may be cited, no rate"
    assert told in made.err and STAMP in made.err
    kept = json.loads((ran / "bundle/card.json").read_bytes())
    assert kept["verdict"]["rung"] == "counts" and STAMP in kept["stamps"]
    checked = process(ran, "verify", "bundle")
    assert checked.code == 0 and told in checked.out and STAMP in checked.out
    said = process(ran, "verify", "bundle", "--json").json
    assert (said["verdict"], said["rung"]) == ("publishable", "counts") and STAMP in said["stamps"]
    forged = ran / "forged"
    shutil.copytree(ran / "bundle", forged)
    kept["stamps"] = [one for one in kept["stamps"] if "WEAK" not in one]
    (forged / "card.json").write_text(json.dumps(kept))
    assert process(ran, "verify", "forged").code == 1


def test_a_seal_that_is_made_strong_later_is_another_seal(ran: Path) -> None:
    place = ran / "runs/weak/seal.json"
    sealed = place.read_bytes()
    seal = json.loads(sealed)
    seal["sandbox"]["mode"] = seal["sandbox"]["mode"].removeprefix("weak, ")
    try:
        place.chmod(0o644)
        place.write_text(json.dumps(seal, sort_keys=True, separators=(",", ":")) + "\n")
        said = card_of(ran)
        assert said.code == 1 and said.json["verdict"]["status"] == "blocked"
        assert any("seal" in one["what"] for one in said.json["verdict"]["findings"] if one["severity"] == "block")
    finally:
        place.write_bytes(sealed)
    assert card_of(ran).code == 0
