"""Where a model or a person accepts, no headline, no tokens per accepted patch and no card are given (METHODS M5, M10)."""

from __future__ import annotations

import json

import pytest

from denominator.importers.terms import scorer_kind

NUMBERS = ("headline", "resolved_rate", "acceptance", "tokens_per_accepted", "retry_tax", "first_try_share")


@pytest.fixture
def imported(here, cli):
    """The card of spend rows or outcomes under a manifest that names its scorer."""
    spend = [
        {
            "run_id": "r", "task_id": f"t{n}", "arm": "a", "attempt": 1, "prompt_tokens": 100, "completion_tokens": 20,
            "wall_ms": 1000, "accepted": n < 9, "checker_error": False,
        }
        for n in range(12)
    ]  # fmt: skip
    plain = [{"task_id": f"t{n}", "outcome": "pass" if n < 9 else "fail"} for n in range(12)]
    for name, rows in (("spend", spend), ("plain", plain)):
        (here / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    def card(shape, scorer):
        stated = {"dataset": {"count": 12}, "scorer": scorer, "hidden_tests": True, "max_attempts": 1}
        (here / "manifest.json").write_text(json.dumps(stated))
        said = cli("import", "rows", f"{shape}.jsonl", "manifest.json", "-o", f"{shape}-{scorer}", "--json")
        assert said.out, said.err
        return cli("gate", f"{shape}-{scorer}"), cli("card", f"{shape}-{scorer}", "--json").json

    return card


@pytest.mark.parametrize("shape", ["spend", "plain"])
@pytest.mark.parametrize("scorer", ["model", "person", "LLM judge", "human"])
def test_a_judge_that_is_no_test_gives_no_number(shape, scorer, imported):
    gate, card = imported(shape, scorer)
    kind = scorer_kind(scorer)
    assert gate.code == 1 and f"GL026 non-test-scorer: metric.scorer: the scorer is a {kind}" in gate.out
    found = {one["metric"]: one for one in card["estimates"]}
    assert all("not_measured" in found[name]["value"] for name in NUMBERS if name in found)
    assert {"headline", "tokens_per_accepted"} <= found.keys()
    assert "9 of 12" not in gate.out and "75" not in card["verdict"]["sentence"]


@pytest.mark.parametrize("scorer", ["tests", "Tests", "golden diff", "schema"])
def test_a_mechanical_one_does(scorer, imported):
    gate, card = imported("spend", scorer)
    found = {one["metric"]: one["value"] for one in card["estimates"]}
    assert gate.code == 0
    assert (found["headline"], found["tokens_per_accepted"]) == ("0.750000", "160.000000")


@pytest.mark.parametrize("stated", ["", "judge", "online judge", "rubric", "maintainer", "modelled"])
def test_other_words_stay_as_they_were_stated(stated):
    assert scorer_kind(stated) == stated
