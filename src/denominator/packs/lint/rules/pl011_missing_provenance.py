"""A licence, a reason, a commit or another text that a pack owes its readers is missing or a placeholder.

Why: a pack without a licence cannot be shared, without a reason nobody can judge the choice of tasks, without a
commit nobody finds the source.
Bad: `license = ""`, `reason = "REPLACE: ..."`, `commit = "main"`.
Good: `license = "MIT"`, `reason = "state over many calls"`, a commit of 40 hex digits.
Fix: fill the field in. Empty strings and template placeholders count as missing.
"""

import re
from collections.abc import Iterator

from denominator.packs.lint.material import Material, TaskMaterial
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding
from denominator.records.packs import Pack
from denominator.records.values import is_placeholder

_COMMIT = re.compile(r"[0-9a-f]{40}\Z")


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """The pack's fields, then each task's."""
    for field in _missing_in_pack(pack.pack):
        where = pack.provenance_file if field.startswith("provenance.") else "pack.toml"
        yield rule.finding(pack.pack.id, f"{field} is not filled in", where=where, fix=f"fill in {field}")
    for item in pack.tasks:
        for field in ("title", "reason", "license"):
            if is_placeholder(getattr(item.task, field)):
                yield rule.finding(
                    item.task.id, f"{field} is not filled in", where=item.line_of(field), fix=f"fill in {field}"
                )
        yield from _source(rule, item)
        yield from _prompt(rule, item)


def _missing_in_pack(pack: Pack) -> list[str]:
    texts = {
        "version": pack.version,
        "title": pack.title,
        "license": pack.license,
        "reason": pack.reason,
        "selection.rule": pack.selection.rule,
        "provenance.created": pack.provenance.created,
        "provenance.authors": " ".join(a for a in pack.provenance.authors if not is_placeholder(a)),
    }
    return [field for field, value in texts.items() if is_placeholder(value)]


def _source(rule: Rule, item: TaskMaterial) -> Iterator[Finding]:
    source = item.task.source
    if source.kind == "git" and not _COMMIT.match(source.commit):
        what = "source.commit is not a full commit of 40 hex digits"
        yield rule.finding(item.task.id, what, where=item.line_of("commit"), fix="git rev-parse HEAD")
    if source.kind == "git" and is_placeholder(source.url):
        yield rule.finding(
            item.task.id, "source.url is not filled in", where=item.line_of("url"), fix="fill in source.url"
        )


def _prompt(rule: Rule, item: TaskMaterial) -> Iterator[Finding]:
    where = item.relative(item.paths.prompt)
    if item.prompt is None or is_placeholder("\n".join(item.prompt.lines)):
        yield rule.finding(
            item.task.id,
            "prompt.md is missing, not UTF-8 or a placeholder",
            where=where,
            fix="state the behaviour that is wanted",
        )


RULE = Rule("PL011", "missing-provenance", __doc__, check)
