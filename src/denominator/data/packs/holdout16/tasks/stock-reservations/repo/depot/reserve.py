"""Reservations."""

from depot.errors import OutOfStock
from depot.ledger import Ledger


class Depot:
    """Stock and what is reserved of it."""

    def __init__(self, stock):
        self._free = {sku: dict(places) for sku, places in stock.items()}
        self._ledger = Ledger()

    def available(self, sku):
        return sum(self._free.get(sku, {}).values())

    def reserve(self, order, sku, quantity):
        for warehouse, free in self._free.get(sku, {}).items():
            if free >= quantity:
                self._free[sku][warehouse] -= quantity
                self._ledger.add("reserve", order, sku, warehouse, quantity)
                return warehouse
        raise OutOfStock(f"{order}: {quantity} of {sku}")

    def movements(self):
        return self._ledger.as_list()
