"""The envelope under which our own runner is benched: one task, one repeat, a model on loopback that plays a script."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from denominator._version import __version__
from denominator.records.envelopes import ProviderFault
from denominator.testing.scripted_server import MODEL

KEY_ENV = "FAULTBENCH_PROVIDER_KEY"
KEY = "none-is-needed"
DISK_BYTES = 96 << 20
"""The small disk of a run: a copy of a pack, a journal, blobs and a graded tree, with room to spare."""


def envelope_text(pack: Path, agent: Path, url: str, fault: ProviderFault | None, limit_s: int) -> str:
    """The text of its envelope.toml; `agent` is the folder that the sandbox shows at /opt/agent.

    An attempt has a third of `limit_s`: the runner ends it itself before the bench takes the runner for one that hangs.
    """
    wall_s = max(1, limit_s // 3)
    head = {
        "schema_version": 1,
        "question": "Does an attempt that was interrupted end as one that was not?",
        "pack": str(pack),
        "treatment": [],
    }
    arm = {
        "label": "bench",
        "agent": "command",
        "agent_version": __version__,
        "command": ["{python}", "-I", "-B", "/opt/agent/agent.py", "{task_id}"],
        "mounts": [f"{agent}=/opt/agent"],
    }
    model = {
        "id": MODEL,
        "snapshot": f"{MODEL}-2026-11-30",
        "endpoint": url,
        "key_env": KEY_ENV,
        "access_class": "self_hosted",
        "server_class": "local",
        "temperature": "0",
        "seed": "none",
        "max_output_tokens": 64,
    }
    tables: list[tuple[str, dict[str, object]]] = [
        ("arm.model", dict(model)),
        ("arm.env", {"ADDRESS": "{model_url}"}),
        ("budget", {"wall_s": wall_s, "working_s": wall_s, "tokens": 1_000_000, "tool_calls": 50, "attempts": 3, "repeats": 1,
                    "incarnations_max": 20}),
        ("policy", {"on_timeout": "fail"}),
        ("policy.retry", {"rate_limited": 2, "server_error": 2, "timeout": 0, "infra": 2}),
        ("sandbox", {"backend": "bubblewrap", "network": "gateway", "memory_mb": 512, "processes": 64, "disk_mb": 64,
                     "file_mb": 16}),
        ("run", {"concurrency": 1, "warmup_tasks": 0, "min_free_disk_mb": 1}),
        ("ceilings", {"invalid_rate": "0.99", "infra_rate": "0.99"}),
        ("metric", {"headline": "headline_pass_rate", "scorer": "tests"}),
        ("cite", {"sentence": "attempts of the bench survive their faults", "rule": "never: faults were injected"}),
        ("provenance", {"operator": "the fault bench", "purpose": "durability"}),
        ("gateway", {}),
    ]  # fmt: skip
    text = _lines(head) + "\n[[arm]]\n" + _lines(arm)
    text += "".join(f"\n[{name}]\n{_lines(values)}" for name, values in tables)
    return text + (f"\n[[gateway.fault]]\n{_lines(_fault(fault))}" if fault else "")


def _fault(fault: ProviderFault) -> dict[str, object]:
    return {
        "kind": fault.kind, "task": fault.task, "repeat": fault.repeat, "attempt": fault.attempt, "call": fault.call,
        "times": fault.times, "value": fault.value,
    }  # fmt: skip


def _lines(table: Mapping[str, object]) -> str:
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items())
