"""One ledger, two row orders, two locales, two hash seeds, two clocks' zones: the same bytes of card, gate and comparison."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys

import pytest

WORLDS = (
    {"PYTHONHASHSEED": "1", "LC_ALL": "C", "LANG": "C", "TZ": "UTC", "COLUMNS": "80"},
    {"PYTHONHASHSEED": "4242", "LC_ALL": "C.UTF-8", "LANG": "tr_TR.UTF-8", "TZ": "Pacific/Auckland", "COLUMNS": "80"},
)
PLACES = tuple(zip(("one", "two"), WORLDS, strict=True))
"""Everything differs at once: what depends on any of it comes out different."""
TASKS = [f"task-{number:02d}" for number in range(24)]
MANIFEST = {
    "claim_id": "order", "dataset": {"name": "order", "task_ids": TASKS, "task_count": 24}, "repeats": 2, "max_attempts": 2,
    "retry_policy": "one on 5xx", "invalid_rate_ceiling": 0.5, "on_timeout": "fail", "scorer": "tests",
    "model_id": "m", "model_snapshot": "m-1", "temperature": 0, "seed": 7, "concurrency": 1,
}  # fmt: skip
ENDS = ("pass", "pass", "fail", "unscoreable", "abstain")


def rows(seed):
    """Rows with retries, censored ones and names that sort differently in different locales."""
    pick = random.Random(seed)
    found = []
    for task in TASKS:
        for repeat in (1, 2):
            outcome = pick.choice(ENDS)
            row = {
                "task_id": task,
                "repeat": repeat,
                "attempt": 1,
                "outcome": outcome,
                "prompt_tokens": pick.randrange(9000),
            }
            if outcome == "unscoreable":
                found.append(row | {"reason": "provider_error"})
                row = row | {"attempt": 2, "outcome": "pass"}
            found.append(row)
    return found


def said(folder, args, world):
    env = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "DENOMINATOR_"))}
    done = subprocess.run(
        [sys.executable, "-m", "denominator", *args],
        cwd=folder,
        env=env | world | {"NO_COLOR": "1"},
        capture_output=True,
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return done.returncode, done.stdout


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    """The same files in two folders, rows shuffled in the second, a manifest with its keys in another order."""
    root = tmp_path_factory.mktemp("order")
    for name, shuffle in (("one", 0), ("two", 9)):
        (root / name).mkdir()
        for arm, seed in (("a", 1), ("b", 2)):
            folder = root / name / arm
            folder.mkdir()
            lines = rows(seed)
            if shuffle:
                random.Random(shuffle).shuffle(lines)
            (folder / "rows.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
            manifest = dict(reversed(MANIFEST.items())) if shuffle else MANIFEST
            (folder / "manifest.json").write_text(json.dumps(manifest | {"run_id": arm}))
    return root


def card_of(out):
    """The card of an import; its report names the files and their lines."""
    return json.dumps(json.loads(out)["card"], ensure_ascii=False)


@pytest.mark.parametrize("arm", ["a", "b"])
def test_a_card_does_not_depend_on_order_locale_or_hash_seed(places, arm):
    outs = [said(places / "one", ["import", "rows", arm, "--json"], world) for world in WORLDS]
    assert outs[0] == outs[1]
    kept = [
        said(places / name, ["import", "rows", arm, "--json", "-o", f"kept-{arm}"], world) for name, world in PLACES
    ]
    assert len({(code, card_of(out)) for code, out in [*outs, *kept]}) == 1
    for verb in (["card", f"kept-{arm}"], ["gate", f"kept-{arm}", "-v"], ["card", f"kept-{arm}", "--json"]):
        assert len({said(places / name, verb, world) for name, world in PLACES}) == 1


@pytest.mark.parametrize("verb", [["compare", "a", "b", "--json"], ["spread", "a", "--json"]])
def test_a_comparison_does_not_either(places, verb):
    outs = {said(places / name, verb, world) for name, world in PLACES}
    assert len(outs) == 1
    assert all(out for _, out in outs)
