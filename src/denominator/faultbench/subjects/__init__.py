"""What can be benched: our own runner, and any command that has a command to go on."""
