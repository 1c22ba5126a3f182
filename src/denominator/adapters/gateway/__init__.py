"""The recording relay between an agent in the sandbox and one model endpoint."""
