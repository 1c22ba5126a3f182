"""What an exchange holds, read once for all checks: HTTP, events, one message, its tool calls."""
