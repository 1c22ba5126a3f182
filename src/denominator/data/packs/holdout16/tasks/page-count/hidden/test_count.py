import unittest

import sut


class CountTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sut = sut.Session()

    @classmethod
    def tearDownClass(cls):
        cls.sut.close()

    def count(self, total, size):
        return self.sut.call("pager.pages:page_count", total, size)

    def test_partly_filled(self):
        self.assertEqual([self.count(n, 10) for n in (1, 9, 11, 21)], [1, 1, 2, 3])

    def test_full(self):
        self.assertEqual([self.count(n, 10) for n in (10, 20)], [1, 2])
        self.assertEqual(self.count(3, 1), 3)

    def test_nothing(self):
        self.assertEqual(self.count(0, 10), 0)

    def test_pages_stay(self):
        self.assertEqual(self.sut.call("pager.pages:page", [1, 2, 3], 2, 2), [3])
