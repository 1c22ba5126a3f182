"""Running commands and telling how they ended: what even a runner without isolation must get right."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Sequence
from dataclasses import replace

from denominator.errors import DenominatorError
from denominator.ports import Mount
from denominator.records.envelopes import SandboxTerms
from denominator.testing.sandbox_bench import LIMITS, VARIABLES, Bench, Check, how, unless

__all__ = ["BASIC"]


def speaks_and_listens(bench: Bench) -> list[str]:
    """Exit code, both outputs, the report pipe and standard input arrive, whatever their size."""
    data = os.urandom(300_000)
    script = "import sys,os,hashlib; d=sys.stdin.buffer.read(); os.write(3, hashlib.sha256(d).hexdigest().encode()); "
    ended = bench.py(script + "print('out'); print('err', file=sys.stderr); sys.exit(3)", stdin=data, report=True)
    good = (3, 0, "nobody", b"out\n", b"err\n", hashlib.sha256(data).hexdigest().encode(), "")
    seen = (ended.exit_code, ended.signal, ended.killed_by, ended.stdout, ended.stderr, ended.report, ended.start_error)
    return unless(seen == good, f"words were lost: {how(ended)}")


def has_nothing_else_open(bench: Bench) -> list[str]:
    """The command has its three streams and, when asked for, the report; standard input is empty."""
    script = "import os,sys; print(sys.stdin.read(), sorted(int(n) for n in os.listdir('/proc/self/fd'))[:-1])"
    found = []
    for report, wanted in ((False, "[0, 1, 2]"), (True, "[0, 1, 2, 3]")):
        ended = bench.py(script, report=report)
        found += unless(ended.stdout.decode().strip() == wanted, f"open descriptors: {how(ended)}")
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
    return unless(right, f"environment: {sorted(pairs)}")


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
    found = [f"ran: {how(ended)}" for ended in never if not ended.start_error]
    for code in (126, 127):
        ended = bench.sh(f"exit {code}")
        found += unless(ended.exit_code == code and not ended.start_error, f"own exit {code}: {how(ended)}")
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
        found += unless(good, f"signal {number}: {how(ended)}")
    return found


def wall_limit_ends_it(bench: Bench) -> list[str]:
    """The harness ends what takes too long, even when it ignores signals, and says so."""
    script = "trap '' TERM INT HUP; echo began; while :; do sleep 1; done"
    ended = bench.sh(script, limits=replace(LIMITS, wall_s=0.7))
    good = (ended.signal, ended.killed_by, ended.stdout) == (9, "budget_wall", b"began\n")
    return unless(good and ended.wall_ns >= 700_000_000, f"wall: {how(ended)} {ended.wall_ns}")


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
    found = unless(ended.killed_by == "harness_stop", f"stop: {how(ended)}")
    return found + unless(at_once.killed_by == "harness_stop", f"stop at once: {how(at_once)}")


def output_is_capped(bench: Bench) -> list[str]:
    """What exceeds the cap is read, dropped and admitted; the command is not hindered."""
    script = "import sys; sys.stdout.write('o'*100000); sys.stderr.write('e'*100000); sys.stdout.flush(); sys.exit(4)"
    ended = bench.py(script)
    cap = LIMITS.output_bytes
    good = (ended.stdout, ended.stderr, ended.output_truncated) == (b"o" * cap, b"e" * cap, True)
    exact = bench.py(f"import sys; sys.stdout.write('o'*{cap})")
    found = unless(good and ended.exit_code == 4, f"output: {ended.exit_code} {len(ended.stdout)} {len(ended.stderr)}")
    return found + unless(not exact.output_truncated and len(exact.stdout) == cap, "a full output counts as cut")


def endless_output_is_ended(bench: Bench) -> list[str]:
    """A command that never stops writing is ended by somebody, and not by memory."""
    ended = bench.run("yes", limits=replace(LIMITS, wall_s=10))
    good = ended.killed_by in ("budget_output", "budget_wall") and ended.output_truncated
    return unless(good, f"endless: {how(ended)}")


def runs_are_fresh(bench: Bench) -> list[str]:
    """Private folders start empty in every run."""
    script = 'ls -A "$HOME" "$TMPDIR" | grep -v : ; echo x > "$HOME/left"; echo x > "$TMPDIR/left"; mkdir "$TMPDIR/d"'
    work = bench.work("fresh")
    ended = [bench.sh(script, workdir=work) for _ in range(2)]
    bench.sandbox.discard(work)
    return [f"left over: {how(each)}" for each in ended if each.exit_code or each.stdout.strip()]


def runs_do_not_mix(bench: Bench) -> list[str]:
    """Runs at the same time from several threads get their own words."""
    wrong: list[str] = []

    def turn(slot: int) -> None:
        for number in range(5):
            mark = f"{slot}-{number}".encode() * 100
            ended = bench.sh("cat; cat >&2 </dev/null; echo $$ >&3", slot=slot, stdin=mark, report=True)
            if ended.stdout != mark or ended.exit_code or not ended.report:
                wrong.append(f"thread {slot}: {how(ended)}")

    threads = [threading.Thread(target=turn, args=(slot,)) for slot in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return wrong


def facts_are_admitted(bench: Bench) -> list[str]:
    """Facts name every protection, and what does not hold says so."""
    facts = bench.sandbox.facts(SandboxTerms(python=bench.python))
    found = unless(facts.usable and bool(facts.version) and bool(facts.protections), f"facts: {facts}")
    for each in facts.protections:
        if each.holds == each.how.startswith("not available"):
            found.append(f"{each.name}: holds {each.holds}, but {each.how}")
    return found


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
