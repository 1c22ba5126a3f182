"""A look at two sealed runs that are going on, then their end: what the comparison may still print."""

from __future__ import annotations

import pytest

from e2e.runs import cli, envelope

pytestmark = [pytest.mark.e2e, pytest.mark.needs_bwrap, pytest.mark.xdist_group("looks")]

ARMS = ({"label": "gold", "agent": "oracle"}, {"label": "idle", "agent": "nop"})


@pytest.fixture(scope="module", params=[0, 1], ids=["no look declared", "one look declared"])
def looked(request, tmp_path_factory):
    """Two arms sealed, one looked at before its first prompt and both finished after; the looks declared."""
    folder = tmp_path_factory.mktemp("looks")
    plan = f'\n[comparison]\nprimary = ["idle", "gold"]\nlooks = {request.param}\n'
    (folder / "envelope.toml").write_text(envelope(ARMS, pack="holdout16") + plan)
    for arm in ("idle", "gold"):
        said = cli(folder, "seal", "--arm", arm, "--run-id", arm)
        assert said.code == 0, said.err
    assert cli(folder, "resume", "idle", "-q", "--brief").code in (0, 1)
    seen = cli(folder, "look", "gold", "idle", "--json")
    assert seen.code == 0, seen.err
    assert cli(folder, "resume", "gold", "-q", "--brief").code in (0, 1)
    return folder, request.param, seen.json


def test_the_look_is_written_down_beside_both(looked):
    folder, declared, seen = looked
    assert (seen["look"], seen["declared_looks"], seen["going_on"], seen["finished"]) == (1, declared, True, 0)
    texts = [(folder / "runs" / run / "looks.jsonl").read_text() for run in ("gold", "idle")]
    assert texts[0] == texts[1] and texts[0].count("\n") == 1
    after = cli(folder, "look", "gold", "idle", "--json").json
    assert not after["going_on"] and "this is no look" in after["which"]
    assert (folder / "runs" / "gold" / "looks.jsonl").read_text() == texts[0]


def test_no_p_value_is_printed_anywhere(looked):
    folder, declared, _ = looked
    said = cli(folder, "compare", "gold", "idle", "--json")
    assert said.code in (0, 1), said.err
    found = said.json["comparison"]
    assert isinstance(found["test"]["p"], dict) and found["test"]["e_value"] == "28.444444"
    rung = "established_for_tasks_like_these" if declared else "directional"
    assert found["verdict"]["rung"] == rung, "8 to 0 reaches 1/alpha, where looks were declared"
    assert "e-value 28.444444" in found["verdict"]["sentence"]
    text = " ".join(cli(folder, "compare", "gold", "idle", "-v").out.split())
    assert "p = " not in text and "exact p" not in text
    card = cli(folder, "card", "gold", "--json").json["verdict"]["sentence"]
    if declared:
        assert "Looked at" not in card
    else:
        assert "Looked at 1 time before its end, 0 declared: no p value" in card
