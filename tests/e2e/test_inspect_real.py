"""A log that Inspect itself makes here agrees with Inspect's own counts, and every difference has its reason."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from denominator.importers.formats.inspect import IMPORTER
from denominator.pipeline.foreign import Foreign, import_foreign
from denominator.wire.sources import open_source
from e2e.environment import environment

pytestmark = pytest.mark.e2e
SCRIPT = Path(__file__).with_name("inspect_task.py")


@pytest.fixture(scope="module", params=["eval", "json"])
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Foreign]:
    """What Inspect says of its log, and what we read of it."""
    folder = tmp_path_factory.mktemp(request.param)
    python = environment("inspect", "bench") / "bin" / "python"
    words = [python, SCRIPT, folder / "logs", request.param]
    ran = subprocess.run(words, capture_output=True, text=True, check=False, cwd=folder, timeout=300)
    assert ran.returncode == 0, ran.stderr[-2000:]
    theirs = json.loads(ran.stdout.strip().splitlines()[-1])
    return theirs, import_foreign(IMPORTER, open_source(Path(theirs["path"])))


def test_the_plan_is_what_inspect_calls_its_total(both: tuple[dict[str, Any], Foreign]):
    theirs, ours = both
    assert (theirs["status"], ours.run.declared.declared_n) == ("success", theirs["total"])
    assert len(ours.result.judged.sheet.draws) == theirs["total"] == 12


def test_every_sample_ends_as_inspect_says(both: tuple[dict[str, Any], Foreign]):
    theirs, ours = both
    exits = {(one.draw.task_id, one.draw.repeat): (one.exit, one.reason) for one in ours.result.judged.sheet.draws}
    for one in theirs["samples"]:
        exit_, reason = exits[one["id"], one["epoch"]]
        if one["error"]:
            assert (exit_, reason) == ("unscoreable", "env_flake"), (
                "an error is no verdict: Inspect leaves the sample out"
            )
        elif one["score"] == "nan":
            assert (exit_, reason) == ("unscoreable", "grader_error"), "Inspect leaves an unscored id out of its mean"
        else:
            assert exit_ == {"C": "pass", "I": "fail"}[one["score"]]


def test_what_inspect_calls_completed_is_what_no_error_ended(both: tuple[dict[str, Any], Foreign]):
    theirs, ours = both
    draws = ours.result.judged.sheet.draws
    errors = [one for one in draws if one.reason == "env_flake"]
    assert len(draws) - len(errors) == theirs["completed"], "completed counts unscored samples, and none that broke off"


def test_the_accuracy_of_inspect_has_another_denominator(both: tuple[dict[str, Any], Foreign]):
    theirs, ours = both
    exits: dict[str, Counter[str]] = {}
    for one in ours.result.judged.sheet.draws:
        exits.setdefault(one.draw.task_id, Counter())[one.exit] += 1
    scored = {task: found for task, found in exits.items() if found["pass"] + found["fail"]}
    mean = sum(Fraction(found["pass"], found["pass"] + found["fail"]) for found in scored.values()) / len(scored)
    why = "Inspect averages ids of which an epoch was scored; ids that broke off in all epochs or were never scored are gone"
    assert Fraction(str(theirs["accuracy"])).limit_denominator(1000) == mean == Fraction(3, 4), why
    assert (theirs["scored"], len(scored)) == (4, 4), why
    passes = sum(found["pass"] for found in exits.values())
    assert Fraction(passes, theirs["total"]) == Fraction(1, 2), "over what was planned half of the draws passed"
    (rate,) = [one for one in ours.run.told.published if one.metric.endswith(" accuracy")]
    assert (Decimal(rate.value), rate.of.partition(",")[0]) == (
        Decimal(str(theirs["accuracy"])),
        "4 ids after reduction",
    )


def test_tries_and_tokens(both: tuple[dict[str, Any], Foreign]):
    theirs, ours = both
    rows = ours.result.judged.sheet.ledger.rows
    tries = Counter(row.key.draw for row in rows)
    for one in theirs["samples"]:
        assert (
            tries[next(key for key in tries if (key.task_id, key.repeat) == (one["id"], one["epoch"]))]
            == one["tries"] + 1
        )
    known = [row.usage.prompt + row.usage.completion for row in rows if row.usage.prompt]
    assert sum(known) == sum(one["tokens"] for one in theirs["samples"])
    lost = theirs["tokens"] - sum(known)
    assert lost == 2 * 15, (
        "the sum of the log also counts the answers of tries that were thrown away; no row can hold them"
    )
    assert any(note.startswith(f"tokens: {sum(known)} ") and "lower bound" in note for note in ours.run.told.notes)


def test_a_spent_limit_is_told_and_graded(both: tuple[dict[str, Any], Foreign]):
    theirs, ours = both
    stopped = {row.key.task_id for row in ours.result.judged.sheet.ledger.rows if row.stop_reason}
    assert stopped == {one["id"] for one in theirs["samples"] if one["limit"]} == {"loops"}
