import unittest

import sut


class SharesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sut = sut.Session()

    @classmethod
    def tearDownClass(cls):
        cls.sut.close()

    def check(self, total, count):
        shares = self.sut.call("payers.split:split", total, count)
        self.assertEqual([type(share) for share in shares], [int] * count)
        self.assertEqual(sum(shares), total)
        self.assertEqual(len(set(shares)), 1)

    def test_even(self):
        self.check(100, 4)
        self.check(0, 3)

    def test_uneven(self):
        self.check(100, 3)

    def test_less_than_a_cent_each(self):
        self.check(1, 2)

    def test_many(self):
        for total in range(20, 30):
            self.check(total, 7)
