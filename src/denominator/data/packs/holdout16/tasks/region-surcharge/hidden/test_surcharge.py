import unittest

import sut


class SurchargeTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sut = sut.Session()

    @classmethod
    def tearDownClass(cls):
        cls.sut.close()

    def total(self, weight_g, region):
        return self.sut.call("shipping.price:total", weight_g, region)

    def test_each_region(self):
        heavy = 1_000_000
        self.assertEqual([self.total(heavy, region) for region in ("coast", "hills", "islands", "north")], [128874, 135492, 163048, 142832])

    def test_rounded_up(self):
        self.assertEqual([self.total(1, region) for region in ("coast", "hills", "islands", "north")], [482, 507, 610, 535])

    def test_unknown_region(self):
        with self.assertRaises(sut.Raised) as caught:
            self.total(1, "moon")
        self.assertEqual(caught.exception.type, "KeyError")
