"""What jobs may raise."""


class Transient(Exception):
    """Trying again may help."""
