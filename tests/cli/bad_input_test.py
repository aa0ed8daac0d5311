"""Bad input gets one clear sentence, exit 2, and nothing half-written."""
import os
import resource
import signal
import subprocess
import unittest

import h5py
import numpy as np
from program import CHOIR, ProgramTest


class BadFiles(ProgramTest):
    def fit_refused(self, data, words, *options):
        self.refused("fit", "central-kpca", "--data", data, "--out", "run", *options, words=words)

    def write(self, name, content):
        (self.folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    def test_not_a_number(self):
        x = self.blobs(5, 3)
        x[1, 2] = np.nan
        self.fit_refused(self.save("nan.npy", x), ["nan.npy", "row 2", "column 3"])
        x[1, 2] = -np.inf
        self.fit_refused(self.save("inf.npy", x), ["inf.npy", "row 2", "column 3"])
        self.fit_refused(self.write("x.csv", "1,2\n3,nan\n"), ["x.csv", "row 2", "column 2"])

    def test_ragged_csv(self):
        self.fit_refused(self.write("x.csv", "1,2,3\n4,5,6\n7,8\n"), ["x.csv", "row 3"])

    def test_words_in_csv(self):
        self.fit_refused(self.write("x.csv", "a,b\n1,2\n3,apple\n"), ["x.csv", "apple"])

    def test_empty_files(self):
        for name in ("x.npy", "x.csv", "x.npz", "x.h5", "x.mat", "x.svm", "x.idx"):
            self.fit_refused(self.write(name, ""), [name, "empty"])

    def test_missing_file(self):
        self.fit_refused("nowhere.npy", ["nowhere.npy"])

    def test_wrong_magic(self):
        for name in ("x.npy", "x.npz", "x.h5", "x.mat"):
            self.fit_refused(self.write(name, b"\x00\x01garbage\xff" * 50), [name])

    def test_truncated_files(self):
        x = self.blobs(200, 10)
        np.save(self.folder / "x.npy", x)
        np.savez(self.folder / "x.npz", x=x)
        with h5py.File(self.folder / "x.h5", "w") as file:
            file["x"] = x
        for name in ("x.npy", "x.npz", "x.h5"):
            whole = (self.folder / name).read_bytes()
            for share in (0.02, 0.5, 0.99):
                self.fit_refused(self.write("cut-" + name, whole[: int(len(whole) * share)]), ["cut-" + name])

    def test_foreign_arrays(self):
        self.fit_refused(self.save("big.npy", self.blobs().astype(">f8")), ["big.npy", "big-endian"])
        self.fit_refused(self.save("objects.npy", np.array([{"a": 1}, None], dtype=object)), ["objects.npy", "object"])
        self.fit_refused(self.save("complex.npy", self.blobs() * 1j), ["complex.npy"])

    def test_several_arrays_and_no_key(self):
        np.savez(self.folder / "x.npz", a=self.blobs(), b=self.blobs())
        self.fit_refused("x.npz", ["x.npz", "a", "b"])
        self.fit_refused("x.npz:c", ["c"])

    def test_shards_of_different_width(self):
        self.save("part-0.npy", self.blobs(20, 4))
        self.save("part-1.npy", self.blobs(20, 5))
        self.fit_refused("part-{node}.npy", ["part-1.npy", "4", "5"], "--nodes", 2)
        self.fit_refused("part-{node}.npy", ["part-2.npy"], "--nodes", 3)
        self.fit_refused("part-{node}.npy", ["--nodes"])


class BadOptions(ProgramTest):
    def setUp(self):
        super().setUp()
        self.save("x.npy", self.blobs(30, 4))

    def fit_refused(self, words, *options, method="central-kpca"):
        self.refused("fit", method, "--data", "x.npy", "--out", "run", *options, words=words)

    def test_components(self):
        self.fit_refused(["30", "29"], "--n-components", 30)
        self.fit_refused(["500"], "--n-components", 500)
        self.fit_refused(["0"], "--n-components", 0)
        self.fit_refused(["-3"], "--n-components", -3)
        self.fit_refused(["ten"], "--n-components", "ten")
        self.fit_refused(["at most 4"], "--n-components", 5, "--kernel", "linear")
        self.fit_refused(["max_components"], "--n-components", 0.999, "--max-components", 2)

    def test_more_components_than_the_rank(self):
        self.save("x.npy", np.repeat(self.blobs(4), 10, axis=0))
        self.fit_refused(["rank 3"], "--n-components", 4, "--gamma", 0.1)

    def test_gamma(self):
        for gamma in ("0", "-1", "nan", "inf", "wide"):
            self.fit_refused(["gamma"], f"--gamma={gamma}")

    def test_constant_data(self):
        self.save("x.npy", np.ones((30, 4)))
        for options in ([], ["--gamma", 0.5], ["--gamma", "median"], ["--kernel", "linear"], ["--kernel", "poly"]):
            self.refused("fit", "central-kpca", "--data", "x.npy", "--out", "run", *options)

    def test_one_sample(self):
        self.save("x.npy", self.blobs(1))
        self.fit_refused([], "--gamma", 1)

    def test_words_that_are_no_choice(self):
        self.fit_refused(["moon", "rbf"], "--kernel", "moon")
        self.fit_refused(["half", "float32"], "--precision", "half")
        self.fit_refused(["minmax", "zscore"], "--standardize", "minmax")
        self.fit_refused(["cloud"], "--engine", "cloud")
        self.fit_refused(["divide"], "--divide", 0)
        self.fit_refused(["--threads", "non-negative integer"], "--threads", -2)
        self.fit_refused(["--yardsticks"], "--yardsticks")
        self.fit_refused(["tol"], "--tol=-1")
        self.fit_refused(["--help"], "--colour", "red")
        self.refused("fit", "moon-kpca", "--data", "x.npy", "--out", "run", words=["--help"])
        self.refused("sing", words=["--help"])

    def test_missing_arguments(self):
        self.refused("fit", "central-kpca", "--out", "run", words=["--data"])
        self.refused("fit", "central-kpca", "--data", "x.npy", words=["--out"])

    def test_networks_that_do_not_work(self):
        local = ("fit", "local-kpca", "--data", "x.npy", "--out", "run", "--gamma", 0.1)
        self.refused(*local, words=["--nodes"])
        self.refused(*local, "--nodes", 31, words=["31", "30"])
        self.refused(*local, "--nodes", 15, "--n-components", 5, words=["node", "n_components"])
        self.refused(*local, "--nodes", 3, "--topology", "ring:3", "--yardsticks", words=["ring:3"])
        self.refused(*local, "--nodes", 3, "--by", "features", words=["features"])
        self.refused(*local, "--nodes", 3, "--select-labels", "1,x", "--labels", "x.npy")

    def test_output_folder(self):
        (self.folder / "taken").mkdir()
        (self.folder / "taken/notes.txt").write_text("mine")
        self.refused("fit", "central-kpca", "--data", "x.npy", "--out", "taken", words=["taken", "--force"])
        self.refused("fit", "central-kpca", "--data", "x.npy", "--out", "taken", "--force", words=["taken"])
        self.assertEqual((self.folder / "taken/notes.txt").read_text(), "mine")
        self.refused("fit", "central-kpca", "--data", "x.npy", "--out", "x.npy/run", words=["x.npy"])


class NoSpace(ProgramTest):
    def test_a_file_that_cannot_be_finished_leaves_nothing(self):
        self.save("x.npy", self.blobs(400, 50))

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # then write() fails instead of killing
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

        before = self.tree()
        done = subprocess.run([CHOIR, "fit", "central-kpca", "--data", "x.npy", "--gamma", "0.01", "--out", "run"],
                              cwd=self.folder, capture_output=True, text=True, preexec_fn=limit, timeout=1500)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("model-0.npz", done.stderr)
        self.assertEqual(self.tree(), before)

    def test_a_full_disk(self):
        disk = self.folder / "disk"
        disk.mkdir()
        mounted = os.geteuid() == 0 and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], capture_output=True).returncode == 0
        if not mounted:
            self.skipTest("no right to mount a small disk")
        try:
            self.save("x.npy", self.blobs(400, 50))
            self.refused("fit", "central-kpca", "--data", "x.npy", "--gamma", 0.01, "--out", "disk/run", words=["space"])
            self.refused("data", "split", "x.npy", "--nodes", 3, "--out", "disk/shards", words=["space"])
            self.assertEqual(list(disk.iterdir()), [])
        finally:
            subprocess.run(["umount", disk], check=True)


if __name__ == "__main__":
    unittest.main()
