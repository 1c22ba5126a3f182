"""The weak backend: Landlock, a system call filter and resource limits, for an ordinary user without any namespace."""
