import unittest

from depot.errors import DepotError
from depot.reserve import Depot


class DepotTest(unittest.TestCase):
    def test_available(self):
        depot = Depot({"bolt": {"east": 3, "west": 4}})
        self.assertEqual((depot.available("bolt"), depot.available("nut")), (7, 0))
        self.assertEqual(depot.movements(), [])

    def test_errors_have_one_base(self):
        from depot import errors
        self.assertTrue(issubclass(errors.OutOfStock, DepotError) and issubclass(errors.Conflict, DepotError))


if __name__ == "__main__":
    unittest.main()
