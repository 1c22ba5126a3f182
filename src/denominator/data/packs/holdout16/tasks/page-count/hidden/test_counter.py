import unittest

import sut


class CounterTest(unittest.TestCase):
    def test_always_one_more(self):
        self.assertEqual(sut.call("pager.pages:page_count", 20, 10), 3)
