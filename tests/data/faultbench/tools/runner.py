"""Four small runners of one task, each a known way to keep (or not to keep) one's place: `runner.py WAY TASK`.

The task is done when ledger.txt holds one line "effect TASK". The effect is an append, so that doing it twice shows.
Each stops itself at the point that DENOMINATOR_STOP_AT names, after its effect and before its row: where it hurts.
"""

import json
import os
import signal
import sys

WAY, TASK = sys.argv[1:]
JOURNAL, LEDGER = "journal.jsonl", "ledger.txt"


def reached(point):
    if os.environ.get("DENOMINATOR_STOP_AT") == point:
        os.kill(os.getpid(), signal.SIGSTOP)


def rows():
    if not os.path.exists(JOURNAL):
        return set()
    return {(row["checkpoint"], row["payload_digest"]) for row in map(json.loads, open(JOURNAL))}


def row(point, digest):
    with open(JOURNAL, "a") as journal:
        journal.write(json.dumps({"task_id": TASK, "attempt": 1, "checkpoint": point, "payload_digest": digest}) + "\n")


def is_done(point):
    return any(name == point for name, _ in rows())


def draft():
    with open("draft.txt", "w") as file:
        file.write("effect " + TASK + "\n")


def effect():
    with open(LEDGER, "a") as ledger:
        ledger.write(open("draft.txt").read())


def effects():
    return open(LEDGER).read().splitlines() if os.path.exists(LEDGER) else []


def test():
    if effects() != ["effect " + TASK]:
        print("red:", effects())
        sys.exit(1)


def retry():
    """No place is kept but the end: a run that did not end is done anew on what the last one left."""
    if os.path.exists("done.txt"):
        return
    reached("context_loaded")
    draft()
    reached("patch_drafted")
    effect()
    reached("patch_applied")
    test()
    reached("tests_run")
    open("done.txt", "w").close()


def row_after():
    """Each step is done, then written down: what is done and not written down is done again."""
    reached("context_loaded")
    for point, act in (("patch_drafted", draft), ("patch_applied", effect), ("tests_run", test)):
        if not is_done(point):
            act()
            reached(point)
            row(point, TASK)


def row_before():
    """Each step is written down, then done: what is written down and not done is lost."""
    reached("context_loaded")
    for point, act in (("patch_drafted", draft), ("patch_applied", effect), ("tests_run", test)):
        if not is_done(point):
            row(point, TASK)
            reached(point)
            act()


def keyed():
    """The intent first, an effect that can be recognised, the row last; a tree that fits neither is refused."""
    reached("context_loaded")
    if not is_done("patch_drafted"):
        draft()
        reached("patch_drafted")
        row("patch_drafted", TASK)
    have = effects()
    if have not in ([], ["effect " + TASK]):
        print("unknown state:", have)
        sys.exit(5)
    if not have:
        with open(LEDGER + ".part", "w") as stage:
            stage.write(open("draft.txt").read())
            stage.flush()
            os.fsync(stage.fileno())
        os.rename(LEDGER + ".part", LEDGER)
    reached("patch_applied")
    if not is_done("patch_applied"):
        row("patch_applied", TASK)
    test()
    reached("tests_run")
    if not is_done("tests_run"):
        row("tests_run", TASK)


{"retry": retry, "row_after": row_after, "row_before": row_before, "keyed": keyed}[WAY]()
