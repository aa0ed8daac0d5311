"""Learning from streams by sums of features: one answer at all nodes, no sample sent."""
import numpy as np
from network import MPI_AVAILABLE, mpirun
from program import ProgramTest

METHOD = ("fit", "online-kernel", "--gamma", 1.4, "--nodes", 4, "--by", "label:1", "--n-features", 60, "--n-landmarks", 60)
CENTRES = np.array([[0, 0], [2, 0], [0, 2], [2, 2]])
NODES = 4


def mixture(count, seed):
    random = np.random.default_rng(seed)
    y = random.integers(4, size=count)
    return CENTRES[y] + 0.3 * random.normal(size=(count, 2)), y


class OnlineFeaturesTest(ProgramTest):
    def setUp(self):
        super().setUp()
        for name, (x, y) in {"all": mixture(800, 1), "test": mixture(400, 2)}.items():
            self.save(f"{name}.npy", x)
            self.save(f"{name}-labels.npy", y.astype(float))
        self.common = (*METHOD, "--data", "all.npy", "--labels", "all-labels.npy", "--test", "test.npy", "--test-labels",
                       "test-labels.npy")

    def arrays(self, run, node):
        with np.load(self.folder / run / f"model-{node}.npz") as model:
            return {name: model[name].tolist() for name in model.files if name != "manifest.json"}

    def assert_same_models(self, run, other):
        for node in range(NODES):
            self.assertEqual(self.arrays(run, node), self.arrays(other, node))

    def test_nodes_with_one_class_each_learn_all_of_them_and_send_no_sample(self):
        for representation, kinds in {"random-features": {"own_statistics", "masked", "totals", "control"},
                                      "landmarks": {"own_statistics", "masked", "totals", "control", "centroids"}}.items():
            self.ok(*self.common, "--representation", representation, "--out", representation)
            result = self.result(representation)
            self.assertGreater(min(sum(result["quality"]["per_node"]["accuracy"], [])), 0.98)
            self.assertEqual(set(result["ledger"]["by_kind"]), kinds)
            self.assertEqual(result["features_used"], 60)
            self.assertLess(result["loss_ratio"], 0.3)
            for node in range(1, NODES):
                self.assertEqual(self.arrays(representation, node), self.arrays(representation, 0))

    def test_models_predict_and_say_what_they_carry(self):
        self.ok(*self.common, "--representation", "random-features", "--out", "run")
        inspected = self.ok("inspect", "run/model-2.npz")
        self.assertIn("weights of 60 random features", inspected)
        self.assertIn("carries no sample", inspected)
        self.ok("predict", "--model", "run/model-2.npz", "--data", "test.npy", "--probabilities", "--out", "chances.npy")
        chances = np.load(self.folder / "chances.npy")
        labels = np.load(self.folder / "test-labels.npy")
        np.testing.assert_allclose(chances.sum(1), 1)
        self.assertGreater((chances.argmax(1) == labels).mean(), 0.98)
        self.assertLess(-np.log(chances[np.arange(len(labels)), labels.astype(int)]).mean(), 0.15)
        self.ok(*self.common, "--representation", "landmarks", "--out", "other")
        self.assertIn("weights of 60 landmarks", self.ok("inspect", "other/model-2.npz"))

    def test_under_differential_privacy_only_the_model_is_made_of_samples(self):
        common = ("fit", "online-kernel", "--gamma", 1.4, "--nodes", NODES, "--n-features", 60, "--data", "all.npy", "--labels", "all-labels.npy",
                  "--privacy", 8)
        self.ok(*common, "--classes", "0,1,2,3", "--out", "run")
        self.assertEqual((self.folder / "run/metrics.jsonl").read_text(), "")
        result = self.result("run")
        self.assertEqual(set(result["ledger"]["by_kind"]), {"masked", "totals", "control"})
        for key in ("progressive_loss", "loss_ratio", "confusion", "assessment"):
            self.assertNotIn(key, result)
        self.ok("predict", "--model", "run/model-1.npz", "--data", "test.npy", "--out", "answers.npy")
        answers, labels = np.load(self.folder / "answers.npy").ravel(), np.load(self.folder / "test-labels.npy")
        self.assertGreater((answers == labels).mean(), 0.9)
        self.refused(*common, "--out", "other", words=("the classes must be named",))

    def test_continues_from_a_checkpoint_with_the_same_bits(self):
        fit = (*self.common, "--representation", "landmarks", "--half-life", 600, "--batch", 8)
        self.ok(*fit, "--out", "whole")
        states = ("--checkpoint", "states", "--checkpoint-every", 24)
        self.ok(*fit, *states, "--out", "first")
        for file in (self.folder / "states").iterdir():  # as if it had been killed on the way
            if int(file.stem.split("-")[-1]) > 12:
                file.unlink()
        self.ok(*fit, *states, "--resume", "--out", "second")
        self.assert_same_models("whole", "second")

    def test_every_engine_gives_the_same_bits(self):
        fit = (*self.common, "--representation", "random-features")
        self.ok(*fit, "--out", "here")
        self.ok(*fit, "--engine", "sim", "--out", "simulated")
        self.assert_same_models("here", "simulated")
        if not MPI_AVAILABLE:
            return
        done = mpirun(self.folder, 2, *fit, "--engine", "mpi", "--out", "ranks")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_same_models("here", "ranks")

    def test_an_answer_no_better_than_a_constant_is_exit_3(self):
        self.save("noise.npy", np.random.default_rng(3).integers(2, size=800).astype(float))
        done = self.choir("fit", "online-kernel", "--gamma", 1.4, "--nodes", 4, "--by", "iid", "--data", "all.npy", "--labels", "noise.npy",
                          "--representation", "random-features", "--n-features", 60, "--out", "run")
        self.assertEqual(done.returncode, 3)
        self.assertIn("no better than a constant", done.stderr)

    def test_values_far_from_zero_are_learned_alike(self):
        x, _ = mixture(800, 1)
        errors = []
        for factor, shift in ((1, 0), (1000, 0), (1, 100)):
            self.save("values.npy", factor * np.sin(2 * x[:, 0]) + shift)
            self.ok("fit", "online-kernel", "--gamma", 1.4, "--nodes", 4, "--by", "iid", "--data", "all.npy", "--labels", "values.npy", "--loss",
                    "squared", "--representation", "random-features", "--n-features", 60, "--test", "all.npy", "--test-labels",
                    "values.npy", "--force", "--out", "run")
            errors.append(self.result("run")["quality"]["rmse"][0] / factor)
        self.assertLess(errors[0], 0.1)
        np.testing.assert_allclose(errors, errors[0], rtol=1e-4)

    def test_what_sums_cannot_do_is_refused(self):
        self.refused(*self.common, "--representation", "landmarks", "--loss", "hinge", "--out", "run", words=("least squares",))
        self.refused(*self.common, "--representation", "landmarks", "--consensus", "penalty", "--out", "run", words=("dictionaries",))
        self.refused(*self.common, "--representation", "random-features", "--kernel", "poly", "--out", "run",
                     words=("no random features",))
