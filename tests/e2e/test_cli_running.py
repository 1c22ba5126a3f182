"""Verbs that start something: scratch runs, no sandbox, stops, terminals, shells, doctor, the demo. Each is a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from e2e.cli_lab import ANSI, Said, cards, checked, environment, files_of, process, terminal
from e2e.runs import make_pack
from warm import denominator

pytestmark = [pytest.mark.needs_bwrap, pytest.mark.xdist_group("cli")]


def test_a_scratch_run_is_stamped_never_counted_and_kept(lab, cli):
    said = process(lab, "run", "--only", "clamp-low", "--keep", "--run-id", "look")
    assert said.code == 0, "the task that was asked for has ended"
    kept = next(line.split(": ", 1)[1] for line in said.err.splitlines() if line.startswith("kept: "))
    assert (Path(kept) / "bounds.py").is_file()
    assert "[1/1] script clamp-low: graded" in said.err
    assert "SCRATCH, never counted" in said.out
    card = cli("card", "scratch-look", "--runs-dir", lab / "runs", "--json")
    assert card.code == 1 and card.json["verdict"]["status"] == "blocked"
    assert "SCRATCH, never counted" in card.json["stamps"]
    assert any("narrowed with --only" in finding["what"] for finding in card.json["verdict"]["findings"])
    assert cli("status", "scratch-look", "--runs-dir", lab / "runs").code == 0
    dry = cli("runs", "gc", "--runs-dir", lab / "runs", "--dry-run", "--json").json
    ours = [
        one["path"] for one in dry["removed"] if Path(one["path"]).is_relative_to(lab)
    ]  # others may have left some in /tmp
    assert ours == [str(lab / "runs" / "scratch-look" / "work")]
    assert Path(kept).is_dir()
    assert cli("runs", "gc", "--runs-dir", lab / "runs").code == 0
    assert not Path(kept).exists()


def test_what_the_machine_refuses_after_an_ending_is_said_as_it_is(lab):
    ended = {"DENOMINATOR_FAILPOINTS": "attempt.closed=eio@1"}
    said = process(lab, "run", "oracle.toml", "--only", "clamp-low", "--run-id", "eio", env=ended)
    assert said.code == 4 and "the journal cannot be written" not in said.err, "it was: the attempt has ended"
    assert "this machine refused: " in said.err and "denominator resume scratch-eio" in said.err
    assert process(lab, "resume", "scratch-eio", "-q").code == 0
    assert not (lab / "runs" / "scratch-eio" / "work").exists()


def test_a_scratch_run_of_every_task_is_not_counted_either(lab, cli):
    tasks = [word for task in ("clamp-low", "count-words", "double-it", "keep-sorted") for word in ("--only", task)]
    said = process(lab, "run", "oracle.toml", *tasks, "--run-id", "all", "--json")
    assert said.code == 0 and said.json["exit"] == 0
    card = said.json["runs"][0]["card"]
    assert said.json["runs"][0]["exit"] == 1 and card["verdict"]["status"] == "blocked"
    assert card["verdict"]["rung"] == "refused" and "SCRATCH, never counted" in card["stamps"]
    headline = next(one for one in card["estimates"] if one["metric"] == "headline")
    assert "not_measured" in headline["numerator"]


def test_without_a_sandbox_is_stamped_on_seal_and_card_and_capped_at_counts(lab):
    fresh = ("--new-lineage", "no sandbox on this laptop")
    said = process(lab, "run", "oracle.toml", "--no-sandbox", "--run-id", "bare", "--json", *fresh)
    assert said.code == 0 and "WITHOUT A SANDBOX" in said.err
    run = said.json["runs"][0]
    card = run["card"]
    assert card["verdict"]["rung"] == "counts" and card["equation"]["pass"] == 2
    assert any("SANDBOX" in stamp for stamp in card["stamps"])
    assert "new lineage was begun: no sandbox on this laptop" in card["verdict"]["sentence"]
    assert "print a percentage" in card["verdict"]["may_not"]
    assert all("not_measured" in one["value"] for one in card["estimates"] if one["metric"] == "headline")
    seal = json.loads((Path(run["folder"]) / "seal.json").read_bytes())
    assert seal["unsandboxed"] is True and seal["sandbox"]["name"] == "bare"
    assert process(lab, "resume", "bare", "-q", "--brief").code == 0, "a finished run comes out the same"


def started(folder: Path, *args: str) -> subprocess.Popen[str]:
    return denominator(
        args,
        cwd=folder,
        env=environment(folder, {"CI": "true"}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def stopped_after_one(folder: Path, number: int, *args: str) -> Said:
    """Send a signal when the first attempt has ended."""
    child = started(folder, *args)
    assert child.stderr is not None
    said = []
    for line in child.stderr:
        said.append(line)
        if line.startswith("[1/"):
            os.kill(child.pid, number)
            break
    out, err = child.communicate(timeout=60)
    return checked(Said(child.returncode, out, "".join(said) + err))


def test_seal_stop_status_and_resume(lab, cli):
    sealed = process(lab, "seal", "--run-id", "halt", "--json")
    assert sealed.code == 0 and sealed.json[0]["run_id"] == "halt"
    runs = lab / "runs"
    assert cli("status", "halt", "--runs-dir", runs).code == 4
    assert cli("card", "halt", "--runs-dir", runs, "--brief").code == 4, "4 wins over 1"
    stopped = stopped_after_one(lab, signal.SIGINT, "resume", "halt")
    assert stopped.code == 130, stopped.err
    assert "denominator resume halt" in stopped.err
    status = cli("status", "halt", "--runs-dir", runs, "--json")
    assert status.code == 4 and 0 < status.json["closed"] < 4
    planned = cli("resume", "halt", "--runs-dir", runs, "--dry-run")
    assert planned.code == 0 and f"{status.json['closed']} of 4 attempts have ended" in planned.out
    terminated = stopped_after_one(lab, signal.SIGTERM, "resume", "halt")
    assert terminated.code in (4, 0), "0 when the last attempt had ended before the signal was seen"
    done = process(lab, "resume", "halt", "-q", "--json")
    assert done.code == 0 and done.err == ""
    assert done.json["runs"][0]["card"]["equation"]["pass"] == 1
    assert cli("status", "halt", "--runs-dir", runs).code == 0


def test_the_bar_stays_off_stdout(lab):
    said = terminal(lab, "run", "oracle.toml", "--only", "clamp-low", "--json", "--run-id", "bar", own_stdout=True)
    assert said.code == 0 and said.json["runs"][0]["run_id"] == "scratch-bar"
    assert ANSI in said.err and "1/1" in said.err


def test_in_ci_a_terminal_gets_lines(lab):
    said = terminal(
        lab, "run", "oracle.toml", "--only", "clamp-low", "--run-id", "ci", env={"CI": "true", "NO_COLOR": "1"}
    )
    assert said.code == 0 and ANSI not in said.err
    assert [line for line in said.err.splitlines() if line.startswith("[")] == ["[1/1] oracle clamp-low: graded"]


def test_a_shell_at_a_terminal(lab):
    said = terminal(lab, "shell", "clamp-low", "--pack", "four", typed=b"echo h''i; exit 3\n")
    assert said.code == 3 and "\nhi" in said.err.replace("\r", "\n")
    assert "SCRATCH: opened by hand, never counted" in said.err


def test_a_shell_for_one_command_and_from_a_pipe(lab):
    said = process(lab, "shell", "clamp-low", "--pack", "four", "-c", r"printf 'a\033[1mb\n'; ls; echo odd >&2; exit 7")
    assert said.code == 7
    assert said.out == "a\\x1b[1mb\nREADME.md\nbounds.py\n"
    assert said.err.splitlines() == ["SCRATCH: opened by hand, never counted", "odd"]
    piped = process(lab, "shell", "clamp-low", "--pack", "four", "--json", stdin="id -un\nkill -9 $$\n")
    assert piped.code == 137 and piped.json["exit"] == 137
    assert not list((lab / "four" / "tasks" / "clamp-low" / "repo").glob("*.orig"))


@pytest.mark.parametrize(("args", "words"), [
    (("shell", "clamp-hi", "--pack", "four", "-c", "true"), "one of: clamp-low"),
    (("shell", "clamp-low", "--pack", "fuor", "-c", "true"), "no pack"),
])  # fmt: skip
def test_a_shell_that_cannot_be_opened(args, words, lab, cli, monkeypatch):
    monkeypatch.chdir(lab)
    said = cli(*args)
    assert said.code == 2 and words in said.err


def test_doctor(lab):
    said = process(lab, "doctor", "--json")
    assert said.code == 0 and said.json["usable"] is True
    wrong = process(lab, "doctor", "--python", "/not/there/python", "--json")
    assert wrong.code == 2 and wrong.json["usable"] is False and wrong.json["sandbox"]["why_not"]
    text = process(lab, "doctor")
    assert text.code == 0 and "THE SANDBOX" in text.out and ANSI not in text.out
    assert "run of an arm with a model: works" in text.out and "ledgers in Parquet: " in text.out


def test_a_folder_of_runs_that_may_not_be_written(lab, tmp_path):
    if os.geteuid() == 0:
        pytest.skip("root may write anywhere")
    (tmp_path / "runs").mkdir(mode=0o555)
    said = process(lab, "run", "oracle.toml", "--runs-dir", str(tmp_path / "runs"))
    assert said.code == 2 and "may not be written" in said.err and "[1/" not in said.err


def test_pack_lock(tmp_path):
    root = make_pack(tmp_path, "clamp-low")
    said = process(tmp_path, "pack", "lock", "pack", "--json", env={"PYTHONIOENCODING": "ascii"})
    assert said.code == 0, said.err
    assert said.json == json.loads((root / "pack.lock").read_bytes())
    assert [task["id"] for task in said.json["tasks"]] == ["clamp-low"]
    assert said.json["baseline"]["wrong"] == []
    again = process(tmp_path, "pack", "lock", "pack")
    assert again.code == 0 or "version" in again.err
    (root / "tasks" / "clamp-low" / "task.toml").write_text("id = 3\nslcie = 'x'\n")
    before = files_of(tmp_path)
    broken = process(tmp_path, "pack", "lock", "pack")
    assert broken.code == 2 and "slcie" in broken.err and "task.toml" in broken.err
    assert files_of(tmp_path) == before


@pytest.mark.slow
@pytest.mark.xdist_group("demo")
def test_the_demo(tmp_path):
    said = process(tmp_path, "demo", env={"CI": "true"})
    assert said.code == 0, said.err
    assert len(said.out.splitlines()) < 100, "one screen or two"
    assert "denominator card demo-" in said.err
    arms = [run_id.rsplit("-", 1)[1] for run_id in cards(said.out)]
    assert arms == ["oracle", "nop", "careful", "hasty"]
    summary = said.out[said.out.index("SUMMARY") :].splitlines()[1:]
    assert [line.split()[0] for line in summary] == arms
    assert summary[0].split()[1] == "publishable" and "pass 8 + fail 0" in summary[0]
    assert summary[3].split()[1] == "blocked" and "pass or fail" in summary[3], "a withheld split is withheld here too"
    assert ANSI not in said.out + said.err
    assert said.err.count("[") >= 64 and "next: denominator show" in said.err
    assert sorted(path.name.rsplit("-", 1)[1] for path in (tmp_path / "runs").iterdir()) == sorted(arms)
