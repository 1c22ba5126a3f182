"""A small world with its own processes, mounts and /tmp, in which runs are made and killed; says what each leaves behind.

Run as root by `unshare --fork --pid --ipc --mount --mount-proc python leaving.py FOLDER ATTEMPTS KILLS SEED BACKEND`: whatever is
found afterwards is ours. FOLDER is laid anew on a private tmpfs. BACKEND is bubblewrap, or an engine (dockerd, podman) that is started
in this world, with its store in it. Prints one JSON object.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS)]
if TYPE_CHECKING:
    from e2e.leaving_boxes import Boxes
PLACES = ("/tmp", "/run", "/dev/shm", "/var/tmp")
AGENT = r"""
cd /work
printf 'def total(prices, vat):\n    return sum(prices) + sum(prices) * vat // 100\n' > src/bill.py
(setsid sh -c 'while :; do echo >> /work/beat; sleep 0.05; done' >/dev/null 2>&1 </dev/null &)
(setsid sh -c 'trap "" TERM HUP INT; exec sleep 999' >/dev/null 2>&1 </dev/null &)
mkdir -p /tmp/m && mount -t tmpfs x /tmp/m 2>/dev/null; unshare -rm sleep 99 2>/dev/null &
mkdir -p deep/a/b/c/d/e/f shut && touch deep/a/b/c/d/e/f/leaf shut/x && chmod 000 shut
mkfifo pipe; ln -s / root; ln src/bill.py again.py
/usr/bin/python3 -I -S -c 'import socket; s = socket.socket(1); s.bind("sock"); t = socket.socket(1); t.bind("\0left")'
chattr +i src/bill.py 2>/dev/null; mkdir -p /dev/shm/left /home/left; echo x > /dev/shm/left/x
PAUSE
exit 0
"""


def run(*words: str) -> None:
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


def processes() -> list[str]:
    """Every process of this world but ourselves; threads of the kernel are in no pid namespace but the first."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) not in (1, os.getpid()):
            try:
                found.append(Path(f"/proc/{name}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace"))
            except OSError:
                continue
    return sorted(found)


def mounts() -> list[str]:
    """Mount points that are seen here."""
    return sorted(line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines())


def namespaces() -> list[str]:
    """Namespaces that somebody of this world lives in, or that a mount or an open file keeps."""
    told = subprocess.run(["lsns", "-n", "-o", "NS,TYPE"], check=False, capture_output=True, text=True).stdout
    return sorted(" ".join(line.split()) for line in told.splitlines())


def files(lab: Path, boxes: Boxes) -> list[str]:
    """What lies in places that anybody may write to, apart from the lab and an engine's own folder."""
    found = [
        os.path.join(top, name) for place in PLACES for top, dirs, names in os.walk(place) for name in dirs + names
    ]
    return sorted(path for path in found if not path.startswith(f"{lab}") and not boxes.owns(path))


def world(lab: Path, boxes: Boxes) -> dict[str, list[str]]:
    return {
        "processes": processes(), "mounts": mounts(), "control groups": boxes.groups(), "namespaces": namespaces(),
        "files": files(lab, boxes), "ipc": Path("/proc/sysvipc/shm").read_text().splitlines()[1:], **boxes.kept(),
    }  # fmt: skip


def left(before: dict[str, list[str]], lab: Path, boxes: Boxes, patience_s: float = 0) -> dict[str, list[str]]:
    """What is there that was not; a kill is given a moment to reach all."""
    deadline = time.monotonic() + patience_s
    while True:
        now = world(lab, boxes)
        more = {kind: sorted(set(found) - set(before[kind])) for kind, found in now.items()}
        more = {kind: found for kind, found in more.items() if found}
        if not more or time.monotonic() >= deadline:
            return more
        time.sleep(0.05)


def start(lab: Path, boxes: Boxes, *words: str) -> subprocess.Popen[bytes]:
    env = os.environ | {"XDG_CACHE_HOME": str(lab / "cache"), "NO_COLOR": "1", **boxes.env}
    argv = [sys.executable, "-m", "denominator", *words]
    return subprocess.Popen(argv, cwd=lab, env=env, stdout=subprocess.DEVNULL, stderr=open(lab / "said", "ab"))


def size_of(pid: int) -> tuple[int, int]:
    """Open files and resident KiB of a process."""
    status = Path(f"/proc/{pid}/status").read_text()
    return len(os.listdir(f"/proc/{pid}/fd")), int(status.partition("VmRSS:")[2].split()[0])


def closed(lab: Path, run_id: str) -> int:
    """Attempts that have ended, of a run that another process writes."""
    import sqlite3

    try:
        with sqlite3.connect(f"file:{lab}/runs/{run_id}/journal.db?mode=ro", uri=True, timeout=5) as base:
            return int(base.execute("SELECT count(*) FROM events WHERE kind = 'closed'").fetchone()[0])
    except sqlite3.Error:
        return 0


def make_lab(lab: Path, boxes: Boxes, attempts: int) -> None:
    from e2e import cases_scenes as scenes
    from e2e.cases_lab import write_envelope, write_pack

    lab.mkdir()
    lab.chmod(0o755)
    write_pack(lab, scenes.unit_task("t1", verify={**scenes.UNIT_VERIFY, "level": "G2"}))
    agent = AGENT.replace("PAUSE", "sleep 0.3" if not attempts else "true")
    (lab / "agent.sh").write_text(agent)
    write_envelope(lab, {"t1": ["true"]}, mounts=[f"{lab}/agent.sh=/opt/agent.sh"], sandbox=boxes.terms)
    text = (lab / "envelope.toml").read_text()
    many = attempts or 8
    text = text.replace("repeats = 1\n", f"repeats = {many}\n").replace("incarnations_max = 3", "incarnations_max = 99")
    text = text.replace("seeds = [1]", f"seeds = {list(range(1, many + 1))}")
    (lab / "envelope.toml").write_text(re.sub(r"command = .*", 'command = ["sh", "/opt/agent.sh"]', text))


def many_attempts(lab: Path, boxes: Boxes, attempts: int) -> dict[str, Any]:
    """One run of so many attempts; open files and memory of its process are looked at as it goes."""
    make_lab(lab, boxes, attempts)
    before, began = world(lab, boxes), time.monotonic()
    process, sizes = start(lab, boxes, "run", "envelope.toml", "--run-id", "r"), []
    while process.poll() is None:
        if (done := closed(lab, "r")) >= (sizes[-1][0] if sizes else 0) + max(1, attempts // 20):
            try:
                sizes.append((done, *size_of(process.pid)))
            except (OSError, IndexError, ValueError):
                break
        time.sleep(0.2)
    process.wait()
    inside = sorted(path.name for path in (lab / "runs/r").iterdir())
    card = lab / "runs/r/card.json"
    return {
        "exit": process.returncode, "closed": closed(lab, "r"), "left": left(before, lab, boxes, 2), "sizes": sizes,
        "run folder": inside, "lab": sorted(path.name for path in lab.iterdir()), "seconds": round(time.monotonic() - began),
        "equation": json.loads(card.read_text())["equation"] if card.exists() else {},
    }  # fmt: skip


def some_moment(process: subprocess.Popen[bytes], boxes: Boxes, rng: random.Random) -> float:
    """Seconds until a kill: of four, one somewhere in the start, three while sandboxes are there."""
    if rng.random() < 0.25:
        return rng.uniform(0.1, 5)
    while process.poll() is None and not boxes.groups():
        time.sleep(0.02)
    return rng.uniform(0, 1.5)


def without_swept(before: dict[str, list[str]], lab: Path, boxes: Boxes) -> dict[str, list[str]]:
    """What is left of a killed harness apart from what the next start sweeps; an engine's is the guard's to remove at once."""
    deadline = time.monotonic() + boxes.patience_s
    while True:
        remains = left(before, lab, boxes)
        remains["files"] = [path for path in remains.get("files", []) if "denominator-docker-" in path]
        if boxes.running is None:
            remains.pop("control groups", None)
        remains = {kind: found for kind, found in remains.items() if found}
        if not remains or time.monotonic() >= deadline:
            return remains
        time.sleep(0.05)


def many_kills(lab: Path, boxes: Boxes, kills: int, rng: random.Random) -> dict[str, Any]:
    """Runs are killed with SIGKILL at random moments, and gone on with, until there were so many kills."""
    make_lab(lab, boxes, 0)
    first = start(lab, boxes, "run", "envelope.toml", "--run-id", "kept")
    first.wait()
    before, done, runs, swept = world(lab, boxes), 0, 0, 0
    survivors: list[dict[str, list[str]]] = []
    ends: list[tuple[int, str]] = []
    while done < kills:
        runs += 1
        words: tuple[str, ...] = ("run", "envelope.toml", "--run-id", f"r{runs}")
        while True:
            process = start(lab, boxes, *words)
            try:
                ends.append((process.wait(some_moment(process, boxes, rng)), (lab / "said").read_text()[-300:]))
                break
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
                done += 1
                swept += bool(boxes.groups())
                remains = without_swept(before, lab, boxes)
                if remains:
                    survivors.append(remains)
            words = ("resume", f"r{runs}") if (lab / f"runs/r{runs}/seal.json").exists() else words
            if done >= kills:
                ends.append((start(lab, boxes, *words).wait(), (lab / "said").read_text()[-300:]))
                break
    # What a self-test leaves goes at the next one, which `resume` does without.
    ends.append(
        (start(lab, boxes, "run", "envelope.toml", "--run-id", "last").wait(), (lab / "said").read_text()[-300:])
    )
    scratch = sorted(str(path) for path in (lab / "runs").glob("*/work"))
    return {
        "kills": done, "runs": runs, "with groups to sweep": swept, "survivors": survivors, "left": left(before, lab, boxes, 2),
        "scratch": scratch, "unfinished": [one for one in ends if one[0] not in (0, 1)],
    }  # fmt: skip


def main() -> None:
    lab, attempts, kills, seed = Path(sys.argv[1]), *(int(word) for word in sys.argv[2:5])
    run("mount", "--make-rprivate", "/")
    for place in PLACES:
        run("mount", "-t", "tmpfs", "-o", "mode=1777", "own", place)
    from e2e.leaving_boxes import boxes

    said: dict[str, Any] = {}
    with boxes(sys.argv[5]) as made:
        if attempts:
            said["attempts"] = many_attempts(lab.with_name("many"), made, attempts)
        if kills:
            said["kills"] = many_kills(lab.with_name("kills"), made, kills, random.Random(seed))
    print(json.dumps(said))


def as_init() -> int:
    """The first process of a pid namespace takes what loses its parent, as any init does, until the work is over."""
    worker = os.fork()
    if worker == 0:
        main()
        sys.stdout.flush()
        os._exit(0)
    while True:
        pid, status = os.wait()
        if pid == worker:
            return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    sys.exit(as_init())
