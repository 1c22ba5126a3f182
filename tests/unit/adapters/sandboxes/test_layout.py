"""What a sandbox shows and what it must not: options, hidden folders, toolchains, sized and shared disks."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from denominator.adapters.sandboxes.argv import Bind, Tmpfs, View, options
from denominator.adapters.sandboxes.bubblewrap import Bubblewrap
from denominator.adapters.sandboxes.layout import Machine, own_package, toolchain_folders, view
from denominator.errors import InputError, MachineError
from denominator.ports import Job, Mount
from denominator.testing.sandbox_suite import LIMITS

SOURCE = str(Path(__file__).parents[4] / "src")
root_only = pytest.mark.skipif(os.geteuid() != 0, reason="only root has private mounts")
needs_bwrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")


def job(*argv, **more):
    return replace(Job(argv=argv, role="agent", limits=LIMITS), **more)


def a_view(**more):
    plain = {"as_user": False, "system": (Bind(host="/usr", inside="/usr"),), "links": (), "files": ()}
    return View(**{**plain, "tmpfs": (), "binds": (), "hides": (), **more})


def test_parents_are_open_and_made_once():
    binds = (
        Bind(host="/h/1", inside="/opt/a/x"),
        Bind(host="/h/2", inside="/opt/a/y"),
        Bind(host="/h", inside="/usr/z"),
    )
    words = options(a_view(binds=binds))
    made = [words[at + 1] for at, word in enumerate(words) if word == "--dir"]
    assert made == ["/opt", "/opt/a"]
    assert all(words[at - 2 : at] == ["--perms", "0755"] for at, word in enumerate(words) if word == "--dir")


def test_what_has_no_size_is_read_only():
    words = options(a_view(tmpfs=(Tmpfs(inside="/tmp", size=4096, mode=0o1777),)))
    assert words[words.index("--tmpfs") - 2 : words.index("--tmpfs") + 2] == ["--size", "4096", "--tmpfs", "/tmp"]
    ends = [words[at + 1] for at, word in enumerate(words) if word == "--remount-ro"]
    assert ends == ["/dev", "/"]
    proc = words.index("--proc")
    assert words[proc + 2 : proc + 5] == ["--ro-bind", "/proc/sys", "/proc/sys"]


@pytest.mark.parametrize("as_user", [True, False])
def test_every_namespace_is_new(as_user):
    words = set(options(a_view(as_user=as_user)))
    assert {
        "--unshare-pid",
        "--unshare-net",
        "--unshare-ipc",
        "--unshare-uts",
        "--die-with-parent",
        "--clearenv",
    } <= words
    assert ("--disable-userns" in words) == as_user
    assert ("--cap-drop" in words) == (not as_user)


def test_the_disk_budget_is_shared_out():
    shown = view(job("true"), Machine(as_user=True), scratch=None, files={}, seccomp=None)
    assert sum(each.size for each in shown.tmpfs) <= LIMITS.disk_bytes
    assert {each.inside for each in shown.tmpfs} == {"/work", "/tmp", "/home/agent", "/dev/shm"}


def test_secrets_below_a_shown_folder_are_covered(tmp_path):
    secret = tmp_path / "shown/deep/secret"
    secret.mkdir(parents=True)
    machine = Machine(as_user=True, hidden=(secret,))
    whole = job("true", mounts=(Mount(host=tmp_path / "shown", inside="/in"),))
    shown = view(whole, machine, scratch=None, files={}, seccomp=None)
    assert [(each.inside, each.readonly) for each in shown.hides] == [("/in/deep/secret", True)]
    itself = job("true", mounts=(Mount(host=secret, inside="/hidden"),))
    assert view(itself, machine, scratch=None, files={}, seccomp=None).hides == ()


@needs_bwrap
def test_the_installed_package_is_never_shown(tmp_path):
    """An installation below a shown folder: its example packs hold hidden tests."""
    box = Bubblewrap()
    mounts = (Mount(host=own_package().parent, inside="/toolchain"),)
    ended = box.run(job("sh", "-c", "ls /toolchain; ls -A /toolchain/denominator", mounts=mounts))
    assert ended.stdout.split() == [name.encode() for name in sorted(os.listdir(own_package().parent))], ended
    box.close()


def test_toolchains_outside_usr(tmp_path):
    assert toolchain_folders("/usr/bin/python3") == ()
    base = tmp_path / "base"
    (base / "bin").mkdir(parents=True)
    (base / "bin/python3.11").touch()
    venv = tmp_path / "venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "bin/python").symlink_to(base / "bin/python3.11")
    (venv / "pyvenv.cfg").write_text(f"home = {base}/bin\n")
    site = tmp_path / "site"
    site.mkdir()
    assert set(toolchain_folders(str(venv / "bin/python"), str(site))) == {venv, base, site}


@needs_bwrap
def test_a_declared_toolchain_runs_inside(tmp_path):
    """Even one below /tmp, and one whose base is closed to other users on the host."""
    base = getattr(sys, "_base_executable", sys.executable)
    subprocess.run([base, "-m", "venv", "--without-pip", "--symlinks", str(tmp_path / "venv")], check=True)
    python = str(tmp_path / "venv/bin/python")
    box = Bubblewrap(python=python)
    for work in (None, box.workspace(tmp_path / "w", role="agent", slot=0, disk_bytes=1 << 20)):
        ended = box.run(job(python, "-I", "-c", "import sys; print(sys.prefix)", workdir=work))
        assert ended.stdout.decode().strip() == str(tmp_path / "venv"), ended
    box.close()


def test_a_toolchain_that_the_sandbox_would_cover_is_refused():
    with pytest.raises(InputError, match="toolchain"):
        toolchain_folders("/usr/bin/python3", "/tmp")


def apart(script: str) -> str:
    """Run in a process of its own, which may enter private mounts."""
    done = subprocess.run(
        ["/usr/bin/python3", "-I", "-S", "-c", f"import sys; sys.path[:0] = [{SOURCE!r}]\n{script}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


ENTERED = """
import json, os, signal, sys
from dataclasses import replace
from pathlib import Path
from denominator.adapters.sandboxes.bubblewrap import Bubblewrap
from denominator.errors import InputError, MachineError
from denominator.ports import Job
from denominator.testing.sandbox_suite import LIMITS
box = Bubblewrap()
assert box.enter() == ""
assert box.enter() == ""
"""


@root_only
@needs_bwrap
def test_one_size_for_everything_writable(tmp_path):
    out = apart(
        ENTERED
        + f"""
work = box.workspace(Path({str(tmp_path)!r}) / "w", role="agent", slot=0, disk_bytes=8 << 20)
script = 'for d in /work /tmp /dev/shm "$HOME"; do head -c 3000000 /dev/zero > $d/f; stat -c %s $d/f; done'
print(box.run(Job(argv=("sh", "-c", script), role="agent", limits=LIMITS, workdir=work)).stdout.decode())
print(sorted(os.listdir(work)), os.statvfs(work).f_blocks * 4096)
box.discard(work)
print(os.listdir({str(tmp_path)!r}))
"""
    ).splitlines()
    assert sum(int(size) for size in out[:4]) <= 8 << 20
    assert out[-2] == f"['f'] {8 << 20}" and out[-1] == "[]"


@root_only
@needs_bwrap
def test_discarding_a_folder_takes_the_mounts_below_it(tmp_path):
    out = apart(
        ENTERED
        + f"""
top = Path({str(tmp_path)!r}) / "attempt"
top.mkdir()
for name in ("agent", "out"):
    (box.workspace(top / name, role="agent", slot=0, disk_bytes=1 << 20) / "f").write_text("x")
print(open("/proc/self/mountinfo").read().count(str(top)))
box.discard(top)
print(open("/proc/self/mountinfo").read().count(str(top)), top.exists())
"""
    )
    assert out.split() == ["4", "0", "False"]


@root_only
def test_a_killed_harness_leaves_no_mount(tmp_path):
    script = (
        ENTERED
        + f"""
work = box.workspace(Path({str(tmp_path)!r}) / "w", role="agent", slot=0, disk_bytes=1 << 20)
(work / "f").write_text("x")
os.kill(os.getpid(), signal.SIGKILL)
"""
    )
    done = subprocess.run(["/usr/bin/python3", "-I", "-S", "-c", f"import sys; sys.path[:0] = [{SOURCE!r}]\n{script}"])
    assert done.returncode == -9
    assert str(tmp_path) not in Path("/proc/self/mountinfo").read_text()
    assert os.listdir(tmp_path / "w") == []
    box = Bubblewrap()
    box.discard(tmp_path / "w")
    assert not (tmp_path / "w").exists()
    box.workspace(tmp_path / "w", role="agent", slot=0, disk_bytes=1 << 20)


@root_only
def test_mounts_do_not_spread_to_the_host(tmp_path):
    """Where the host shares its mounts with what it starts, ours still stay with us."""
    script = (
        f"import sys; sys.path[:0] = [{SOURCE!r}]\n{ENTERED}"
        + f"""
box.workspace(Path({str(tmp_path)!r}) / "w", role="agent", slot=0, disk_bytes=1 << 20)
print([Path(f"/proc/{{pid}}/mountinfo").read_text().count({str(tmp_path)!r}) for pid in (os.getpid(), os.getppid())])
"""
    )
    shared = 'mount --make-rshared / && /usr/bin/python3 -I -S -c "$0"; true'
    done = subprocess.run(["unshare", "-m", "sh", "-c", shared, script], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[2, 0]", done.stderr


@root_only
def test_mounts_are_refused_once_threads_run(tmp_path):
    out = apart(
        """
import threading
from denominator.adapters.sandboxes.bubblewrap import Bubblewrap
threading.Thread(target=threading.Event().wait, daemon=True).start()
box = Bubblewrap()
print(box.enter())
print(box.workspaces.private)
"""
    )
    assert "threads" in out and out.endswith("False\n")


def test_a_full_workspace_is_refused(tmp_path):
    (tmp_path / "w").mkdir()
    (tmp_path / "w/f").touch()
    with pytest.raises(MachineError, match="not empty"):
        Bubblewrap().workspace(tmp_path / "w", role="agent", slot=0, disk_bytes=1 << 20)


@needs_bwrap
def test_facts_are_plain_data():
    from dataclasses import asdict

    from denominator.records.envelopes import SandboxTerms

    box = Bubblewrap()
    facts = box.facts(SandboxTerms())
    assert facts is box.facts(SandboxTerms())
    assert json.loads(json.dumps(asdict(facts)))["name"] == "bubblewrap"
    missing = {each.name for each in facts.protections if not each.holds}
    assert facts.mode == ("user" if os.geteuid() else "root")
    if os.geteuid() == 0 and box.cgroups.memory:
        assert missing == set()
    box.close()
