"""What lies beside the rows of a run: settings, verdicts, what was published."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from denominator.errors import InputError
from denominator.importers.agentruns import NAMED, counted, last_of, table_of
from denominator.importers.foreign import declared, readable_id, undeclared
from denominator.importers.formats.openhands.folder import COSTS, METADATA, REPORT, Folder
from denominator.importers.swebench.cases import Said
from denominator.importers.swebench.lists import RunReport, looks_like_report, read_report
from denominator.records.declarations import Declaration
from denominator.records.foreign import Published, Told
from denominator.wire.sources import Source, lines_of, loose_json

NO_PLAN = "no file of the run lists the instances that were selected"
IDS_BYTES = 8 << 20


@dataclass(slots=True)
class Beside:
    """`attempts` None: nothing says how many the critic may ask for."""

    document: dict[str, object] = field(default_factory=dict)
    report: RunReport | None = None
    attempts: int | None = None
    limit: int = 0
    selection: str = ""

    def said_of(self, task: str) -> Said:
        """What the run report says of an id: its state, the harness's mark, the reason."""
        if self.report is None:
            return Said()
        tier = next((name for name in ("infra", "ambiguous") if self.report.has(name, task)), "")
        return Said(self.report.state(task), tier, self.report.reasons.get(task, ""))


def beside(files: Source, folder: Folder, told: Told) -> Beside:
    """Everything but the rows. A file that cannot be read is told."""
    found = Beside()
    _settings(found, _document(files, folder.of(METADATA), "settings", told))
    for name in sorted(folder.reports, key=lambda one: (last_of(one) != REPORT, one)):
        if looks_like_report(files, name):
            _report(found, files, name, told)
        else:
            told.files[name] = "no run report: not read"
    costs = _document(files, folder.of(COSTS), "costs as published", told)
    for name, value in table_of(costs, "summary").items():
        if name != "average_duration" and isinstance(value, int | Decimal):
            told.published.append(
                Published(metric=str(name)[:80], value=str(value), unit="count", role="cost", where=folder.of(COSTS))
            )
    return found


def _report(found: Beside, files: Source, name: str, told: Told) -> None:
    told.files[name] = "verdicts of the harness"
    try:
        if found.report is None:
            found.report = read_report(files, name, told)
            return
        other = read_report(files, name, Told())
    except InputError as error:
        told.say("broken_file", name, error.what)
        return
    first = found.report
    odd = [task for task in first.every() if other.has("completed", task) and first.state(task) != other.state(task)]
    if odd:
        what = f"{len(odd)} ids were graded twice, with two results; those of {first.file} are taken"
        told.say("conflicting_gradings", name, what, *sorted(odd)[:NAMED])


def _document(files: Source, name: str, what: str, told: Told) -> dict[str, Any]:
    if not name:
        return {}
    told.files[name] = what
    try:
        found = loose_json(files.read(name), name)
    except InputError as error:
        told.say("broken_file", name, error.what, blocks=False)
        return {}
    return found if isinstance(found, dict) else {}


def _settings(found: Beside, told: Mapping[str, Any]) -> None:
    """The conditions of `metadata.json`, of this version and of older ones. No addresses, no keys, no paths."""
    llm = table_of(told, "llm") or table_of(told, "llm_config")
    found.attempts = counted(told.get("n_critic_runs")) or counted(told.get("max_attempts"))
    found.limit = counted(told.get("eval_limit")) or counted(told.get("eval_n_limit")) or 0
    chosen = told.get("selected_instances_file")
    found.selection = last_of(chosen.replace("\\", "/")) if isinstance(chosen, str) else ""
    critic, retries = told.get("critic"), counted(told.get("max_retries"))
    kind = table_of(told, "critic").get("kind") or (critic if isinstance(critic, str) else "")
    dataset = told.get("dataset")
    stated: dict[str, object] = {
        "agent_id": told.get("agent_class"),
        "model_id": llm.get("model"),
        "temperature": llm.get("temperature"),
        "top_p": llm.get("top_p"),
        "seed": llm.get("seed"),
        "max_output_tokens": llm.get("max_output_tokens"),
        "transport_retries": llm.get("num_retries"),
        "turn_cap": told.get("max_iterations"),
        "dataset_split": told.get("dataset_split", told.get("data_split")),
        "harness_commit": told.get("git_commit"),
        "sandbox": told.get("workspace_type"),
        "tool_preset": told.get("tool_preset"),
        "max_attempts": found.attempts,
        "retry_policy": None if retries is None else f"an instance that breaks is begun again up to {retries} times",
        "selection": f"the attempt that {kind or 'a critic'} takes, the latest of equal ones"
        if found.attempts
        else None,
    }
    found.document = {
        key: value for key, value in stated.items() if isinstance(value, str | int | Decimal) and value != ""
    }
    if isinstance(dataset, str) and dataset and not dataset.startswith(("/", "~")):
        found.document["dataset"] = {"name": dataset}


def plan_of(name: str, files: Source, folder: Folder, found: Beside, told: Told) -> Declaration:
    """A selection file beside it, else the limit, else the ids of the data set that the report lists."""
    path = f"{folder.path}/{found.selection}" if folder.path else found.selection
    if found.selection and path in files.names() and files.size(path) <= IDS_BYTES:
        told.files[path] = "the ids that were selected"
        texts = (line.data.decode("utf-8", "replace").strip() for line in lines_of(files, path))
        return declared(
            name, [one for text in texts if text and (one := readable_id(told, path, text))], told=told, where=path
        )
    report = found.report
    total = report.counts.get("total_instances") if report is not None else None
    if found.limit:
        return undeclared(name, NO_PLAN, found.limit if total is None else min(found.limit, total))
    if report is None or found.selection:
        why = f"{NO_PLAN}: {found.selection} is not beside it" if found.selection else NO_PLAN
        return undeclared(name, why)
    ids = [task for task in report.every() if report.state(task) != "submitted"]
    if total is not None and total != len(ids):
        what = f"the report counts {total} instances and lists {len(ids)}"
        told.say("dataset_size_mismatch", report.file, what)
        return undeclared(name, NO_PLAN, total)
    return declared(name, ids, told=told, where=report.file)
