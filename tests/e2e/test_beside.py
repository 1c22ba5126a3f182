"""What stands beside a run on card and report: found in its folder or named, gated by itself, refused where it is of something else."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bench_data import bench, trials_of, write
from denominator._version import __version__
from denominator.pipeline.sealing import read_sealed
from denominator.records.faults import BenchRunner
from denominator.wire.canonical import digest
from e2e.cli_lab import copy_run
from e2e.comparing import FIELDS
from probe_stored import answered, kept, store
from report_pages import read

TASKS = tuple(f"t{k}" for k in range(10))
NAMES = ("faultbench", "spend", "probe", "replays")


def imported(cli, here: Path, name: str = "kept", failing: tuple[str, ...] = ("t3",), **over: object) -> Path:
    """A kept import of ten tasks whose conditions are stated."""
    source = here / f"{name}-rows"
    source.mkdir()
    told = {**FIELDS, "harness": "a runner", "model_id": "m", "run_id": name, "task_ids": list(TASKS), **over}
    (source / "run.manifest.json").write_text(json.dumps(told))
    rows = [{"task_id": task, "passed": task not in failing} for task in TASKS]
    (source / "outcomes.json").write_text(json.dumps(rows))
    said = cli("import", "rows", source, "-o", here / name)
    assert (here / name / "ledger.json").is_file(), said.err
    return here / name


def benched(folder: Path, changed=None, tasks=TASKS, **more) -> Path:
    plan = bench(tasks, **more)
    return write(folder, plan, trials_of(plan, changed))


def beside(cli, *args):
    said = cli("card", *args, "--json")
    assert said.out, said.err
    return said.json["beside"]


def text_of(said) -> str:
    return " ".join(said.out.split())


def test_what_is_absent_says_so_on_card_and_report(cli, here):
    run = imported(cli, here)
    found = beside(cli, run)
    absent = {name: found[name] for name in NAMES if name != "spend"}
    assert absent == {name: {"not_measured": "not run"} for name in absent} and found["refused"] == []
    text = text_of(cli("card", run))
    for name in ("fault bench", "probe", "replay"):
        assert f"{name} not run (" in text, name
    assert "BESIDE THE NUMBER" in text and "total tokens" in text
    cli("report", run)
    page = read((run / "report.html").read_text())
    assert page.text.count("Not run:") == 3 and {"spend", "durability", "probe", "replays"} <= set(page.ids)


def test_a_bench_in_the_folder_of_a_run_stands_on_its_card_and_its_page(cli, here):
    run = imported(cli, here)
    benched(run / "bench")
    (one,) = beside(cli, run)["faultbench"]
    text = text_of(cli("card", run))
    assert one["card"]["digest"][:12] in text and "rsr 20/20" in text and "double_apply_rate 0/20" in text
    assert "patch_drafted:kill: came 10 of 10, cut 10, passed 10 of 10, applied twice 0" in text
    cli("report", run)
    page = read((run / "report.html").read_text()).text
    for told in ("Fault bench: b1", "20 of 20", "patch_applied:kill", "double_apply_rate"):
        assert told in page, told


def test_what_its_own_gate_withholds_is_on_neither(cli, here):
    run = imported(cli, here)
    broken = {f"{task}#1 silent": {"unknown_state": False, "ended": "pass"} for task in TASKS}
    place = benched(here / "bench", broken)
    said = cli("card", run, "--with", place)
    text = text_of(said)
    assert "b1" in text and "BLOCKED" in text and "GL08" in text
    assert "20/20" not in text and "passed 10 of 10" not in text
    whole = json.dumps(beside(cli, run, "--with", place))
    assert '"1.000000"' not in json.dumps(json.loads(whole)["faultbench"][0]["card"]["durability"])
    cli("report", run, "--with", place)
    page = read((run / "report.html").read_text()).text
    part = page[page.index("Fault bench: b1") : page.index("Endpoint probe", page.index("Fault bench: b1"))]
    assert "20 of 20" not in part and "withheld" in part
    assert said.code == cli("card", run).code, "a bench decides nothing of the run"


@pytest.mark.parametrize(
    ("over", "field"),
    [
        ({"runner": BenchRunner(name="another", digest="d" * 64, command=("run",), resume=("run",))}, "harness_name"),
        ({"tasks": ("t1", "elsewhere")}, "task_ids"),
    ],
)
def test_a_bench_of_something_else_is_refused_by_its_field(cli, here, over, field):
    run = imported(cli, here)
    place = benched(here / "bench", **over)
    for verb in ("card", "report"):
        said = cli(verb, run, "--with", place)
        assert said.code == 3 and field in said.err and not said.out
    assert not (run / "report.html").exists()
    benched(run / "bench", **over)
    found = beside(cli, run)
    assert field in found["refused"][0] and "not_measured" in found["faultbench"]


def test_an_unstated_harness_is_no_agreement(cli, here):
    run = imported(cli, here, harness="")
    said = cli("card", run, "--with", benched(here / "bench"))
    assert said.code == 3 and "harness_name" in said.err


def test_a_replay_that_is_named_goes_through_the_gate(cli, here):
    run = imported(cli, here)
    again = imported(cli, here, "again", ("t1", "t2", "t3", "t4"), started_at_utc="2026-10-20T09:12:00Z")
    (one,) = beside(cli, run, "--with", again)["replays"]
    assert (one["run_id"], one["flips"], one["draws"], one["hours"]) == ("again", 3, 10, 48)
    assert (one["ended_at"], one["began_at"]) == ({"not_measured": "no time is stated"}, "2026-10-20T09:12:00Z")
    text = text_of(cli("card", run, "--with", again))
    assert "again: 3 of 10 draws flipped" in text and "the replay began 2026-10-20T09:12:00Z" in text
    assert "the run ended" not in text, "a manifest that states a start states no end"
    verdict = cli("card", run, "--with", again, "--json").json["verdict"]
    before = cli("card", run, "--json").json["verdict"]
    assert verdict != before, "flips above the ceiling move the sentence of the run"
    cli("report", run, "--with", again)
    assert "again: 3 of 10 draws flipped" in read((run / "report.html").read_text()).text


def test_a_replay_of_other_conditions_is_refused_by_its_field(cli, here):
    run = imported(cli, here)
    again = imported(cli, here, "again", temperature=1.0, started_at_utc="2026-10-20T09:12:00Z")
    said = cli("card", run, "--with", again)
    assert said.code == 3 and "temperature" in said.err


def test_a_probe_tells_its_classes_by_group_and_window(cli, here):
    run = imported(cli, here, model_id="some-model")
    place = probed(here)
    (one,) = beside(cli, run, "--with", place)["probe"]
    assert one["sealed"] is False and one["classes"]
    text = text_of(cli("card", run, "--with", place))
    assert one["seal_sha256"][:12] in text and one["fixture_sha256"][:12] in text
    line = one["classes"][0]
    assert f"{line['group']}, window 1: " in text and f"{line['k']} of {line['n']}" in text
    cli("report", run, "--with", place)
    assert one["seal_sha256"] in read((run / "report.html").read_text()).text


def test_a_probe_of_another_model_is_refused(cli, here):
    said = cli("card", imported(cli, here, model_id="another"), "--with", probed(here))
    assert said.code == 3 and "model_id" in said.err


def test_what_a_probe_withholds_is_on_neither(cli, here):
    place = probed(here, limited=True)
    run = imported(cli, here, model_id="some-model")
    (one,) = beside(cli, run, "--with", place)["probe"]
    assert one["windows"][0]["withheld"] and {line["cls"] for line in one["classes"]} == {"http_error"}
    text = text_of(cli("card", run, "--with", place))
    assert "passes withheld: " in text and "pass 1 of" not in text and "pass 2 of" not in text
    cli("report", run, "--with", place)
    page = read((run / "report.html").read_text()).text
    assert "passes withheld" in page


def probed(here: Path, limited: bool = False) -> Path:
    """A probe of one window; `limited`: the endpoint refuses half of what it was asked."""

    def some(case, ask):
        refused = limited and ask.seq % 2
        return answered(b"{}", "429 Too Many Requests") if refused else kept(case, ask)

    return store(here / "probe", some).root


def test_a_run_of_ours_knows_a_bench_of_its_runner_and_pack(lab, cli, tmp_path):
    run = copy_run(lab, tmp_path)
    seal = read_sealed(run / "seal.json")[0]
    tasks = [one.task.id for one in seal.tasks[:2]]
    runner = BenchRunner(name="denominator", digest="d" * 64, command=("run",), resume=("resume",))
    right = {
        "runner": runner,
        "pack_id": seal.pack_id,
        "version": __version__,
        "taskset_digest": digest({"pack": seal.pack_digest, "tasks": tasks}),
    }
    plan = replace(bench(tasks), **right)
    write(run / "bench", plan, trials_of(plan))
    assert beside(cli, run)["faultbench"][0]["version"] == __version__
    wrong = {"runner": replace(runner, name="x"), "pack_id": "x", "version": "0.0.1", "taskset_digest": "a" * 64}
    for field, value in wrong.items():
        other = replace(plan, **{field: value})
        write(tmp_path / field, other, trials_of(other))
        said = cli("card", run, "--with", tmp_path / field)
        assert said.code == 3 and f"- {field}: " in said.err, field


def test_a_replay_under_another_seal_is_refused_by_what_differs(lab, cli, tmp_path):
    script, oracle = copy_run(lab, tmp_path), copy_run(lab, tmp_path / "other", "window-oracle")
    said = cli("card", script, "--with", oracle)
    assert said.code == 3 and "- seal: arm.agent" in said.err
    assert beside(cli, script)["replays"] == {"not_measured": "not run"}


def test_options_of_one_run_are_refused_for_two(cli, here):
    assert cli("report", "a", "b", "--with", "c").code == 2
