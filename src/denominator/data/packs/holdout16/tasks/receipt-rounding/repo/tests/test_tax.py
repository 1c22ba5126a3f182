import unittest

from receipts.tax import receipt


class TaxTest(unittest.TestCase):
    def test_two_rates(self):
        got = receipt([[1000, 190], [500, 70], [1000, 190]])
        self.assertEqual((got["net"], got["tax"], got["gross"]), (2500, 415, 2915))


if __name__ == "__main__":
    unittest.main()
