"""Takes secrets out of log lines."""
