"""The wheel in an environment of its own, far from the checkout and without its tools: what a user of `pip install` gets."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import zipfile

import pytest

from e2e.environment import ROOT

pytestmark = pytest.mark.e2e
needs_bwrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")

INSTALLED_MB_MAX = 25
HELP_CPU_MS_MAX = 150
TOOLS = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "distutils-precedence")


def run(*command, cwd, **env):
    """A command as a user with a home of its own types it; its standard output, its words on standard error beside it."""
    clean = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**clean, "HOME": str(cwd), "COLUMNS": "80", **env},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=170,
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built as a packager builds it, from a copy without anything that git does not know."""
    copy, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in tracked("src", "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", ".gitignore"):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, copy / name)
    build = ["-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(out), str(copy)]
    subprocess.run([sys.executable, *build], check=True, cwd=out)
    (made,) = out.glob("*.whl")
    return made


def tracked(*paths):
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", *paths], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [name for name in listed.stdout.split("\0") if name]


@pytest.fixture(scope="module")
def bin_dir(wheel, tmp_path_factory):
    """The commands of a fresh environment with the locked base dependencies and the wheel."""
    venv = tmp_path_factory.mktemp("fresh") / "venv"
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    pip = [venv / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, "--require-hashes", "-r", ROOT / "requirements" / "base.txt"], check=True)
    subprocess.run([*pip, "--no-deps", wheel], check=True)
    return venv / "bin"


@pytest.fixture
def denominator(bin_dir, tmp_path):
    """The installed command in an empty folder."""
    return lambda *args, **env: run(bin_dir / "denominator", *args, cwd=tmp_path, **env)


def test_the_wheel_holds_every_file(wheel):
    inside = set(zipfile.ZipFile(wheel).namelist())
    assert {name.removeprefix("src/") for name in tracked("src")} <= inside
    assert not [name for name in inside if name.startswith(("tests/", "docs/")) or name.endswith(".pyc")]


def test_the_built_in_pack_is_as_locked_though_pip_compiles_what_it_holds(denominator, bin_dir):
    (data,) = bin_dir.parent.glob("lib/python*/site-packages/denominator/data/packs/holdout16")
    assert list(data.rglob("*.pyc")), "pip left bytecode beside the pack's files"
    shown = denominator("pack", "show", "holdout16")
    assert shown.returncode == 0 and "\nlocked, files as locked\n" in shown.stdout
    source = run(sys.executable, "-m", "denominator", "pack", "hash", "holdout16", cwd=ROOT)
    assert denominator("pack", "hash", "holdout16").stdout.split()[0] == source.stdout.split()[0]


@pytest.mark.parametrize(
    "args", [["explain", "GL014"], ["schema", "envelope"], ["pack", "lint"], ["runs", "ls"]], ids=" ".join
)
def test_what_only_reads_needs_nothing_else(denominator, args):
    done = denominator(*args)
    assert done.returncode == 0 and done.stdout, done.stderr


def test_it_is_small_and_help_is_quick(bin_dir):
    (site,) = bin_dir.parent.glob("lib/python*/site-packages")
    files = [
        path for path in site.rglob("*") if path.is_file() and not path.relative_to(site).parts[0].startswith(TOOLS)
    ]
    size = sum(path.stat().st_size for path in files)
    assert size < INSTALLED_MB_MAX * 1_000_000, f"{size} bytes"
    assert min(cpu_ms([bin_dir / "denominator", "--help"]) for _ in range(5)) < HELP_CPU_MS_MAX


def cpu_ms(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


@needs_bwrap
def test_the_demo_runs(denominator, tmp_path):
    done = denominator("demo", "--brief", "-q")
    assert done.returncode == 0, done.stderr
    verdicts = [line for line in done.stdout.splitlines() if line.startswith(("PUBLISHABLE", "BLOCKED"))]
    assert verdicts == ["PUBLISHABLE (rate_with_interval)"] * 3 + ["BLOCKED (refused)"]
    assert len(list((tmp_path / "runs").glob("*/card.json"))) == 4


@needs_bwrap
def test_an_agent_of_ones_own_in_three_commands(denominator, tmp_path):
    assert denominator("init", "--agent", "command").returncode == 0
    assert denominator("run").returncode == 2, "seven answers are open"
    path = tmp_path / "envelope.toml"
    path.write_text(path.read_text().replace("REPLACE: policy.on_timeout", "fail").replace("REPLACE: ", "our "))
    (tmp_path / "agent" / "agent.sh").write_text("sed -i 's|total // size|-(-total // size)|' pager/pages.py\n")
    done = denominator("run", "--only", "page-count", "-q")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[1:2] == ["  page-count  pass"]
    shown = denominator("show", "page-count").stdout
    assert "label  outcome = pass" in shown
    assert "--- agent.diff\nmodify pager/pages.py\n" in shown and "\n+    return -(-total // size)\n" in shown
    assert "\n  passed   test_count.CountTest.test_partly_filled\n" in shown


@needs_bwrap
def test_a_pack_of_ones_own_from_its_skeleton(denominator, tmp_path):
    assert denominator("pack", "init", "mine").returncode == 0
    assert denominator("pack", "lint", "mine").returncode == 1
    for path in (tmp_path / "mine").rglob("*.*"):
        text = path.read_text().replace('"REPLACE: a date, unquoted, for example 2026-11-29"', "2026-11-29")
        path.write_text(text.replace("REPLACE: ", "Our "))
    assert denominator("pack", "lock", "mine").returncode == 0
    for agent, counts in (("oracle", "pass 1 + fail 0 + abstain 0"), ("nop", "pass 0 + fail 0 + abstain 1")):
        assert denominator("envelope", "init", "--agent", agent, f"{agent}.toml").returncode == 0
        done = denominator("run", f"{agent}.toml", "--pack", "mine", "--brief", "-q")
        assert done.returncode == 0 and f"  {counts} + unscoreable 0" in done.stdout, done.stdout + done.stderr
        assert "controls: all held" in done.stdout
