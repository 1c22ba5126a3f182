"""Clumsy and hostile input: refused in words with exit 2, every mistake in one pass, nothing written."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from denominator.envelopes import envelope_template
from e2e.cli_lab import FOUR, arm_envelope, copy_run, files_of
from e2e.runs import lock


@pytest.fixture
def bench(here: Path) -> Path:
    """An unlocked pack and two envelopes; nothing has run."""
    shutil.copytree(FOUR, here / "four")
    (here / "envelope.toml").write_text(arm_envelope("A", "oracle"))
    (here / "B.toml").write_text(arm_envelope("B", "nop"))
    return here


@pytest.fixture
def locked(bench: Path) -> Path:
    lock(bench / "four")
    return bench


def junk(folder: Path) -> dict[str, Path]:
    """Paths that are not what a verb wants."""
    (folder / "junk").mkdir()
    made = {name: folder / "junk" / name for name in ("missing", "binary", "folder", "dangling", "empty", "long")}
    made["binary"].write_bytes(bytes(range(256)) * 16)
    made["folder"].mkdir()
    made["dangling"].symlink_to("nowhere")
    made["empty"].write_bytes(b"")
    made["long"] = folder / ("x" * 300)
    made["endless"] = Path("/dev/zero")
    made["not text"] = folder / os.fsdecode(b"\xff\xfe")
    return made


TAKES_PATH = [
    ("envelope", "check", "{}"), ("seal", "{}"), ("run", "{}"), ("run", "{}", "--dry-run"), ("run", "envelope.toml", "{}"),
    ("run", "--pack", "{}"), ("seal", "--pack", "{}"), ("pack", "lint", "{}"), ("pack", "lock", "{}"), ("pack", "show", "{}"),
    ("pack", "hash", "{}"), ("card", "{}"), ("gate", "{}"), ("status", "{}"), ("show", "t", "--run", "{}"), ("resume", "{}"),
    ("resume", "{}", "--dry-run"), ("shell", "t", "--pack", "{}", "-c", "true"), ("import", "rows", "{}"),
    ("import", "rows", "rows.jsonl", "--map", "{}"),
]  # fmt: skip


@pytest.mark.parametrize("verb", TAKES_PATH, ids=" ".join)
def test_a_path_that_is_nothing_of_the_kind(verb, bench, cli):
    (bench / "rows.jsonl").write_text('{"run_id": "r", "task_id": "t", "attempt": 1, "outcome": "pass"}\n')
    for name, path in junk(bench).items():
        if name == "endless" and verb == ("import", "rows", "{}"):
            continue  # a gigabyte would be read before it is refused
        before = sorted(os.listdir(bench))
        said = cli(*(word.format(path) for word in verb))
        assert said.code == 2, (name, said)
        assert said.out == "" or verb[:2] == ("envelope", "check"), (name, said.out)
        assert said.err or verb[:2] == ("envelope", "check"), name
        assert sorted(os.listdir(bench)) == before


def test_a_writer_leaves_what_is_there(bench, cli):
    for name, path in junk(bench).items():
        before = files_of(bench)
        if name not in ("missing", "not text"):
            assert cli("envelope", "init", path).code == 2, name
        if name not in ("missing", "folder", "not text"):
            assert cli("pack", "init", path).code == 2, name
        assert files_of(bench) == before
    assert cli("import", "rows", "envelope.toml", "-o", bench / "junk" / "folder").code == 2


def test_a_file_that_has_no_end_is_not_read_whole(bench, cli):
    said = cli("envelope", "check", "/dev/zero")
    assert said.code == 2 and "holds more than" in said.err


@pytest.mark.parametrize("verb", [("runs", "ls"), ("runs", "gc"), ("status",), ("card",), ("gate",), ("show", "t")])
def test_a_folder_of_runs_that_is_none(verb, bench, cli, monkeypatch):
    (bench / "file").write_text("")
    assert cli(*verb, "--runs-dir", "file").code == 2
    assert cli(*verb, "--runs-dir", "").code == 2
    monkeypatch.setenv("DENOMINATOR_RUNS_DIR", str(bench / "file"))
    said = cli(*verb)
    assert said.code == 2 and "is no folder" in said.err


@pytest.mark.parametrize("verb", ["card", "gate", "status"])
def test_an_empty_folder_of_runs(verb, here, cli):
    said = cli(verb)
    assert said.code == 2 and "there is no run yet" in said.err and "denominator demo" in said.err
    assert cli("runs", "ls").out.startswith("no runs in ")
    assert cli("runs", "ls", "--json").json == []


@pytest.mark.needs_bwrap
@pytest.mark.xdist_group("cli")
def test_an_empty_name_is_not_the_latest_run(lab, here, cli):
    copy_run(lab, here / "runs")
    for verb in (("card", ""), ("gate", ""), ("status", " "), ("resume", "")):
        said = cli(*verb)
        assert said.code == 2 and "is empty" in said.err


def test_a_folder_without_a_seal_is_named(here, cli):
    (here / "runs" / "half").mkdir(parents=True)
    said = cli("card", "half")
    assert said.code == 2 and "holds no seal.json" in said.err


BAD_IDS = [
    "a/b", "/abs", "..", ".", ".hidden", "../x", "a b", "", "x" * 300, "é" * 60, "-x", "a\nb", "a\x1b[31m", "a\\b", "a:b", "a*b",
    "scratch-x", "\u202eid", "a\x00b",
]  # fmt: skip


@pytest.mark.parametrize("run_id", BAD_IDS, ids=ascii)
@pytest.mark.parametrize("verb", ["run", "seal"])
def test_run_ids_that_cannot_be_typed(verb, run_id, locked, cli):
    said = cli(verb, "--run-id", run_id)
    assert said.code == 2 and ("--run-id" in said.err or "run id" in said.err)
    assert said.err.isprintable() or not set(said.err) - set("\n\t") & {chr(c) for c in range(32)}
    assert not (locked / "runs").exists()


@pytest.mark.needs_bwrap
@pytest.mark.xdist_group("cli")
def test_a_run_id_in_use_changes_nothing(lab, locked, cli):
    copy_run(lab, locked / "runs", "window-script").rename(locked / "runs" / "mine")
    before = files_of(locked)
    for verb in (("run",), ("seal",), ("run", "--dry-run")):
        said = cli(*verb, "--run-id", "mine")
        assert said.code == 2 and "is in use; nothing was changed" in said.err
        assert "denominator resume mine" in said.err
    (locked / "runs" / "link").symlink_to("nowhere")
    assert cli("run", "--run-id", "link").code == 2
    (locked / "runs" / "link").unlink()
    assert files_of(locked) == before


@pytest.mark.parametrize(
    "verb", [("run",), ("run", "--dry-run"), ("seal",), ("run", "--arm", "x"), ("run", "--only", "t")]
)
def test_an_incomplete_envelope_lists_every_field(verb, bench, cli):
    (bench / "E.toml").write_text(envelope_template())
    checked = cli("envelope", "check", "E.toml", "--json")
    assert checked.code == 2
    wheres = [problem["where"] for problem in checked.json]
    assert len(wheres) > 25
    said = cli(verb[0], "E.toml", *verb[1:])
    assert said.code == 2 and "[E003]" in said.err
    assert [where for where in wheres if f"- {where}: " not in said.err] == []
    assert not (bench / "runs").exists()


@pytest.mark.parametrize("text", ["", "schema_version = 1\n"])
def test_an_envelope_without_an_arm_lists_the_rest_too(text, bench, cli):
    (bench / "E.toml").write_text(text)
    said = cli("run", "E.toml")
    assert said.code == 2 and "- arm: " in said.err and "- budget.wall_s: " in said.err and "- cite.rule: " in said.err


def test_two_incomplete_envelopes_are_both_listed(bench, cli):
    (bench / "E.toml").write_text("")
    (bench / "F.toml").write_text(arm_envelope("F", "nop").replace('question = "', '# question = "'))
    said = cli("run", "--arms", "E.toml", "F.toml")
    assert said.code == 2
    assert "- E.toml: budget.wall_s: " in said.err and "- F.toml: question: " in said.err


def test_unknown_keys_are_named_with_line_and_nearest(bench, cli):
    (bench / "E.toml").write_text(arm_envelope("A", "nop").replace("wall_s =", "wall_secs ="))
    said = cli("run", "E.toml")
    assert said.code == 2 and "wall_secs" in said.err and "wall_s" in said.err and "E.toml:" in said.err


REFUSED_STARTS = {
    "the same label twice": (("envelope.toml", "A2.toml"), "A in envelope.toml, A in A2.toml"),
    "an arm that is not there": (("--arm", "Z"), 'no arm "Z"'),
    "an unknown agent": (("agent.toml",), "no agent is called 'oracel'"),
    "a script that is not there": (("noscript.toml",), "no such file"),
    "a script that is none": (("badscript.toml",), "bad.toml"),
    "different packs": (("envelope.toml", "other.toml"), "the arms name different packs"),
    "an unknown pack": (("--pack", "fuor"), "neither a folder with a pack.toml nor a built-in name"),
    "an unknown task": (("--only", "clamp-hi"), "one of: clamp-low"),
    "keep without only": (("--keep",), "--keep goes with --only"),
    "an odd sandbox": (("odd.toml",), "sandbox"),
}


@pytest.mark.parametrize("name", REFUSED_STARTS)
@pytest.mark.parametrize("dry", [(), ("--dry-run",)], ids=["run", "dry run"])
def test_a_start_that_cannot_be_made(name, dry, locked, cli, monkeypatch):
    monkeypatch.setattr("denominator.wiring.world.enter_private_mounts", lambda _sandbox: None)
    (locked / "A2.toml").write_text(arm_envelope("A", "nop"))
    (locked / "agent.toml").write_text(arm_envelope("A", "oracel"))
    (locked / "noscript.toml").write_text(arm_envelope("A", "script", script="not-there.toml"))
    (locked / "bad.toml").write_text("step = 3\n")
    (locked / "badscript.toml").write_text(arm_envelope("A", "script", script="bad.toml"))
    (locked / "other.toml").write_text(arm_envelope("O", "nop").replace('pack = "four"', 'pack = "holdout16"'))
    (locked / "odd.toml").write_text(arm_envelope("A", "nop").replace('"bubblewrap"', '"chroot"'))
    args, words = REFUSED_STARTS[name]
    if name == "an odd sandbox":
        dry = ()  # the sandbox is looked for when it is needed
    before = files_of(locked)
    said = cli("run", *args, *dry)
    assert said.code == 2 and words in said.err, said.err
    assert said.out == "" and files_of(locked) == before
    assert not [path for path in (locked / "runs").glob("*") if path.is_dir()]


def test_a_pack_that_is_not_locked_or_was_changed(bench, cli):
    for verb in (("run",), ("seal",), ("run", "--dry-run")):
        said = cli(*verb)
        assert said.code == 2 and "the pack is not locked" in said.err and "denominator pack lock" in said.err
    lock(bench / "four")
    assert cli("run", "--dry-run").code == 0
    with (bench / "four" / "tasks" / "clamp-low" / "prompt.md").open("a") as out:
        out.write("\nmore\n")
    (bench / "four" / "tasks" / "clamp-low" / "hidden" / "extra.py").write_text("")
    for verb in (("run",), ("seal",), ("run", "--dry-run")):
        said = cli(*verb)
        assert said.code == 2 and "tasks/clamp-low/prompt.md: differs" in said.err and "extra.py" in said.err
    shown = cli("pack", "show", "four")
    assert shown.code == 0 and "CHANGED since it was locked" in shown.out


def test_a_dry_run_writes_nothing_and_counts(locked, cli):
    before = files_of(locked)
    said = cli("run", "--dry-run", "envelope.toml", "B.toml", "--json")
    assert said.code == 0 and said.err == ""
    assert [(arm["arm"], arm["draws"], arm["attempts_max"]) for arm in said.json["arms"]] == [("A", 4, 4), ("B", 4, 4)]
    assert said.json["arms"][0]["order"] == said.json["arms"][1]["order"]
    assert "4 draws, at most 4 attempts" in cli("run", "--dry-run").out
    assert cli("run", "--dry-run", "--only", "clamp-low", "--json").json["arms"][0]["draws"] == 1
    assert files_of(locked) == before and not (locked / "runs").exists() and not (locked / "cache").exists()


def test_a_pack_on_the_command_line_is_looked_for_here(locked, cli, monkeypatch):
    (locked / "sub").mkdir()
    (locked / "sub" / "envelope.toml").write_text(arm_envelope("A", "nop").replace('pack = "four"', 'pack = "../four"'))
    assert cli("run", "--dry-run", "sub/envelope.toml").code == 0
    assert cli("run", "--dry-run", "sub/envelope.toml", "--pack", "./four").code == 0
    assert cli("run", "--dry-run", "envelope.toml", "sub/envelope.toml", "--pack", "four").code == 2, "the label twice"
    assert cli("run", "--dry-run", "B.toml", "sub/envelope.toml").code == 0, "one pack by two names"


def test_labels_become_run_ids_that_can_be_typed(locked):
    from denominator.wiring.ids import as_run_id, run_id_problem
    from denominator.wiring.reading import read_starts

    (locked / "L.toml").write_text(arm_envelope("big/model 5 (high) \u00fc", "nop"))
    (start,) = read_starts([locked / "L.toml"], None, "", "now")
    assert start.run_id == "now-big-model-5--high--\u00fc" and not run_id_problem(start.run_id)
    assert as_run_id("///") == "arm"


TYPOS = [
    (("runn",), "'run'"), (("pack", "lnt"), "'lint'"), (("import", "rowz"), "'rows'"), (("run", "--dry-rn"), "'--dry-run'"),
    (("card", "--jsn"), "'--json'"), (("help",), "'--help'"), (("schema", "cardd"), "card"), (("explain", "GL0l4"), "GL014"),
    (("explain", "unbalanced-leger"), "unbalanced-ledger"), (("runs", "lss"), "'ls'"), (("completion", "bsh"), "bash"),
    (("envelope", "chek"), "'check'"), (("resume",), "RUN"), (("show",), "TASK"), (("gate", "a", "b"), "unexpected"),
    (("pack", "lock", "--repeats", "2"), "3"), (("pack", "lock", "--concurrency", "many"), "integer"), (("import", "rows"), "PATHS"),
]  # fmt: skip


@pytest.mark.parametrize(("args", "hint"), TYPOS, ids=lambda value: " ".join(value) if isinstance(value, tuple) else "")
def test_a_typo_names_the_nearest(args, hint, here, cli):
    said = cli(*args)
    assert said.code == 2 and hint in said.err and said.out == ""


def test_filters_of_an_import_that_cannot_be_read(here, cli):
    (here / "rows.jsonl").write_text('{"run_id": "r", "task_id": "t", "attempt": 1, "outcome": "pass"}\n')
    said = cli("import", "rows", "rows.jsonl", "--where", "model", "--where", "=x")
    assert said.code == 2 and "--where model" in said.err and "--where =x" in said.err
    (here / "b").mkdir()
    shutil.copy("rows.jsonl", "b")
    assert cli("import", "rows", "rows.jsonl", "b/rows.jsonl").code == 2
    odd = here / os.fsdecode(b"r\xff.jsonl")
    shutil.copy("rows.jsonl", odd)
    assert cli("import", "rows", odd, "-o", "kept").code == 1
    json.loads((here / "kept" / "ledger.json").read_bytes().decode("utf-8"))
