"""A harness of forty lines that bills a customer once: `bill.py CUSTOMER`. Run it again and it goes on where it was."""

import json
import os
import sys
import time
from pathlib import Path

CUSTOMER = sys.argv[1]
JOURNAL, LEDGER = Path("journal.jsonl"), Path("ledger.txt")


def written():
    """Steps that its journal says are done."""
    lines = JOURNAL.read_text().splitlines() if JOURNAL.exists() else []
    return [json.loads(line)["checkpoint"] for line in lines]


def write(step):
    """One row, on disk when this returns."""
    row = {"task_id": CUSTOMER, "attempt": 1, "checkpoint": step, "payload_digest": CUSTOMER}
    with JOURNAL.open("a") as journal:
        journal.write(json.dumps(row) + "\n")
        journal.flush()
        os.fsync(journal.fileno())


def bill():
    """The effect: one line in the ledger, each time it is done."""
    with LEDGER.open("a") as ledger:
        ledger.write("billed " + CUSTOMER + "\n")


def say(point, word):
    """Say how far it is. A real harness takes its time; this one waits where the bench is about to hit it."""
    print(word, flush=True)
    if os.environ.get("DENOMINATOR_STOP_AT") == point:
        time.sleep(30)


say("context_loaded", "loaded")
if "patch_applied" not in written():
    bill()
    say("patch_applied", "billed, not written down")
    write("patch_applied")
write("tests_run")
