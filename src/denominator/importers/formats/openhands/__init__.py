"""OpenHands benchmarks: an output folder (`output.critic_attempt_<k>.jsonl`, `output.jsonl`, ...), or tables of its index.

What is read: first the attempt files, which hold every attempt, errors too; then `output.jsonl` for which of them was handed
in, and for rows that no attempt file has; `output_errors.jsonl` for ids that stand nowhere else; verdicts from
`output.report.json` (a run report of the SWE-bench harness), from `output.swebench_eval.jsonl` of older versions, or from the row
itself (`test_result.resolved`, `score`, `eval_result`); `metadata.json`; `cost_report.jsonl` and `scores.json` as published. Of an
index repository: `instance_results/<benchmark>.json`. Conversations are counted and not kept, whatever kinds of events they hold.

Traps of the format:
- `output.jsonl` holds one row an id, chosen by a critic, and leaves out every row with an error. An agent that spent its
  iterations is such an error (`MaxIterationsReached`): the longest attempts are the ones that vanish.
- The row that was handed in is the best of up to k attempts. Of attempts that the critic takes for equal the latest is handed in,
  so an empty last attempt can replace a patch. A second attempt at temperature 0 is made at 0.1.
- A row with an error has `attempt: 1` in every attempt file: the number in the file's name is the attempt.
- A program that does not know a kind of event refused all old rows and left an empty output; here no event is looked into.
- The limit on an instance runs from when it was queued, so waiting for a box counts, and finished work was thrown away.
- A cost that was read before it was booked is 0. Inner retries of an instance leave no record of what they spent.
- The report's error says nothing of why; ids that are in no file were never attempted.

What was done: an id is a draw, the critic's attempts are its attempts. The report's verdict belongs to the attempt that was handed
in, found by its number and patch. The first completed attempt counts, as everywhere: an empty patch or a spent limit is one,
whatever a later attempt made of it; so the rate is not the report's, and both numbers are told. That there were several attempts
blocks unless `metadata.json` says how many the critic may ask for. The limit on the whole instance is the harness's, so what it
ended is censored. Classes of exceptions are read where the harness writes an exception's message. The scheduled ids are those of
a selection file beside it, else the number is `eval_limit`, else they are the ids of the data set that the report lists. An
attempt whose patch was not graded has no verdict. `resolved: null` of the index is an unknown outcome, and blocks.
"""

from __future__ import annotations

from denominator.importers.formats.openhands.reading import IMPORTER, OpenHands

__all__ = ["IMPORTER", "OpenHands"]
