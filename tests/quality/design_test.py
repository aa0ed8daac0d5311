"""Every two levels meet in a cell, or the design says why they cannot."""
import unittest

from design import FACTORS, METHODS, MOST_CELLS, Cell, all_pairs, design, objections, pairs_of, why_impossible

CELLS, IMPOSSIBLE = design()


def levels(cell):
    return {name: getattr(cell, name) for name in FACTORS}


class Design(unittest.TestCase):
    def test_every_pair_of_levels_meets_or_has_a_reason(self):
        met = set().union(*(pairs_of(levels(cell)) for cell in CELLS))
        for pair in all_pairs():
            self.assertNotEqual(pair in met, pair in IMPOSSIBLE, f"{pair} {IMPOSSIBLE.get(pair)}")

    def test_it_is_small_enough_and_numbered(self):
        self.assertLessEqual(len(CELLS), MOST_CELLS)
        self.assertEqual([cell.number for cell in CELLS], list(range(1, len(CELLS) + 1)))

    def test_no_cell_is_impossible(self):
        for cell in CELLS:
            if cell.topology != "auto" and cell.components in FACTORS["components"]:
                self.assertEqual(list(objections(levels(cell))), [], cell)

    def test_it_is_the_same_every_time(self):
        self.assertEqual(CELLS, design()[0])

    def test_reasons_are_about_the_levels(self):
        self.assertEqual(why_impossible({"table": "wine", "nodes": 200}), "200 nodes need 200 samples, wine has 178")
        self.assertEqual(why_impossible({"method": "oneshot-kpca/product", "kernel": "poly"}), "oneshot-kpca/product does not support poly")
        self.assertIsNone(why_impossible({"table": "wine", "nodes": 100}))

    def test_every_method_has_cells(self):
        self.assertEqual({cell.method for cell in CELLS}, set(METHODS))

    def test_a_cell_knows_its_command(self):
        self.assertEqual(Cell("gossip-pca/linear", "wine", "linear", "iid", 5, "ring", "1", "none").command, "gossip-pca")
