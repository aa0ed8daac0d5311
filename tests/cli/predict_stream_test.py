"""choir predict on lines as they come: pipes, files that grow, models that are replaced meanwhile."""
import os
import signal
import subprocess
import unittest

from online_streams_test import METHOD, StreamTest
from program import CHOIR


class PredictStream(StreamTest):
    def setUp(self):
        super().setUp()
        self.ok(*self.common, "--data", "all.csv", "--nodes", 1, "--out", "run")
        turned = "a,b,label\n" + "".join(f"{p!r},{q!r},{(label + 1) % 3}\n" for (p, q), label in zip(self.x.tolist(), self.y.tolist()))
        (self.folder / "turned.csv").write_text(turned)
        self.ok(*self.common, "--data", "turned.csv", "--nodes", 1, "--out", "turned")
        self.model = self.folder / "model.npz"
        self.model.write_bytes((self.folder / "run/model-0.npz").read_bytes())
        self.follow = ("predict", "--model", "model.npz", "--follow")

    def replace_model(self, content):
        (self.folder / "new.npz").write_bytes(content)
        os.replace(self.folder / "new.npz", self.model)

    def open(self, *arguments, **pipes):
        self.process = subprocess.Popen([CHOIR, *map(str, arguments)], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, bufsize=1, **pipes)
        return self.process

    def answer(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def end(self):
        shown, errors = self.process.communicate(timeout=600)
        return self.process.returncode, shown, errors

    def test_every_line_is_answered_at_once_by_the_newest_model(self):
        self.open(*self.follow, "--data", "-", stdin=subprocess.PIPE)
        self.assertEqual([self.answer(line) for line in ("0,0", "2,0", "0,2")], ["0", "1", "2"])
        self.replace_model((self.folder / "turned/model-0.npz").read_bytes())
        self.assertEqual([self.answer(line) for line in ("0,0", "2,0", "0,2")], ["1", "2", "0"])
        self.replace_model(b"no model")
        self.assertEqual(self.answer("0,0"), "1")
        code, shown, errors = self.end()
        self.assertEqual((code, shown), (0, ""))
        self.assertIn("the earlier model stays in use: model.npz", errors)
        self.assertIn("7 predictions, 0 bad records skipped, 1 newer models", errors)

    def test_bad_lines_are_skipped_or_end_it(self):
        self.open(*self.follow, "--data", "-", "--on-bad-record", "skip", stdin=subprocess.PIPE)
        self.process.stdin.write("a,b\n0,0\n1,2,3\nx,1\n")
        self.assertEqual(self.process.stdout.readline(), "0\n")
        self.assertEqual(self.answer("2,0"), "1")
        code, _, errors = self.end()
        self.assertEqual(code, 0, errors)
        self.assertIn("row 2 (line 3) has 3 columns", errors)
        self.assertIn("row 3 (line 4), column 1 (a): 'x' is not a number", errors)
        self.assertIn("2 predictions, 2 bad records skipped", errors)
        self.open(*self.follow, "--data", "-", stdin=subprocess.PIPE)
        self.assertEqual(self.answer("0,0"), "0")
        self.process.stdin.write("1,2,3\n")
        code, _, errors = self.end()
        self.assertEqual(code, 2)
        self.assertIn("row 2 (line 2) has 3 columns", errors)

    def test_a_file_that_grows_is_followed_until_a_stop(self):
        grows = self.folder / "grows.csv"
        grows.write_text("a,b\n0,0\n")
        self.open(*self.follow, "--data", "grows.csv")
        self.assertEqual(self.process.stdout.readline(), "0\n")
        with open(grows, "a") as file:
            file.write("2,0\n0,")
            file.flush()
            self.assertEqual(self.process.stdout.readline(), "1\n")
            file.write("2\n")
            file.flush()
            self.assertEqual(self.process.stdout.readline(), "2\n")
        self.process.send_signal(signal.SIGINT)
        code, _, errors = self.end()
        self.assertEqual(code, 0, errors)

    def test_a_pipe_is_read_to_its_end(self):
        done = subprocess.run([CHOIR, "predict", "--model", "model.npz", "--data", "-", "--labels", "label", "--out", "out.csv", "--json"],
                              cwd=self.folder, input=self.csv, capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.ok("predict", "--model", "model.npz", "--data", "all.csv", "--labels", "label", "--out", "whole.csv")
        self.assertEqual((self.folder / "out.csv").read_text(), (self.folder / "whole.csv").read_text())
        whole = self.ok("predict", "--model", "model.npz", "--data", "all.csv", "--labels", "label", "--out", "whole.csv", "--force", "--json")
        self.assertIn(whole[whole.index('"accuracy"') :].split("\n")[0].rstrip(","), done.stdout)
        done = subprocess.run([CHOIR, "predict", "--model", "model.npz", "--data", "-", "--labels", "label", "--probabilities"],
                              cwd=self.folder, input=self.csv, capture_output=True, text=True, timeout=600)
        self.ok("predict", "--model", "model.npz", "--data", "all.csv", "--labels", "label", "--out", "whole.csv", "--force", "--probabilities")
        self.assertEqual(done.stdout.count("\n"), 600)
        for line, whole in zip(done.stdout.splitlines(), (self.folder / "whole.csv").read_text().splitlines()):
            for one, other in zip(line.split(","), whole.split(",")):
                self.assertAlmostEqual(float(one), float(other), places=12)

    def test_words_are_written(self):
        lines = [f"{p!r},{q!r},{('cat', 'dog', 'emu')[label]}" for (p, q), label in zip(self.x.tolist(), self.y.tolist())]
        (self.folder / "pets.csv").write_text("a,b,kind\n" + "\n".join(lines) + "\n")
        self.ok(*METHOD, "--labels", "kind", "--data", "pets.csv", "--nodes", 1, "--out", "pets")
        self.open("predict", "--model", "pets/model-0.npz", "--data", "-", stdin=subprocess.PIPE)
        self.assertEqual([self.answer(line) for line in ("0,0", "2,0", "0,2")], ["cat", "dog", "emu"])
        self.end()

    def test_what_does_not_fit(self):
        for arguments, words in ((("--data", "all.csv", "--labels", "label"), ["--out is missing"]),
                                 (("--data", "all.csv", "--out", "out.csv", "--on-bad-record", "skip"), ["--follow"]),
                                 (("--data", "all.csv", "--follow", "--out", "out.npy"), [".csv"]),
                                 (("--data", "all.csv", "--follow"), ["3 features but the model"])):
            self.refused("predict", "--model", "model.npz", *arguments, words=words)


if __name__ == "__main__":
    unittest.main()
