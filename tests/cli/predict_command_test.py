import json

import numpy as np
from model_parts import write_model
from program import ProgramTest

KERNEL = {"kind": "rbf", "gamma": 0.2, "degree": 3, "coef0": 1.0, "normalized": False}


class Predict(ProgramTest):
    """Kernel machines with weights of chance, written without choir."""
    CLASSES = [-1, 3, 7]

    def setUp(self):
        super().setUp()
        random = np.random.default_rng(3)
        self.points, self.new = random.normal(size=(12, 4)), random.normal(size=(50, 4))
        self.weights = random.normal(size=(12, 3))
        self.save("new.npy", self.new)
        self.scores = self.kernel(self.new) @ self.weights
        self.labels = np.array(self.CLASSES)[self.scores.argmax(1)]

    def kernel(self, x):
        return np.exp(-KERNEL["gamma"] * ((x[:, None] - self.points[None]) ** 2).sum(2))

    def machine(self, loss="logistic", points=12, name="model.npz"):
        classes = self.CLASSES if loss in ("logistic", "hinge") else []
        arrays = {"points": self.points[:points], "weights": self.weights[:points, : len(classes) or 1]}
        if classes:
            arrays["classes"] = np.array(classes)
        write_model(self.folder / name,
                    {"kind": "kernel-machine", "kernel": KERNEL, "loss": loss, "classes": bool(classes),
                     "preprocessing": {"divide": 1.0, "standardize": "none"}, "training_samples": 900}, arrays)
        return name

    def predict(self, *options, data="new.npy", out="out.npy"):
        return self.ok("predict", "--model", "model.npz", "--data", data, "--out", out, "--force", *options)

    def written(self, *options, **words):
        self.predict(*options, **words)
        return np.load(self.folder / "out.npy")

    def test_writes_the_labels_of_the_largest_scores(self):
        for loss in ("logistic", "hinge"):
            self.machine(loss)
            labels = self.written()
            self.assertEqual(labels.dtype, np.int64)
            np.testing.assert_array_equal(labels, self.labels)
            np.testing.assert_allclose(self.written("--scores"), self.scores, rtol=1e-12)
        self.predict(out="out.csv")
        np.testing.assert_array_equal(np.loadtxt(self.folder / "out.csv", dtype=int), self.labels)

    def test_writes_probabilities_of_logistic_loss(self):
        self.machine()
        powers = np.exp(self.scores)
        np.testing.assert_allclose(self.written("--probabilities"), powers / powers.sum(1, keepdims=True), rtol=1e-12)

    def test_writes_values(self):
        for loss in ("squared", "huber"):
            self.machine(loss)
            np.testing.assert_allclose(self.written(), self.scores[:, :1], rtol=1e-12)

    def test_measures_labels(self):
        self.machine()
        truth = self.labels.copy()
        truth[:13] = 99
        self.save("labels.npy", truth)
        self.assertEqual(self.predict("--labels", "labels.npy"), "accuracy 0.74 over 50 samples\n")
        about = json.loads(self.predict("--labels", "labels.npy", "--json"))
        self.assertEqual(about, {"samples": 50, "accuracy": 0.74})
        np.savetxt(self.folder / "new.csv", np.column_stack([self.new, truth]), delimiter=",", header="a,b,c,d,kind",
                   comments="")
        self.assertEqual(self.predict("--labels", "kind", data="new.csv"), "accuracy 0.74 over 50 samples\n")
        self.assertEqual(self.predict("--labels", "kind", "--probabilities", data="new.csv"),
                         "accuracy 0.74 over 50 samples\n")

    def test_measures_values(self):
        self.machine("squared")
        truth = self.scores[:, 0] + np.linspace(-1, 1, 50)
        self.save("truth.npy", truth)
        about = json.loads(self.predict("--labels", "truth.npy", "--json"))
        self.assertAlmostEqual(about["rmse"], np.sqrt((np.linspace(-1, 1, 50) ** 2).mean()), 12)
        self.assertTrue(self.predict("--labels", "truth.npy").startswith("rmse 0.58"))
        np.savetxt(self.folder / "new.csv", np.column_stack([self.new, truth]), delimiter=",")
        self.assertAlmostEqual(json.loads(self.predict("--labels", "-1", "--json", data="new.csv"))["rmse"],
                               about["rmse"], 12)

    def test_prints_nothing_without_labels(self):
        self.machine()
        self.assertEqual(self.predict(), "")
        self.assertEqual(json.loads(self.predict("--json")), {"samples": 50})

    def test_preprocesses_as_the_model_says(self):
        mean, scale = np.arange(4.0), np.arange(1.0, 5.0)
        write_model(self.folder / "model.npz",
                    {"kind": "kernel-machine", "kernel": KERNEL, "loss": "squared", "classes": False,
                     "preprocessing": {"divide": 2.0, "standardize": "zscore"}, "training_samples": 900},
                    {"points": self.points, "weights": self.weights[:, :1], "preprocessing_mean": mean,
                     "preprocessing_scale": scale})
        self.save("raw.npy", (self.new * scale + mean) * 2)
        np.testing.assert_allclose(self.written(data="raw.npy"), self.scores[:, :1], rtol=1e-10)

    def test_an_empty_dictionary_is_legal(self):
        self.machine(points=0)
        np.testing.assert_array_equal(self.written(), np.full(50, -1))
        np.testing.assert_allclose(self.written("--probabilities"), np.full((50, 3), 1 / 3))
        self.assertIn("learned nothing yet", self.ok("inspect", "model.npz"))

    def refused_to_predict(self, *options, words, data="new.npy"):
        self.refused("predict", "--model", "model.npz", "--data", data, "--out", "out.npy", *options, words=words)

    def test_refuses_probabilities_of_other_losses(self):
        for loss in ("hinge", "squared"):
            self.machine(loss)
            self.refused_to_predict("--probabilities", words=[loss, "no probabilities"])

    def test_refuses_what_does_not_fit(self):
        self.machine()
        self.save("wide.npy", np.ones((5, 7)))
        self.refused_to_predict(data="wide.npy", words=["7 features", "fitted to 4"])
        self.save("few.npy", np.arange(7))
        self.refused_to_predict("--labels", "few.npy", words=["few.npy", "50 labels are needed"])
        self.save("half.npy", np.full(50, 0.5))
        self.refused_to_predict("--labels", "half.npy", words=["half.npy", "integers"])
        self.refused_to_predict("--use", "own", words=["own", "shared"])
        self.refused_to_predict("--probabilities", "--scores", words=["--probabilities"])
        self.refused("predict", "--model", "none.npz", "--data", "new.npy", "--out", "o.npy", words=["none.npz"])
        self.refused("predict", "--model", "model.npz", "--data", "new.npy", "--out", "o.txt", words=[".npy"])

    def test_every_model_names_the_command_it_is_for(self):
        self.ok("fit", "central-kpca", "--data", "new.npy", "--gamma", 0.1, "--out", "run")
        self.refused("predict", "--model", "run/model-0.npz", "--data", "new.npy", "--out", "o.npy",
                     words=["choir transform"])
        self.machine()
        for command in ("transform", "score"):
            self.refused(command, "--model", "model.npz", "--data", "new.npy", "--out", "o.npy", words=["choir predict"])

    def test_help_has_an_example(self):
        self.assertIn("choir predict --model", self.ok("predict", "--help"))
