"""Folders of aider's benchmark: one `.aider.results.json` an exercise, below `LANGUAGE/exercises/practice/NAME`.

What is read: every `.aider.results.json` of a run, and the folders of its exercises. Folders of an older shape, `RUN/NAME/`, are
read too. Where several runs lie in one folder each is a part. A task is language and name ("python/bowling"): the name alone
occurs in several languages.

Scheduled: every exercise folder that holds a file, for the benchmark copies them before it begins. One without a result was
never recorded and counts. A run that was narrowed (`--num-tests`, `--keywords`) keeps the folders that it never meant to try;
nothing records that, so its ids must be declared by hand. An empty folder cannot be seen in an archive.

Traps:
- A crash of any kind is written as `{"exception": traceback}`. aider's own summary counts it as a completed and failed exercise
  that cost nothing, and a second start passes it by.
- A file that cannot be read is in neither of aider's numbers, so its percent has another denominator than its own total.
- One file holds several tries: `tests_outcomes` is the result of each, up to the first that passed; the second try sees what the
  tests printed. `pass_rate_1` asks for the first, `pass_rate_2` for any of the first two.
- Time limits of tests are counted (`test_timeouts`), not placed: which try ran into one is known only where all did.
- A continued run may mix models, edit formats and versions of aider. `-dirty` behind a commit says that it was not that commit.
- Cost 0 and token counts of 0 say that nobody knows.

What was done: an exercise is one row, one draw, one attempt; it passes where any of its tries did, so the number is
`pass_rate_K` with K the number of tries. K is taken from a list without a pass; lists of different lengths without one block.
Passes at the first try are a note. Exceptions are the harness's; where the class of the exception that was raised last is one
of a provider's client, the provider's: the class alone, never a word of the message. Two models, edit formats or commits in
one run block.
"""

from __future__ import annotations

from collections.abc import Mapping

from denominator.importers.foreign import chosen, declared, readable_id
from denominator.importers.formats.aider.endings import ENDINGS
from denominator.importers.formats.aider.layout import FILE, runs_in
from denominator.importers.formats.aider.rows import rows_of
from denominator.importers.formats.aider.survey import surveyed
from denominator.records.foreign import ForeignRun, Part, Recognition, Told
from denominator.wire.sources import Source


class Aider:
    """Folders with `.aider.results.json` files."""

    name = "aider"
    title = "aider benchmark: folders with .aider.results.json"
    endings = ENDINGS
    cannot_tell: Mapping[str, str] = {
        "model_snapshot": "aider results name the model as it was asked for, not what answered",
        "agent_version": "aider results name a commit of aider, not a version",
        "harness_version": "aider results name a commit of aider, not a version",
        "scoring_script_sha256": "aider results record no digest of the tests",
        "env_image_digest": "aider results record no image",
        "toolchain_digest": "aider results record no compilers and no packages",
        "temperature": "aider results record no sampling parameters",
        "seed": "aider results record no seed",
        "max_output_tokens": "aider results record no limit on tokens",
        "budget_tokens_per_task": "aider results record no limit on tokens",
        "wall_cap_s": "aider results record no limit on time",
        "verify_timeout_s": "aider results count tests that ran too long, and not after how long that is",
        "retry_policy": "aider results do not say whether the run was continued",
        "concurrency": "aider results record no number of threads",
        "network": "aider results do not say whether there was a network",
        "task_slice_sha256": "aider results record no digest of the exercises",
    }

    def recognise(self, files: Source) -> Recognition | None:
        """Names alone: nothing else writes files of this name."""
        runs = runs_in(files)
        if not runs:
            return None
        parts = tuple(
            Part(name=name, title=f"{len(run.results)} results, {len(run.tasks)} exercises")
            for name, run in runs.items()
        )
        return Recognition(why=f"folders of exercises with {FILE}", parts=parts)

    def read(self, files: Source, part: str = "") -> ForeignRun:
        """The exercises of one run."""
        runs = runs_in(files)
        name = chosen([Part(name=one) for one in runs], part, files.name).name
        run, told = runs[name], Told()
        survey = surveyed(files, run)
        told.files |= dict.fromkeys(run.results.values(), "result of an exercise")
        survey.tell(told, name)
        for task in sorted(run.refused):
            readable_id(told, name, task)
        return ForeignRun(
            name=name,
            arm=name,
            document={
                "run_id": name, "name": "aider exercises", "harness_name": "aider benchmark", "agent_id": "aider",
                "scorer": "tests", **survey.document(),
            },
            declared=declared(name, sorted(run.tasks), told=told, where=name),
            rows=rows_of(files, name, run, told),
            told=told,
            unknown=survey.unknown(),
        )  # fmt: skip


IMPORTER = Aider()
