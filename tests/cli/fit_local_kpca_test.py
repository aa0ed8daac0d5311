import numpy as np
from program import DIGITS, ProgramTest


class LocalKpca(ProgramTest):
    def test_writes_a_model_for_every_node_and_the_yardsticks(self):
        self.ok("fit", "local-kpca", "--data", DIGITS, "--nodes", 5, "--topology", "ring:2", "--gamma", 2e-7,
                "--n-components", 3, "--yardsticks", "--out", "run")
        result = self.result("run")
        self.assertEqual(result["nodes"], 5)
        quality = result["quality"]
        for name in ("local", "gather_own", "gather_neighborhood", "oracle"):
            self.assertEqual(len(quality[name]), 3)
            self.assertEqual(np.shape(quality["per_node"][name]), (5, 3))
        self.assertTrue(np.all(np.array(quality["per_node"]["oracle"]) + 1e-9 >= quality["per_node"]["local"]))
        self.assertGreater(quality["oracle"][0], 0.95)
        for node in range(5):
            self.assertTrue((self.folder / f"run/model-{node}.npz").exists())

    def test_each_node_is_kernel_pca_of_its_shard(self):
        x = self.blobs(90)
        for node in range(3):
            self.save(f"part-{node}.npy", x[30 * node : 30 * (node + 1)])
        self.ok("fit", "local-kpca", "--data", "part-{node}.npy", "--nodes", 3, "--gamma", 0.05, "--out", "run")
        self.ok("fit", "central-kpca", "--data", "part-1.npy", "--gamma", 0.05, "--out", "alone")
        own = np.load(self.folder / "run/model-1.npz")["own/eigenvalues"]
        np.testing.assert_allclose(own, self.result("alone")["eigenvalues"])
