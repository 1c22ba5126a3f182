"""Scripts that the sandbox shows to itself."""
