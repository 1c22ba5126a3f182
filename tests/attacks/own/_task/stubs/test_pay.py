import unittest

import sut


class Pay(unittest.TestCase):
    def test_once(self):
        with sut.Session() as session:
            charge = session.stub(None)
            self.assertEqual(session.call("shop:pay", charge, 5), "paid")
            self.assertEqual(session.stub_log(charge)["calls"], [[[5], {}]])
