import unittest

import sut

APRIL = ("2026-04-01", "2026-05-01")


class ProrationTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sut = sut.Session()

    @classmethod
    def tearDownClass(cls):
        cls.sut.close()

    def change(self, on, old, new, **more):
        return self.sut.call("billing.invoice:change_plan", *APRIL, on, old, new, **more)

    def allocate(self, total, weights):
        return self.sut.call("billing.proration:allocate", total, weights)

    def test_mid_month(self):
        self.assertEqual(self.change("2026-04-11", 3000, 6000), {
            "lines": [{"kind": "credit", "cents": -2000, "days": 20}, {"kind": "charge", "cents": 4000, "days": 20}],
            "total": 2000,
        })

    def test_first_and_last_day(self):
        first = self.change("2026-04-01", 999, 1001)
        self.assertEqual([line["cents"] for line in first["lines"]], [-999, 1001])
        self.assertEqual(first["total"], 2)
        last = self.change("2026-04-30", 3000, 300)
        self.assertEqual(last["lines"], [{"kind": "credit", "cents": -100, "days": 1}, {"kind": "charge", "cents": 10, "days": 1}])
        self.assertEqual(last["total"], -90)

    def test_outside_the_period(self):
        for day in ("2026-03-31", "2026-05-01", "2026-06-10"):
            with self.assertRaises(sut.Raised) as caught:
                self.change(day, 100, 200)
            self.assertEqual(caught.exception.type, "ValueError")

    def test_half_to_even(self):
        for cents, want in ((1, 0), (3, 2), (5, 2), (7, 4), (101, 50), (103, 52)):
            got = self.sut.call("billing.invoice:start_plan", *APRIL, "2026-04-16", cents)
            self.assertEqual(got["total"], want, cents)
        self.assertEqual(self.change("2026-04-16", 5, 7)["lines"], [
            {"kind": "credit", "cents": -2, "days": 15}, {"kind": "charge", "cents": 4, "days": 15}])
        self.assertEqual(self.sut.call("billing.proration:prorate", 100, 2, 3), 67)
        self.assertEqual(self.sut.call("billing.proration:prorate", 100, 1, 3), 33)

    def test_huge_amounts_stay_exact(self):
        huge = 3 * 10**20 + 3
        self.assertEqual(self.change("2026-04-11", 0, huge)["total"], 2 * 10**20 + 2)

    def test_zero_lines_are_left_out(self):
        self.assertEqual(self.change("2026-04-11", 4500, 4500), {"lines": [], "total": 0})
        self.assertEqual(self.change("2026-04-11", 0, 3000), {"lines": [{"kind": "charge", "cents": 2000, "days": 20}], "total": 2000})
        self.assertEqual(self.change("2026-04-30", 15, 300)["lines"], [{"kind": "charge", "cents": 10, "days": 1}])

    def test_allocate_largest_remainder(self):
        self.assertEqual(self.allocate(100, [1, 1, 1]), [34, 33, 33])
        self.assertEqual(self.allocate(101, [1, 1, 1]), [34, 34, 33])
        self.assertEqual(self.allocate(10, [1, 2, 4]), [1, 3, 6])
        self.assertEqual(self.allocate(3, [4, 1]), [2, 1])
        self.assertEqual(self.allocate(5, [0, 3, 0, 3]), [0, 3, 0, 2])
        self.assertEqual(self.allocate(-100, [1, 1, 1]), [-34, -33, -33])
        self.assertEqual(self.allocate(-1, [1, 1]), [-1, 0])
        self.assertEqual(self.allocate(0, [2, 1]), [0, 0])
        self.assertEqual(self.allocate(10**20 + 1, [1, 1]), [5 * 10**19 + 1, 5 * 10**19])

    def test_allocate_refuses(self):
        for weights in ([], [0, 0], [2, -1]):
            with self.assertRaises(sut.Raised) as caught:
                self.allocate(10, weights)
            self.assertEqual(caught.exception.type, "ValueError")

    def test_shares_follow_the_total(self):
        self.assertEqual(self.change("2026-04-11", 3050, 3001, seats=[1, 1])["shares"], [-16, -16])
        self.assertEqual(self.change("2026-04-11", 3000, 3050, seats=[1, 1, 2])["shares"], [8, 8, 17])
        self.assertEqual(self.change("2026-04-11", 10, 10, seats=[1, 2])["shares"], [0, 0])
        self.assertNotIn("shares", self.change("2026-04-11", 10, 20))
        with self.assertRaises(sut.Raised) as caught:
            self.change("2026-04-11", 10, 20, seats=[])
        self.assertEqual(caught.exception.type, "ValueError")
