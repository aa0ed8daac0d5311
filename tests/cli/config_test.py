import numpy as np
from program import ProgramTest


class Config(ProgramTest):
    def setUp(self):
        super().setUp()
        self.save("x.npy", self.blobs())

    def write(self, text):
        (self.folder / "run.toml").write_text(text)

    def test_gives_options_and_the_command_line_wins(self):
        self.write('data = "x.npy"\ngamma = 0.05\nn-components = 3\nnormalized = true\n')
        self.ok("fit", "central-kpca", "--config", "run.toml", "--out", "three")
        self.assertEqual(self.result("three")["n_components"], 3)
        self.ok("fit", "central-kpca", "--config", "run.toml", "--out", "four", "--n-components", 4)
        self.assertEqual(self.result("four")["n_components"], 4)

    def test_the_resolved_file_repeats_the_run(self):
        self.ok("fit", "central-kpca", "--data", "x.npy", "--gamma", "median", "--n-components", 3, "--random-state", 5,
                "--out", "one")
        self.ok("fit", "central-kpca", "--config", "one/config.resolved.toml", "--out", "two")
        np.testing.assert_array_equal(self.result("one")["eigenvalues"], self.result("two")["eigenvalues"])

    def test_refuses_what_it_does_not_understand(self):
        for text, words in [
            ('data = "x.npy"\ngama = 0.05\n', ["run.toml line 2", "gama"]),
            ("gamma = = 3\n", ["run.toml line 1"]),
            ('gamma = 0.05\ndegree = "three"\n', ["run.toml line 2", "degree"]),
            ("[section]\nx = 1\n", ["run.toml", "section"]),
        ]:
            with self.subTest(text=text):
                self.write(text)
                self.refused("fit", "central-kpca", "--config", "run.toml", "--out", "run", words=words)
        self.refused("fit", "central-kpca", "--config", "none.toml", "--out", "run", words=["none.toml"])
