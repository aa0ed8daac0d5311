import numpy as np
from program import DIGITS, ProgramTest


class Apply(ProgramTest):
    def setUp(self):
        super().setUp()
        self.x = self.blobs()
        self.save("x.npy", self.x)

    def fit(self, *options):
        self.ok("fit", "central-kpca", "--data", "x.npy", "--gamma", 0.05, "--n-components", 3, "--out", "run", *options)

    def transform(self, data, out="scores.npy"):
        self.ok("transform", "--model", "run/model-0.npz", "--data", data, "--out", out)
        return np.load(self.folder / out)

    def test_scores_of_the_training_data_have_the_eigenvalues_as_squares(self):
        self.fit()
        scores = self.transform("x.npy")
        self.assertEqual(scores.shape, (60, 3))
        np.testing.assert_allclose((scores**2).sum(0), self.result("run")["eigenvalues"], rtol=1e-9)
        np.testing.assert_allclose(scores.mean(0), 0, atol=1e-12)

    def test_score_is_small_for_training_data_and_large_for_strangers(self):
        self.fit()
        self.save("far.npy", self.x + 30)
        for name in ("x", "far"):
            self.ok("score", "--model", "run/model-0.npz", "--data", f"{name}.npy", "--out", f"{name}-errors.csv")
        known = np.loadtxt(self.folder / "x-errors.csv", delimiter=",")
        strange = np.loadtxt(self.folder / "far-errors.csv", delimiter=",")
        self.assertEqual(known.shape, (60,))
        self.assertGreater(strange.min(), known.max())

    def test_preprocessing_travels_with_the_model(self):
        self.fit("--standardize", "zscore", "--divide", 2)
        scores = self.transform("x.npy")
        np.testing.assert_allclose((scores**2).sum(0), self.result("run")["eigenvalues"], rtol=1e-9)

    def test_csv_and_npy_say_the_same(self):
        self.fit()
        scores = self.transform("x.npy")
        self.ok("transform", "--model", "run/model-0.npz", "--data", "x.npy", "--out", "scores.csv")
        np.testing.assert_array_equal(np.loadtxt(self.folder / "scores.csv", delimiter=","), scores)

    def test_refuses_data_of_another_width(self):
        self.fit()
        self.save("wide.npy", np.ones((5, 7)))
        self.refused("transform", "--model", "run/model-0.npz", "--data", "wide.npy", "--out", "s.npy",
                     words=["7 features", "4"])

    def test_refuses_an_answer_the_model_does_not_have(self):
        self.fit()
        self.refused("transform", "--model", "run/model-0.npz", "--data", "x.npy", "--out", "s.npy", "--use", "own",
                     words=["own", "shared"])

    def test_refuses_what_is_no_model(self):
        self.refused("transform", "--model", "x.npy", "--data", "x.npy", "--out", "s.npy", words=["x.npy"])
        self.refused("transform", "--model", "none.npz", "--data", "x.npy", "--out", "s.npy", words=["none.npz"])
        data = DIGITS.split(":")[0]
        self.refused("transform", "--model", data, "--data", "x.npy", "--out", "s.npy", words=["manifest"])

    def test_refuses_an_altered_model(self):
        self.fit()
        model = self.folder / "run/model-0.npz"
        raw = bytearray(model.read_bytes())
        raw[len(raw) // 2] ^= 0x55
        model.write_bytes(raw)
        self.refused("transform", "--model", "run/model-0.npz", "--data", "x.npy", "--out", "s.npy", words=["model-0.npz"])
