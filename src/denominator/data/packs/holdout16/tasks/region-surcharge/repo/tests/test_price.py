import unittest

from shipping.price import base


class PriceTest(unittest.TestCase):
    def test_base(self):
        self.assertEqual([base(1), base(1000), base(1001), base(2000), base(2001)], [450, 450, 570, 570, 690])


if __name__ == "__main__":
    unittest.main()
