"""What makes it a sandbox: nothing gets out, nothing is seen, limits hold, and nobody outlives a run."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from denominator.errors import DenominatorError
from denominator.ports import Mount
from denominator.testing.sandbox_bench import LIMITS, MB, Bench, Check, how, unless
from denominator.testing.sandbox_kernel import KERNEL

__all__ = ["ISOLATION"]


def nobody_outlives_a_run(bench: Bench) -> list[str]:
    """Detached grandchildren are dead when `run` returns."""
    work = bench.work("orphan")
    beat = "(setsid sh -c 'while :; do echo >> beat; sleep 0.02; done' >/dev/null 2>&1 </dev/null &)"
    ended = bench.sh(f"{beat}; while ! [ -s beat ]; do sleep 0.01; done", workdir=work)
    before = (work / "beat").stat().st_size
    time.sleep(0.2)
    after = (work / "beat").stat().st_size
    bench.sandbox.discard(work)
    return unless(ended.exit_code == 0 and before == after > 0, f"a process outlived its sandbox: {before} {after}")


def workspace_is_shared_with_the_harness(bench: Bench) -> list[str]:
    """What the harness puts in is the agent's; what the agent leaves is seen; it may be used again."""
    work = bench.work("shared")
    (work / "given").write_text("from the harness")
    bench.sandbox.hand_over(work, role="agent", slot=0)
    first = bench.sh("cat given && echo x >> given && mkdir -p a/b && echo made > a/b/c", workdir=work)
    second = bench.sh("cat a/b/c", workdir=work)
    good = first.exit_code == 0 and second.stdout == b"made\n" and (work / "a/b/c").read_text() == "made\n"
    try:
        bench.work("shared")
        refused = False
    except DenominatorError:
        refused = True
    bench.sandbox.discard(work)
    found = unless(good, f"workspace: {how(first)} {how(second)}")
    found += unless(refused, "a workspace that is not empty was handed out")
    return found + unless(not work.exists(), "a discarded workspace is still there")


def discard_follows_nothing(bench: Bench) -> list[str]:
    """Links, closed folders, deep trees, pipes and sockets go; what a link points to stays."""
    kept = bench.folder / "kept"
    kept.mkdir()
    (kept / "file").write_text("stays")
    work = bench.work("hostile")
    script = """
import os, socket, sys
os.symlink(sys.argv[1], "link"); os.symlink(sys.argv[1] + "/file", "filelink"); os.mkfifo("fifo")
socket.socket(socket.AF_UNIX).bind("sock")
os.makedirs("closed/inner"); open("closed/inner/f", "w").close(); os.chmod("closed/inner", 0); os.chmod("closed", 0)
open("a\\nb\\udcff", "w").close()
for _ in range(200):
    os.mkdir("d"); os.chdir("d")
"""
    ended = bench.py(script, str(kept), workdir=work)
    bench.sandbox.discard(work)
    bench.sandbox.discard(work)
    good = ended.exit_code == 0 and not work.exists() and (kept / "file").read_text() == "stays"
    return unless(good, f"discard: {how(ended)}")


def host_is_not_visible(bench: Bench) -> list[str]:
    """Only what was mounted is there, read-only; no process, path or word of the harness shows."""
    secret = bench.folder / "secret"
    secret.mkdir()
    (secret / "word").write_text("hidden")
    shown = bench.folder / "shown"
    shown.mkdir(mode=0o755)
    (shown / "file").write_text("shown")
    work = bench.work("visible")
    script = """
import json, os, sys
said = {"pids": len([n for n in os.listdir("/proc") if n.isdigit()]), "host": os.path.exists(sys.argv[1])}
said["shown"] = open(sys.argv[3]).read()
try:
    open(sys.argv[3], "a").close(); said["written"] = True
except OSError:
    said["written"] = False
words = []
for name in ("cmdline", "environ", "comm"):
    for pid in [n for n in os.listdir("/proc") if n.isdigit()]:
        try:
            words.append(open(f"/proc/{pid}/{name}", "rb").read().decode("utf-8", "replace"))
        except OSError:
            pass
said["words"] = words
said["first"] = open("/proc/1/cmdline", "rb").read().decode("utf-8", "replace")
print(json.dumps(said))
"""
    mounts = (Mount(host=shown, inside="/in"),)
    # The secret's path must be handed in to be looked for; cut in two it cannot be mistaken for a leak.
    ended = bench.py(
        script.replace("sys.argv[1]", "sys.argv[1] + sys.argv[2]"),
        *_halves(secret / "word"),
        "/in/file",
        mounts=mounts,
        workdir=work,
        env={"OWN": "a-token-of-the-job"},
    )
    bench.sandbox.discard(work)
    try:
        said = json.loads(ended.stdout)
    except ValueError:
        return [f"nothing was said: {how(ended)}"]
    good = said["pids"] <= 4 and not said["host"] and said["shown"] == "shown" and not said["written"]
    leaks = [word for word in said["words"] if str(bench.folder) in word]
    leaks += [said["first"]] if "a-token-of-the-job" in said["first"] else []
    return unless(good, f"visible: {said}") + [
        f"a host path or a secret in a command line: {leak[:200]!r}" for leak in leaks
    ]


def _halves(path: Path) -> tuple[str, str]:
    text = str(path)
    return text[: len(text) // 2], text[len(text) // 2 :]


def system_is_read_only(bench: Bench) -> list[str]:
    """Nothing can be written but the private folders; those have no devices."""
    places = "/ /usr /usr/bin /etc /dev /run /proc/sys/kernel /home /opt"
    ended = bench.sh(f'for d in {places}; do touch "$d/x" 2>/dev/null && echo "$d"; done; true')
    each = 'for d in "$@"; do touch "$d/x" || echo "$d"; done'
    private = bench.run("sh", "-c", each, "sh", "/work", "/tmp", "/home/agent", "/dev/shm")
    found = unless(not ended.stdout and not ended.exit_code, f"writable: {how(ended)}")
    return found + unless(not private.stdout, f"not writable: {how(private)}")


def memory_is_limited(bench: Bench) -> list[str]:
    """Two processes that together exceed the limit do not both live; the kernel's kill is admitted."""
    if not bench.holds("memory_limit"):
        return []
    script = """
import os, sys, time
for _ in range(2):
    if os.fork() == 0:
        held = bytearray(int(sys.argv[1]) * 6 // 10); time.sleep(0.3); os._exit(0)
sys.exit(any(os.wait()[1] for _ in range(2)))
"""
    limits = replace(LIMITS, memory_bytes=96 * MB)
    children = bench.py(script, str(96 * MB), limits=limits)
    itself = bench.py("bytearray(200 << 20)", limits=limits)
    found = unless(children.oom and children.exit_code == 1, f"memory of children: {how(children)}")
    good = itself.oom and (itself.signal, itself.killed_by) == (9, "kernel_oom")
    return found + unless(good, f"memory of the command: {how(itself)}")


def processes_are_limited(bench: Bench) -> list[str]:
    """A fork bomb stays small, and is dead afterwards."""
    script = """
import os, time
count = 0
try:
    while count < 500:
        if os.fork() == 0:
            time.sleep(60); os._exit(0)
        count += 1
except OSError:
    pass
print(count)
"""
    ended = bench.py(script)
    count = int(ended.stdout or b"500")
    return unless(count < LIMITS.processes, f"{count} processes under a limit of {LIMITS.processes}: {how(ended)}")


def disk_is_limited(bench: Bench) -> list[str]:
    """Twice the disk budget cannot be written; neither all in one folder nor spread over all of them."""
    script = """
import sys, time
places = sys.argv[1:]
try:
    for number in range(1024):
        with open(f"{places[number % len(places)]}/f{number}", "wb", 0) as file:
            if file.write(bytes(65536)) != 65536:
                sys.exit(3)
except OSError:
    sys.exit(3)
time.sleep(5)
"""
    found = []
    for number, places in enumerate((("/work",), ("/work", "/tmp", "/dev/shm", "/home/agent"))):
        work = bench.work(f"disk{number}")
        ended = bench.py(script, *places, workdir=work)
        bench.sandbox.discard(work)
        stopped = ended.exit_code == 3 or ended.killed_by == "budget_disk"
        found += unless(stopped, f"disk in {places}: {how(ended)}")
    return found


def files_are_limited(bench: Bench) -> list[str]:
    """One file cannot exceed the limit; no more files can be open than allowed; there are no core files."""
    size = bench.sh('head -c 20000000 /dev/zero > "$TMPDIR/big"; stat -c %s "$TMPDIR/big"')
    opened = bench.py("import os\ntry:\n  while True: n=os.open('/dev/null',0)\nexcept OSError: print(n)")
    found = unless(size.stdout.strip().isdigit() and int(size.stdout) <= LIMITS.file_bytes, f"file: {how(size)}")
    return found + unless(0 < int(opened.stdout or b"0") < LIMITS.open_files, f"open files: {how(opened)}")


def roles_are_apart(bench: Bench) -> list[str]:
    """Roles and slots are different users where the facts say so, and never root."""
    places = [("agent", 0), ("grader", 0), ("agent", 1), ("grader", 1)]
    uids = [bench.run("id", "-u", role=role, slot=slot).stdout.strip() for role, slot in places]
    found = unless(b"0" not in uids and all(uids), f"uids: {uids}")
    return found + unless(not bench.holds("separate_uids") or len(set(uids)) == 4, f"uids are shared: {uids}")


def outdir_and_socket_are_shown(bench: Bench) -> list[str]:
    """/out is writable and the model's socket can be reached; no other way out is open."""
    out = bench.work("out")
    folder = bench.folder / "relay"
    folder.mkdir(mode=0o755)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / "s"))
        listener.listen()
        (folder / "s").chmod(0o666)
        script = "import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1]); open(sys.argv[2], 'w').write('yes')"
        ended = bench.py(script, "/run/denominator/model.sock", "/out/done", outdir=out, socket=folder / "s")
    good = ended.exit_code == 0 and (out / "done").read_text() == "yes"
    bench.sandbox.discard(out)
    return unless(good, f"outdir and socket: {how(ended)}")


ISOLATION: Sequence[Check] = (
    workspace_is_shared_with_the_harness,
    discard_follows_nothing,
    nobody_outlives_a_run,
    host_is_not_visible,
    system_is_read_only,
    memory_is_limited,
    processes_are_limited,
    disk_is_limited,
    files_are_limited,
    roles_are_apart,
    outdir_and_socket_are_shown,
    *KERNEL,
)
