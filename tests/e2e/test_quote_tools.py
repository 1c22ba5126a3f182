"""The hook under a real pre-commit, and the steps of the action under bash, on git repositories of the test."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys

import pytest
import yaml

from e2e.environment import ROOT, environment
from quote_data import docx, pdf, w_p

pytestmark = pytest.mark.e2e
SLIPS = ROOT / "docs" / "slips"
INPUT = re.compile(r"\$\{\{ (?P<name>[\w.\-]+) \}\}")


def git(folder, *words):
    names = ("-c", "user.email=a@example.org", "-c", "user.name=a", "-c", "protocol.file.allow=always")
    done = subprocess.run(["git", *names, *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    """This tree as a repository of its own with one commit: what `repo:` of a hook and `uses:` of an action name."""
    folder = tmp_path_factory.mktemp("ours")
    listed = git(ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *WANTED)
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    git(folder, "init", "-q", "."), git(folder, "add", "-A"), git(folder, "commit", "-qm", "ours")
    return folder


WANTED = (
    "src",
    "actions",
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
    ".gitignore",
    ".pre-commit-hooks.yaml",
)


@pytest.fixture
def theirs(tmp_path):
    """A repository with slips, a README that cites one rightly, and settings."""
    folder = tmp_path / "theirs"
    shutil.copytree(SLIPS, folder / "slips")
    (folder / "denominator.toml").write_text('[quote]\nslips = "slips"\nmax_age_days = 0\n')
    second = max(SLIPS.glob("*.lines.jsonl")).name[:8]
    (folder / "README.md").write_text(f"It passes 75.0% (6/8) [slip:{second}].\n")
    made = subprocess.run(
        [sys.executable, "-m", "denominator", "quote", "fix", "README.md"], cwd=folder, capture_output=True, check=False
    )
    assert made.returncode == 0, made.stderr
    git(folder, "init", "-q", "."), git(folder, "add", "-A")
    git(folder, "commit", "-qm", "one")
    return folder


def run(folder, *command, **env):
    """A command with a home of its own; what it printed, and its exit code."""
    clean = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    whole = {**clean, "HOME": str(folder.parent), "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org", **env}
    whole |= {"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org"}
    done = subprocess.run(
        [str(one) for one in command], cwd=folder, env=whole, capture_output=True, text=True, check=False, timeout=900
    )
    return done.returncode, done.stdout + done.stderr


def test_pre_commit_lets_a_right_quote_in_and_keeps_a_wrong_one_out(ours, theirs):
    program = environment("pre-commit", python=sys.executable) / "bin" / "pre-commit"
    (theirs / ".pre-commit-config.yaml").write_text(
        f"repos:\n  - repo: {ours}\n    rev: {git(ours, 'rev-parse', 'HEAD')}\n    hooks:\n      - id: quote-check\n"
    )
    git(theirs, "add", ".pre-commit-config.yaml")
    assert run(theirs, program, "install")[0] == 0
    readme = theirs / "README.md"
    git(theirs, "add", "-A")
    code, said = run(theirs, "git", "commit", "-m", "the hook")
    assert code == 0, said
    code, said = run(theirs, program, "run", "--all-files")
    assert code == 0 and "every rate cites a slip" in said and "Passed" in said, said
    readme.write_text(readme.read_text().replace("75.0% (6/8)", "57.0% (6/8)", 1))
    git(theirs, "add", "README.md")
    code, said = run(theirs, "git", "commit", "-m", "digits that changed places")
    assert code == 1 and "Q003 57.0%" in said, said
    readme.write_text(readme.read_text().replace("57.0%", "75.0%", 1))
    (theirs / "paper.docx").write_bytes(docx(w_p("It passes 62", "%.")))
    (theirs / "paper.pdf").write_bytes(pdf([["It passes 61%."]]))
    (theirs / "notes.txt").write_text("It passes 60%.\n")
    git(theirs, "add", "-A")
    code, said = run(theirs, "git", "commit", "-m", "a paper")
    assert code == 1 and "Q001 62%" in said and "Q001 61%" in said and "60%" not in said, said
    git(theirs, "rm", "-qf", "paper.docx", "paper.pdf")
    code, said = run(theirs, "git", "commit", "-m", "right again")
    assert code == 0, said


def played(ours, folder, place, **given):
    """The steps of the action as a runner plays them: inputs into `env`, `run` by bash; exit code and output of the last.

    What is installed at `place` is not installed again.
    """
    action = yaml.safe_load((ours / "actions" / "quote-check" / "action.yml").read_text())
    values = {f"inputs.{name}": str(one.get("default", "")) for name, one in action["inputs"].items()}
    values |= {f"inputs.{name.replace('_', '-')}": value for name, value in given.items()}
    values["github.action_path"] = str(ours / "actions" / "quote-check")
    code, said = 0, ""
    install, check = action["runs"]["steps"]
    for step in [check] if (place / "quote-check" / "bin" / "denominator").exists() else [install, check]:
        env = {name: INPUT.sub(lambda found: values[found["name"]], text) for name, text in step.get("env", {}).items()}
        env |= {"RUNNER_TEMP": str(place), "GITHUB_WORKSPACE": str(folder), "GITHUB_ACTIONS": "true"}
        env |= {"GITHUB_STEP_SUMMARY": str(place / "summary.md"), "GITHUB_ACTION_PATH": values["github.action_path"]}
        script = place / "step.sh"
        script.write_text(step["run"])
        code, said = run(folder, "bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script, **env)
        if code:
            break
    return code, said


def test_the_steps_of_the_action_install_and_check(ours, theirs, tmp_path_factory):
    place = tmp_path_factory.mktemp("runner")
    given = {"python": sys.executable, "paths": "README.md"}
    code, said = played(ours, theirs, place, **given)
    assert code == 0 and "::error" not in said, said
    readme = theirs / "README.md"
    readme.write_text(readme.read_text().replace("75.0% (6/8)", "57.0% (6/8)", 1))
    (theirs / "paper.pdf").write_bytes(pdf([["It passes 61%."]]))
    code, said = played(ours, theirs, place, **given | {"paths": "README.md paper.pdf"})
    assert code == 1 and "::error file=README.md,line=1,title=Q003" in said and "61%" in said, said
    git(theirs, "commit", "-qam", "wrong")
    code, said = played(ours, theirs, place, **given, changed_since="HEAD")
    assert code == 0 and "::error" not in said, said
    (theirs / "load.md").write_text("CPU at 40%.\n")
    assert played(ours, theirs, place, **given | {"paths": "load.md"})[0] == 0
    code, said = played(ours, theirs, place, **given | {"paths": "load.md"}, strict="true")
    assert code == 1 and "40%25" in said, said
    odd = '"; touch bought; echo "'
    code, said = played(ours, theirs, place, **given | {"paths": odd})
    assert code == 2 and not (theirs / "bought").exists(), said
    code, said = played(ours, theirs, place, **given, slips="no-such-folder")
    assert code == 2 and "no such folder" in said, said
