"""promptfoo results: one JSON document an evaluation, a row for each test, prompt and provider.

What is read: `results.results` of version 3. A *column* is one prompt with one provider (`promptIdx`), and each column is a part.
A task is a test (`test-N`, N its `testIdx`); tests with the same variables and assertions are repeats of the first of them, for
that is how `--repeat` writes them.

Scheduled: `config.tests` times `repeat`, by number, where the tests stand in the document themselves, none of their variables is
a list (each value makes a test of its own) and no filter was set. Otherwise nothing says it.

Traps:
- `failureReason` 2 is an error of the provider, of a transform or of a grader, and no failed assertion; only the sums keep them
  apart. What it was stands in a message; a status is kept only where the provider is read over HTTP.
- A test without assertions passes always.
- `response.cached` rows were answered from a cache: no repeat of them is a new draw, and they cost nothing now.
- Assertions may be judged by a model; then the score is a model's word.
- Sums (`stats`) are over all columns. Cost 0 says that no price was known.
- Version 2 keeps a table for display and does not say whether a row failed or broke: it is refused.
- Provider ids may be paths or addresses with keys in them; `config` may hold keys.

What was done: an error with a status is what the status says of a provider; one without is the harness's, without a verdict. A
test without assertions was not tested. Cached rows are marked as played, so that no rate is made of them. Where assertions
ask a model, the scorer is a model. Sums that differ from the rows block. Of a path or an address only its last name, or its
host, is kept. A document of more than 64 MB is not read.
"""

from __future__ import annotations

from collections.abc import Mapping

from denominator.importers.foreign import chosen
from denominator.importers.formats.promptfoo.cases import Cases
from denominator.importers.formats.promptfoo.conditions import conditions
from denominator.importers.formats.promptfoo.document import columns_of, looks_like, opened
from denominator.importers.formats.promptfoo.endings import ENDINGS
from denominator.importers.formats.promptfoo.plan import plan_of
from denominator.importers.formats.promptfoo.rows import rows_of
from denominator.importers.formats.promptfoo.sums import published, tell_sums
from denominator.records.foreign import ForeignRun, Part, Recognition, Told
from denominator.wire.sources import Source


class Promptfoo:
    """Rows of one prompt with one provider."""

    name = "promptfoo"
    title = "promptfoo: JSON results, version 3"
    endings = ENDINGS
    cannot_tell: Mapping[str, str] = {
        "model_snapshot": "promptfoo results name a provider, not the model that answered",
        "agent_id": "promptfoo results name a provider; what stands behind it is not recorded",
        "agent_version": "promptfoo results record no version of a provider",
        "harness_commit": "promptfoo results record no commit",
        "scoring_script_sha256": "promptfoo results record no digest of what assertions run",
        "env_image_digest": "promptfoo results record no image",
        "budget_tokens_per_task": "promptfoo results record no limit on tokens",
        "retry_policy": "promptfoo results do not say how often a request was made again",
        "network": "promptfoo results do not say whether there was a network",
        "task_slice_sha256": "promptfoo results record no digest of the tests",
    }

    def recognise(self, files: Source) -> Recognition | None:
        """JSON documents that begin as promptfoo's do."""
        found = [name for name in files.names() if looks_like(files, name)]
        parts = tuple(
            Part(name=name, title=title) for file in found for name, title in columns_of(files, file, len(found) > 1)
        )
        return Recognition(why="an evaluation with results by promptIdx and testIdx", parts=parts) if parts else None

    def read(self, files: Source, part: str = "") -> ForeignRun:
        """The rows of one column. InputError: version 2, or no such document."""
        found = opened(files, part)
        name = chosen([Part(name=one) for one in found.columns], part, files.name).name
        column = found.columns[name]
        told = Told(files={found.file: "rows of all columns"})
        cases = Cases(found.rows)
        told.published.extend(published(found, column))
        tell_sums(found, told)
        document, unknown = conditions(found, column)
        run_id = f"{found.eval_id} {name}".strip()
        return ForeignRun(
            name=run_id,
            arm=found.title(column),
            document={"run_id": run_id, **document},
            declared=plan_of(run_id, found.config),
            rows=rows_of(run_id, found, column, cases, told),
            told=told,
            version=found.version,
            unknown=unknown,
        )


IMPORTER = Promptfoo()
