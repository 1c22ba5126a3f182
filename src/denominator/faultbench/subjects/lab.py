"""What all trials of our own runner share: the pack, the agent with its solutions, and the model on loopback."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from denominator.faultbench.subjects.effects import Effect, make_effect
from denominator.records.packs import FoundPack
from denominator.testing.scripted_server import ScriptedServer


@dataclass(frozen=True, slots=True)
class Lab:
    """`place` is scratch of the bench; the server's address is sealed into every run; each process has `limit_s` seconds."""

    found: FoundPack
    place: Path
    server: ScriptedServer
    effects: Mapping[str, Effect]
    limit_s: int

    @property
    def agent(self) -> Path:
        """The folder that the sandbox shows at /opt/agent."""
        return self.place / "agent"

    @classmethod
    def prepare(cls, found: FoundPack, tasks: tuple[str, ...], place: Path, limit_s: int) -> Lab:
        """Write the agent and the solutions of the tasks; the server answers from here on."""
        agent = place / "agent"
        agent.mkdir(mode=0o755, parents=True)
        program = files("denominator").joinpath("faultbench", "inside", "agent.py").read_text(encoding="utf-8")
        (agent / "agent.py").write_text(program, encoding="utf-8")
        by_id = {task.id: task for task in found.pack.tasks}
        made = {task: make_effect(found, by_id[task], agent / "tasks" / task) for task in tasks}
        server = ScriptedServer(_commands)
        server.__enter__()
        return cls(found, place, server, made, limit_s)

    def close(self) -> None:
        """The server answers no more."""
        self.server.__exit__()


def _commands(request: Mapping[str, object]) -> list[str]:
    """What the model wants done: the edit, a look, and then nothing more."""
    messages = request["messages"]
    assert isinstance(messages, list)
    task = str(messages[0]["content"])
    return [f"sh /opt/agent/tasks/{task}/solve.sh", "ls"]
