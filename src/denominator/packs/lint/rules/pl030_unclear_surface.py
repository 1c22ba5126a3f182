"""What a solution may use is stated in a way that no checker can hold a patch against.

Why: a green solution that calls something made up is no pass (ASSUME_API). With a specification that cannot be read, or a
reference solution that itself uses what nobody declares, right patches fail that check or no patch can be checked.
Bad: `spec_paths = ["docs/api.json"]` without such a file; a spec/api.json that is no JSON; `packages = ["Py YAML"]`;
a gold patch that imports a package which the task does not declare.
Good: `spec/api.json` (OpenAPI 3), `packages = ["requests:requests", "PyYAML:yaml"]`.
Fix: correct the entry. A specification in YAML and a package without its modules are notes: requests and imports
that are nowhere stay unchecked then.
"""

import json
from collections.abc import Iterator

from denominator.packs.lint.material import Material, TaskMaterial
from denominator.packs.lint.shape import Rule
from denominator.packs.surface import Snapshot, declared_by, names, spec_files
from denominator.readers.api import INVENTED, ApiInputs, package_problem, split_entry, surfaces
from denominator.records.findings import Finding
from denominator.records.values import NotMeasured


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """Packages, then the specification, then the reference solution held against both."""
    for item in pack.tasks:
        if not item.paths.repo.is_dir():
            continue
        repository = Snapshot(item.paths.repo)
        yield from _packages(rule, item)
        yield from _spec(rule, item, repository)
        yield from _gold(rule, item, repository)


def _packages(rule: Rule, item: TaskMaterial) -> Iterator[Finding]:
    entries = item.task.packages
    for entry in () if isinstance(entries, NotMeasured) else entries:
        where = item.line_of("packages")
        if problem := package_problem(entry):
            fix = 'write "requests" or "PyYAML:yaml"'
            yield rule.finding(item.task.id, f'packages: "{entry}" {problem}', where=where, fix=fix)
        elif not split_entry(entry)[1]:
            what = f"packages: {entry} does not say which modules it brings; imports that are nowhere stay unchecked"
            yield rule.finding(item.task.id, what, where=where, fix=f'"{entry}:its_module"', severity="note")


def _spec(rule: Rule, item: TaskMaterial, repository: Snapshot) -> Iterator[Finding]:
    for glob in item.task.spec_paths:
        if not any(names(glob, path) for path in repository):
            what = f'spec_paths: "{glob}" names no file of the repository'
            yield rule.finding(item.task.id, what, where=item.line_of("spec_paths"), fix="correct the path")
    for path, data in sorted(spec_files(item.task, item.paths.spec, repository).items()):
        if path.endswith((".yaml", ".yml")):
            what = f"{path}: YAML is not read; requests are not held against it"
            yield rule.finding(item.task.id, what, where=item.where, fix="give it as JSON", severity="note")
        elif path.endswith(".json") and not _is_json(data):
            what = f"{path} is no JSON"
            yield rule.finding(item.task.id, what, where=item.where, fix="correct the document")


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


def _gold(rule: Rule, item: TaskMaterial, repository: Snapshot) -> Iterator[Finding]:
    gold = item.gold
    if gold is None or gold.problem:
        return
    after = dict(gold.results)
    patch = {path: after.get(path) for path in gold.paths}
    declared, closed = declared_by(item.task, repository, patch)
    spec = spec_files(item.task, item.paths.spec, repository)
    inputs = ApiInputs(
        repository=repository, patch=patch, spec=spec, declared=declared, closed=closed, limited=repository.limited
    )
    for surface in surfaces(inputs):
        if surface.state == INVENTED:
            what = f"the reference uses {surface.kind} {surface.name} ({surface.path}:{surface.line}), {surface.why}"
            fix = "declare the package, or list it in the specification"
            yield rule.finding(item.task.id, what, where=item.relative(item.paths.gold), fix=fix)


RULE = Rule("PL030", "unclear-surface", __doc__, check)
