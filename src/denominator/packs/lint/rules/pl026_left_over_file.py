"""A file that nobody meant to ship lies where the agent can open it: a patch, scratch, ignored build output.

Why: the fix of a task often stays behind as a patch in a temporary folder, or in what a build made of the fixed source.
Bad: `/tmp/fix.patch` in the image; `repo/fix.diff` that changes the file to be mended; `repo/build/lib/bill.py` of a later
build; `repo/.bash_history` of who made the fix.
Good: the files of the base commit and nothing else. A sandbox of ours has an empty /tmp and nothing outside the snapshot.
Fix: remove it. A patch that touches a path of the gold patch blocks, and so does a piece of a patch that adds a line of
it, any file in a temporary folder, any patch outside the repository and any history of a shell; other patches, scratch
folders and files that .gitignore names are notes.
"""

import re
from collections.abc import Iterator

from denominator.errors import DenominatorError
from denominator.packs.lint.leaks import LINE_LEAST, squeeze
from denominator.packs.lint.material import Material, TaskMaterial
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding
from denominator.wire.ignored import NAME, Ignores
from denominator.wire.trees import parse_unified, read_file

READ_MAX = 5 << 20
_PATCH = re.compile(r"\.(?:patch|diff|rej|orig|bundle)(?:\.\w+)?\Z", re.IGNORECASE)
_TEMPORARY = re.compile(r"\A/?(?:private/)?(?:tmp|var/tmp|dev/shm|var/cache|run|root|home/[^/]+)/")
_ANSWER = re.compile(
    r"(?:\A|[/_.-])(?:fix|fixed|gold|golden|solution|answer|oracle|reference)(?:[/_.-]|\Z)", re.IGNORECASE
)
_HISTORY = re.compile(
    r"(?:\A|/)(?:\.(?:\w+_)?history|\.lesshst|\.viminfo|\.local/share/fish/fish_history|fish_history)\Z"
)
_SCRATCH = re.compile(r"(?:\A|/)(?:\.?tmp|\.?temp|scratch)/")
FIX = "remove it"


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """Outside the repository, then inside it."""
    for item in pack.tasks:
        for path in item.outside:
            sure = bool(_PATCH.search(path) or _TEMPORARY.match(path) or _ANSWER.search(path))
            what = f"a file outside the repository that the agent can open: {path}"
            yield rule.finding(item.task.id, what, where=item.where, fix=FIX, severity="block" if sure else "note")
        if item.states("folder"):
            yield from _inside(rule, item)


def _inside(rule: Rule, item: TaskMaterial) -> Iterator[Finding]:
    ignores = _ignores(item)
    for file in item.repo_files:
        where = item.in_repo(file.path)
        if file.path.endswith((".patch", ".diff")) and file.size <= READ_MAX:
            touched = sorted(_touched(item, file.path))
            line = "" if touched else _gold_line(item, file.path)
            what = (
                f"a patch of {', '.join(touched)}, as the gold patch is one"
                if touched
                else "a patch: what does it mend?"
            )
            what = f"a patch with a line of the gold patch: {line}" if line else what
            severity = "block" if touched or line else "note"
            yield rule.finding(item.task.id, what, where=where, fix=FIX, severity=severity)
        elif _HISTORY.search(file.path):
            yield rule.finding(item.task.id, "what somebody typed, perhaps while making the fix", where=where, fix=FIX)
        elif _SCRATCH.search(file.path):
            yield rule.finding(item.task.id, "lies in a scratch folder", where=where, fix=FIX, severity="note")
        elif ignored := ignores.of(file.path):
            what = f"is ignored by {ignored.file} ({ignored.line.strip()}), so no commit holds it: build output?"
            yield rule.finding(item.task.id, what, where=where, fix=FIX, severity="note")


def _touched(item: TaskMaterial, path: str) -> set[str]:
    """Paths of the gold patch that this patch changes too, whatever folder it counts from."""
    try:
        diffs = parse_unified(read_file(item.paths.repo, path))
    except (DenominatorError, OSError):
        return set()
    changed = {one for diff in diffs for one in (diff.old, diff.new) if one}
    gold = item.gold.paths if item.gold else ()
    return {
        mine for mine in gold for one in changed if f"/{one}".endswith(f"/{mine}") or f"/{mine}".endswith(f"/{one}")
    }


def _gold_line(item: TaskMaterial, path: str) -> str:
    """A line that gold adds and this piece of a patch adds too, "" for none; pieces need no head to be read by an agent."""
    added = {squeeze(line): line.strip() for _, line in item.gold.added} if item.gold else {}
    try:
        lines = read_file(item.paths.repo, path).decode("utf-8", "replace").splitlines()
    except OSError:
        return ""
    mine = [squeeze(line[1:]) for line in lines if line.startswith("+")]
    return next((added[one] for one in mine if len(one) >= LINE_LEAST and one in added), "")


def _ignores(item: TaskMaterial) -> Ignores:
    """What the snapshot's own .gitignore files say."""
    prefix = item.in_repo("")
    texts = {text.path.removeprefix(prefix): "\n".join(text.lines) for text in item.repo}
    return Ignores({path: text for path, text in texts.items() if path == NAME or path.endswith(f"/{NAME}")})


RULE = Rule("PL026", "left-over-file", __doc__, check, cards=True)
