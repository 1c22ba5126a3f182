import unittest

import sut


class ReceiptTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sut = sut.Session()

    @classmethod
    def tearDownClass(cls):
        cls.sut.close()

    def receipt(self, *lines):
        return self.sut.call("receipts.tax:receipt", [list(line) for line in lines])

    def tax(self, *lines):
        return self.receipt(*lines)["tax"]

    def test_half_to_even(self):
        self.assertEqual([self.tax((net, 70)) for net in (50, 150, 250, 350)], [4, 10, 18, 24])
        self.assertEqual([self.tax((net, 5)) for net in (100, 300, 99, 101)], [0, 2, 0, 1])

    def test_returns(self):
        self.assertEqual([self.tax((net, 70)) for net in (-50, -150, -250, -49, -51)], [-4, -10, -18, -3, -4])

    def test_sum_before_rounding(self):
        self.assertEqual(self.tax((3, 190), (3, 190), (3, 190)), 2)
        self.assertEqual(self.tax((3, 190), (3, 70)), 1)

    def test_shape(self):
        self.assertEqual(self.receipt((100, 190), (50, 70), (-100, 190)), {
            "net": 50, "tax": 4, "gross": 54, "by_rate": [{"rate": 70, "net": 50, "tax": 4}, {"rate": 190, "net": 0, "tax": 0}]})
        self.assertEqual(self.receipt(), {"net": 0, "tax": 0, "gross": 0, "by_rate": []})

    def test_large(self):
        self.assertEqual(self.tax((10**20 + 50, 70)), 7 * 10**18 + 4)
