"""Each defence taken away alone: the self-test names it, and runs nothing where it is a wall."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from denominator.adapters.sandboxes import probes, seccomp, trials
from denominator.adapters.sandboxes.bubblewrap import Bubblewrap
from denominator.adapters.sandboxes.facts import NAMES, WALLS, seen_protections
from denominator.adapters.sandboxes.landlock.facts import OWN_NAMES
from denominator.adapters.sandboxes.meanings import MEANINGS
from denominator.adapters.sandboxes.prepare import Weakened
from denominator.adapters.sandboxes.trials import Trial
from denominator.ports import Ended, Job, Stop
from denominator.records.boxes import Protection
from denominator.records.envelopes import SandboxTerms
from denominator.testing.sandbox_kernel import settings_of_the_machine_are_closed
from denominator.testing.sandbox_suite import Bench

pytestmark = [
    pytest.mark.needs_bwrap,
    pytest.mark.needs_root,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.skipif(os.geteuid() != 0, reason="uids and capabilities are dropped by root only"),
]
LOOSE = 1 << 34


@dataclass(frozen=True)
class Weak:
    """What is taken away, and the protections that must then be said to lack."""

    gone: frozenset[str]
    weakened: Weakened = field(default_factory=Weakened)
    limits: tuple[str, ...] = ()
    python: str = "/usr/bin/python3"


def weak(*gone: str, limits: tuple[str, ...] = (), python: str = "/usr/bin/python3", **weakened: object) -> Weak:
    return Weak(frozenset(gone), Weakened(**weakened), limits, python)  # type: ignore[arg-type]


WEAK = {
    "network": weak("no_network", network=True),
    "pids": weak("pid_namespace", pids=True),
    "proc_sys": weak("private_proc", proc_sys=True),
    "capabilities": weak("no_capabilities", capabilities=True),
    "uid": weak("separate_uids", "no_capabilities", uid=True),
    "seccomp": weak("seccomp", "userns_closed", seccomp=True),
    "one call": weak("seccomp", calls=(250,)),
    "cgroups": weak("memory_limit", "process_limit", cgroups=True),
    "rlimits": weak("file_size_limit", "open_files", "no_core_dumps", rlimits=True),
    "output": weak("output_cap", limits=("output_bytes",)),
    "disk": weak("disk_limit", limits=("disk_bytes",)),
    "toolchain": weak("toolchain_executable", python="/usr/bin/false"),
}
"""What a whole self-test notices. The three others are tried one by one below."""
ALONE = {"no_new_privileges", "all_dead_at_end", "dies_with_harness"}


class Loose(Bubblewrap):
    """A sandbox that forgets some limits of a job."""

    forgotten: tuple[str, ...] = ()

    def run(self, job: Job, stop: Stop | None = None) -> Ended:
        limits = replace(job.limits, **dict.fromkeys(self.forgotten, LOOSE))  # type: ignore[arg-type]
        return super().run(replace(job, limits=limits), stop)


def lacking(case: Weak) -> tuple[set[str], bool, str]:
    box = Loose(weakened=case.weakened)
    box.forgotten = case.limits
    try:
        facts = box.facts(SandboxTerms(python=case.python))
    finally:
        box.close()
    return {one.name for one in facts.protections if not one.holds}, facts.usable, facts.why_not


@pytest.fixture(scope="module")
def usual() -> set[str]:
    """What this machine cannot promise anyhow."""
    missing, usable, why = lacking(weak())
    assert usable, why
    return missing


@pytest.mark.parametrize("name", [pytest.param(one, marks=() if one == "network" else pytest.mark.e2e) for one in WEAK])
def test_what_is_taken_away_is_named(name: str, usual: set[str]) -> None:
    missing, usable, why = lacking(WEAK[name])
    assert WEAK[name].gone <= missing, missing
    if name == "toolchain":
        assert missing == set(NAMES) and not usable and "/usr/bin/false does not run" in why
        return
    walls = missing & set(WALLS)
    assert usable is not bool(walls)
    assert all(wall in why for wall in walls) and ("escape" in why) is bool(walls)


def test_every_protection_is_taken_away_somewhere() -> None:
    assert {name for case in WEAK.values() for name in case.gone} | ALONE == set(NAMES)
    assert MEANINGS.keys() == {*NAMES, *OWN_NAMES}


@pytest.fixture
def trial(tmp_path: Path) -> Iterator[Trial]:
    box = Bubblewrap()
    yield Trial(box, "/usr/bin/python3", tmp_path)
    box.close()


def named(found: list[Protection]) -> dict[str, bool]:
    return {each.name: each.holds for each in found}


def without_bubblewrap(*more: str) -> dict[str, object]:
    """What our own probe sees in bare namespaces under a uid without rights: bubblewrap always closes the way to new ones."""
    ours, theirs = os.pipe()
    words = ["unshare", "--fork", "--kill-child", "--pid", "--mount-proc", "--net", "--ipc", "setpriv", "--reuid=64400"]
    words += ["--regid=64400", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all", *more]
    words += ["/usr/bin/python3", "-I", "-S", "-c", f"import os; os.dup2({theirs}, 3)\n{probes.SELF}", "1", "none", ""]
    subprocess.run(words, pass_fds=[theirs], stdout=subprocess.DEVNULL, check=True, cwd="/", env={"PATH": os.defpath})
    os.close(theirs)
    with os.fdopen(ours) as report:
        return dict(json.load(report))


def test_a_program_that_can_gain_rights_is_noticed(trial: Trial) -> None:
    ended, _ = trial.seen()
    assert not named(seen_protections(ended, without_bubblewrap()))["no_new_privileges"]
    assert named(seen_protections(ended, without_bubblewrap("--no-new-privs")))["no_new_privileges"]


@pytest.mark.e2e
def test_a_harness_that_dies_alone_is_noticed(trial: Trial, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "DEATH_S", 2)
    assert trial.dies_with_harness()
    weakened = "Bubblewrap(weakened=__import__('denominator.adapters.sandboxes.weakened', fromlist=['x']).Weakened(parent=True))"
    trial.harness = probes.HARNESS.replace("Bubblewrap()", weakened)
    shutil.rmtree(trial.base / "harness")
    assert not trial.dies_with_harness()
    trial.sandbox.cgroups.sweep()  # type: ignore[attr-defined]
    assert trials._still(trial.base / "harness" / "beat", 0.2)


def own(uid: int) -> list[int]:
    """The processes of one uid."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            found += [int(path.name)] if path.stat().st_uid == uid else []
    return found


@pytest.mark.e2e
def test_a_process_that_outlives_its_sandbox_is_noticed(trial: Trial) -> None:
    """With neither a pid namespace nor a control group."""
    assert trial.orphan_dies()
    box = Bubblewrap(uid_base=64_300, weakened=Weakened(pids=True, cgroups=True))
    trial.sandbox, uid = box, box.ids("agent", 0)[0]
    (trial.base / "two").mkdir()
    trial.base = trial.base / "two"
    try:
        assert not trial.orphan_dies()
    finally:
        for pid in own(uid):
            os.kill(pid, signal.SIGKILL)
        box.close()
    assert uid not in (0, os.getuid())


# A process without rights hears the same word from the kernel: here it asks for the right before it looks at anything.
REFUSED_ANYHOW = {
    "acct", "fanotify_init", "fsmount", "fsopen", "fspick", "move_mount", "pivot_root", "reboot", "setdomainname", "sethostname",
    "swapoff", "syslog", "vhangup",
    # And where the kernel has them at all:
    "bpf", "delete_module", "finit_module", "init_module", "kexec_file_load", "kexec_load", "swapon", "userfaultfd",
}  # fmt: skip
NUMBERS = {**{name: pair[0] for name, pair in seccomp.OWN.items()}, **seccomp.SHARED, **seccomp.X86_ONLY}


@pytest.mark.e2e
@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers are those of x86_64")
def test_each_call_that_passes_the_filter_is_noticed(tmp_path: Path) -> None:
    noticed = set()
    for name, number in NUMBERS.items():
        if number in seccomp.tried():
            box = Bubblewrap(weakened=Weakened(calls=(number,)))
            ended, said = Trial(box, "/usr/bin/python3", tmp_path).seen()
            box.close()
            assert said["passed"] in ([], [number]), (name, said["passed"])
            if not named(seen_protections(ended, said))["seccomp"]:
                noticed.add(name)
    left = {name for name, number in NUMBERS.items() if number in seccomp.tried()} - noticed
    assert left <= REFUSED_ANYHOW, sorted(left - REFUSED_ANYHOW)


@pytest.mark.e2e
def test_the_suite_sees_a_sandbox_of_root(tmp_path: Path) -> None:
    box = Bubblewrap(weakened=Weakened(uid=True))
    found = settings_of_the_machine_are_closed(Bench(sandbox=box, folder=tmp_path))
    box.close()
    assert "another uid" in found[0]
