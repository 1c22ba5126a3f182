import unittest

import sut


class Counter(unittest.TestCase):
    def test_free(self):
        with sut.Session() as session:
            self.assertEqual(session.call("shop:pay", session.stub(None), 7), "free")
