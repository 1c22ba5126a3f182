"""Agents: they turn a task into a command for the sandbox and run nothing themselves (docs/formats/agent.md)."""
