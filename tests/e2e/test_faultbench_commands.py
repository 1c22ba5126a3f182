"""Foreign commands on the fault bench: known ways to lose one's place lose it, one that keeps it does; what each kind does."""

from __future__ import annotations

import json
import shutil
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from e2e import runs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]
DATA = Path(__file__).parents[1] / "data" / "faultbench"
FAR_S = 1800
KILLS = ("patch_drafted:kill", "patch_applied:kill")


def subject(folder: Path, way: str, tasks: Sequence[str] = ("one",), **checkpoints: str) -> Path:
    """The subject file of one of the small runners, with other tasks or ways to see its checkpoints."""
    shutil.copytree(DATA / "tools", folder / "tools", dirs_exist_ok=True)
    text = (DATA / f"{way}.toml").read_text()
    text = text.replace('["one", "two", "three", "four", "five"]', json.dumps(list(tasks)))
    for name, how in checkpoints.items():
        text = text.replace(f'{name} = "stopped"', f"{name} = {json.dumps(how)}")
    path = folder / f"{way}.toml"
    path.write_text(text)
    return path


def bench(folder: Path, way: Path, *faults: str, repeats: int = 1) -> list[dict[str, Any]]:
    """The trials of a bench of these faults."""
    named = [part for fault in faults for part in ("--fault", fault)]
    out = ("-o", f"out-{way.stem}", "--subject", str(way), "--repeats", str(repeats))
    done = runs.Done(runs.start(folder, "faultbench", "run", *out, *named, "--json"), timeout_s=FAR_S)
    assert done.code == 0, done.err
    return trials(folder / f"out-{way.stem}")


def trials(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "trials.jsonl").read_text().splitlines()]


def seen(rows: Sequence[dict[str, Any]]) -> dict[str, tuple[str, int]]:
    """By fault: how it ended, and how often the effect is on the artifact. Trials of controls are apart."""
    return {row["fault"]: (row["ended"], row["applied"][0]["times"]) for row in rows if not row["control"]}


# What each way leaves after a kill between an effect and its row, and after one before the next effect.
FOUND = {
    "keyed": {"": ("pass", 1), "patch_drafted:kill": ("pass", 1), "patch_applied:kill": ("pass", 1)},
    "row_after": {"": ("pass", 1), "patch_drafted:kill": ("pass", 1), "patch_applied:kill": ("fail", 2)},
    "retry": {"": ("pass", 1), "patch_drafted:kill": ("pass", 1), "patch_applied:kill": ("fail", 2)},
    "row_before": {"": ("pass", 1), "patch_drafted:kill": ("fail", 0), "patch_applied:kill": ("fail", 0)},
}

# A runner that goes on over a tree which it cannot explain, or is another one after each resume, has no figure at all.
VIOLATED: dict[str, set[str]] = {
    "keyed": set(), "row_after": {"silent"}, "retry": {"replay", "silent"}, "row_before": {"replay"},
}  # fmt: skip


# Every day the one that keeps its place; the example of the docs below is one that loses it (row after effect).
WAYS = [pytest.param(way, marks=() if way == "keyed" else pytest.mark.e2e) for way in FOUND]


@pytest.mark.parametrize("way", WAYS)
def test_what_a_way_of_keeping_ones_place_loses_or_does_twice_is_seen_on_the_artifact(tmp_path: Path, way: str) -> None:
    rows = bench(tmp_path, subject(tmp_path, way), *KILLS)
    assert seen(rows) == FOUND[way]
    assert [row["interrupted"] for row in rows] == [bool(row["fault"]) for row in rows]
    scored = runs.cli(tmp_path, "faultbench", "score", f"out-{way}", "--json")
    assert scored.code == bool(VIOLATED[way]), scored.err
    card = scored.json["card"]
    assert {one["name"] for one in card["controls"] if one["state"] == "violated"} == VIOLATED[way]
    if not VIOLATED[way]:
        rsr, twice = card["durability"][0], card["durability"][2]
        passed = sum(ended == "pass" for ended, _ in FOUND[way].values()) - 1
        assert (rsr["metric"], rsr["numerator"], rsr["denominator"]) == ("rsr", passed, 2)
        assert (twice["metric"], twice["numerator"], twice["denominator"]) == ("double_apply_rate", 0, 2)
    # Where nothing was applied before the row nobody can edit it: then the control says nothing of the runner.
    (silent,) = [one for one in card["controls"] if one["name"] == "silent"]
    assert (silent["state"] == "inconclusive") == (way == "row_before"), silent


@pytest.mark.e2e
def test_the_runner_that_keeps_its_place_has_a_rate_over_enough_tasks(tmp_path: Path) -> None:
    names = [f"t{number}" for number in range(8)]
    rows = bench(tmp_path, subject(tmp_path, "keyed", names), *KILLS)
    assert {(row["ended"], row["applied"][0]["times"]) for row in rows if not row["control"]} == {("pass", 1)}
    shown = runs.cli(tmp_path, "faultbench", "score", "out-keyed")
    assert shown.code == 0, shown.out
    assert "16/16" in shown.out


@pytest.mark.e2e
def test_the_same_plan_and_seed_show_the_same_again(tmp_path: Path) -> None:
    way = subject(tmp_path, "row_after")
    once = bench(tmp_path, way, KILLS[1], repeats=2)
    shutil.move(tmp_path / "out-row_after", tmp_path / "first")
    again = bench(tmp_path, way, KILLS[1], repeats=2)
    aside = ("wall_ms", "bench_id")
    plain = [[{k: v for k, v in row.items() if k not in aside} for row in rows] for rows in (once, again)]
    assert plain[0] == plain[1]


ONLY = """context_loaded = "stopped"
patch_drafted = "stopped"
patch_applied = "stopped"
tests_run = "stopped"
"""


@pytest.mark.e2e
@pytest.mark.parametrize("how", ["file:ledger.txt", "line:ledger.txt:effect", "output:applied it", "after:500"])
def test_a_checkpoint_is_seen_from_outside(tmp_path: Path, how: str) -> None:
    """The runner waits where it is to be hit: whatever the machine's load is, the bench has the time to see it."""
    way = subject(tmp_path, "row_after")
    runs.edit(way, ONLY, f"patch_applied = {json.dumps(how)}\n")
    tool = tmp_path / "tools" / "runner.py"
    stop = "        os.kill(os.getpid(), signal.SIGSTOP)"
    runs.edit(tool, stop, '        print("applied it", flush=True)\n        __import__("time").sleep(50)')
    (row,) = [one for one in bench(tmp_path, way, "patch_applied:kill") if one["fault"] and not one["control"]]
    assert (row["fired"], row["interrupted"]) == (True, True)
    # What stands after so many milliseconds is for the machine to say; the other ways are exact.
    assert how.startswith("after") or (row["ended"], row["applied"][0]["times"]) == ("fail", 2)


# exit code of the first process, interrupted: what each kind does to a runner that stands at patch_drafted.
ACTS = {
    "sigterm": (-signal.SIGTERM, True),
    "disk_full": (None, True),
    "oom": (None, True),
    "slow": (0, False),
    "kill": (-signal.SIGKILL, True),
}
NOBODY = ("patch_drafted:hard_exit", "context_loaded:provider_429")


def test_each_kind_does_to_a_foreign_command_what_its_name_says(tmp_path: Path) -> None:
    way = subject(tmp_path, "keyed")
    tool = tmp_path / "tools" / "runner.py"
    # It takes memory and disk right after the point, so that it feels what was taken from it.
    runs.edit(
        tool, '        reached("patch_drafted")\n        row(',
        '        reached("patch_drafted")\n        block = bytearray(96 << 20)\n        open("more.bin", "wb").write(bytes(1 << 20))\n'
        '        os.remove("more.bin")\n        row(',
    )  # fmt: skip
    rows = bench(tmp_path, way, *NOBODY, *(f"patch_drafted:{kind}" for kind in ACTS))
    got = {row["fault"]: row for row in rows if row["fault"] and not row["control"]}
    skipped = json.loads((tmp_path / "out-keyed" / "bench.json").read_text())["skipped"]
    # What nobody can make of a foreign command has no trial, and a reason.
    assert {*NOBODY} <= {each["fault"] for each in skipped} and all(each["why"] for each in skipped)
    assert not {*got} & {each["fault"] for each in skipped} and "patch_drafted:kill" in got
    for kind, (code, interrupted) in ACTS.items():
        if any(f":{kind}" in each["fault"] for each in skipped):
            continue
        row = got[f"patch_drafted:{kind}"]
        assert (row["interrupted"], row["ended"]) == (interrupted, "pass"), row
        # What a runtime says when memory or disk is gone is its own: not 0.
        assert row["exits"][0] == code if code is not None else row["exits"][0] != 0, row


def test_ctrl_c_keeps_what_is_made_and_the_same_command_goes_on(tmp_path: Path) -> None:
    way = subject(tmp_path, "keyed", ["a", "b"])
    args = ("faultbench", "run", "-o", "out", "--subject", str(way), "--repeats", "1", "--fault", KILLS[0])
    process = runs.start(tmp_path, *args)
    deadline = time.monotonic() + 120
    while not (tmp_path / "out" / "trials.jsonl").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    done = runs.Done(process)
    made = trials(tmp_path / "out")
    assert done.code == 130 and "kept" in done.out
    assert 1 <= len(made) < 8
    again = runs.cli(tmp_path, *args)
    assert again.code == 0, again.err
    assert trials(tmp_path / "out")[: len(made)] == made
    assert len(trials(tmp_path / "out")) == 8


def test_a_command_that_the_limit_ended_is_neither_a_fail_nor_interrupted(tmp_path: Path) -> None:
    """A slow machine makes no runner a broken one: what did not end has no verdict, and the row says what gives it more."""
    args = (
        "faultbench", "run", "-o", "out", "--repeats", "1", "--fault", "patch_applied:slow:1", "--trial-limit", "1",
        "--artifact", "seen.txt", "--checkpoint", "patch_applied=file:seen.txt",
        "--command", "touch seen.txt; sleep 50", "--resume-command", "true", "--verify-command", "sleep 50",
    )  # fmt: skip
    done = runs.cli(tmp_path, *args)
    assert done.code == 0, done.err
    for row in trials(tmp_path / "out"):
        assert "did not end within 1 s" in row["ended"]["not_measured"]
        # The silent control kills it at its point, before the limit does.
        killed = row["control"] == "silent"
        assert (row["interrupted"], "--trial-limit" in row["note"]) == (killed, not killed)
    assert json.loads((tmp_path / "out" / "bench.json").read_text())["trial_limit_s"] == 1
    scored = runs.cli(tmp_path, "faultbench", "score", "out", "--json")
    states = {one["name"]: one["state"] for one in scored.json["card"]["controls"]}
    assert scored.code == 1 and states["positive"] == "inconclusive"


def test_a_third_party_command_sees_nothing_of_this_machine(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("mine")
    (tmp_path / "tools").mkdir()
    args = (
        "faultbench", "run", "-o", "out", "--repeats", "1", "--fault", "patch_applied:kill", "--artifact", "seen.txt",
        "--checkpoint", "patch_applied=after:50000",
        "--command", f"for f in {secret} /etc/shadow /root; do test -e $f && echo saw $f; done > seen.txt; id -u >> uid.txt; env | grep -c SECRET >> seen.txt; true",
        "--verify-command", "test \"$(cat seen.txt)\" = 0",
    )  # fmt: skip
    done = runs.cli(tmp_path, *args)
    assert done.code == 0, done.err
    assert {row["ended"] for row in trials(tmp_path / "out") if not row["control"]} == {"pass"}


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--journal", "j"), ("--journal", "add --command")),
        (("--command", "true"), ("verify_command", "artifact", "checkpoint")),
        (("--command", "true", "--verify-command", "true", "--artifact", "../x", "--checkpoint", "nowhere=maybe"),
         ("'../x'", "nowhere", "'maybe'")),
        (("--fault", "nowhere:kill", "--fault", "x.y=kill"), ("nowhere",)),
        (("--fault", "x.y=kill", "--fault", "apply.renamed=stop"), ("x.y", "stop is what the bench")),
        (("--task", "gone", "--task", "room-booking"), ("gone", "room-booking")),
        (("--subject", "gone.toml"), ("gone.toml",)),
        (("--plan", "gone.toml"), ("gone.toml",)),
        (("--trial-limit", "0"), ("--trial-limit", "1<=x<=86400")),
    ],
)  # fmt: skip
def test_what_cannot_be_benched_is_refused_whole_before_anything_is_written(
    tmp_path: Path, args: tuple[str, ...], words: tuple[str, ...]
) -> None:
    done = runs.cli(tmp_path, "faultbench", "run", "-o", "out", *args)
    assert done.code == 2
    assert all(word in done.err for word in words), done.err
    assert not (tmp_path / "out").exists()


def test_the_example_of_the_docs_shows_what_its_page_says(tmp_path: Path) -> None:
    shutil.copytree(Path(__file__).parents[2] / "docs" / "examples" / "faultbench", tmp_path / "example")
    runs.edit(tmp_path / "example" / "subject.toml", '["ada", "bo"]', '["ada"]')
    args = ("-o", "bench", "--subject", "example/subject.toml", "--fault", "patch_applied:kill", "--repeats", "1")
    done = runs.cli(tmp_path, "faultbench", "run", *args)
    assert done.code == 0, done.err
    assert seen(trials(tmp_path / "bench")) == {"": ("pass", 1), "patch_applied:kill": ("fail", 2)}
    scored = runs.cli(tmp_path, "faultbench", "score", "bench")
    assert scored.code == 1 and "runner guesses" in scored.out
    assert not any(5 in row["exits"] for row in trials(tmp_path / "bench"))


def test_without_a_sandbox_nothing_is_benched_and_the_way_out_is_named(tmp_path: Path) -> None:
    way = subject(tmp_path, "keyed")
    for args in (("--subject", str(way)), ("--fault", "patch_applied:kill")):
        done = runs.cli(tmp_path, "faultbench", "run", "-o", "out", *args, env={"PATH": str(tmp_path)})
        assert done.code == 2 and "sandbox does not work here" in done.err and "doctor" in done.err
        assert not (tmp_path / "out" / "trials.jsonl").exists()


def test_with_your_own_rights_is_said_in_the_manifest(tmp_path: Path) -> None:
    way = subject(tmp_path, "row_after")
    way.write_text(way.read_text().replace("/opt/tools", "$DENOMINATOR_TOOLS"))
    args = ("-o", "out", "--subject", str(way), "--repeats", "1", "--fault", "patch_applied:kill", "--no-sandbox")
    done = runs.cli(tmp_path, "faultbench", "run", *args)
    assert done.code == 0, done.err
    assert json.loads((tmp_path / "out" / "bench.json").read_text())["sandboxed"] is False
    assert seen(trials(tmp_path / "out"))["patch_applied:kill"] == ("fail", 2)
