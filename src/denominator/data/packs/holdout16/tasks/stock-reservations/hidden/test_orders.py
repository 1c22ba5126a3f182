import unittest

import sut


class OrdersTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sut = sut.Session()

    @classmethod
    def tearDownClass(cls):
        cls.sut.close()

    def depot(self, **stock):
        handle = self.sut.new("depot.reserve:Depot", stock)
        return lambda name, *args: self.sut.method(handle, name, *args)

    def refuses(self, kind, function, *args):
        with self.assertRaises(sut.Raised) as caught:
            function(*args)
        self.assertEqual(caught.exception.type, kind)

    def rows(self, dicts):
        return [[d["sku"], d["warehouse"], d["quantity"]] for d in dicts]

    def history(self, do):
        return [[m["kind"], m["order"], m["sku"], m["warehouse"], m["quantity"]] for m in do("movements")]

    def test_where_stock_comes_from(self):
        do = self.depot(bolt={"west": 9, "east": 5, "north": 5}, nut={"b": 2, "a": 2, "c": 4, "d": 0})
        self.assertEqual(self.rows(do("reserve", "1", [["bolt", 5]])), [["bolt", "east", 5]])
        self.assertEqual(self.rows(do("reserve", "2", [["bolt", 6]])), [["bolt", "west", 6]])
        self.assertEqual(self.rows(do("reserve", "3", [["nut", 7]])), [["nut", "c", 4], ["nut", "a", 2], ["nut", "b", 1]])
        self.assertEqual([do("available", "bolt"), do("available", "nut")], [8, 1])
        self.assertEqual(self.rows(do("reserve", "4", [["nut", 1]])), [["nut", "b", 1]])

    def test_lines_see_each_other(self):
        do = self.depot(bolt={"a": 4, "b": 3})
        self.assertEqual(self.rows(do("reserve", "1", [["bolt", 3], ["bolt", 2], ["bolt", 2]])), [["bolt", "b", 3], ["bolt", "a", 2], ["bolt", "a", 2]])
        other = self.depot(bolt={"a": 4, "b": 3})
        self.refuses("OutOfStock", other, "reserve", "1", [["bolt", 4], ["bolt", 4]])
        self.assertEqual(other("available", "bolt"), 7)

    def test_all_or_nothing(self):
        do = self.depot(bolt={"a": 4}, nut={"a": 1})
        self.refuses("OutOfStock", do, "reserve", "1", [["bolt", 4], ["nut", 2]])
        self.refuses("OutOfStock", do, "reserve", "1", [["bolt", 1], ["screw", 1]])
        for lines in ([["bolt", 1], ["nut", 0]], [["bolt", -1]], []):
            self.refuses("ValueError", do, "reserve", "1", lines)
        self.assertEqual([do("available", "bolt"), do("available", "nut"), do("available", "screw"), do("movements")], [4, 1, 0, []])
        self.assertEqual(len(do("reserve", "1", [["bolt", 4], ["nut", 1]])), 2)

    def test_again(self):
        do = self.depot(bolt={"a": 4, "b": 9})
        first = do("reserve", "1", [["bolt", 2], ["bolt", 1]])
        self.assertEqual(do("reserve", "1", [["bolt", 2], ["bolt", 1]]), first)
        self.refuses("Conflict", do, "reserve", "1", [["bolt", 1], ["bolt", 2]])
        self.refuses("Conflict", do, "reserve", "1", [["bolt", 99]])
        self.assertEqual(do("available", "bolt"), 10)
        self.assertEqual(len(do("movements")), 2)

    def test_release(self):
        do = self.depot(bolt={"a": 2, "b": 3})
        do("reserve", "1", [["bolt", 4]])
        self.assertIs(do("release", "1"), True)
        self.assertIs(do("release", "1"), False)
        self.assertIs(do("release", "9"), False)
        self.assertEqual(self.history(do), [["reserve", "1", "bolt", "b", 3], ["reserve", "1", "bolt", "a", 1],
                                            ["release", "1", "bolt", "b", 3], ["release", "1", "bolt", "a", 1]])
        self.assertEqual(self.rows(do("reserve", "1", [["bolt", 2]])), [["bolt", "a", 2]])
        self.assertEqual(self.rows(do("reserve", "2", [["bolt", 3]])), [["bolt", "b", 3]])

    def test_ship(self):
        do = self.depot(bolt={"a": 5})
        self.refuses("Conflict", do, "ship", "1")
        do("reserve", "1", [["bolt", 2]])
        do("ship", "1")
        for name, *args in (("ship", "1"), ("release", "1"), ("reserve", "1", [["bolt", 2]]), ("reserve", "1", [["bolt", 1]])):
            self.refuses("Conflict", do, name, *args)
        do("reserve", "2", [["bolt", 1]])
        do("release", "2")
        self.refuses("Conflict", do, "ship", "2")
        self.assertEqual(do("available", "bolt"), 3)
        self.assertEqual(self.history(do)[:2], [["reserve", "1", "bolt", "a", 2], ["ship", "1", "bolt", "a", 2]])
        self.assertEqual(len(do("movements")), 4)

    def test_balance(self):
        do = self.depot(nut={"a": 5}, bolt={"a": 5, "b": 5})
        do("reserve", "1", [["nut", 2], ["bolt", 7], ["nut", 1]])
        do("reserve", "2", [["nut", 1]])
        self.assertEqual(list(do("balance", "1").items()), [("bolt", 7), ("nut", 3)])
        do("release", "1")
        self.assertEqual(do("balance", "1"), {})
        do("reserve", "1", [["bolt", 1]])
        self.assertEqual(do("balance", "1"), {"bolt": 1})
        do("ship", "1")
        self.assertEqual([do("balance", "1"), do("balance", "2"), do("balance", "3")], [{}, {"nut": 1}, {}])
