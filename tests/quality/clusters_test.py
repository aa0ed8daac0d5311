"""Tables with clusters, exact kernel k-means, and the bars that federated-kmeans is measured by."""
import pathlib
import unittest

import numpy as np

from cluster_page import bars, cluster_page
from clusters import TABLES, cells, central, cost, gram, scikit


def record(table="circles, gamma 5", seed=0, **more):
    return {"table": table, "devices": 5, "by": "iid", "seed": seed, "exit": 0, "said": "", "cost": 1.0, "sklearn_cost": 1.0,
            "nmi": 1.0, "exact_nmi": 1.0, "sklearn_nmi": 1.0} | more


def bar(records, words):
    return next(bar for bar in bars(records) if words in bar.words)


class Tables(unittest.TestCase):
    def test_exact_kernel_k_means_separates_circles_and_scikit_learn_does(self):
        shape = TABLES["circles, gamma 5"](0, pathlib.Path())
        kernel = gram(shape.x, shape.gamma)
        best, labels = central(kernel, 2, 0)
        self.assertIn(np.mean(labels == shape.y), (0.0, 1.0))
        self.assertAlmostEqual(best, cost(kernel, shape.y, 2), places=9)
        self.assertIn(np.mean(scikit(shape, 0) == shape.y), (0.0, 1.0))

    def test_the_cost_is_the_squared_distance_to_the_means_in_feature_space(self):
        x = np.random.default_rng(1).normal(size=(30, 4))
        labels = np.arange(30) % 3
        direct = sum(((x[labels == k] - x[labels == k].mean(0)) ** 2).sum() for k in range(3))
        self.assertAlmostEqual(cost(x @ x.T, labels, 3), direct, places=9)

    def test_every_table_meets_several_numbers_of_devices_and_skews(self):
        for table in TABLES:
            dealt = {(cell.devices, cell.by) for cell in cells() if cell.table == table}
            self.assertGreaterEqual(dealt, {(5, "iid"), (20, "iid"), (20, "label:2")})


class Bars(unittest.TestCase):
    def test_one_seed_of_twenty_may_miss_the_optimum_of_rings(self):
        seeds = [record(seed=seed) for seed in range(18)] + [record(seed=18, cost=1.2)]
        self.assertEqual(len(bar([*seeds, record(seed=19)], "19 of 20").missed()), 0)
        (missed,) = bar([*seeds, record(seed=19, cost=1.0011)], "19 of 20").missed()
        self.assertIn("18 of 20 seeds, worst 1.2000", missed.words)

    def test_rings_that_exact_kernel_k_means_does_not_find_are_compared_with_scikit_learn(self):
        hard = record("moons, gamma 2", cost=1.1, exact_nmi=0.4, sklearn_cost=1.2)
        self.assertEqual(bar([hard], "all others").missed(), [])
        self.assertEqual(len(bar([hard | {"sklearn_cost": 1.05}], "all others").missed()), 1)

    def test_a_run_without_an_answer_misses_and_its_sentence_is_quoted(self):
        failed = {key: value for key, value in record("digits, k = 10", exit=2, said="no device has published").items() if "cost" not in key}
        records = [record("digits, k = 10", seed=1), failed]
        self.assertIn("1 of 2 without an answer: exit 2, no device has published", bar(records, "ends with").missed()[0].words)
        self.assertEqual(len(bar(records, "all others").missed()), 1)

    def test_a_wrong_number_of_clusters_must_be_said(self):
        counted = record("blobs, k = 5", clusters=5, counted=4, counted_exit=3)
        self.assertEqual(bar([counted], "finds k").missed(), [])
        self.assertEqual(len(bar([counted | {"counted_exit": 0}], "finds k").missed()), 1)

    def test_the_page_lists_misses(self):
        page = cluster_page([record(), record("moons, gamma 5", cost=1.3)], 2000)
        self.assertIn("0 of 1 seeds, worst 1.3000", page)
        self.assertIn("| circles, gamma 5, 5 devices, iid | 1 | 1 | 1.0000 (1.0000) |", page)


if __name__ == "__main__":
    unittest.main()
