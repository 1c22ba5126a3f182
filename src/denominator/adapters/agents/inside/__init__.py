"""Scripts of ours that run inside the sandbox: stdlib only, no import of this package."""
