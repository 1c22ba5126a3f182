"""An agent that does what its prompt says: `DO command`, `SLEEP seconds`, `RAISE ClassName`, in this order of lines."""

from __future__ import annotations

import asyncio

from harbor.agents.base import BaseAgent


class Obedient(BaseAgent):
    """Oracle-like: its prompt is the solution. What it says that it spent is made up."""

    @staticmethod
    def name() -> str:
        return "obedient"

    def version(self) -> str:
        return "0.1"

    async def setup(self, environment) -> None:
        pass

    async def run(self, instruction, environment, context) -> None:
        context.n_input_tokens, context.n_cache_tokens, context.n_output_tokens, context.cost_usd = 120, 20, 8, 0.5
        for line in instruction.splitlines():
            word, _, rest = line.partition(" ")
            if word == "DO":
                await environment.exec(rest)
            elif word == "SLEEP":
                await asyncio.sleep(float(rest))
            elif word == "RAISE":
                raise type(rest, (Exception,), {})("as the prompt says")
