"""What every sandbox must hold to (ports.Sandbox). Each check returns the breaches found; none is a pass.

`BASIC` is about running commands and telling how they ended; `ISOLATION` is what makes it a sandbox. A check that
needs a protection which `facts` says is absent here finds nothing: the facts are the promise, and they are checked
too.
"""

from __future__ import annotations

import hashlib
import json
import os
import socket
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from denominator.errors import DenominatorError
from denominator.ports import Ended, Job, Limits, Mount, Sandbox
from denominator.records.envelopes import SandboxTerms

__all__ = ["BASIC", "ISOLATION", "LIMITS", "Bench", "Check"]

MB = 1 << 20
LIMITS = Limits(
    wall_s=30,
    memory_bytes=256 * MB,
    processes=48,
    disk_bytes=32 * MB,
    file_bytes=8 * MB,
    open_files=200,
    output_bytes=20_000,
)
VARIABLES = {"PATH", "HOME", "LANG", "TMPDIR", "PYTHONPYCACHEPREFIX"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """A sandbox, an empty folder of the host that its uids may reach, and an interpreter that it can run."""

    sandbox: Sandbox
    folder: Path
    python: str = "/usr/bin/python3"

    def job(self, *argv: str, **more: object) -> Job:
        return replace(Job(argv=argv, role="agent", limits=LIMITS), **more)  # type: ignore[arg-type]

    def run(self, *argv: str, **more: object) -> Ended:
        return self.sandbox.run(self.job(*argv, **more))

    def sh(self, script: str, **more: object) -> Ended:
        return self.run("sh", "-c", script, **more)

    def py(self, script: str, *words: str, **more: object) -> Ended:
        return self.run(self.python, "-I", "-S", "-c", script, *words, **more)

    def work(self, name: str, role: str = "agent") -> Path:
        return self.sandbox.workspace(self.folder / name, role=role, slot=0, disk_bytes=LIMITS.disk_bytes)

    def holds(self, protection: str) -> bool:
        facts = self.sandbox.facts(SandboxTerms(python=self.python))
        return any(each.name == protection and each.holds for each in facts.protections)


Check = Callable[[Bench], list[str]]


def _unless(true: bool, breach: str) -> list[str]:
    return [] if true else [breach]


def _how(ended: Ended) -> str:
    words = f"exit {ended.exit_code} signal {ended.signal} killed_by {ended.killed_by} oom {ended.oom}"
    return f"{words} {ended.start_error} {ended.stdout[:300]!r} {ended.stderr[:300]!r}"


def speaks_and_listens(bench: Bench) -> list[str]:
    """Exit code, both outputs, the report pipe and standard input arrive, whatever their size."""
    data = os.urandom(300_000)
    script = "import sys,os,hashlib; d=sys.stdin.buffer.read(); os.write(3, hashlib.sha256(d).hexdigest().encode()); "
    ended = bench.py(script + "print('out'); print('err', file=sys.stderr); sys.exit(3)", stdin=data, report=True)
    good = (3, 0, "nobody", b"out\n", b"err\n", hashlib.sha256(data).hexdigest().encode(), "")
    seen = (ended.exit_code, ended.signal, ended.killed_by, ended.stdout, ended.stderr, ended.report, ended.start_error)
    return _unless(seen == good, f"words were lost: {_how(ended)}")


def has_nothing_else_open(bench: Bench) -> list[str]:
    """The command has its three streams and, when asked for, the report; standard input is empty."""
    script = "import os,sys; print(sys.stdin.read(), sorted(int(n) for n in os.listdir('/proc/self/fd'))[:-1])"
    found = []
    for report, wanted in ((False, "[0, 1, 2]"), (True, "[0, 1, 2, 3]")):
        ended = bench.py(script, report=report)
        found += _unless(ended.stdout.decode().strip() == wanted, f"open descriptors: {_how(ended)}")
    return found


def environment_is_exact(bench: Bench) -> list[str]:
    """The fixed names and the job's own; nothing of the harness."""
    os.environ["DENOMINATOR_SUITE_SECRET"] = "of the harness"
    try:
        ended = bench.run("env", "-0", env={"OWN": "a b\nc", "odd-name.x": "1"})
    finally:
        del os.environ["DENOMINATOR_SUITE_SECRET"]
    pairs = dict(word.split("=", 1) for word in ended.stdout.decode().split("\0") if word)
    right = set(pairs) == VARIABLES | {"OWN", "odd-name.x"} and pairs["OWN"] == "a b\nc"
    return _unless(right, f"environment: {sorted(pairs)}")


def start_errors_are_told_apart(bench: Bench) -> list[str]:
    """What never ran has a start error; a command's own 126 and 127 have none."""
    gone = bench.folder / "gone"
    never = [
        bench.run("no-such-command-anywhere"),
        bench.run("/work/no-such-file"),
        bench.run("true", cwd="/no/such/folder"),
    ]
    if bench.holds("pid_namespace"):
        never.append(bench.run("true", mounts=(Mount(host=gone, inside="/in"),)))
    found = [f"ran: {_how(ended)}" for ended in never if not ended.start_error]
    for code in (126, 127):
        ended = bench.sh(f"exit {code}")
        found += _unless(ended.exit_code == code and not ended.start_error, f"own exit {code}: {_how(ended)}")
    return found


def bad_jobs_are_refused(bench: Bench) -> list[str]:
    """A job that cannot be meant is an input error before anything starts."""
    work = bench.work("refused")
    inside_work = (Mount(host=bench.folder, inside="/work/deep"),)
    bad = {
        "no command": bench.job("true", argv=()),
        "unknown role": bench.job("true", role="judge"),
        "no limit": bench.job("true", limits=replace(LIMITS, wall_s=0)),
        "mount inside the workspace": bench.job("true", mounts=inside_work, workdir=work),
        "mount over /": bench.job("true", mounts=(Mount(host=bench.folder, inside="/"),)),
        "zero byte": bench.job("true", env={"A": "b\0c"}),
    }
    found = []
    for name, job in bad.items():
        try:
            bench.sandbox.run(job)
            found.append(f"{name}: was run")
        except DenominatorError:
            pass
    bench.sandbox.discard(work)
    return found


def signals_are_decoded(bench: Bench) -> list[str]:
    """A signal that the command sent itself is told by number, and by whom."""
    found = []
    for number in (9, 15, 6):
        ended = bench.sh(f"kill -{number} $$; sleep 5")
        good = (ended.exit_code, ended.signal, ended.killed_by) == (-1, number, "self")
        found += _unless(good, f"signal {number}: {_how(ended)}")
    return found


def wall_limit_ends_it(bench: Bench) -> list[str]:
    """The harness ends what takes too long, even when it ignores signals, and says so."""
    script = "trap '' TERM INT HUP; echo began; while :; do sleep 1; done"
    ended = bench.sh(script, limits=replace(LIMITS, wall_s=0.7))
    good = (ended.signal, ended.killed_by, ended.stdout) == (9, "budget_wall", b"began\n")
    return _unless(good and ended.wall_ns >= 700_000_000, f"wall: {_how(ended)} {ended.wall_ns}")


class _After:
    """A stop that is set some time after its making."""

    def __init__(self, seconds: float) -> None:
        self._at = time.monotonic() + seconds

    def is_set(self) -> bool:
        return time.monotonic() >= self._at


def stop_ends_it(bench: Bench) -> list[str]:
    """A stop from the harness ends the command, or keeps it from starting, and is told apart from a budget."""
    ended = bench.sandbox.run(bench.job("sleep", "60"), _After(0.5))
    at_once = bench.sandbox.run(bench.job("sleep", "60"), _After(0))
    found = _unless(ended.killed_by == "harness_stop", f"stop: {_how(ended)}")
    return found + _unless(at_once.killed_by == "harness_stop", f"stop at once: {_how(at_once)}")


def output_is_capped(bench: Bench) -> list[str]:
    """What exceeds the cap is read, dropped and admitted; the command is not hindered."""
    script = "import sys; sys.stdout.write('o'*100000); sys.stderr.write('e'*100000); sys.stdout.flush(); sys.exit(4)"
    ended = bench.py(script)
    cap = LIMITS.output_bytes
    good = (ended.stdout, ended.stderr, ended.output_truncated) == (b"o" * cap, b"e" * cap, True)
    exact = bench.py(f"import sys; sys.stdout.write('o'*{cap})")
    found = _unless(good and ended.exit_code == 4, f"output: {ended.exit_code} {len(ended.stdout)} {len(ended.stderr)}")
    return found + _unless(not exact.output_truncated and len(exact.stdout) == cap, "a full output counts as cut")


def endless_output_is_ended(bench: Bench) -> list[str]:
    """A command that never stops writing is ended by somebody, and not by memory."""
    ended = bench.run("yes", limits=replace(LIMITS, wall_s=10))
    good = ended.killed_by in ("budget_output", "budget_wall") and ended.output_truncated
    return _unless(good, f"endless: {_how(ended)}")


def nobody_outlives_a_run(bench: Bench) -> list[str]:
    """Detached grandchildren are dead when `run` returns."""
    work = bench.work("orphan")
    beat = "(setsid sh -c 'while :; do echo >> /work/beat; sleep 0.02; done' >/dev/null 2>&1 </dev/null &)"
    ended = bench.sh(f"{beat}; while ! [ -s /work/beat ]; do sleep 0.01; done", workdir=work)
    before = (work / "beat").stat().st_size
    time.sleep(0.2)
    after = (work / "beat").stat().st_size
    bench.sandbox.discard(work)
    return _unless(ended.exit_code == 0 and before == after > 0, f"a process outlived its sandbox: {before} {after}")


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
    found = _unless(good, f"workspace: {_how(first)} {_how(second)}")
    found += _unless(refused, "a workspace that is not empty was handed out")
    return found + _unless(not work.exists(), "a discarded workspace is still there")


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
    return _unless(good, f"discard: {_how(ended)}")


def runs_are_fresh(bench: Bench) -> list[str]:
    """Private folders start empty in every run."""
    script = 'ls -A "$HOME" "$TMPDIR" | grep -v : ; echo x > "$HOME/left"; echo x > "$TMPDIR/left"; mkdir "$TMPDIR/d"'
    work = bench.work("fresh")
    ended = [bench.sh(script, workdir=work) for _ in range(2)]
    bench.sandbox.discard(work)
    return [f"left over: {_how(each)}" for each in ended if each.exit_code or each.stdout.strip()]


def runs_do_not_mix(bench: Bench) -> list[str]:
    """Runs at the same time from several threads get their own words."""
    wrong: list[str] = []

    def turn(slot: int) -> None:
        for number in range(5):
            mark = f"{slot}-{number}".encode() * 100
            ended = bench.sh("cat; cat >&2 </dev/null; echo $$ >&3", slot=slot, stdin=mark, report=True)
            if ended.stdout != mark or ended.exit_code or not ended.report:
                wrong.append(f"thread {slot}: {_how(ended)}")

    threads = [threading.Thread(target=turn, args=(slot,)) for slot in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return wrong


def facts_are_admitted(bench: Bench) -> list[str]:
    """Facts name every protection, and what does not hold says so."""
    facts = bench.sandbox.facts(SandboxTerms(python=bench.python))
    found = _unless(facts.usable and bool(facts.version) and bool(facts.protections), f"facts: {facts}")
    for each in facts.protections:
        if each.holds == each.how.startswith("not available"):
            found.append(f"{each.name}: holds {each.holds}, but {each.how}")
    return found


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
said["shown"] = open("/in/file").read()
try:
    open("/in/file", "a").close(); said["written"] = True
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
        mounts=mounts,
        workdir=work,
        env={"OWN": "a-token-of-the-job"},
    )
    bench.sandbox.discard(work)
    try:
        said = json.loads(ended.stdout)
    except ValueError:
        return [f"nothing was said: {_how(ended)}"]
    good = said["pids"] <= 4 and not said["host"] and said["shown"] == "shown" and not said["written"]
    leaks = [word for word in said["words"] if str(bench.folder) in word]
    leaks += [said["first"]] if "a-token-of-the-job" in said["first"] else []
    return _unless(good, f"visible: {said}") + [
        f"a host path or a secret in a command line: {leak[:200]!r}" for leak in leaks
    ]


def _halves(path: Path) -> tuple[str, str]:
    text = str(path)
    return text[: len(text) // 2], text[len(text) // 2 :]


def system_is_read_only(bench: Bench) -> list[str]:
    """Nothing can be written but the private folders; those have no devices."""
    places = "/ /usr /usr/bin /etc /dev /run /proc/sys/kernel /home /opt"
    ended = bench.sh(f'for d in {places}; do touch "$d/x" 2>/dev/null && echo "$d"; done; true')
    private = bench.sh('for d in /work /tmp "$HOME" /dev/shm; do touch "$d/x" || echo "$d"; done')
    found = _unless(not ended.stdout and not ended.exit_code, f"writable: {_how(ended)}")
    return found + _unless(not private.stdout, f"not writable: {_how(private)}")


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
    found = _unless(children.oom and children.exit_code == 1, f"memory of children: {_how(children)}")
    good = itself.oom and (itself.signal, itself.killed_by) == (9, "kernel_oom")
    return found + _unless(good, f"memory of the command: {_how(itself)}")


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
    return _unless(count < LIMITS.processes, f"{count} processes under a limit of {LIMITS.processes}: {_how(ended)}")


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
        found += _unless(stopped, f"disk in {places}: {_how(ended)}")
    return found


def files_are_limited(bench: Bench) -> list[str]:
    """One file cannot exceed the limit; no more files can be open than allowed; there are no core files."""
    size = bench.sh("head -c 20000000 /dev/zero > /tmp/big; stat -c %s /tmp/big")
    opened = bench.py("import os\ntry:\n  while True: n=os.open('/dev/null',0)\nexcept OSError: print(n)")
    found = _unless(size.stdout.strip().isdigit() and int(size.stdout) <= LIMITS.file_bytes, f"file: {_how(size)}")
    return found + _unless(0 < int(opened.stdout or b"0") < LIMITS.open_files, f"open files: {_how(opened)}")


def roles_are_apart(bench: Bench) -> list[str]:
    """Roles and slots are different users where the facts say so, and never root."""
    places = [("agent", 0), ("grader", 0), ("agent", 1), ("grader", 1)]
    uids = [bench.run("id", "-u", role=role, slot=slot).stdout.strip() for role, slot in places]
    found = _unless(b"0" not in uids and all(uids), f"uids: {uids}")
    return found + _unless(not bench.holds("separate_uids") or len(set(uids)) == 4, f"uids are shared: {uids}")


def outdir_and_socket_are_shown(bench: Bench) -> list[str]:
    """/out is writable and the model's socket can be reached; no other way out is open."""
    out = bench.work("out")
    folder = bench.folder / "relay"
    folder.mkdir(mode=0o755)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / "s"))
        listener.listen()
        (folder / "s").chmod(0o666)
        script = (
            "import socket; socket.socket(socket.AF_UNIX).connect('/run/denominator/model.sock');"
            "open('/out/done', 'w').write('yes')"
        )
        ended = bench.py(script, outdir=out, socket=folder / "s")
    good = ended.exit_code == 0 and (out / "done").read_text() == "yes"
    bench.sandbox.discard(out)
    return _unless(good, f"outdir and socket: {_how(ended)}")


BASIC: Sequence[Check] = (
    speaks_and_listens,
    has_nothing_else_open,
    environment_is_exact,
    start_errors_are_told_apart,
    bad_jobs_are_refused,
    signals_are_decoded,
    wall_limit_ends_it,
    stop_ends_it,
    output_is_capped,
    endless_output_is_ended,
    runs_are_fresh,
    runs_do_not_mix,
    facts_are_admitted,
)
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
)
