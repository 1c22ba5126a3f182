"""Checks of a journal that many use at once, or whose user dies."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Event as Flag

from denominator.errors import RunInUseError
from denominator.testing.journal_bench import Check, JournalBench, differs, draft, key_of, refused

EACH = 15


def threads_and_processes_append(bench: JournalBench) -> list[str]:
    """Two threads of this process on one handle, two handles, two processes: nothing is lost, one chain."""
    journal = bench.begin()
    code = f"""
journal, name = opens(run_id, NoFailpoints()), sys.stdin.readline().strip()
for n in range({EACH}):
    journal.append(*(draft("output", key_of(journal), who=name, n=n) for _ in range(2)))
"""
    others = [bench.process(journal, code) for _ in range(2)]
    for number, other in enumerate(others):
        assert other.stdin is not None
        other.stdin.write(f"process {number}\n".encode())
        other.stdin.close()
    handles = (journal, journal, bench.again(journal), bench.again(journal))

    def write(number: int) -> None:
        for n in range(EACH):
            journal = handles[number]
            journal.append(*(draft("output", key_of(journal), who=f"thread {number}", n=n) for _ in range(2)))

    with ThreadPoolExecutor(len(handles)) as pool:
        list(pool.map(write, range(len(handles))))
    codes = [other.wait() for other in others]
    events = list(journal.events())
    pairs = [(a.payload["who"], a.payload["n"]) == (b.payload["who"], b.payload["n"]) for a, b in _pairs(events)]
    return [
        *differs("exit codes", codes, [0, 0]),
        *differs("events", len(events), 2 * EACH * (len(handles) + len(others))),
        *differs("groups stay together", all(pairs), True),
        *journal.verify(),
    ]


def _pairs(events: list) -> list:  # type: ignore[type-arg]
    return list(zip(events[::2], events[1::2], strict=False))


def what_was_reported_survives_a_kill(bench: JournalBench) -> list[str]:
    """After SIGKILL of the writer everything that `append` and `put_calls` returned for is there, in whole groups."""
    journal = bench.begin()
    code = """
journal = opens(run_id, NoFailpoints())
for n in range(10**6):
    journal.append(*(draft("output", key_of(journal), n=n) for _ in range(3)))
    journal.put_calls(CallRow(key=key_of(journal), seq=n + 1))
    say(n)
"""
    writer = bench.process(journal, code)
    assert writer.stdout is not None
    said = [int(writer.stdout.readline()) for _ in range(20)]
    writer.kill()
    said += [int(line) for line in writer.stdout.read().split(b"\n") if line]
    writer.wait()
    reader = bench.again(journal)
    events = [e.payload["n"] for e in reader.events()]
    return [
        *differs("reported events", [n for n in said if events.count(n) != 3], []),
        *differs("reported calls", set(said) <= {row.seq - 1 for row in reader.calls()}, True),
        *differs("whole groups", len(events) % 3, 0),
        *reader.verify(),
    ]


def a_kill_at_the_commit_leaves_all_or_nothing(bench: JournalBench) -> list[str]:
    """Before the commit nothing of the group is there, after it all of it."""
    breaches = []
    for name, wanted in (("journal.before_commit", 2), ("journal.after_commit", 4)):
        journal = bench.begin()
        code = f"""
journal = opens(run_id, ArmedFailpoints(parse("{name}=kill@2")))
for n in range(3):
    journal.append(*(draft("output", key_of(journal), n=n) for _ in range(2)))
"""
        died = bench.process(journal, code).wait()
        reader = bench.again(journal)
        reader.append(draft("output", key_of(journal)))
        breaches += [*differs(name, (died, len(list(reader.events()))), (-9, wanted + 1)), *reader.verify()]
    return breaches


def one_runner_at_a_time(bench: JournalBench) -> list[str]:
    """A living process keeps others out, a dead one does not, and a lease that was given back keeps nobody out."""
    journal = bench.begin()
    code = """
with opens(run_id, NoFailpoints()).lease():
    say("held")
    sys.stdin.read()
"""
    holder = bench.process(journal, code)
    assert holder.stdout is not None
    line = holder.stdout.readline()

    def enter() -> None:
        with bench.again(journal).lease():
            pass

    breaches = differs("holder", line, b"held\n") + refused(RunInUseError, enter, "a second runner")
    breaches += refused(RunInUseError, bench.again(journal).check_free, "asking while somebody holds it")
    holder.kill()
    holder.wait()
    enter()
    bench.again(journal).check_free()
    with journal.lease():
        journal.append(draft("run.started", None))
        breaches += refused(RunInUseError, enter, "while this process holds it")
    enter()
    return breaches


def readers_see_whole_groups(bench: JournalBench) -> list[str]:
    """A reader beside a writer sees a beginning of the chain that ends with a group, and never waits for the end."""
    journal, reader, over = bench.begin(), None, Flag()
    breaches: list[str] = []

    def write() -> None:
        for n in range(40):
            journal.append(*(draft("output", key_of(journal), n=n) for _ in range(5)))
        over.set()

    reader = bench.again(journal)
    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(write)
        while not over.is_set() and not breaches and not done.done():
            seen = [e.seq for e in reader.events()]
            breaches += differs("seen", seen, list(range(1, len(seen) + 1))) + differs("group", len(seen) % 5, 0)
            breaches += reader.verify()
        done.result()
    return breaches + differs("all", len(list(reader.events())), 200)


def claims_run_out(bench: JournalBench) -> list[str]:
    """A claim keeps others out while it is not over; it can be renewed, given back, and taken once it ran out."""
    mine = bench.begin()
    yours, key = bench.again(mine), key_of(mine)
    held = mine.claim(key, 600)
    if held is None:
        return ["a free attempt could not be claimed"]
    breaches = differs("a second claim", (yours.claim(key, 600), mine.claim(key, 600)), (None, None))
    breaches += differs("another attempt", yours.claim(key_of(mine, "other"), 600) is not None, True)
    breaches += differs("renewed", mine.renew(held, 600), True)
    mine.release(held)
    breaches += differs("renewed after it was given back", mine.renew(held, 600), False)
    short = yours.claim(key, 0)
    taken = mine.claim(key, 600)
    if short is None or taken is None:
        return [*breaches, "a claim that was given back or ran out could not be taken"]
    breaches += differs("renewed after it was taken", yours.renew(short, 600), False)
    yours.release(short)
    breaches += differs("kept by who took it", (yours.claim(key, 600), mine.renew(taken, 600)), (None, True))
    breaches += differs("shortened to nothing", (mine.renew(taken, 0), mine.renew(taken, 600)), (True, False))
    return breaches


def one_of_many_gets_the_claim(bench: JournalBench) -> list[str]:
    """However many ask at once, one gets it."""
    journal = bench.begin()
    with ExitStack() as stack:
        handles = [bench.again(journal) for _ in range(4)]
        pool = stack.enter_context(ThreadPoolExecutor(len(handles)))
        breaches = []
        for n in range(5):
            key = key_of(journal, f"t{n}")
            got = list(pool.map(lambda one, key=key: one.claim(key, 600), handles))
            breaches += differs("winners", sum(one is not None for one in got), 1)
    return breaches


CROWD: tuple[Check, ...] = (
    threads_and_processes_append, what_was_reported_survives_a_kill, a_kill_at_the_commit_leaves_all_or_nothing,
    one_runner_at_a_time, readers_see_whole_groups, claims_run_out, one_of_many_gets_the_claim,
)  # fmt: skip
