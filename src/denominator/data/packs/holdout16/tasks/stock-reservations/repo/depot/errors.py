"""What can go wrong."""


class DepotError(Exception):
    """Base of all errors."""


class OutOfStock(DepotError):
    """There is less than was asked for."""


class Conflict(DepotError):
    """The order is not in a state that allows this."""
