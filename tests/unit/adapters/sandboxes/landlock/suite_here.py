"""The public suite on the weak sandbox, in a process of its own whose uid was chosen before: one JSON object."""

import json
import tempfile
import traceback
from pathlib import Path

from denominator.adapters.sandboxes.landlock.backend import Landlock
from denominator.records.envelopes import SandboxTerms
from denominator.testing.sandbox_suite import BASIC, ISOLATION, Bench

box = Landlock()
found = {}
for check in (*BASIC, *ISOLATION):
    with tempfile.TemporaryDirectory() as folder:
        try:
            found[check.__name__] = check(Bench(sandbox=box, folder=Path(folder)))
        except Exception:
            found[check.__name__] = [traceback.format_exc()]
facts = box.facts(SandboxTerms())
absent = [each.name for each in facts.protections if not each.holds]
box.close()
print(json.dumps({"found": found, "absent": absent, "usable": facts.why_not, "mode": facts.mode}))
