"""`sut` gives tests plain values and nothing else, whatever the solution does."""

import importlib
import os
import sys
import time
from pathlib import Path

import pytest

KIT = Path(__file__).resolve().parents[3] / "src/denominator/adapters/graders/kit"
SOLUTION = """
import asyncio, os, sys, time

class Sly(int):
    def __eq__(self, other):
        return True

class Text(str):
    pass

def sly(): return [Sly(3)]
def text(): return {"a": Text("x")}
def keys(): return {1: 2}
def nan(): return float("nan")
def infinite(): return [1e999]
def loop():
    own = []
    own.append(own)
    return own
def die(): os._exit(0)
def hang(): time.sleep(60)
def big(): return "x" * 2_000_000
def forge_fd():
    for fd in range(3, 4096):
        try: os.write(fd, b"[not json\\n")
        except OSError: pass
    return 1
def noise():
    print("x" * 200_000)
    return "quiet"
def shapes(a, b=None): return (a, [b], {"k": (1.5, True, None)})
def refuse(): raise KeyError("gone")
def leave(): sys.exit(3)
def push(items): items.append(1)
def environment(): return [dict(os.environ), sys.path, os.getcwd(), sys.argv]
def own_number(): return os.getpid()
def descriptors():
    return sorted(int(fd) for fd in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{fd}"))
def serving(): return os.getppid()
def kill_the_next():
    server, killed = os.getppid(), 0
    for name in filter(str.isdigit, os.listdir("/proc")):
        try: parent = int(open(f"/proc/{name}/stat").read().rpartition(")")[2].split()[1])
        except OSError: continue
        if parent == server and int(name) != os.getpid():
            os.kill(int(name), 9)
            killed += 1
    return killed
async def twice(job): return [await job(), await job()]
async def lock_of(box):
    async with box.lock: return "held"

class Box:
    def __init__(self, n):
        self.n, self.lock = n, asyncio.Lock()
    def up(self, by=1):
        self.n += by
        return self.n

if __name__ == "__main__":
    print(sys.argv[1:], sys.stdin.read())
    print("bad", file=sys.stderr)
    open("out.txt", "w").write("left")
    open("raw.bin", "wb").write(b"\\xff\\xfe")
    sys.exit(3)
"""


@pytest.fixture
def sut(tmp_path, monkeypatch):
    (tmp_path / "sol").mkdir()
    (tmp_path / "sol/work.py").write_text(SOLUTION, encoding="utf-8")
    (tmp_path / "sol/json.py").write_text(
        "raise SystemExit('a solution must not replace the standard library')", encoding="utf-8"
    )
    monkeypatch.setenv("SUT_DIR", str(tmp_path / "sol"))
    monkeypatch.setenv("SECRET_PLACE", "/hidden/tests")
    monkeypatch.syspath_prepend(KIT)
    for name in [name for name in sys.modules if name.partition(".")[0] == "sut"]:
        del sys.modules[name]
    module = importlib.import_module("sut")
    yield module
    doors = sys.modules["sut.door"]._doors
    for door in doors:
        door.shut()


def test_plain_values_keep_their_exact_types(sut):
    assert sut.call("work:shapes", (1, "é\ud800"), b={"x": []}) == (
        (1, "é\ud800"),
        [{"x": []}],
        {"k": (1.5, True, None)},
    )


@pytest.mark.parametrize("name", ["sly", "text", "keys", "nan", "infinite", "die", "big", "forge_fd"])
def test_everything_else_is_broken(sut, name):
    with pytest.raises(sut.Broken):
        sut.call(f"work:{name}")


def test_a_value_that_holds_itself_is_no_answer(sut):
    with pytest.raises((sut.Broken, sut.Raised)):
        sut.call("work:loop")


def test_a_hang_is_broken_in_time_and_ends_the_session(sut):
    started = time.monotonic()
    with sut.Session(timeout=0.3) as session:
        with pytest.raises(sut.Broken, match="timeout"):
            session.call("work:hang")
        with pytest.raises(sut.Broken, match="closed"):
            session.call("work:noise")
    assert time.monotonic() - started < 5


def test_output_of_the_solution_is_not_an_answer(sut):
    assert sut.call("work:noise") == "quiet"


@pytest.mark.parametrize(
    ("target", "kind"),
    [
        ("work:refuse", "KeyError"),
        ("work:leave", "SystemExit"),
        ("work:nothing", "AttributeError"),
        ("nowhere:f", "ModuleNotFoundError"),
    ],
)
def test_exceptions_come_back_as_data(sut, target, kind):
    with pytest.raises(sut.Raised) as caught:
        sut.call(target)
    assert caught.value.type == kind
    assert "BaseException" in caught.value.bases


def test_the_child_learns_nothing_of_the_parent(sut):
    environment, path, cwd, argv = sut.call("work:environment")
    assert "SECRET_PLACE" not in environment and "PYTHONPATH" not in environment
    assert path[-1] == os.environ["SUT_DIR"]
    sut.call("work:noise")  # what a session left is removed before the next one starts
    assert cwd != str(Path.cwd()) and not Path(cwd).exists()
    assert str(Path(__file__).parent) not in repr([environment, path, argv])


def test_arguments_after_the_call(sut):
    assert sut.call_mut("work:push", [0]) == (None, [[0, 1]])


def test_objects_stay_in_the_session(sut):
    with sut.Session() as session:
        box = session.new("work:Box", 4)
        assert session.method(box, "up", by=2) == 6
        assert session.get(box, "n") == 6
        assert [session.call("work:lock_of", box) for _ in range(2)] == ["held", "held"]
        with pytest.raises(sut.Broken):
            session.get(box, "lock")


def test_stubs_follow_their_script(sut):
    with sut.Session() as session:
        job = session.stub(1, 2, sut.raises("OSError", "disk"), coroutine=True)
        assert session.call("work:twice", job) == [1, 2]
        with pytest.raises(sut.Raised, match="disk"):
            session.call("work:twice", job)
        assert session.stub_log(job) == {"calls": [[[], {}]] * 3, "finished": 3, "cancelled": 0, "peak": 1}


def test_commands_run_in_a_folder_of_their_own(sut):
    for argv in (["-m", "work", "a"], ["work.py", "a"]):
        done = sut.run(argv, stdin="in", files={"d/x.txt": "1\r\n"})
        assert (done.code, done.stdout, done.stderr) == (3, "['a'] in\n", "bad\n")
        assert done.files == {"d/x.txt": "1\r\n", "out.txt": "left"}


def test_a_target_has_a_form(sut):
    with pytest.raises(ValueError, match="pkg.mod:name"):
        sut.call("os.system")


def test_no_child_is_left(sut):
    session = sut.Session()
    child = session.call("work:own_number")
    assert Path(f"/proc/{child}").exists()
    session.close()
    session.close()
    sut.call("work:noise")  # sessions are ended and started in the order in which that was asked for
    assert not Path(f"/proc/{child}").exists()


def test_what_waits_for_a_session_holds_nothing_of_an_earlier_one(sut):
    with sut.Session() as one, sut.Session() as other:
        numbers = [session.call("work:own_number") for session in (one, other)]
        assert one.call("work:descriptors") == other.call("work:descriptors") == [0, 1, 2, 3]
        places = [session.call("work:environment")[2] for session in (one, other)]
        handle = one.new("work:Box", 1)
        assert one.method(handle, "up") == 2
        assert other.method(other.new("work:Box", 1), "up") == 2
    assert len(set(numbers)) == len(set(places)) == 2
    sut.call("work:noise")  # sessions end in the order in which that was asked for
    assert not any(Path(place).exists() for place in places)


def test_a_session_whose_waiting_process_was_killed_gets_another(sut):
    assert sut.call("work:kill_the_next") == 1
    assert sut.call("work:shapes", 1) == (1, [None], {"k": (1.5, True, None)})


def test_what_waits_ends_with_what_serves(sut):
    with sut.Session() as session:
        server = session.call("work:serving")
        children = set(Path(f"/proc/{server}/task/{server}/children").read_text().split())
        assert len(children) == 2
    os.kill(server, 9)
    deadline = time.monotonic() + 10
    while any(alive(number) for number in children):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def alive(number: str) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
