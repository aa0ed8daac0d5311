"""Shards hold every sample once, and have the shapes that their names promise."""
import unittest

import numpy as np
from splits import LEAST, SPLITS, samples_needed, split

LABELS = np.arange(600) % 4


class Splits(unittest.TestCase):
    def test_no_sample_is_given_twice_and_only_three_each_leaves_any_out(self):
        for rule in SPLITS:
            for nodes in (2, 20, 200):
                shards = split(rule, LABELS, nodes, seed=1)
                rows = np.concatenate(shards)
                self.assertEqual(len(shards), nodes)
                self.assertEqual(len(np.unique(rows)), len(rows))
                self.assertEqual(len(rows), 3 * nodes if rule == "three" else 600, rule)
                self.assertGreaterEqual(sum(map(len, shards)), samples_needed(rule, nodes))

    def test_by_label_a_node_has_few_labels(self):
        self.assertEqual([len(np.unique(LABELS[rows])) for rows in split("label", LABELS, 4, seed=0)], [1, 1, 1, 1])

    def test_sizes_differ_widely(self):
        sizes = [len(rows) for rows in split("sizes", LABELS, 20, seed=0)]
        self.assertGreaterEqual(min(sizes), LEAST)
        self.assertGreater(max(sizes), 5 * min(sizes))

    def test_the_same_seed_gives_the_same_shards(self):
        for one, other in zip(split("iid", LABELS, 5, seed=3), split("iid", LABELS, 5, seed=3)):
            np.testing.assert_array_equal(one, other)
