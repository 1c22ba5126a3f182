"""The list of movements."""


class Ledger:
    def __init__(self):
        self._movements = []

    def add(self, kind, order, sku, warehouse, quantity):
        self._movements.append({"kind": kind, "order": order, "sku": sku, "warehouse": warehouse, "quantity": quantity})

    def as_list(self):
        return [dict(movement) for movement in self._movements]
