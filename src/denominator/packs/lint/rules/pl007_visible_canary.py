"""A canary token stands where an honest solution could meet it.

Why: the token proves a leak of hidden material only if nothing that the agent sees, and no right patch, holds it.
Bad: the token in the prompt, in a file of the repository, in gold.patch, plainly or encoded; a token of six letters; one
token for two tasks.
Good: a random token of 16 characters or more that stands in hidden files or in task.toml only.
Fix: make a new token, and keep it out of repo/, prompt.md, spec/ and gold.patch.
"""

from collections.abc import Iterator

from denominator.packs.lint.leaks import Hit
from denominator.packs.lint.material import Material, TaskMaterial
from denominator.packs.lint.packed import READ_MAX
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding
from denominator.wire.tokens import token_hits
from denominator.wire.trees import read_file

LEAST = 12


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """Presence, length, uniqueness, and every place where the token stands."""
    owners: dict[str, str] = {}
    for item in pack.tasks:
        token, at = item.task.canary, item.line_of("canary")
        if item.task.slice == "canary" and not token:
            yield rule.finding(item.task.id, "a canary task without a token", where=at, fix='canary = "a random token"')
        if not token:
            continue
        if len(token) < LEAST:
            yield rule.finding(
                item.task.id, f"the token is shorter than {LEAST} characters", where=at, fix="make it longer"
            )
        if owners.setdefault(token, item.task.id) != item.task.id:
            what = f"the token is also that of {owners[token]}; a hit would not say which task leaked"
            yield rule.finding(item.task.id, what, where=at, fix="make a new token")
        for hit in _places(item, token):
            yield rule.finding(item.task.id, "the canary token can be met honestly", where=hit.where, fix="take it out")


def _places(item: TaskMaterial, token: str) -> Iterator[Hit]:
    plain = list(_plain(item, token))
    yield from plain
    if item.states("folder") and len(token) >= LEAST:
        told = {hit.where.partition(":")[0] for hit in plain}
        yield from (hit for hit in _encoded(item, token) if hit.where.partition(":")[0] not in told)


def _encoded(item: TaskMaterial, token: str) -> Iterator[Hit]:
    """Where the search of a run would find it too: in another encoding, or inside something packed."""
    texts = {text.path: "\n".join(text.lines).encode() for text in item.visible}
    if item.gold is not None:
        texts[item.relative(item.paths.gold)] = item.gold.text.encode()
    files = {item.in_repo(one.path): one.path for one in item.repo_files if one.size <= READ_MAX}
    texts |= {where: read_file(item.paths.repo, path) for where, path in files.items()}
    for hit in token_hits(token, texts):
        yield Hit(hit.rpartition(": ")[0], token)


def _plain(item: TaskMaterial, token: str) -> Iterator[Hit]:
    wanted = token.casefold()
    for text in item.visible:
        yield from (
            Hit(f"{text.path}:{number}", token)
            for number, line in enumerate(text.lines, 1)
            if wanted in line.casefold()
        )
    for file in item.repo_files:
        if wanted in file.path.casefold():
            yield Hit(item.in_repo(file.path), token)
    if item.gold is not None and wanted in item.gold.text.casefold():
        yield Hit(item.relative(item.paths.gold), token)


RULE = Rule("PL007", "visible-canary", __doc__, check, cards=True)
