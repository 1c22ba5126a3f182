import unittest

import sut


class CounterTest(unittest.TestCase):
    def test_items_apart(self):
        self.assertEqual(sut.call("inkwell.fill:fill", "- a\n\n- b", 20), "- a\n\n- b")
