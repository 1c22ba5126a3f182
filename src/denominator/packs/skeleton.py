"""The texts of `pack init`: two tasks that work, to be turned into one's own."""

from __future__ import annotations

PACK_TOML = """\
#:schema ./schemas/pack.json
# A pack: a folder of frozen tasks. Everything that starts with REPLACE counts as missing until you fill it in.
# The two tasks work as they are; turn them into yours. Next: denominator pack lint . ; denominator pack lock .
schema_version = 1
id = "{id}"
# A changed pack is another experiment: raise the version, the lock refuses a new digest under an old one.
version = "0.1.0"
title = "REPLACE: what these tasks are, in a line"
license = "REPLACE: the licence of the tasks, for example MIT"
# Why these tasks? "convenience" is allowed; cards repeat it.
reason = "REPLACE: why these tasks"
# The last day (UTC) on which a run may start, where a test depends on the date: expires = "2027-01-31"

[selection]
# The rule by which tasks were taken ("convenience" is one), and the least numbers that it promises; lint holds the pack
# to them. Without a control nothing shows that a pass is a pass. A holdout has 4 controls and 4 tasks over several files.
rule = "REPLACE: the rule by which tasks were chosen"
controls_min = 1
multi_file_min = 0

# What `denominator pack audit` asks for, and what only people can say; it lists what is not declared.
# [audit]
# mutants_min = [4, 5]
# claim = "what a result may be said to show"
# no_claim = "what it may not be said to show"
# baseline = "a score without a model; none is an answer"
# contamination = "what was done so that no model was trained on the tests"
# update_plan = "when the pack is renewed, and how"
# contact = "whom to tell of a flaw"
# reviewed = "2026-11-29"
"""

PROVENANCE_TOML = """\
#:schema ./schemas/provenance.json
# Who wrote the tasks. It travels with every run: the seal holds it, and a bundle has it as provenance.toml.
schema_version = 1
authors = ["REPLACE: who wrote the tasks"]
created = "REPLACE: a date, unquoted, for example 2026-11-29"
# Models that helped to write tasks; a note when one of them is also an arm. [] when none did.
models = []
# Ids that were taken out, each with its reason: "id: why".
retired = []
# Dates of tasks or files that are not those of `created`.
[dates]
# "tasks/first-task" = 2026-11-29
"""

_TASK_HEAD = """\
# One task. The agent sees repo/, prompt.md and spec/; never this file, hidden/ or gold.patch.
schema_version = 1
"""
_TASK_TAIL = """\
license = "REPLACE: the licence of the repository"
# Stratum, free text: counts are also shown by it.
family = ""
# Does the gold patch touch more than one file?
multi_file = false
# Globs relative to repo/. Anything outside is a scope slip; `forbidden` wins over `allowed`.
allowed = ["*.py"]
forbidden = []

[source]
# folder: repo/ is the source. git: url and the full 40-digit commit; the snapshot still lies in repo/ (no fetch).
kind = "folder"

[verify]
# unittest, pytest, or a command of your own; and how far the solution is kept from the verdict. G3: in a sandbox of its
# own, tests ask it only through `sut` (calls, command lines, files, HTTP). G2: tests may import it. G1: exit status.
runner = "unittest"
level = "G3"
timeout_s = 60
"""

FIRST_TOML = (
    _TASK_HEAD
    + """\
id = "first-task"
title = "REPLACE: the task in a line"
# solvable | negative (then also: control) | canary | floor
slice = "solvable"
# pass | fail | abstain | fail_or_abstain | stay_green
expected = "pass"
reason = "REPLACE: why this task is in the pack"
"""
    + _TASK_TAIL
    + """\
# Exact ids (module.Class.method) that are red on repo/ and green with gold.patch, and at least one that is red on both.
expected_tests = ["test_slug.SlugTest.test_white_space", "test_slug.SlugTest.test_plain"]
counter_tests = ["test_counter.CounterTest.test_wrong_on_purpose"]
"""
)
FIRST_PROMPT = """\
REPLACE: state the behaviour that is wanted, never the patch; do not name hidden tests or their files. For example:
`slug` in `slugs.py` makes the part of an address from a title. "A  big day " gives "a--big-day-". Any run of white space
has to become one hyphen, and none may stand at either end.
"""
FIRST_CODE = '''\
"""Titles as parts of addresses."""


def slug(title):
    """The title in lower case, with hyphens for spaces."""
    return title.lower().replace(" ", "-")
'''
GOLD = '''\
diff --git a/slugs.py b/slugs.py
--- a/slugs.py
+++ b/slugs.py
@@ -4,3 +4,3 @@
 def slug(title):
     """The title in lower case, with hyphens for spaces."""
-    return title.lower().replace(" ", "-")
+    return "-".join(title.lower().split())
'''
FIRST_TESTS = '''\
"""Hidden tests ask the solution from outside: sut.call("module:function", arguments ...) runs it in a process of its own."""

import unittest

import sut


class SlugTest(unittest.TestCase):
    def test_white_space(self):
        self.assertEqual(sut.call("slugs:slug", " A  big\\tday "), "a-big-day")

    def test_plain(self):
        self.assertEqual(sut.call("slugs:slug", "News of May"), "news-of-may")
'''
FIRST_COUNTER = '''\
"""Wrong on purpose: a right solution fails this. A grading in which it passes beside all others is not believed."""

import unittest

import sut


class CounterTest(unittest.TestCase):
    def test_wrong_on_purpose(self):
        self.assertEqual(sut.call("slugs:slug", "News of May"), "news--of-may")
'''

CONTROL_TOML = (
    _TASK_HEAD
    + """\
id = "right-already"
title = "A complaint about code that is right"
# A control: the tests are green on repo/, and an agent that edits it "to be sure" is caught.
slice = "negative"
control = "noop_must_stay_green"
expected = "stay_green"
reason = "shows an agent that edits what works, and a harness that calls everything a pass"
"""
    + _TASK_TAIL
    + """\
# Exact ids that are green on repo/ as it is, and at least one that is red.
expected_tests = ["test_initials.InitialsTest.test_two_names", "test_initials.InitialsTest.test_lower_case"]
counter_tests = ["test_counter.CounterTest.test_wrong_on_purpose"]
"""
)
CONTROL_PROMPT = """\
REPLACE: a complaint that is unfounded, and the rule that says so. For example:
A reader says that `initials` in `names.py` is broken, because "anna de wit" gives "AdW". The rule: initials are those of
all words; a word that is written small keeps a small initial unless it is the first. Mend the code where it differs.
"""
CONTROL_CODE = '''\
"""Names in short."""


def initials(name):
    """The first letters of all words; the first one is always large."""
    letters = "".join(word[0] for word in name.split())
    return letters[:1].upper() + letters[1:]
'''
CONTROL_TESTS = """\
import unittest

import sut


class InitialsTest(unittest.TestCase):
    def test_two_names(self):
        self.assertEqual(sut.call("names:initials", "Anna de Wit"), "AdW")

    def test_lower_case(self):
        self.assertEqual(sut.call("names:initials", "anna de Wit"), "AdW")
"""
CONTROL_COUNTER = """\
import unittest

import sut


class CounterTest(unittest.TestCase):
    def test_wrong_on_purpose(self):
        self.assertEqual(sut.call("names:initials", "Anna de Wit"), "ADW")
"""
README = """\
# How to work on this pack

- `tasks/<id>/`: `prompt.md` and `repo/` are what the agent gets; `hidden/` grades; `gold.patch` is a patch that solves it.
- A gold patch: copy `repo/` somewhere, `git init && git add -A && git commit -m base` there, solve the task, and
  `git diff > .../tasks/<id>/gold.patch`.
- `provenance.toml`: who wrote the tasks, which models helped. It is sealed with every run and travels with every bundle.
- `denominator pack lint .` says what is unfit, `denominator explain PL003` why that matters.
- `denominator pack lock .` runs the hidden tests on `repo/` and on the gold patch, and freezes every file.
- `denominator envelope init --agent oracle O.toml` (with `pack = ".."` or this folder's path in it), then
  `denominator run O.toml`: the oracle's card must be publishable. The same with `nop`: it may pass nothing.
"""

FIRST, CONTROL = "tasks/first-task", "tasks/right-already"
FILES = {
    "provenance.toml": PROVENANCE_TOML,
    "README.md": README,
    f"{FIRST}/task.toml": FIRST_TOML,
    f"{FIRST}/prompt.md": FIRST_PROMPT,
    f"{FIRST}/gold.patch": GOLD,
    f"{FIRST}/repo/slugs.py": FIRST_CODE,
    f"{FIRST}/hidden/test_slug.py": FIRST_TESTS,
    f"{FIRST}/hidden/test_counter.py": FIRST_COUNTER,
    f"{CONTROL}/task.toml": CONTROL_TOML,
    f"{CONTROL}/prompt.md": CONTROL_PROMPT,
    f"{CONTROL}/repo/names.py": CONTROL_CODE,
    f"{CONTROL}/hidden/test_initials.py": CONTROL_TESTS,
    f"{CONTROL}/hidden/test_counter.py": CONTROL_COUNTER,
}
