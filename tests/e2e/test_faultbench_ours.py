"""Our own runner on the fault bench, through the real command line: it comes back, does nothing twice, and the card says so."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from e2e import runs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]
TASK = "clamp-low"
FAR_S = 1800


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A locked pack of one task."""
    root = tmp_path_factory.mktemp("ours")
    runs.make_pack(root, TASK)
    return root


def bench(folder: Path, out: str, *faults: str, args: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    named = [part for fault in faults for part in ("--fault", fault)]
    process = runs.start(folder, "faultbench", "run", "-o", out, "--pack", "pack", *named, *args)
    done = runs.Done(process, timeout_s=FAR_S)
    assert done.code == 0, done.err
    return [json.loads(line) for line in (folder / out / "trials.jsonl").read_text().splitlines()]


def test_a_kill_between_an_effect_and_its_row_and_the_controls(folder: Path) -> None:
    rows = bench(folder, "out", "apply.renamed=kill", args=("--repeats", "1", "--trial-limit", "500"))
    got = {(row["fault"], row["control"]): row for row in rows}
    plain, killed = got["", ""], got["apply.renamed=kill", ""]
    assert [row["ended"] for row in (plain, killed)] == ["pass"] * 2
    assert [[one["times"] for one in row["applied"]] for row in (plain, killed)] == [[1]] * 2
    assert (plain["interrupted"], plain["calls"], plain["replay_calls"]) == (False, 3, 0)
    # The patch was durable: nothing is paid again, the tree is adopted.
    assert (killed["exits"][0], killed["interrupted"], killed["calls"], killed["redrafts"]) == (-9, True, 3, 0)
    assert killed["checkpoints"] == ["context_loaded", "patch_drafted"]
    negative, silent = got["context_loaded:kill", "negative"], got["patch_applied:kill", "silent"]
    assert negative["tree_at_death"] == negative["tree_base"] and negative["checkpoints"] == ["context_loaded"]
    assert silent["unknown_state"] and silent["exits"] == [-9, 5]
    assert silent["tree_at_death"] == silent["tree_after"] != silent["tree_base"]
    assert all(row["second_resume_noop"] is True for row in (plain, killed))
    assert json.loads((folder / "out" / "bench.json").read_text())["trial_limit_s"] == 500
    scored = runs.cli(folder, "faultbench", "score", "out")
    assert scored.code == 0, scored.out
    assert "1/1" in scored.out and "held         silent" in scored.out
    assert not (folder / "out" / ".scratch").exists()


@pytest.mark.e2e
def test_what_is_paid_for_again_is_counted(folder: Path) -> None:
    rows = bench(folder, "paid", "agent.after=kill", "patch_drafted:stream_cut", args=("--repeats", "1"))
    (cut,) = [one for one in rows if one["fault"] == "patch_drafted:stream_cut"]
    # The attempt that was cut paid for two calls, which its successor asked again.
    assert (cut["interrupted"], cut["calls"], cut["replay_calls"], cut["redrafts"]) == (True, 5, 2, 0)
    assert cut["replay_tokens"] > 0 and cut["second_resume_noop"] is True
    assert (cut["ended"], [one["times"] for one in cut["applied"]]) == ("pass", [1])
    # A death after the agent and before its rows: the whole conversation again.
    (row,) = [one for one in rows if one["fault"] == "agent.after=kill"]
    assert (row["ended"], row["calls"], row["replay_calls"], row["redrafts"]) == ("pass", 6, 3, 1)
    assert row["replay_tokens"] * 2 == row["tokens"] and row["replay_ms"] > 0
    assert [one["times"] for one in row["applied"]] == [1]


@pytest.mark.e2e
def test_every_kind_is_made_for_real_or_skipped_with_a_reason(folder: Path) -> None:
    rows = bench(folder, "kinds", args=("--repeats", "1"))
    manifest = json.loads((folder / "kinds" / "bench.json").read_text())
    skipped = {each["fault"] for each in manifest["skipped"]}
    planned = {row["fault"] for row in rows if row["fault"] and not row["control"]} | skipped
    assert len(planned) == 18
    for row in rows:
        if not row["fault"] or row["control"]:
            continue
        quiet = row["fault"].split(":")[1] in ("slow", "clock_jump")
        assert (row["fired"], row["interrupted"]) == (True, not quiet), row
        assert row["ended"] == "pass" and [one["times"] for one in row["applied"]] == [1], row
