"""What all results of one run of aider's benchmark say together: model, edit format, commit, number of tries."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from denominator.errors import InputError
from denominator.importers.formats.aider.layout import Run, place_of
from denominator.records.foreign import Told
from denominator.wire.sources import Source, loose_json

ONE_OF = {"model": "models", "edit_format": "edit formats", "commit_hash": "commits of aider"}
"""Fields that are one thing of a whole run, and what to call several of them."""
ALSO = ("editor_model", "editor_edit_format", "reasoning_effort")
FEW = 20
DIRTY = "-dirty"


@dataclass(slots=True)
class Survey:
    """Values of fields over all results, how many tries the ones without a pass show, and what else is counted."""

    found: dict[str, set[str]] = field(default_factory=dict)
    red: Counter[int] = field(default_factory=Counter)
    longest: int = 0
    at_first: int = 0
    elsewhere: list[str] = field(default_factory=list)

    def document(self) -> dict[str, object]:
        """What is the same in all results, in the words of a manifest."""
        words = {"model": "model_id", "edit_format": "edit_format", "commit_hash": "harness_commit"}
        words |= {name: name for name in ALSO}
        found = {word: self._only(name) for name, word in words.items()}
        if len(self.red) == 1 and self.longest <= next(iter(self.red)):
            found["tries"] = str(next(iter(self.red)))
        return {word: value for word, value in found.items() if value}

    def unknown(self) -> dict[str, str]:
        """What this run's files leave open, and why."""
        told = {"harness_commit": self._no_commit(), "model_id": "", "edit_format": ""}
        for name, word in (("model", "model_id"), ("edit_format", "edit_format")):
            if len(self.found.get(name, ())) != 1:
                told[word] = f"the results name {len(self.found.get(name, ()))} {ONE_OF[name]}"
        if "tries" not in self.document():
            told["tries"] = "no list of outcomes without a pass says how many tries there were"
        return {word: why for word, why in told.items() if why}

    def _no_commit(self) -> str:
        commits = self.found.get("commit_hash", set())
        if len(commits) == 1 and next(iter(commits)).endswith(DIRTY):
            return f"aider was changed and not committed ({next(iter(commits))})"
        return "" if len(commits) == 1 else f"the results name {len(commits)} commits of aider"

    def _only(self, name: str) -> str:
        """The one value of a field; a commit with changes on top names no code."""
        found = self.found.get(name, set())
        value = next(iter(found)) if len(found) == 1 else ""
        return "" if name == "commit_hash" and value.endswith(DIRTY) else value

    def tell(self, told: Told, run: str) -> None:
        """Mixtures, tries that differ, results that were made elsewhere, and the count of the first try."""
        for name, what in ONE_OF.items():
            if len(values := sorted(self.found.get(name, ()))) > 1:
                said = f"the results of one run name {len(values)} {what}: " + ", ".join(values[:4])
                told.say(f"mixed_{name}", run, said)
        if any(value.endswith(DIRTY) for value in self.found.get("commit_hash", ())):
            told.say("dirty_commit", run, "aider was changed and not committed when the run was made", blocks=False)
        if len(self.red) > 1 or (self.red and self.longest > max(self.red)):
            lengths = ", ".join(map(str, sorted({*self.red, self.longest})))
            told.say("tries_differ", run, f"exercises got different numbers of tries ({lengths})")
        if self.elsewhere:
            what = f"{len(self.elsewhere)} results say that they were made in another run's folder"
            told.say("copied_results", run, what, *self.elsewhere[:FEW], blocks=False)
        told.notes.append(
            f"passed at the first try: {self.at_first} (what pass_rate_1 counts); a row passes where any of its tries did"
        )


def surveyed(files: Source, run: Run) -> Survey:
    """Look at every result once, one at a time."""
    survey = Survey()
    for task, name in sorted(run.results.items()):
        try:
            found = loose_json(files.read(name), name)
        except InputError:
            continue
        if isinstance(found, dict) and "exception" not in found:
            _add(survey, found, task, name)
    return survey


def _add(survey: Survey, found: dict[str, Any], task: str, name: str) -> None:
    for key in (*ONE_OF, *ALSO):
        seen = survey.found.setdefault(key, set())
        if isinstance(value := found.get(key), str) and value.strip() and len(seen) < FEW:
            seen.add(value.strip()[:200])
    outcomes = outcomes_of(found)
    if outcomes:
        survey.at_first += outcomes[0]
        survey.longest = max(survey.longest, len(outcomes))
        if not any(outcomes):
            survey.red[len(outcomes)] += 1
    here, said = place_of(name), place_of(f"{found.get('testdir')}/x")
    if here and said and said.run and here.run and said.run.rpartition("/")[2] != here.run.rpartition("/")[2]:
        survey.elsewhere.append(task)


def outcomes_of(found: dict[str, Any]) -> list[bool] | None:
    """The outcome of each try, or None where there is no such list."""
    outcomes = found.get("tests_outcomes")
    whole = isinstance(outcomes, list) and all(isinstance(one, bool) for one in outcomes)
    return outcomes if whole else None
