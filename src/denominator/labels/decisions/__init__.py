"""What can decide how an attempt ended, one question a function; `labels/ending.py` holds their order."""
