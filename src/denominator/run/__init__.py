"""What to do next in a run, decided from journal events alone: pure decisions, no act."""
