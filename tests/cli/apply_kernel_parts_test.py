import unittest

import numpy as np
from model_parts import KernelPartsTest
from network import MPI_AVAILABLE, mpirun


class ApplyKernelParts(KernelPartsTest):
    def test_parts_answer_as_kernel_pca_of_the_pooled_data(self):
        for engine in ("local", "sim"):
            said = self.answers_as_the_whole("--engine", engine, atol=1e-11)
            self.assertNotIn("warning", said)

    def test_it_does_not_matter_how_many_have_the_answer(self):
        for node in range(6):
            self.write_part(node, result=True)
        scores, _ = self.answer("transform")
        np.testing.assert_allclose(scores, self.scores, atol=1e-11)
        for node in range(6):
            self.write_part(node, result=False)
        self.refused(*self.parts("transform"),
                     words=["no part has the answer: run/model-0.npz and the others only add to sums", "centre"])

    def test_nodes_with_data_of_their_own_need_no_columns(self):
        self.answers_from_data_of_each_node(atol=1e-11)

    def write_keyed(self, keys_of):
        for node, columns in enumerate(self.COLUMNS):
            self.write_part(node, columns=False)
            rows = [f"{key}," + ",".join(map(repr, row)) for key, row in zip(keys_of(node), self.new[:, columns].tolist())]
            (self.folder / f"new-{node}.csv").write_text("\n".join(["name," + ",".join("v" * len(columns)), *rows]) + "\n")
        return self.parts("transform", "--key", "name", data="new-{node}.csv")

    def test_keys_say_whether_all_nodes_mean_the_same_samples(self):
        names = [f"person {i}" for i in range(25)]
        self.ok(*self.write_keyed(lambda node: names))
        np.testing.assert_allclose(np.load(self.folder / "out.npy"), self.scores, atol=1e-11)
        (self.folder / "out.npy").unlink()
        error = self.refused(*self.write_keyed(lambda node: names[::-1] if node == 4 else names), words=["node 4", "order"])
        self.assertNotIn("person", error)
        self.assertFalse((self.folder / "out.npy").exists())

    def test_gossip_estimates_also_over_lossy_links(self):
        scores, _ = self.answer("transform", "--engine", "sim", "--agree", "gossip", "--messages-per-node", 150,
                                "--sim-loss", 0.1)
        self.assertGreater(abs(scores - self.scores).max(), 0)
        np.testing.assert_allclose(scores, self.scores, atol=1e-6)

    def test_all_parts_are_needed(self):
        self.refused("transform", "--model", "run/model-2.npz", "--data", "new.npy", "--out", "s.npy",
                     words=["one party's part", "all parts are needed", "--model 'RUN/model-{node}.npz'"])
        (self.folder / "run/model-3.npz").unlink()
        self.refused(*self.parts("score"),
                     words=["there is no part of node 3, and a kernel's model answers from all of them"])
        (self.folder / "run/model-5.npz").unlink()
        self.refused(*self.parts("transform"), words=["no part of nodes 3, 5", "put them beside run/model-0.npz"])

    def test_nobody_may_be_lost_on_the_way(self):
        crash = ("--engine", "sim", "--sim-crash", "5@0ms", "--topology", "star")
        self.lost(*self.parts("transform", *crash), words=["node"])
        self.lost(*self.parts("transform", *crash, "--agree", "gossip"), words=["node 5"])
        self.refused(*self.parts("transform", *crash, "--lost-peers", "continue"), words=["--lost-peers fail"])

    def test_refuses_parts_that_are_not_of_one_model(self):
        self.write_part(3, gamma=0.03)
        self.refused(*self.parts("transform"),
                     words=["run/model-3.npz has the kernel rbf (gamma 0.03) but run/model-0.npz has the kernel rbf"])
        self.write_part(3, samples=79)
        self.refused(*self.parts("transform"), words=["run/model-3.npz has 79 training samples", "parts of one run"])
        linear = {"kind": "linear-part", "trace": 1.0, "training_samples": 80}
        self.save_part(3, linear, {"mean": np.zeros(1), "loadings": np.ones((3, 1)) / 3, "eigenvalues": np.ones(3)})
        self.refused(*self.parts("transform"),
                     words=["run/model-3.npz has a part of linear components", "has a part of kernel components"])


class ApplyPolyParts(KernelPartsTest):
    KERNEL = KernelPartsTest.KERNEL | {"kind": "poly", "gamma": 0.01}

    def test_inner_products_serve_as_distances_do(self):
        scores, _ = self.answer("transform")
        np.testing.assert_allclose(scores, self.scores, rtol=1e-9)
        errors, _ = self.answer("score")
        np.testing.assert_allclose(np.ravel(errors), self.errors, rtol=1e-9, atol=1e-9)


class ApplyCosineParts(KernelPartsTest):
    KERNEL = KernelPartsTest.KERNEL | {"kind": "cosine"}

    def test_lengths_serve_the_kernels_that_scale_by_them(self):
        scores, _ = self.answer("transform")
        np.testing.assert_allclose(scores, self.scores, atol=1e-11)
        errors, _ = self.answer("score")
        np.testing.assert_allclose(np.ravel(errors), self.errors, atol=1e-11)


@unittest.skipUnless(MPI_AVAILABLE, "built without MPI, or no mpirun")
class ApplyKernelPartsUnderMpi(KernelPartsTest):
    def test_the_rank_that_has_the_answer_writes_it(self):
        for ranks in (3, 6):
            done = mpirun(self.folder, ranks, *self.parts("transform", "--engine", "mpi", out=f"{ranks}.npy"))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stderr.count("25 x 3 values in"), 1, done.stderr)
            np.testing.assert_allclose(np.load(self.folder / f"{ranks}.npy"), self.scores, atol=1e-11)
