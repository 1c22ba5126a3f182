"""Words and settings: help, codes, schemas, completion, init, and where a setting comes from."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import click
import pytest

from denominator.cli.main import VERBS
from denominator.cli.main import cli as program
from denominator.errors import InputError
from denominator.pipeline.catalog import all_entries
from denominator.wiring.settings import read_settings
from e2e.cli_lab import process

GROUPS = (
    "pack",
    "envelope",
    "runs",
    "import",
    "review",
    "contract",
    "published",
    "faultbench",
    "probe",
    "slip",
    "quote",
)


def commands() -> list[tuple[str, ...]]:
    """Every verb and every verb below it."""
    found: list[tuple[str, ...]] = []
    with click.Context(program) as ctx:
        for name in VERBS:
            command = program.get_command(ctx, name)
            found.append((name,))
            if isinstance(command, click.Group):
                found += [(name, sub) for sub in command.list_commands(ctx)]
    return found


@pytest.mark.parametrize("verb", commands(), ids=" ".join)
def test_every_help_has_an_example_and_two_names(verb, cli):
    said = cli(*verb, "--help")
    assert said.code == 0 and said.err == "" and said.out.startswith(f"Usage: denominator {' '.join(verb)}")
    assert cli(*verb, "-h").out == said.out
    is_group = "COMMAND [ARGS]" in said.out
    assert is_group or "Example: denominator" in said.out
    long = [line for line in said.out.splitlines() if len(line) > 80]
    assert not long and "...\n" not in said.out.partition("\nCommands:")[2]


@pytest.mark.parametrize(
    "verb",
    [verb for verb in commands() if verb not in [(group,) for group in GROUPS]],
    ids=" ".join,
)
def test_every_verb_has_json(verb, cli):
    assert "--json" in cli(*verb, "--help").out


def test_help_and_version_at_the_top(cli):
    said = cli("--help")
    assert said.code == 0 and all(f"\n  {verb} " in said.out for verb in VERBS)
    assert "130 interrupted" in said.out
    assert cli("--version").out.startswith("denominator, version 0.")
    assert cli().code == 2


def test_every_code_is_explained(cli):
    entries = all_entries()
    listed = cli("explain", "--json").json
    assert [row["code"] for row in listed] == [entry.code for entry in entries]
    text = cli("explain").out
    for entry in entries:
        assert f"{entry.code} " in text
        by_code, by_name = cli("explain", entry.code), cli("explain", entry.name.upper())
        assert by_code.code == by_name.code == 0 and by_code.out.strip() in by_name.out
        assert entry.name in by_code.out
        assert cli("explain", entry.code.lower(), "--json").json["code"] == entry.code


def test_a_name_of_two_families_shows_both_pages(cli):
    twice = cli("explain", "flaky-baseline")
    assert twice.code == 0 and "LB110 flaky-baseline" in twice.out and "PL009 flaky-baseline" in twice.out
    refused = cli("explain", "flaky-baseline", "--json")
    assert refused.code == 2 and "LB110, PL009" in refused.err


def test_every_code_that_an_error_can_show_is_explained(cli):
    import denominator

    root = Path(denominator.__file__).parent
    shown = {
        line.split('"')[1]
        for path in root.rglob("*.py")
        if "data" not in path.parts
        for line in path.read_text().splitlines()
        if line.strip().startswith('code = "E')
    }
    assert len(shown) >= 10
    for code in shown:
        assert cli("explain", code).code == 0, code


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell, cli, here):
    said = cli("completion", shell)
    assert said.code == 0 and "_DENOMINATOR_COMPLETE" in said.out and "_DENOM_COMPLETE" in said.out
    assert cli("completion", shell, "--json").json == {"shell": shell, "script": said.out.removesuffix("\n")}
    if shell == "bash":
        (here / "completion").write_text(said.out)
        assert subprocess.run(["bash", "-n", "completion"], cwd=here, capture_output=True, check=False).returncode == 0


def test_completion_completes(here):
    env = {"_DENOMINATOR_COMPLETE": "bash_complete", "COMP_WORDS": "denominator pack l", "COMP_CWORD": "2"}
    assert process(here, env=env).out.split() == ["plain,lint", "plain,lock"]


def test_init_writes_once(cli, here):
    said = cli("init", "--json")
    assert said.json == {"denominator.toml": "written", "envelope.toml": "written"}
    (here / "envelope.toml").write_text("mine")
    again = cli("init")
    assert again.code == 0 and again.out.count("exists, left as it is") == 2
    assert (here / "envelope.toml").read_text() == "mine"
    (here / "denominator.toml").unlink()
    (here / "denominator.toml").symlink_to("nowhere")
    assert cli("init").code == 0 and not (here / "nowhere").exists()


def test_envelope_init_and_check(cli, here):
    assert cli("envelope", "init", "A.toml", "--json").json == {"A.toml": "written"}
    said = cli("envelope", "check", "A.toml")
    assert said.code == 2 and "to fill in or mend" in said.out
    assert cli("envelope", "init", "A.toml").code == 2
    assert cli("envelope", "init", "--agent", "oracle", "O.toml").code == 0
    assert cli("envelope", "check", "O.toml", "--json").json == []


def test_pack_verbs_on_a_new_and_on_the_built_in_pack(cli, here):
    made = cli("pack", "init", "mine", "--json")
    assert made.code == 0 and made.json["folder"] == "mine" and "pack.toml" in made.json["written"]
    lint = cli("pack", "lint", "mine")
    assert lint.code == 1 and "findings block" in lint.out
    findings = cli("pack", "lint", "mine", "--json").json
    assert any(f["severity"] == "block" and f["fix"] for f in findings)
    assert cli("pack", "show", "mine").code == 0
    assert cli("pack", "show", "mine", "--json").json["locked"] is False
    assert cli("pack", "show", "--json").json["locked"] is True
    assert cli("pack", "lint").code == 0
    digest = cli("pack", "hash", "--json").json["digest"]
    assert (
        cli("pack", "hash").out.split()[0]
        == digest
        == json.loads(Path(cli("pack", "hash").out.split()[1], "pack.lock").read_text())["digest"]
    )
    assert cli("pack", "init", "mine").code == 2


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("schema_version = 1\n" + text)
    return path


def test_flag_beats_environment_beats_project_beats_user_beats_built_in(tmp_path):
    home, project = tmp_path / "home", tmp_path / "project"
    (project / "deep").mkdir(parents=True)
    env = {"HOME": str(home)}

    def origin(flags=None):
        settings, chosen = read_settings(flags or {}, project / "deep", env)
        by_name = {setting.name: setting for setting in chosen}
        assert settings.runs_dir == by_name["runs_dir"].value
        return by_name["runs_dir"].origin, by_name["runs_dir"].value

    assert origin() == ("built-in", str(project / "deep" / "runs"))
    user = write(home / ".config" / "denominator" / "config.toml", 'runs_dir = "~/of-user"\n')
    assert origin() == (str(user), str(home / "of-user"))
    ours = write(project / "denominator.toml", 'runs_dir = "runs"\n')
    assert origin() == (str(ours), str(project / "runs")), "said once more is still said"
    env["DENOMINATOR_RUNS_DIR"] = "of-env"
    assert origin() == ("environment", str(project / "deep" / "of-env"))
    assert origin({"runs_dir": "of-flag"}) == ("flag", str(project / "deep" / "of-flag"))
    env["DENOMINATOR_RUNS_DIR"] = ""
    assert origin()[0] == str(ours)
    with pytest.raises(InputError, match="is empty"):
        origin({"runs_dir": " "})


def test_print_config_shows_value_and_origin(cli, here):
    project = write(here / "denominator.toml", 'envelope = "E.toml"\n')
    said = cli("init", "--print-config", "--json")
    rows = {row["name"]: row for row in said.json}
    assert rows["envelope"] == {"name": "envelope", "value": str(here / "E.toml"), "origin": str(project)}
    assert (
        rows["cache_dir"]["value"] == str(here / "cache" / "denominator") and rows["cache_dir"]["origin"] == "built-in"
    )
    assert rows["python"]["value"] == "/usr/bin/python3"
    assert cli("--print-config").out == cli("init", "--print-config").out
    assert f"({project})" in cli("--print-config").out
    assert sorted(os.listdir(here)) == ["denominator.toml"]


def test_settings_reach_the_verbs(cli, here, monkeypatch):
    write(here / "denominator.toml", 'envelope = "E.toml"\nruns_dir = "R"\n')
    (here / "sub").mkdir()
    monkeypatch.chdir(here / "sub")
    for verb in (("run",), ("run", "--dry-run"), ("seal",), ("envelope", "check")):
        said = cli(*verb)
        assert said.code == 2 and f"{here}/E.toml: no such file" in said.err
    assert cli("runs", "ls").out == f"no runs in {here}/R\n"


BROKEN = {
    "unknown key": ('runs_dri = "x"\n', ("runs_dri", "runs_dir")),
    "wrong type": ("runs_dir = 3\n", ("runs_dir", "quotes")),
    "both": ('runs_dir = 3\npyhton = "x"\n', ("runs_dir", "pyhton", "python")),
    "no TOML": ('runs_dir = "x\n', ("not a TOML document",)),
    "duplicate key": ('runs_dir = "x"\nruns_dir = "y"\n', ("not a TOML document",)),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_settings_name_file_line_and_key(name, cli, here):
    text, words = BROKEN[name]
    path = write(here / "denominator.toml", text)
    for verb in (("runs", "ls"), ("card",), ("init", "--print-config"), ("--print-config",), ("run",), ("demo",)):
        said = cli(*verb)
        assert said.code == 2 and str(path) in said.err and said.out == ""
        assert all(word in said.err for word in words)
    assert cli("explain", "GL001").code == 0, "what needs no settings works"


def test_settings_that_are_no_text_or_of_a_later_version(cli, here):
    (here / "denominator.toml").write_bytes(b"\xff\xfe\x00")
    assert "not UTF-8" in cli("runs", "ls").err
    (here / "denominator.toml").write_text("schema_version = 9\n")
    assert "schema_version" in cli("runs", "ls").err
    (here / "denominator.toml").unlink()
    (here / "denominator.toml").mkdir()
    assert cli("runs", "ls").code == 0
