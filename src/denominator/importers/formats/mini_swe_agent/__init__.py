"""mini-swe-agent: an output folder (`preds.json`, `<id>/<id>.traj.json`, `exit_statuses_<time>.yaml`), or one trajectory.

What is read: every `.traj.json` of the folder, in a folder of its task or not, of the forms `mini-swe-agent-1` (1.x),
`mini-swe-agent-1.1` (2.x) and the bare list of messages of the first versions; `preds.json`; all files of exit statuses, the
oldest first; of `minisweagent.log` the one line that says how many instances are run. Conversations are counted and not kept.

Traps of the format:
- These runs hold patches and no verdicts. `Submitted` with a patch is an attempt that nobody has graded yet.
- Whatever ended an attempt without a submission, `preds.json` holds `""` for it; a grader files a crash of the provider under
  empty patches. Versions 1.x wrote the text of the exception there, which a grader reports as a patch that does not apply.
- Where no container could be started there is an entry in `preds.json` and a line of exit statuses, and no trajectory.
- A second start skips every id of `preds.json`, so a crash is final; with `--redo-existing` it deletes trajectory and entry of
  an id before it runs it again, and only the older file of exit statuses remembers the first try.
- `api_calls` counts calls that were begun. A cost of 0 says that no price was known. Replies that could not be parsed were
  billed and, in some versions, are in no sum.
- A limit of 0 is switched off. No file lists the ids that were asked for.

What was done: an id is a draw, its tries are attempts in the order of the files of exit statuses; all but the last have no
trajectory any more. The ending is that of the trajectory, else that of the newest exit status; where both speak and disagree,
or one file lists an id twice, it blocks. A patch is known only where the agent submitted: after any other ending nobody
collected one, so it is unknown and not empty. Text in the place of a patch is told and is no patch. The number of scheduled
draws is taken from the log of a run that was started once; else it is unknown. Usage is the sum over the answers that the
trajectory keeps, complete only where there are as many as calls were begun. A cost is kept as the agent's own account, and
not at all where its calls sum to more. Settings that are not the same in all trajectories (model, version, limits) block.
"""

from __future__ import annotations

from denominator.importers.formats.mini_swe_agent.reading import IMPORTER, MiniSweAgent

__all__ = ["IMPORTER", "MiniSweAgent"]
