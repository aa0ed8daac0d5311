import json
import subprocess

import numpy as np
from program import CHOIR, DIGIT_LABELS, DIGITS, ProgramTest


class CentralKpca(ProgramTest):
    def test_leaves_a_whole_run_folder(self):
        self.save("x.npy", self.blobs())
        out = self.ok("fit", "central-kpca", "--data", "x.npy", "--gamma", 0.05, "--n-components", 3, "--out", "run")
        self.assertIn("component", out)
        self.assertEqual(sorted(p.name for p in (self.folder / "run").iterdir()),
                         ["config.resolved.toml", "metrics.jsonl", "model-0.npz", "result.json"])
        result = self.result("run")
        self.assertEqual((result["method"], result["samples"], result["features"], result["n_components"]),
                         ("central-kpca", 60, 4, 3))
        self.assertIs(result["converged"], True)
        self.assertEqual(len(result["eigenvalues"]), 3)
        self.assertGreater(result["memory_peak_bytes"], 0)

    def test_json_is_the_result(self):
        self.save("x.npy", self.blobs())
        out = self.ok("fit", "central-kpca", "--data", "x.npy", "--out", "run", "--json")
        self.assertEqual(json.loads(out), self.result("run"))

    def test_quiet_says_nothing_on_stderr(self):
        self.save("x.npy", self.blobs())
        done = self.choir("fit", "central-kpca", "--data", "x.npy", "--out", "run", "--quiet")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_share_of_variance(self):
        self.save("x.npy", self.blobs())
        self.ok("fit", "central-kpca", "--data", "x.npy", "--n-components", 0.7, "--out", "run")
        ratio = self.result("run")["explained_variance_ratio"]
        self.assertGreaterEqual(sum(ratio), 0.7)
        self.assertLess(sum(ratio[:-1]), 0.7)

    def test_the_linear_kernel_is_pca(self):
        x = self.blobs()
        self.save("x.npy", x)
        self.ok("fit", "central-kpca", "--data", "x.npy", "--kernel", "linear", "--out", "run")
        values = np.linalg.svd(x - x.mean(0), compute_uv=False) ** 2
        np.testing.assert_allclose(self.result("run")["eigenvalues"], values[:2], rtol=1e-10)

    def test_single_precision_and_landmarks_come_close(self):
        common = ("fit", "central-kpca", "--data", DIGITS, "--gamma", 2e-7, "--n-components", 5)
        self.ok(*common, "--out", "exact")
        self.ok(*common, "--out", "single", "--precision", "float32")
        self.ok(*common, "--out", "landmarks", "--n-landmarks", 400)
        exact = self.result("exact")["eigenvalues"]
        np.testing.assert_allclose(self.result("single")["eigenvalues"], exact, rtol=1e-5)
        np.testing.assert_allclose(self.result("landmarks")["eigenvalues"], exact, rtol=0.1)

    def test_the_same_seed_gives_the_same_file(self):
        common = ("fit", "central-kpca", "--data", DIGITS, "--gamma", "median", "--random-state", 7)
        self.ok(*common, "--out", "one", "--threads", 1)
        self.ok(*common, "--out", "two", "--threads", 2)
        one, two = (np.load(self.folder / run / "model-0.npz") for run in ("one", "two"))
        np.testing.assert_array_equal(one["shared/coefficients"], two["shared/coefficients"])

    def test_a_run_that_does_not_converge_says_so(self):
        done = self.choir("fit", "central-kpca", "--data", DIGITS, "--gamma", 2e-7, "--n-components", 10, "--tol", 1e-30,
                          "--max-iter", 0, "--out", "run")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("not converged", done.stderr)
        self.assertIs(self.result("run")["converged"], False)

    def test_tol_zero_is_a_run_of_fixed_length(self):
        self.ok("fit", "central-kpca", "--data", DIGITS, "--gamma", 2e-7, "--tol", 0, "--max-iter", 1, "--out", "run")
        self.assertIsNone(self.result("run")["converged"])

    def test_an_interrupt_ends_the_run_and_leaves_nothing(self):
        self.save("x.npy", np.random.default_rng(0).normal(size=(6000, 300)))
        run = subprocess.Popen([CHOIR, "fit", "central-kpca", "--data", "x.npy", "--gamma", "0.001", "--gram", "recomputed",
                                "--tol", "1e-14", "--out", "run"], cwd=self.folder, stderr=subprocess.PIPE, text=True)
        _, errors = self.interrupt(run)
        self.assertEqual(run.returncode, 130, errors)
        self.assertIn("interrupted", errors)
        self.assertEqual(self.tree(), ["x.npy"])

    def test_force_replaces_an_earlier_run(self):
        self.save("x.npy", self.blobs())
        self.ok("fit", "central-kpca", "--data", "x.npy", "--out", "run")
        self.refused("fit", "central-kpca", "--data", "x.npy", "--out", "run", words=["run", "--force"])
        self.ok("fit", "central-kpca", "--data", "x.npy", "--out", "run", "--n-components", 3, "--force")
        self.assertEqual(self.result("run")["n_components"], 3)

    def test_select_labels_and_divide(self):
        self.ok("fit", "central-kpca", "--data", DIGITS, "--labels", DIGIT_LABELS, "--select-labels", "0,3,5,8", "--divide",
                255, "--out", "run")
        self.assertEqual(self.result("run")["samples"], 1800)

    def test_a_pattern_of_shards_is_the_whole(self):
        x = self.blobs()
        self.save("x.npy", x)
        self.save("part-0.npy", x[:20])
        self.save("part-1.npy", x[20:])
        self.ok("fit", "central-kpca", "--data", "x.npy", "--out", "whole", "--gamma", 0.1)
        self.ok("fit", "central-kpca", "--data", "part-{node}.npy", "--nodes", 2, "--out", "parts", "--gamma", 0.1)
        np.testing.assert_allclose(self.result("parts")["eigenvalues"], self.result("whole")["eigenvalues"])
