"""The gate, run by this machine's sh with its folder somewhere else: words arrive as they are, and every end is told."""

import os
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from denominator.adapters.sandboxes.docker.gate import INSIDE, Gate, script

ENV = {"PATH": "/usr/bin:/bin"}
WORDS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)


class Run:
    """One gate and its script as a process."""

    def __init__(self, folder, argv, env=ENV, cwd="/", *, stdin=b"", report=False, gid=None):
        self.gate = Gate(folder / "gate")
        text = script(argv, env, cwd, stdin=bool(stdin), report=report)
        owner = (os.getuid(), os.getgid() if gid is None else gid)
        self.gate.make(
            text.replace(INSIDE.encode(), os.fsencode(folder / "gate")), owner, stdin=bool(stdin), report=report
        )
        self.process = subprocess.Popen(["sh", folder / "gate/run"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.stdin = stdin

    def through(self):
        """Ready, go, input, end: the gate's last word and what came out."""
        assert self.gate.heard(10) == b"ready"
        self.gate.opened()
        assert os.listdir(self.gate.folder) == []
        if self.stdin:
            os.write(self.gate.streams.stdin, self.stdin)
            os.close(self.gate.streams.stdin)
            self.gate.streams.stdin = -1
        os.write(self.gate.go, b"go\n")
        return self.gate.heard(10), self.read("stdout"), self.read("stderr"), self.read("report")

    def read(self, name):
        number = getattr(self.gate.streams, name)
        return os.read(number, 1 << 16) if number >= 0 else b""

    def close(self):
        self.process.kill()
        self.process.communicate()
        self.gate.close()
        assert not self.gate.folder.exists()


@pytest.fixture
def run(tmp_path):
    made = []

    def start(*words, **more):
        made.append(Run(tmp_path, *words, **more))
        return made[-1]

    yield start
    for each in made:
        each.close()


def test_all_streams_arrive(run):
    words = ["sh", "-c", "cat; echo err >&2; echo said >&3; exit 7"]
    assert run(words, stdin=b"in", report=True).through() == (b"ended 7", b"in", b"err\n", b"said\n")


def test_a_signal_is_told_as_the_shell_tells_it(run):
    assert run(["sh", "-c", "kill -9 $$"]).through()[0] == b"ended 137"


def test_the_command_has_its_streams_and_nothing_else(run):
    script = "import os; print(sorted(int(n) for n in os.listdir('/proc/self/fd'))[:-1])"
    assert run([sys.executable, "-I", "-c", script], report=True).through()[1] == b"[0, 1, 2, 3]\n"


@pytest.mark.parametrize("argv", [["no-such-command"], ["/no/such/file"], ["/etc/passwd"], ["."]])
def test_a_command_that_is_not_there_never_runs(run, argv):
    assert run(argv).gate.heard(10) == b"missing"


def test_a_folder_that_is_not_there_is_told(run):
    assert run(["true"], cwd="/no/such").gate.heard(10) == b"failed there is no folder to start in"


def test_a_gate_that_died_is_heard(run):
    started = run(["true"])
    assert started.gate.heard(10) == b"ready"
    started.process.kill()
    started.process.wait()
    # The child that waited for "go" gives up when our end of the pipe closes.
    os.close(started.gate.go)
    started.gate.go = -1
    for keep in started.gate._keep:
        os.close(keep)
    started.gate._keep.clear()
    assert started.gate.heard(10) == b""


def test_names_are_taken_away_and_only_public_streams_can_be_opened_again(run):
    script = """
import os
for number in (1, 2, 3):
    try:
        os.close(os.open(f"/proc/self/fd/{number}", os.O_WRONLY | os.O_NONBLOCK)); print(number, "opens")
    except OSError as error:
        print(number, error.errno)
"""
    argv = [sys.executable, "-I", "-c", script]
    if os.geteuid() == 0:
        argv = [
            "setpriv",
            "--reuid=65534",
            "--regid=65534",
            "--clear-groups",
            "/usr/bin/python3",
            "-I",
            "-S",
            "-c",
            script,
        ]
    said = run(argv, report=True, gid=65534 if os.geteuid() == 0 else None).through()
    assert b"3 13" in said[1], said


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(WORDS, max_size=4), st.dictionaries(st.from_regex(r"[A-Za-z_.-]{1,8}", fullmatch=True), WORDS, max_size=3)
)
def test_words_and_variables_arrive_as_they_are(tmp_path, words, env):
    env = {**env, "PATH": "/usr/bin:/bin"}
    script = r'printf "%s\0" "$@"; env -0'
    made = Run(tmp_path, ["sh", "-c", script, "sh", *words], env=env)
    try:
        said = made.through()[1]
    finally:
        made.close()
    parts = [part.decode() for part in said.split(b"\0")[:-1]]
    assert parts[: max(1, len(words))] == (words or [""])
    seen = dict(part.split("=", 1) for part in parts[max(1, len(words)) :])
    plain = {name: value for name, value in env.items() if name.replace("_", "a").isalnum()}
    assert plain.items() <= seen.items()
