"""SWE-agent: an output folder (`<id>/<id>.traj`, `.pred`, `preds.json`), the folders of versions 0.x, or one trajectory.

What is read: every `.traj` of the folder, in a folder of its id, right below, or below `trajs/`; `<id>.pred`, `preds.json`,
`all_preds.jsonl`; `run_batch_exit_statuses.yaml`; the settings in a trajectory's `replay_config` (an object, or JSON inside a
text), in `run_batch.config.yaml`, and in `args.yaml` of versions 0.x. A `results.json` that a hosted evaluation left is named
as published, never read as verdicts. Trajectories are counted and not kept.

Traps of the format:
- These runs hold patches and no verdicts. `submitted` with a patch is an attempt that nobody has graded yet.
- After most errors the harness submits what is on disk: `submitted (exit_cost)` is a spent budget *and* a patch. Only where there
  was nothing to submit the bare `exit_cost` remains. `exit_error` and `exit_api` are where rate limits end.
- A trajectory without an exit status was being written when the run died; a later start deletes it, and one with `early_exit`,
  and runs the id again. Everything else is skipped: `skipped (submitted)` in the exit statuses is an old ending.
- `preds.json` leaves out predictions without `model_patch`; a prediction of `null` stays and is graded as an empty patch.
- The retry agent keeps all its tries in `attempts`; the trajectory at the top is a copy of the one that its own reviewer chose, and
  `model_stats` is the sum of all tries and of the reviewer: adding the tries counts twice. `attempt_<k>/` beside it are the same.
- `total_cost` of versions 0.x runs on over all instances. Tokens are SWE-agent's own estimate, not the provider's count.
- No file lists the ids that were asked for; `run_batch.config.yaml` names subset, split, filter and slice.

What was done: one id is one draw and one row, tries of the retry agent included: its reviewer sees no hidden test, so choosing is
a part of the agent; how many tries there were, which was chosen and how each ended is kept beside the row, and the rule of
choice is a condition (`selection`). An ending after which a patch was submitted anyway states both: that the cap was reached
before (`after_cap`) or what broke, and the patch. A class of exception in a message that the harness itself wrote (`exit_error`,
`exit_api`) names the cause. Where trajectory, prediction and exit statuses contradict each other it blocks. The scheduled number
is unknown. Settings that are not the same in all trajectories block.
"""

from __future__ import annotations

from denominator.importers.formats.swe_agent.reading import IMPORTER, SweAgent

__all__ = ["IMPORTER", "SweAgent"]
