import json

from program import ProgramTest


class Inspect(ProgramTest):
    def setUp(self):
        super().setUp()
        self.save("x.npy", self.blobs())

    def test_tells_that_a_kernel_model_carries_samples_and_a_linear_one_does_not(self):
        self.ok("fit", "central-kpca", "--data", "x.npy", "--out", "rbf")
        self.assertIn("the training samples themselves", self.ok("inspect", "rbf/model-0.npz"))
        self.ok("fit", "central-kpca", "--data", "x.npy", "--kernel", "linear", "--out", "linear")
        self.assertIn("carries no sample", self.ok("inspect", "linear/model-0.npz"))
        self.ok("fit", "central-kpca", "--data", "x.npy", "--n-landmarks", 20, "--out", "landmarks")
        self.assertNotIn("themselves", self.ok("inspect", "landmarks/model-0.npz"))

    def test_describes_a_run(self):
        self.ok("fit", "local-kpca", "--data", "x.npy", "--nodes", 4, "--topology", "ring:2", "--yardsticks", "--out", "run")
        words = self.ok("inspect", "run")
        self.assertIn("a run of local-kpca over 4 nodes", words)
        self.assertIn("oracle", words)

    def test_json_has_the_parameters(self):
        self.ok("fit", "central-kpca", "--data", "x.npy", "--gamma", "median", "--out", "run")
        about = json.loads(self.ok("inspect", "run/model-0.npz", "--json"))
        self.assertGreater(float(about["parameters"]["gamma"]), 0)
        self.assertEqual(about["answers"]["shared"]["n_components"], 2)

    def test_refuses_what_it_does_not_know(self):
        (self.folder / "empty").mkdir()
        self.refused("inspect", "empty", words=["result.json"])
        self.refused("inspect", "nowhere", words=["nowhere"])
        self.refused("inspect", "x.npy", words=["x.npy"])
        (self.folder / "broken").mkdir()
        (self.folder / "broken/result.json").write_text("{")
        self.refused("inspect", "broken", words=["JSON"])
        (self.folder / "broken/result.json").write_text('{"method": 5}')
        self.refused("inspect", "broken", words=["result"])
