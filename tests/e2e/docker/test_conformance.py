"""The public suite of sandboxes, on each engine; and what is special about an engine: images, the guard, what is left behind."""

import json
import os
import secrets
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

import engines_lab
from denominator.adapters.sandboxes.docker.backend import Docker
from denominator.adapters.sandboxes.docker.facts import HARNESS
from denominator.adapters.sandboxes.docker.owners import OWNER
from denominator.ports import Mount
from denominator.records.envelopes import SandboxTerms
from denominator.testing.sandbox_suite import CHECKS, Bench

pytestmark = pytest.mark.e2e
ENGINES = ("dockerd", "podman")
SOURCE = Path(__file__).parents[3] / "src"


@pytest.fixture(params=ENGINES)
def box(request, boxes):
    return boxes(request.param)


@pytest.fixture
def folder(tmp_path):
    tmp_path.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_conformance(check, box, folder):
    assert check(Bench(sandbox=box, folder=folder)) == []


def test_every_protection_holds(box):
    facts = box.facts(SandboxTerms())
    assert [each.name for each in facts.protections if not each.holds] == []
    assert box.image.rpartition("@")[2] in facts.version


def test_a_moved_name_is_refused_before_the_start(engines, folder):
    running = engines("dockerd")
    first = running.engine.image(engines_lab.IMAGE)["Id"]
    running.engine.call("POST", f"/images/{first}/tag", {"repo": "lab/moving", "tag": "latest"})
    box = Docker(image=f"lab/moving:latest@{first}", socket=str(running.socket))
    try:
        bench = Bench(sandbox=box, folder=folder)
        assert bench.run("true").exit_code == 0
        commit = {
            "repo": "lab/moving",
            "tag": "latest",
            "container": running.engine.create("lab-commit", {"Image": first, "Cmd": ["true"]}),
        }
        second = running.engine.call("POST", "/commit", commit, {"Env": ["MOVED=yes"]})["Id"]
        running.engine.remove("lab-commit")
        ended = bench.run("true")
        assert f"is {second} now, pinned is {first}" in ended.start_error and ended.exit_code == -1
        assert "pinned is" in Docker(image=box.image, socket=str(running.socket)).facts(SandboxTerms()).why_not
    finally:
        box.close()
        running.engine.call("DELETE", "/images/lab/moving:latest", {"force": "true"})


def test_the_environment_of_the_image_is_the_commands_and_the_jobs_words_win(engines, folder):
    running = engines("dockerd")
    made = running.engine.create("lab-env", {"Image": engines_lab.IMAGE, "Cmd": ["true"]})
    words = {"Env": ["OF_THE_IMAGE=yes", "PATH=/opt/own:/usr/bin:/bin", "LANG=xx"]}
    number = running.engine.call("POST", "/commit", {"repo": "lab/env", "tag": "1", "container": made}, words)["Id"]
    running.engine.remove("lab-env")
    box = Docker(image=number, socket=str(running.socket))
    try:
        ended = Bench(sandbox=box, folder=folder).sh('echo "$OF_THE_IMAGE $PATH $LANG $OWN"', env={"OWN": "mine"})
        assert ended.stdout == b"yes /opt/own:/usr/bin:/bin C.UTF-8 mine\n"
    finally:
        box.close()
        running.engine.call("DELETE", "/images/lab/env:1", {"force": "true"})


def test_the_report_cannot_be_opened_a_second_time(box, folder):
    """Only who holds descriptor 3 can write the report: its name is gone, and its pipe has no permission left."""
    script = """
import json
import os
for path in ("/proc/self/fd/3", "/run/denominator/gate/report", "/proc/1/fd/8", "/proc/1/mem"):
    try:
        os.open(path, os.O_WRONLY | os.O_NONBLOCK); print(path)
    except OSError:
        pass
print(sorted(os.listdir("/run/denominator/gate")))
"""
    ended = Bench(sandbox=box, folder=folder).py(script, report=True, stdin=b"secret")
    said = ended.stdout.decode().splitlines()
    assert said[-1] == "[]"
    # Where the kernel lets a process write to the memory of one with the same uid, the gate's word is not believed anyway.
    assert set(said[:-1]) <= {"/proc/1/mem"}, ended


def test_what_lies_hidden_below_a_shown_folder_is_not_seen(engines, folder):
    running = engines("dockerd")
    (folder / "shown/keys").mkdir(parents=True)
    (folder / "shown/keys/key").write_text("secret")
    box = Docker(image=engines_lab.IMAGE, socket=str(running.socket), hidden=[folder / "shown/keys"])
    try:
        ended = Bench(sandbox=box, folder=folder).sh(
            "ls -A /in/keys", mounts=(Mount(host=folder / "shown", inside="/in"),)
        )
        assert (ended.exit_code, ended.stdout) == (0, b""), ended
    finally:
        box.close()


@pytest.mark.parametrize("name", ENGINES)
def test_a_killed_harness_leaves_nothing(name, engines, folder):
    running = engines(name)
    before = set(os.listdir("/tmp"))
    (folder / "work").mkdir()
    os.chown(folder / "work", 61000, 61000)
    words = [sys.executable, "-I", "-S", "-c", HARNESS, str(SOURCE), str(folder / "work"), engines_lab.IMAGE]
    harness = subprocess.Popen([*words, str(running.socket)], stdin=subprocess.DEVNULL)
    for _ in range(300):
        if (folder / "work/beat").exists():
            break
        time.sleep(0.1)
    assert [each for each in running.engine.labelled(OWNER) if str(harness.pid) in each["Labels"][OWNER]]
    harness.send_signal(signal.SIGKILL)
    harness.wait()
    for _ in range(300):
        left = [each for each in running.engine.labelled(OWNER) if str(harness.pid) in each["Labels"][OWNER]]
        files = [file for file in set(os.listdir("/tmp")) - before if file.startswith("denominator-docker-")]
        if not left and not files:
            break
        time.sleep(0.1)
    assert (left, files) == ([], [])


def test_a_container_of_a_dead_harness_is_swept_at_the_next_start(engines, folder):
    """The guard died too: the next harness removes what both left."""
    running = engines("dockerd")
    owner = f"{Path('/proc/sys/kernel/random/boot_id').read_text().strip()}"
    child = subprocess.Popen(["true"])
    child.wait()
    namespace = os.readlink("/proc/self/ns/pid").strip("pid:[]")
    labels = {OWNER: f"{owner}/{namespace}-{child.pid}-1"}
    name = f"lab-{secrets.token_hex(4)}"
    running.engine.create(name, {"Image": engines_lab.IMAGE, "Cmd": ["true"], "Labels": labels})
    box = Docker(image=engines_lab.IMAGE, socket=str(running.socket))
    assert Bench(sandbox=box, folder=folder).run("true").exit_code == 0
    box.close()
    assert [
        each for each in running.engine.call("GET", "/containers/json", {"all": "true"}) if f"/{name}" in each["Names"]
    ] == []


def test_many_runs_leave_nothing(box, folder):
    """No container, mount, group, process or file stays behind, whatever the end was."""
    bench = Bench(sandbox=box, folder=folder)
    bench.run("true")

    def seen():
        containers = {each["Id"] for each in box.engine.labelled(OWNER)}
        return containers, os.listdir(box._base), len(os.listdir("/proc/self/fd")), _groups()

    before = seen()
    for number in range(12):
        bench.sh(
            ("exit 1", "kill -9 $$", "sleep 60 & exit", "yes")[number % 4],
            limits=replace(bench.job("x").limits, wall_s=3),
        )
    assert seen() == before


def _groups():
    return sorted(
        str(path) for path in Path("/sys/fs/cgroup").glob("*/*/*") if path.is_dir() and "denominator" in path.name
    )


class Open(Docker):
    """Containers as nobody should make them: one wall after the other is left out."""

    lacking = MappingProxyType({})

    def _spec(self, *words):
        made = super()._spec(*words)
        made["HostConfig"] |= self.lacking
        made["NetworkDisabled"] &= "NetworkMode" not in self.lacking  # a second fence of the same wall
        return made


LEFT_OUT = {
    "no_new_privileges": {"SecurityOpt": []},
    "no_network": {"NetworkMode": "host"},
    "private_proc": {"ReadonlyPaths": [], "MaskedPaths": []},
    "pid_namespace": {"PidMode": "host"},
}


@pytest.mark.parametrize("wall", LEFT_OUT)
def test_the_self_test_refuses_a_sandbox_with_a_hole(wall, engines):
    box = Open(image=engines_lab.IMAGE, socket=str(engines("dockerd").socket))
    box.lacking = LEFT_OUT[wall]
    try:
        facts = box.facts(SandboxTerms())
    finally:
        box.close()
    assert not facts.usable and wall in facts.why_not, facts


def test_an_image_without_a_shell_is_no_sandbox(engines, folder):
    import io
    import tarfile

    running = engines("dockerd")
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as tar:
        tar.addfile(tarfile.TarInfo("empty"))
    query = {"fromSrc": "-", "repo": "lab/empty", "tag": "latest"}
    running.engine.call("POST", "/images/create", query, stream=iter([data.getvalue()]))
    box = Docker(image="lab/empty:latest", socket=str(running.socket))
    try:
        ended = Bench(sandbox=box, folder=folder).run("true")
    finally:
        box.close()
        running.engine.call("DELETE", "/images/lab/empty:latest", {"force": "true"})
    assert "/bin/sh" in ended.start_error and ended.exit_code == -1, ended


AS_USER = """
import json, sys, tempfile
sys.path[:0] = [sys.argv[1]]
from pathlib import Path
from denominator.adapters.sandboxes.docker.backend import Docker
from denominator.records.envelopes import SandboxTerms
from denominator.testing.sandbox_suite import CHECKS, Bench
box = Docker(image=sys.argv[2], socket=sys.argv[3])
said = {}
for check in CHECKS:
    with tempfile.TemporaryDirectory() as folder:
        said[check.__name__] = check(Bench(sandbox=box, folder=Path(folder)))
facts = box.facts(SandboxTerms())
box.close()
print(json.dumps([facts.usable, [each.name for each in facts.protections if not each.holds], said]))
"""


def test_an_ordinary_user_who_may_reach_the_engine_lacks_only_a_uid_for_each_role(engines):
    running = engines("dockerd")
    drop = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    if subprocess.run([*drop, "test", "-r", str(SOURCE / "denominator/ports.py")]).returncode:
        pytest.skip("an ordinary user cannot read this checkout")
    running.socket.parent.chmod(0o711)
    running.socket.chmod(0o666)
    words = [*drop, "/usr/bin/python3", "-I", "-S", "-c", AS_USER, str(SOURCE), engines_lab.IMAGE, str(running.socket)]
    try:
        done = subprocess.run(
            words, capture_output=True, text=True, cwd="/", env={"PATH": os.defpath, "TMPDIR": "/tmp"}
        )
    finally:
        running.socket.chmod(0o600)
    assert done.returncode == 0, done.stderr
    usable, lacking, said = json.loads(done.stdout)
    assert (usable, lacking, {name: found for name, found in said.items() if found}) == (True, ["separate_uids"], {})
