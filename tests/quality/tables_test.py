"""The data sets are what the design takes them for."""
import unittest

import numpy as np
from sklearn.preprocessing import StandardScaler
from tables import FACTS, MADE, Unavailable, load, preprocessed


class Tables(unittest.TestCase):
    def test_every_table_has_the_shape_and_rank_that_the_design_counts_on(self):
        for name in MADE:
            with self.subTest(name):
                table, facts = load(name), FACTS[name]
                self.assertEqual(table.x.shape, (facts.samples, facts.features))
                self.assertEqual(table.labels.shape, (facts.samples,))
                self.assertTrue(np.isfinite(table.x).all())
                spread = table.x - table.x.mean(0)
                scale = np.abs(spread).max(0)
                self.assertEqual(np.linalg.matrix_rank(spread / np.where(scale > 1e-9, scale, 1), tol=1e-6), facts.rank)

    def test_labels_make_a_skew_possible(self):
        for name in MADE:
            self.assertGreater(len(np.unique(load(name).labels)), 1, name)

    def test_a_table_that_is_not_there_is_named(self):
        import pathlib
        with self.assertRaisesRegex(Unavailable, "choir data get mnist"):
            load("mnist", pathlib.Path("/nowhere"))

    def test_preprocessing_is_that_of_scikit_learn(self):
        x = np.hstack([load("wine").x, np.full((178, 1), 7.0)])
        np.testing.assert_allclose(preprocessed(x, ("--divide", "255", "--standardize", "zscore")), StandardScaler().fit_transform(x / 255),
                                   atol=1e-9)
