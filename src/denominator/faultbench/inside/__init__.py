"""What the bench gives to sandboxes: read as text, never imported by the program."""
