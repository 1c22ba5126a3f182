"""A manifest that declares as many draws of each task as the file holds for one model.

python metr_manifest.py FILE MODEL ON_TIMEOUT REVISION CEILING > manifest.json

That is a declaration by whoever runs it, not a record of what was scheduled: a run that left no row is not in it.
"""

import json
import sys
from collections import Counter
from pathlib import Path


def main(file: str, model: str, on_timeout: str, revision: str, ceiling: str) -> None:
    """Count the rows of the model by task and print the manifest."""
    with Path(file).open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    draws = Counter(row["task_id"] for row in rows if row["alias"] == model)
    manifest = {
        "claim_id": f"metr-{revision}",
        "dataset": {"name": "all_runs", "revision": revision},
        "draws": dict(sorted(draws.items())),
        "on_timeout": on_timeout,
        "invalid_rate_ceiling": ceiling,
        "max_attempts": 1,
        "scorer": "tests",
    }
    json.dump(manifest, sys.stdout, indent=1)


if __name__ == "__main__":
    main(*sys.argv[1:])
