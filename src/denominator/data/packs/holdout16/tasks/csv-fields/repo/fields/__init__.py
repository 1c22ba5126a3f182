"""Fields of a comma-separated line."""
