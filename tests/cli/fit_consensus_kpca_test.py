"""Decentralised kernel PCA as its users meet it: every engine, every answer, every way to share."""
import json
import shutil
import subprocess
import unittest

import numpy as np
from network import MPI_BUILT_IN, UNDER_MPIRUN
from program import CHOIR, ProgramTest

METHOD = ("fit", "consensus-kpca")
FIT = (*METHOD, "--gamma", 0.05, "--n-components", 3)
SHOWN = (*FIT, "--share", "samples")
NODES = 20


class ConsensusTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.x = self.blobs(30 * NODES, 6)
        for node in range(NODES):
            self.save(f"part-{node}.npy", self.x[30 * node : 30 * (node + 1)])
        self.shards = ("--data", "part-{node}.npy", "--nodes", NODES)

    def manifest(self, run, node):
        with np.load(self.folder / run / f"model-{node}.npz") as model:
            return json.loads(bytes(model["manifest.json"]))

    def coefficients(self, run, answer):
        models = [np.load(self.folder / run / f"model-{node}.npz") for node in range(NODES)]
        return np.stack([model[f"{answer}/coefficients"] for model in models])

    def transformed(self, run, node, use, data="part-0.npy"):
        self.ok("transform", "--model", f"{run}/model-{node}.npz", "--data", data, "--out", "scores.npy", "--force", "--use", use)
        return np.load(self.folder / "scores.npy")

    def lines(self, run):
        return [json.loads(line) for line in (self.folder / run / "metrics.jsonl").read_text().splitlines()]


class OneRun(ConsensusTest):
    def test_the_result_has_every_key(self):
        shown = self.ok(*SHOWN, *self.shards, "--use", "neighborhood", "--yardsticks", "--out", "run")
        result = self.result("run")
        self.assertIs(result["converged"], True)
        self.assertEqual((result["method"], result["nodes"], result["samples"]), ("consensus-kpca", NODES, 600))
        self.assertEqual(len(result["consensus_gap"]), 3)
        self.assertLess(max(result["consensus_gap"]), 0.5)
        self.assertGreater(result["between_node_variance"], 0)
        self.assertGreater(result["rho"], 0)
        self.assertGreater(result["planned_memory_bytes"], 100_000)
        self.assertEqual([result[key] for key in ("share", "z_step", "centering", "use")],
                         ["samples", "unbiased", "landmark", "neighborhood"])
        self.assertGreater(result["time"]["setup_s"], 0)
        self.assertGreater(result["time"]["iterate_s"], 0)
        quality = result["quality"]
        for name in ("similarity_own", "similarity_neighborhood", "similarity_shared", "oracle", "oracle_neighborhood", "local",
                     "gather_own", "gather_neighborhood"):
            self.assertEqual(np.shape(quality["per_node"][name]), (NODES, 3), name)
        self.assertGreater(quality["similarity_neighborhood"][0], quality["gather_neighborhood"][0])
        self.assertGreater(quality["similarity_own"][0], quality["local"][0])
        self.assertGreater(quality["subspace_cosine_min"], 0.9)
        for words in ("consensus gap", "consensus, own", "best of own", "raw samples ",
                      f"converged after {result['iterations']} iterations"):
            self.assertIn(words, shown)

    def test_every_iteration_of_every_node_is_recorded(self):
        self.ok(*SHOWN, *self.shards, "--out", "run")
        lines = self.lines("run")
        iterations = self.result("run")["iterations"]
        self.assertEqual([(line["node"], line["iteration"]) for line in lines],
                         [(node, t + 1) for node in range(NODES) for t in range(iterations)])
        last = [line["change"] for line in lines if line["iteration"] == iterations]
        self.assertEqual(max(last), self.result("run")["change"])
        self.assertTrue(all(line["gap"] >= 0 for line in lines))

    def test_with_yardsticks_every_iteration_says_how_good_it_was(self):
        self.ok(*SHOWN, *self.shards, "--yardsticks", "--out", "run")
        result = self.result("run")
        last = [line["similarity"] for line in self.lines("run") if line["iteration"] == result["iterations"]]
        by_node = np.mean(result["quality"]["per_node"]["similarity_neighborhood"], axis=1)
        np.testing.assert_allclose(last, by_node, rtol=0, atol=1e-9)

    def test_every_answer_of_a_model_can_be_used(self):
        self.ok(*SHOWN, *self.shards, "--out", "run", "--use", "own")
        self.assertEqual(self.result("run")["use"], "own")
        manifest = self.manifest("run", 3)
        self.assertEqual(manifest["use"], "own")
        self.assertEqual(manifest["parameters"]["neighborhood"], "3,1,2,4,5")
        self.assertEqual(manifest["parameters"]["samples"], "30,30,30,30,30")
        default = self.transformed("run", 3, "")
        np.testing.assert_array_equal(default, self.transformed("run", 3, "own"))
        # Nodes agree in order and sign, and the scores of all samples have the eigenvalues as squares.
        self.save("all.npy", self.x)
        one, other = (self.transformed("run", node, "neighborhood", "all.npy") for node in (3, 13))
        self.assertGreater(min((one * other).sum(0) / np.sqrt((one**2).sum(0) * (other**2).sum(0))), 0.95)
        np.testing.assert_allclose((one**2).sum(0), self.result("run")["eigenvalues"], rtol=0.1)
        for use in ("own", "neighborhood", "shared"):
            self.ok("score", "--model", "run/model-3.npz", "--data", "all.npy", "--out", "errors.npy", "--force", "--use", use)
            self.assertGreater(np.load(self.folder / "errors.npy").min(), -1e-9)
            self.assertIn(use, self.ok("inspect", "run/model-3.npz"))
        self.refused("transform", "--model", "run/model-3.npz", "--data", "all.npy", "--out", "s.npy", "--use", "best",
                     words=["best", "neighborhood"])

    def test_a_share_of_the_variance(self):
        self.explains_just(0.6, *METHOD, "--gamma", 0.05, *self.shards)
        self.explains_just(0.6, *METHOD, "--gamma", 0.05, "--share", "samples", "--force", *self.shards)

    def test_a_run_of_fixed_length_neither_converged_nor_failed(self):
        result = self.of_fixed_length(*SHOWN, *self.shards, "--max-iter", 4, shown="4 iterations, a run of fixed length")
        self.assertEqual(result["iterations"], 4)

    def test_a_run_that_is_too_short_is_exit_3(self):
        self.too_short(*SHOWN, *self.shards, "--use", "neighborhood", "--tol", 1e-9, "--max-iter", 2,
                       advice="not converged: change", shown="NOT converged after 2 iterations")

    def test_much_memory_is_announced_and_too_much_refused(self):
        done = self.choir(*FIT, *self.shards, "--threads", 1, "--share", "random-features", "--n-features", 2500, "--out", "run")
        self.assertRegex(done.stderr, r"20 nodes need [1-9]\.[0-9] GiB")
        self.assertGreater(self.result("run")["planned_memory_bytes"], 2**30)
        self.refused(*FIT, *self.shards, "--share", "random-features", "--n-features", 500_000, "--out", "too-much",
                     words=["20 nodes need", "TiB", "available"])

    def test_the_resolved_file_repeats_the_run(self):
        self.ok(*METHOD, *self.shards, "--gamma", "median", "--share", "samples", "--guard", 2, "--init", "local", "--out", "one")
        self.ok(*METHOD, "--config", "one/config.resolved.toml", "--out", "two")
        np.testing.assert_array_equal(self.coefficients("one", "own"), self.coefficients("two", "own"))
        self.assertEqual(self.lines("one"), self.lines("two"))

    def test_the_method_as_printed(self):
        self.ok(*METHOD, *self.shards, "--gamma", 0.05, "--n-components", 1, "--share", "samples", "--z-step", "paper", "--rho", "schedule", "--init", "local", "--centering", "local", "--tol", 0,
                "--max-iter", 12, "--out", "run")
        result = self.result("run")
        self.assertEqual((result["z_step"], result["centering"], result["iterations"]), ("paper", "local", 12))

    def test_defaults_in_the_help_are_those_of_the_method(self):
        words = " ".join(self.ok("fit", "consensus-kpca", "--help-all").split())
        self.assertRegex(words, r"--tol X largest change of a node's directions [^(]*\(0 or more; default: 0.01\)")
        self.assertRegex(words, r"--max-iter N largest number of iterations \(default: 60\)")


class WithoutSamples(ConsensusTest):
    def kinds(self, run):
        return {kind: count["bytes"] for kind, count in self.result(run)["ledger"]["by_kind"].items() if count["bytes"] > 0}

    def test_random_features_send_sums_alone(self):
        # Of so few features only the first component claims anything.
        shown = self.ok(*METHOD, "--gamma", 0.05, "--n-components", 1, *self.shards, "--share", "random-features", "--n-features", 300,
                        "--yardsticks", "--out", "run")
        self.assertLessEqual(set(self.kinds("run")), {"own_statistics", "masked", "totals", "control"})
        self.assertIn("no raw samples, no centroids", shown)
        self.assertEqual(self.result("run")["use"], "shared")
        first, second = (self.transformed("run", node, "shared") for node in (0, 7))
        np.testing.assert_allclose(first, second, atol=1e-9)
        self.assertIn("carries no sample", self.ok("inspect", "run/model-0.npz"))

    def test_landmarks_send_means_of_several_samples(self):
        self.ok(*FIT, *self.shards, "--share", "landmarks", "--n-landmarks", 100, "--yardsticks", "--out", "run")
        self.assertLessEqual(set(self.kinds("run")), {"centroids", "own_statistics", "masked", "totals", "control"})
        quality = self.result("run")["quality"]
        self.assertGreater(quality["similarity_shared"][0], 0.9)
        self.assertNotIn("similarity_neighborhood", quality)
        self.ok(*FIT, *self.shards, "--share", "landmarks", "--n-landmarks", 100, "--min-count", 1, "--out", "singles")
        self.assertIn("raw_samples", self.kinds("singles"))

    def test_public_landmarks_take_the_place_of_those_that_are_found_out(self):
        self.save("public.npy", self.x[::7] + 0.1)
        common = (*FIT, *self.shards, "--yardsticks", "--landmarks")
        self.ok(*common, "public.npy", "--out", "public")
        self.assertLessEqual(set(self.kinds("public")), {"own_statistics", "masked", "totals", "control"})
        self.assertGreater(self.result("public")["quality"]["similarity_shared"][0], 0.9)
        self.save("narrow.npy", self.x[:9, :3])
        self.refused(*common, "narrow.npy", "--out", "run", words=["landmarks have 3 features"])
        self.refused(*common, "public.npy", "--share", "random-features", "--out", "run", words=["landmarks are given"])

    def samples_in(self, run):
        """Of all nodes, whole in any array of a model."""
        columns = {row.tobytes() for row in self.x}
        found = 0
        for node in range(NODES):
            with np.load(self.folder / run / f"model-{node}.npz") as model:
                for name in model.files:
                    array = np.asarray(model[name])
                    if array.dtype == np.float64 and array.ndim == 2 and self.x.shape[1] in array.shape:
                        rows = array if array.shape[1] == self.x.shape[1] else array.T
                        found += sum(np.ascontiguousarray(row).tobytes() in columns for row in rows)
        return found

    def test_models_hold_samples_only_if_asked_to(self):
        for share in ("landmarks", "random-features"):
            self.ok(*METHOD, "--gamma", 0.05, "--n-components", 1, *self.shards, "--share", share, "--out", share)
            self.assertEqual(self.samples_in(share), 0)
            self.assertEqual(list(self.manifest(share, 3)["answers"]), ["shared"])
        self.ok(*FIT, *self.shards, "--keep-samples", "--out", "kept")
        self.assertEqual(self.samples_in("kept"), len(self.x), "the search finds them where they are")
        self.refused(*FIT, *self.shards, "--use", "own", "--out", "run", words=["--use own", "--keep-samples"])
        self.ok(*FIT, *self.shards, "--use", "own", "--keep-samples", "--out", "own")

    def test_sums_by_averaging_agree_with_sums_over_a_tree(self):
        common = (*FIT, *self.shards, "--share", "landmarks", "--n-landmarks", 40)
        self.ok(*common, "--out", "tree")
        self.ok(*common, "--agree", "consensus", "--out", "consensus")
        np.testing.assert_allclose(self.result("tree")["eigenvalues"], self.result("consensus")["eigenvalues"], rtol=1e-3)


class Engines(ConsensusTest):
    def same(self, run, expected):
        for answer in ("own", "neighborhood"):
            np.testing.assert_allclose(self.coefficients(run, answer), self.coefficients(expected, answer), rtol=0, atol=1e-10)
        self.assertEqual(self.result(run)["ledger"], self.result(expected)["ledger"])
        self.assertEqual(self.lines(run), self.lines(expected))

    def test_the_same_answer_on_every_engine(self):
        self.ok(*SHOWN, *self.shards, "--threads", 1, "--out", "one")
        self.ok(*SHOWN, *self.shards, "--threads", 2, "--out", "two")
        self.ok(*SHOWN, *self.shards, "--engine", "sim", "--sim-latency", "1ms..9ms", "--out", "sim")
        self.same("two", "one")
        self.same("sim", "one")
        if not MPI_BUILT_IN or not shutil.which("mpirun"):
            self.skipTest("built without MPI, or no mpirun")
        done = subprocess.run(["mpirun", "--oversubscribe", "-n", str(NODES), CHOIR, *map(str, SHOWN), "--data",
                               "part-{rank}.npy", "--engine", "mpi", "--out", "mpi"],
                              cwd=self.folder, capture_output=True, text=True, timeout=600, env=UNDER_MPIRUN)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("consensus gap"), 1)
        self.same("mpi", "one")

    def test_one_file_is_dealt_out(self):
        self.save("x.npy", self.x)
        self.ok(*SHOWN, "--data", "x.npy", "--nodes", 8, "--out", "run")
        self.assertEqual(self.result("run")["nodes"], 8)

    def test_a_crash_ends_the_run_unless_it_may_go_on(self):
        simulated = (*SHOWN, *self.shards, "--engine", "sim", "--tol", 0, "--max-iter", 15, "--deadline", "1s", "--yardsticks")
        going_on = (*simulated, "--lost-peers", "continue")
        self.ok(*going_on, "--sim-trace", "trace.txt", "--out", "all")
        iterations = [line.split()[0] for line in (self.folder / "trace.txt").read_text().splitlines() if " coefficients " in line]
        crash = ("--sim-crash", f"7@{iterations[len(iterations) // 2]}s")
        self.lost(*simulated, "--sim-crash", "7@10ms", "--out", "run", words=["node 7"])
        self.ok(*going_on, *crash, "--out", "run")
        result = self.result("run")
        self.assertEqual(result["crashed"], [7])
        self.assertFalse((self.folder / "run/model-7.npz").exists())
        for key in ("similarity_own", "local", "gather_own", "gather_neighborhood", "oracle"):
            self.assertEqual(result["quality"]["per_node"][key][7], [None] * 3, key)
            others = [node for node in result["quality"]["per_node"][key] if node[0] is not None]
            np.testing.assert_allclose(result["quality"][key], np.mean(others, axis=0), err_msg=key)
        own, whole = (self.result(run)["quality"]["similarity_own"] for run in ("run", "all"))
        self.assertGreater(own[0], whole[0] - 0.01)
        self.assertIn("node 7 crashed", self.ok("inspect", "run"))


class BadInput(ConsensusTest):
    def refuse(self, words, *options):
        self.refused(*METHOD, *self.shards, "--out", "run", *options, words=words)

    def test_words_and_numbers_that_are_no_choice(self):
        for option, text, words in [
            ("--use", "best", ["best", "neighborhood"]),
            ("--share", "all", ["all", "landmarks"]),
            ("--agree", "vote", ["vote", "tree"]),
            ("--z-step", "big", ["big", "unbiased"]),
            ("--init", "zero", ["zero", "gather"]),
            ("--centering", "global", ["global", "landmark"]),
            ("--rho", "-1", ["rho", "-1"]),
            ("--guard", "-1", ["guard", "-1"]),
            ("--exchange-noise", "-1", ["--exchange-noise", "-1"]),
            ("--min-count", "0", ["--min-count", "0"]),
            ("--n-landmarks", "0", ["--n-landmarks"]),
            ("--max-iter", "0", ["max_iter"]),
        ]:
            with self.subTest(option=option):
                # Before any data are read.
                self.refused(*FIT, "--data", "none-{node}.npy", "--nodes", 3, "--out", "run", f"{option}={text}", words=words)
        self.refuse(["use is neighborhood", "shared"], "--use", "neighborhood")
        self.refuse(["noise", "share samples"], "--exchange-noise", 1)
        self.refuse(["random-features", "poly"], "--kernel", "poly", "--share", "random-features")
        self.refuse(["node", "rho"], "--rho", "1e-3", "--share", "samples")

    def test_more_components_than_samples(self):
        self.save("part-4.npy", self.x[:2])
        self.refuse(["200 components", "node 2", "span only"], "--gamma", 0.05, "--n-components", 200, "--share", "samples")
        self.ok(*SHOWN, *self.shards, "--out", "run")  # with its neighbours' samples node 4 has enough

    def test_duplicates(self):
        for node in range(NODES):
            self.save(f"part-{node}.npy", np.repeat(self.x[:2], 15, axis=0))
        self.refuse(["components", "node 0"], "--gamma", 0.1, "--share", "samples")
        self.refuse(["components"], "--gamma", 0.1, "--n-components", 3)

    def test_a_node_without_samples(self):
        self.save("part-4.npy", np.zeros((0, 6)))
        self.refuse(["part-4.npy", "no data"])

    def test_an_isolated_node(self):
        links = [f"{node} {node + 1}" for node in range(NODES - 2)]
        (self.folder / "links.txt").write_text("\n".join(links))
        self.refuse(["links.txt", "20"], "--topology", "file:links.txt")
        matrix = np.zeros((NODES, NODES), dtype=int)
        matrix[range(NODES - 2), range(1, NODES - 1)] = 1
        np.savetxt(self.folder / "matrix.txt", matrix + matrix.T, fmt="%d")
        self.refuse(["node 19", "not connected"], "--topology", "file:matrix.txt")

    def test_a_kernel_too_narrow(self):
        self.refuse(["gamma", "median"], "--gamma", 1e6)

    def test_different_numbers_of_features(self):
        self.save("part-4.npy", self.blobs(30, 5))
        self.refuse(["shard 4 has 5 features", "shard 0 has 6", "part-4.npy"])


if __name__ == "__main__":
    unittest.main()
