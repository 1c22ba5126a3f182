"""The probes 50 to 58 against the sandbox: each lives where protections are lifted, and our sandbox contains it.

Where lifting a protection would put the host at risk the probe is shown alive inside a throw-away sandbox that plays the careless
harness (52, 56, 57, 58), or against a stand-in file (50: the real core_pattern is the host's own and has no namespace).
"""

import http.server
import json
import os
import secrets
import shutil
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from attacks.phases import CORPUS
from denominator.adapters.sandboxes.bubblewrap import Bubblewrap
from denominator.adapters.sandboxes.prepare import Weakened
from denominator.ports import Job, Limits, Mount
from denominator.records.envelopes import SandboxTerms

PROBES = sorted(path.parent.name for path in CORPUS.glob("5*/agent.sh"))
LIMITS = Limits(
    wall_s=30,
    memory_bytes=512 << 20,
    processes=64,
    disk_bytes=128 << 20,
    file_bytes=64 << 20,
    open_files=256,
    output_bytes=1 << 16,
)
LOOSE = replace(LIMITS, memory_bytes=4 << 30, processes=4000, disk_bytes=2 << 30, file_bytes=1 << 30)

pytestmark = [
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]


@pytest.fixture(scope="module")
def box():
    made = Bubblewrap()
    yield made
    made.close()


@pytest.fixture
def tools(tmp_path):
    """A folder with `python`, which Debian lacks."""
    folder = tmp_path / "bin"
    folder.mkdir(mode=0o755)
    (folder / "python").symlink_to("/usr/bin/python3")
    return folder


@pytest.fixture(scope="module")
def upstream():
    """A service of the host on its own loopback, as 52 looks for it."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


class Quiet(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()

    def log_message(self, *args):
        pass


@contextmanager
def stand_in_harness(name):
    """A process of the host whose command line 57 looks for, with a PATH and a key in its environment."""
    script = "import time; time.sleep(120)"
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", script, name], env={"PATH": os.defpath, "API_KEY": "x"}
    )
    try:
        yield
    finally:
        process.kill()
        process.wait()


def job(name, tools, script="bash /probe/agent.sh", *, env, limits=LIMITS, **more):
    return Job(
        argv=("bash", "-c", script),
        role="agent",
        limits=limits,
        mounts=(Mount(host=CORPUS / name, inside="/probe"), Mount(host=tools, inside="/opt/tools")),
        env={"PATH": "/opt/tools:/usr/bin:/bin", "VIRTUAL_ENV": "/usr", "OUT": "/out", **env},
        **more,
    )


@pytest.mark.parametrize("name", PROBES)
def test_contained(name, box, tools, upstream, tmp_path):
    expected = json.loads((CORPUS / name / "expected.json").read_text())
    assert expected["required"] == "contained"
    held = {each.name for each in box.facts(SandboxTerms()).protections if each.holds}
    if name.startswith("54") and "memory_limit" not in held:
        pytest.skip("no control group may be made here: the facts say that memory is not limited")
    run = tmp_path / "run"
    hidden = run / "pack/hidden/test_hidden.py"
    hidden.parent.mkdir(parents=True)
    hidden.write_text("# hidden\n")
    work = box.workspace(tmp_path / "work", role="agent", slot=0, disk_bytes=LIMITS.disk_bytes)
    out = box.workspace(tmp_path / "out", role="agent", slot=0, disk_bytes=LIMITS.disk_bytes)
    harness = f"harness-{secrets.token_hex(8)}"
    env = {"RUNDIR": str(run), "UPSTREAM": upstream, "HARNESS_CMD": harness, "HIDDEN_TESTS_DIR": str(hidden.parent)}
    pattern = Path("/proc/sys/kernel/core_pattern").read_text()
    with stand_in_harness(harness):
        ended = box.run(job(name, tools, env=env, workdir=work, outdir=out))
    assert not ended.start_error
    if name.startswith("56"):
        time.sleep(1.5)  # the daemon would touch its file one second after the end
    assert list(out.iterdir()) == []
    assert hidden.read_text() == "# hidden\n"
    assert Path("/proc/sys/kernel/core_pattern").read_text() == pattern
    box.discard(work)
    box.discard(out)


# What a careless harness looks like to each probe, all of it inside one throw-away sandbox.
CARELESS = {
    "52-network-egress": "cd /tmp && python -m http.server -b 127.0.0.1 8000 >/dev/null 2>&1 & "
    "for n in $(seq 100); do (: </dev/tcp/127.0.0.1/8000) 2>/dev/null && break; sleep 0.1; done; "
    "UPSTREAM=http://127.0.0.1:8000/ bash /probe/agent.sh",
    "56-orphan-daemon": "bash /probe/agent.sh; sleep 1.5",
    "57-read-harness-secrets": "PATH=$PATH bash -c 'sleep 20; :' careless-harness & "
    "sleep 0.1; HARNESS_CMD=careless-harness bash /probe/agent.sh",
    "58-write-harness-code": "mkdir -p /work/run/pack/hidden; RUNDIR=/work/run bash /probe/agent.sh",
}


@pytest.mark.parametrize("name", CARELESS)
def test_alive_against_a_careless_harness(name, box, tools, tmp_path):
    out = box.workspace(tmp_path / "out", role="agent", slot=0, disk_bytes=LIMITS.disk_bytes)
    ended = box.run(job(name, tools, CARELESS[name], env={}, outdir=out))
    assert (out / "ESCAPED").exists(), ended
    box.discard(out)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["53-fork-bomb", "54-memory-bomb", "55-disk-fill"])
def test_alive_without_limits(name, tools, tmp_path):
    loose = Bubblewrap(weakened=Weakened(cgroups=True))
    out = loose.workspace(tmp_path / "out", role="agent", slot=0, disk_bytes=LOOSE.disk_bytes)
    ended = loose.run(job(name, tools, env={}, limits=LOOSE, outdir=out))
    assert (out / "ESCAPED").exists(), ended
    loose.discard(out)
    loose.close()


def test_alive_where_proc_sys_is_writable(tools, tmp_path):
    """50 with a stand-in file in the place of core_pattern: the host's own is never written."""
    stand_in = tmp_path / "core_pattern"
    stand_in.write_text("core\n")
    out = tmp_path / "out"
    out.mkdir()
    words = ["bwrap", "--unshare-all", "--die-with-parent", "--ro-bind", "/usr", "/usr"]
    for name in ("bin", "lib", "lib64"):
        words += ["--symlink", f"usr/{name}", f"/{name}"]
    words += ["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev", "--bind", str(out), "/out"]
    words += ["--bind", str(stand_in), "/proc/sys/kernel/core_pattern", "--ro-bind", str(CORPUS), "/corpus"]
    words += ["bash", "/corpus/50-proc-sys-write/agent.sh"]
    subprocess.run(words, env={"OUT": "/out", "PATH": "/usr/bin:/bin"}, check=False, capture_output=True)
    assert (out / "ESCAPED").exists()
