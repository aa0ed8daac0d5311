"""Runs the program in a folder of its own and asks about what it left."""
import json
import os
import pathlib
import pty
import re
import shlex
import signal
import subprocess
import tempfile
import time
import unittest

import numpy as np

CHOIR = os.environ["CHOIR"]
ROOT = pathlib.Path(os.environ["CHOIR_ROOT"])
DIGITS = f"{ROOT}/datasets/digits.npz:images"
DIGIT_LABELS = f"{ROOT}/datasets/digits.npz:labels"


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self._folder.name)

    def tearDown(self):
        self._folder.cleanup()

    def choir(self, *arguments):
        return subprocess.run([CHOIR, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                              timeout=1500)

    def ok(self, *arguments):
        done = self.choir(*arguments)
        self.assertEqual(done.returncode, 0, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def refused(self, *arguments, words=()):
        """Exit 2, one sentence on stderr that has these words, nothing on stdout, nothing new in the folder."""
        return self.ended(2, *arguments, words=words)

    def lost(self, *arguments, words=()):
        """The same with exit 4."""
        return self.ended(4, *arguments, words=words)

    def ended(self, code, *arguments, words):
        before = self.tree()
        done = self.choir(*arguments)
        self.assertEqual(done.returncode, code, f"{arguments}\n{done.stdout}\n{done.stderr}")
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        self.assertTrue(done.stderr.startswith("choir: "), done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertEqual(self.tree(), before, "something was left behind")
        return done.stderr

    def is_private(self, name):
        """Its owner alone may read it."""
        return (self.folder / name).stat().st_mode & 0o777 == 0o600

    def too_short(self, *arguments, advice, shown):
        """A fit into "run" that ends with exit 3 because it did not converge, says what to do and shows how far it came."""
        done = self.choir(*arguments, "--out", "run")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIs(self.result("run")["converged"], False)
        self.assertIn(advice, done.stderr)
        self.assertIn(shown, done.stdout)

    def of_fixed_length(self, *arguments, shown):
        """A fit into "run" that has no tolerance: it neither converged nor failed. Its result."""
        self.assertIn(shown, self.ok(*arguments, "--tol", 0, "--out", "run"))
        self.assertIsNone(self.result("run")["converged"])
        return self.result("run")

    def explains_just(self, share, *arguments):
        """A fit into "run" whose components explain this share of the variance, and all but the last of them less."""
        self.ok(*arguments, "--n-components", share, "--out", "run")
        ratios = self.result("run")["explained_variance_ratio"]
        self.assertGreaterEqual(sum(ratios), share)
        self.assertLess(sum(ratios[:-1]), share)

    def prints_its_result(self, *arguments):
        done = self.choir(*arguments, "--json", "--out", "run")
        self.assertEqual(json.loads(done.stdout), self.result("run"))

    def example_of(self, *command):
        """The arguments of the example that the help shows, which may read the data sets of the repository."""
        words = self.ok(*command, "--help")
        example = shlex.split(words[words.index("Example:") :].splitlines()[1])
        self.assertEqual(example[0], "choir")
        os.symlink(ROOT / "datasets", self.folder / "datasets")
        return example[1:]

    def tree(self):
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*"))

    def on_a_terminal(self, *arguments):
        """What is drawn there."""
        try:
            primary, secondary = pty.openpty()
        except OSError as error:
            self.skipTest(f"no terminal to be had: {error}")
        run = subprocess.Popen([CHOIR, *map(str, arguments)], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=secondary)
        os.close(secondary)
        return self.drawn(primary, run)

    def drawn(self, primary, run):
        """All that a run writes to its terminal, of which this is the other end."""
        shown = b""
        while True:
            try:
                piece = os.read(primary, 4096)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            shown += piece
        os.close(primary)
        self.assertEqual(run.wait(timeout=600), 0)
        return shown.decode()

    def wait_until_begun(self, run):
        """A fit that was started, until it can be interrupted."""
        while not any(name.startswith(".") for name in os.listdir(self.folder)):  # the folder it collects files in
            self.assertIsNone(run.poll())
            time.sleep(0.01)

    def interrupt(self, run, what=signal.SIGINT):
        """Sends the signal to a fit once it has begun; what it printed."""
        self.wait_until_begun(run)
        run.send_signal(what)
        return run.communicate(timeout=600)

    def save(self, name, array):
        np.save(self.folder / name, array)
        return name

    def result(self, run):
        return json.loads((self.folder / run / "result.json").read_text())

    def options_of(self, *command):
        """What --help-all says of every option, by its name."""
        entries = re.split(r"^  (?:-\w, )?--", self.ok(*command, "--help-all").split("Example:")[0], flags=re.M)[1:]
        return {entry.split()[0]: " ".join(re.split(r"\n\n", entry)[0].split()[1:]) for entry in entries}

    def assert_defaults(self, *command, **defaults):
        options = self.options_of(*command)
        for name, default in defaults.items():
            self.assertTrue(options[name.replace("_", "-")].endswith(f"default: {default})"), options[name.replace("_", "-")])

    def blobs(self, count=60, features=4, seed=0):
        random = np.random.default_rng(seed)
        return random.normal(size=(count, features)) * (3.0 / np.arange(1, features + 1)) + 0.5
