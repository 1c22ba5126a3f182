"""Every sandbox passes the public suite: as root, as root with private mounts, as an ordinary user; bare passes its half."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from denominator.adapters.sandboxes.bare import Bare
from denominator.adapters.sandboxes.bubblewrap import Bubblewrap
from denominator.testing.sandbox_suite import BASIC, ISOLATION, Bench

SOURCE = Path(__file__).parents[4] / "src"
RUNNER = """
import json, sys, tempfile, traceback
sys.path[:0] = [sys.argv[1]]
from pathlib import Path
from denominator.adapters.sandboxes.bubblewrap import Bubblewrap
from denominator.testing.sandbox_suite import BASIC, ISOLATION, Bench
box = Bubblewrap()
if sys.argv[2] == "enter":
    why = box.enter()
    assert not why, why
said = {}
for check in (*BASIC, *ISOLATION):
    with tempfile.TemporaryDirectory() as folder:
        try:
            said[check.__name__] = check(Bench(sandbox=box, folder=Path(folder)))
        except Exception:
            said[check.__name__] = [traceback.format_exc()]
from denominator.records.envelopes import SandboxTerms
said["facts"] = [each.name for each in box.facts(SandboxTerms()).protections if not each.holds]
box.close()
print(json.dumps(said))
"""
"""The whole suite in a process of its own: mounts are entered before threads, and the uid is chosen before Python starts."""
needs_bwrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")


@pytest.fixture(scope="module")
def box():
    made = Bubblewrap()
    yield made
    made.close()


@needs_bwrap
@pytest.mark.needs_bwrap
@pytest.mark.parametrize("check", [*BASIC, *ISOLATION], ids=lambda check: check.__name__)
def test_bubblewrap(check, box, tmp_path):
    assert check(Bench(sandbox=box, folder=tmp_path)) == []


@pytest.mark.parametrize("check", BASIC, ids=lambda check: check.__name__)
def test_bare_runs_and_tells(check, tmp_path):
    assert check(Bench(sandbox=Bare(), folder=tmp_path)) == []


def run_apart(mode: str, prefix: list[str]) -> dict[str, list[str]]:
    import json

    words = [*prefix, "/usr/bin/python3", "-I", "-S", "-c", RUNNER, str(SOURCE), mode]
    done = subprocess.run(words, capture_output=True, text=True, cwd="/", env={"PATH": os.defpath, "TMPDIR": "/tmp"})
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def breaches(said: dict[str, list[str]], absent: set[str]) -> dict[str, list[str]]:
    assert set(said.pop("facts")) <= absent
    assert set(said) == {check.__name__ for check in (*BASIC, *ISOLATION)}
    return {name: found for name, found in said.items() if found}


@needs_bwrap
@pytest.mark.needs_bwrap
@pytest.mark.needs_root
@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root has private mounts")
def test_bubblewrap_with_sized_workspaces():
    assert breaches(run_apart("enter", []), {"memory_limit"}) == {}


@needs_bwrap
@pytest.mark.needs_bwrap
@pytest.mark.needs_root
@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="this process is an ordinary user already")
def test_bubblewrap_as_an_ordinary_user():
    drop = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    if subprocess.run([*drop, "unshare", "--user", "true"], capture_output=True).returncode:
        pytest.skip("user namespaces are closed to ordinary users here")
    if subprocess.run([*drop, "test", "-r", str(SOURCE / "denominator/ports.py")]).returncode:
        pytest.skip("an ordinary user cannot read this checkout")
    assert breaches(run_apart("plain", drop), {"separate_uids", "memory_limit"}) == {}
