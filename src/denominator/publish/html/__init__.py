"""Pages that work offline, on paper, on a phone and without a script: one file, everything in it."""
