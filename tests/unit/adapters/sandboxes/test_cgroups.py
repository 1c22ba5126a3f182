"""Control groups: the kernel's tables are read right; v2 against a folder in its shape, v1 and kill on this machine where allowed."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from denominator.adapters.sandboxes.cgroups import Cgroups, harness_name
from denominator.adapters.sandboxes.control_group import Group
from denominator.adapters.sandboxes.hierarchies import hierarchies
from denominator.errors import MachineError

HYBRID = """\
22 1 0:20 / /proc rw,relatime - proc proc rw
35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
39 31 0:36 / /sys/fs/cgroup/pids rw,relatime shared:9 - cgroup cgroup rw,pids
40 31 0:37 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw,nsdelegate
"""
MEMBER = "8:pids:/\n4:memory:/a/b\n3:cpuacct,cpu:/c\n0::/u\n"


def test_tables_are_read():
    found = {str(each.top): each for each in hierarchies(HYBRID, MEMBER)}
    assert str(found["/sys/fs/cgroup/memory"].own) == "/sys/fs/cgroup/memory/a/b"
    assert str(found["/sys/fs/cgroup/cpu,cpuacct"].own) == "/sys/fs/cgroup/cpu,cpuacct/c"
    assert found["/sys/fs/cgroup/pids"].version == 1 and "pids" in found["/sys/fs/cgroup/pids"].controllers
    unified = found["/sys/fs/cgroup/unified"]
    assert unified.version == 2 and [str(p) for p in unified.places()] == [
        "/sys/fs/cgroup/unified/u",
        "/sys/fs/cgroup/unified",
    ]


def test_a_container_sees_only_its_part():
    mounted = "41 31 0:38 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
    assert str(hierarchies(mounted, "0::/docker/abc/x\n")[0].own) == "/sys/fs/cgroup/x"
    assert str(hierarchies(mounted, "0::/elsewhere\n")[0].own) == "/sys/fs/cgroup"


class FakeV2:
    """A folder in the shape of a pure v2 hierarchy whose own group lies two below a delegated one."""

    def __init__(self, tmp_path: Path, delegated=("memory", "pids")) -> None:
        self.top = tmp_path / "cgroup"
        self.proc = tmp_path / "proc"
        (self.proc / "self").mkdir(parents=True)
        place = self.top
        for name in ("", "user", "app.scope"):
            place = place / name
            place.mkdir(exist_ok=True)
            (place / "cgroup.controllers").write_text("cpu memory pids")
            (place / "cgroup.subtree_control").write_text("" if name == "app.scope" else " ".join(delegated))
        (self.proc / "self/mountinfo").write_text(f"41 31 0:38 / {self.top} rw - cgroup2 cgroup2 rw\n")
        (self.proc / "self/cgroup").write_text("0::/user/app.scope\n")

    def detect(self) -> Cgroups:
        """As the kernel does, a new group shows the controllers of its parent, and a busy group takes no children's."""

        def enterable(trial: Path) -> bool:
            parent = trial.parent.parent
            (trial.parent / "cgroup.controllers").write_text((parent / "cgroup.subtree_control").read_text())
            if "app.scope" in str(trial):
                return False
            (trial.parent / "cgroup.subtree_control").write_text((parent / "cgroup.subtree_control").read_text())
            return True

        return Cgroups.detect(self.proc, enterable)


def test_v2_limits_are_written(tmp_path):
    fake = FakeV2(tmp_path)
    found = fake.detect()
    ours = fake.top / "user/denominator"
    assert found.memory == found.pids == found.kill == (ours, 2)
    group = found.group(100 << 20, 33)
    assert group is not None
    folder = group.folders[0]
    assert folder.parent == ours and folder.name.startswith(harness_name())
    assert (folder / "memory.max").read_text() == str(100 << 20)
    assert (folder / "memory.swap.max").read_text() == "0"
    assert (folder / "pids.max").read_text() == "33"
    group.enter(1234567)
    assert (folder / "cgroup.procs").read_text() == "1234567"
    assert group.members() == {1234567}
    assert group.oom_kills() == 0
    (folder / "memory.events").write_text("low 0\nhigh 0\nmax 7\noom 2\noom_kill 2\noom_group_kill 0\n")
    assert group.oom_kills() == 2
    assert group.kill_file == folder / "cgroup.kill"
    assert "v2" in group.enforced["memory"] and "v2" in group.enforced["processes"]


def test_v2_without_delegation_limits_nothing_and_says_so(tmp_path):
    fake = FakeV2(tmp_path, delegated=())
    for path in fake.top.rglob("cgroup.controllers"):
        path.write_text("cpu")
    found = fake.detect()
    assert found.memory is None and found.pids is None
    assert "not delegated" in found.why_not


def test_no_hierarchy(tmp_path):
    (tmp_path / "self").mkdir()
    (tmp_path / "self/mountinfo").write_text("22 1 0:20 / /proc rw,relatime - proc proc rw\n")
    (tmp_path / "self/cgroup").write_text("0::/\n")
    found = Cgroups.detect(tmp_path)
    assert found.group(1, 1) is None and found.folders == () and found.why_not


def test_a_limit_that_cannot_be_written_is_an_error(tmp_path):
    found = FakeV2(tmp_path).detect()
    assert found.memory
    shutil.rmtree(found.memory[0])
    found.memory[0].write_text("in the way")
    with pytest.raises(MachineError, match="control group"):
        found.group(1 << 20, 3)


def test_another_harness_may_take_our_empty_folder(tmp_path):
    fake = FakeV2(tmp_path)
    found = fake.detect()
    shutil.rmtree(fake.top / "user/denominator")
    group = found.group(1 << 20, 3)
    assert group is not None and (group.folders[0] / "pids.max").read_text() == "3"


def test_names_tell_harnesses_apart():
    with subprocess.Popen(["sleep", "20"]) as child:
        try:
            assert harness_name(child.pid) != harness_name()
            assert harness_name(child.pid).split("-")[1] == str(child.pid)
        finally:
            child.kill()
    assert harness_name(child.pid) == ""
    assert harness_name() == harness_name()


@pytest.fixture
def real():
    found = Cgroups.detect()
    if not found.kill:
        pytest.skip(f"no control group may be made here: {found.why_not}")
    yield found
    found.close()


def test_everybody_in_a_group_is_killed(real):
    group = real.group(64 << 20, 20)
    script = "read go; setsid sleep 300 & sleep 300 & echo there; wait"
    with subprocess.Popen(["sh", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        group.enter(child.pid)
        child.stdin.write(b"go\n")
        child.stdin.flush()
        assert child.stdout.readline() == b"there\n"
        assert len(group.members()) == 3
        assert group.empty()
    assert child.returncode == -signal.SIGKILL
    group.remove()
    assert not any(folder.exists() for folder in group.folders)


def test_what_a_dead_harness_left_is_swept(real):
    script = (
        f"import sys; sys.path[:0] = [{str(Path(__file__).parents[4] / 'src')!r}]\n"
        "import os, subprocess\n"
        "from denominator.adapters.sandboxes.cgroups import Cgroups\n"
        "group = Cgroups.detect().group(64 << 20, 20)\n"
        "child = subprocess.Popen(['sleep', '300'], start_new_session=True, stdout=subprocess.DEVNULL)\n"
        "group.enter(child.pid)\n"
        "print(child.pid, *group.folders, flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, check=False)
    orphan, *folders = done.stdout.split()
    assert folders and all(Path(folder).is_dir() for folder in folders)
    mine = real.group(64 << 20, 20)
    assert real.sweep() >= 1
    assert not any(Path(folder).exists() for folder in folders)
    assert all(folder.is_dir() for folder in mine.folders), "a living harness's group was swept"
    mine.remove()
    for _ in range(200):
        if not alive(int(orphan)):
            break
        time.sleep(0.01)
    assert not alive(int(orphan))


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_leftovers_of_another_namespace_are_left_alone(tmp_path):
    found = FakeV2(tmp_path).detect()
    assert found.memory
    other = found.memory[0] / "1-2-3-0"
    other.mkdir()
    (found.memory[0] / "somebody-else").mkdir()
    assert found.sweep() == 0 and other.is_dir()


def test_leftovers_of_another_session_are_swept(tmp_path):
    """A harness that died in another scope had its folder there; a living one's groups stay wherever they are."""
    found = FakeV2(tmp_path).detect()
    ours = found.tops[0] / "session-9.scope" / "denominator"
    dead, living = (ours / f"{name}-abc" for name in (f"{harness_name().partition('-')[0]}-4194303-1", harness_name()))
    dead.mkdir(parents=True)
    living.mkdir()
    assert found.sweep() == 1
    assert not dead.exists() and living.is_dir()
    living.rmdir()
    assert found.sweep() == 0 and not ours.exists()


def test_the_kill_works_without_the_kernels_stroke(tmp_path):
    with subprocess.Popen(["sleep", "300"]) as child:
        folder = tmp_path / "group"
        folder.mkdir()
        (folder / "cgroup.procs").write_text(str(child.pid))
        Group(folders=(folder,)).kill()
    assert child.returncode == -signal.SIGKILL
    assert os.path.exists(folder)
