import unittest

import sut


class RoomsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sut = sut.Session()

    @classmethod
    def tearDownClass(cls):
        cls.sut.close()

    def free(self, bookings, start, end):
        return self.sut.call("rooms.book:free", bookings, start, end)

    def gaps(self, bookings, opens=540, closes=1020):
        return self.sut.call("rooms.book:gaps", bookings, opens, closes)

    def test_touching(self):
        self.assertIs(self.free([[540, 600]], 600, 660), True)
        self.assertIs(self.free([[540, 600]], 480, 540), True)
        self.assertIs(self.free([[540, 600], [660, 700]], 600, 660), True)

    def test_overlapping(self):
        for start, end in ((599, 660), (480, 541), (540, 600), (500, 700), (550, 551)):
            self.assertIs(self.free([[700, 720], [540, 600]], start, end), False)
        self.assertIs(self.free([], 0, 1), True)

    def test_wrong_span(self):
        for start, end in ((600, 600), (601, 600)):
            with self.assertRaises(sut.Raised) as caught:
                self.free([], start, end)
            self.assertEqual(caught.exception.type, "ValueError")

    def test_gaps_with_odd_bookings(self):
        self.assertEqual(self.gaps([[700, 720], [560, 690], [600, 610], [680, 700]]), [[540, 560], [720, 1020]])
        self.assertEqual(self.gaps([[300, 600], [1000, 1200]]), [[600, 1000]])
        self.assertEqual(self.gaps([[100, 200], [1100, 1200]]), [[540, 1020]])
        self.assertEqual(self.gaps([[0, 1440]]), [])
        self.assertEqual(self.gaps([]), [[540, 1020]])
        self.assertEqual(self.gaps([[540, 1020]]), [])

    def test_arguments_stay(self):
        bookings = [[700, 720], [560, 690]]
        for target in ("rooms.book:free", "rooms.book:gaps"):
            _, after = self.sut.call_mut(target, bookings, 540, 1020)
            self.assertEqual(after, [bookings, 540, 1020])
