"""Runs that go on from the states of an earlier one: after a kill, with more passes, with files that have grown."""
import os
import signal
import subprocess
import time
import unittest

from fit_online_kernel_test import NODES, SAMPLES, OnlineTest, csv_of, mixture
from program import CHOIR


class Interrupted(OnlineTest):
    def setUp(self):
        super().setUp()
        for node in range(NODES):
            x, y = mixture(6000, node)
            (self.folder / f"stream-{node}.csv").write_text(csv_of(x, y))
        self.long = (*self.shards, "--passes", 4, "--checkpoint-every", 320)

    def killed(self, *arguments):
        """Started, and killed once it has left states."""
        states = self.folder / "states"
        process = subprocess.Popen([CHOIR, *map(str, (*arguments, "--checkpoint", "states"))], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 60
        while time.monotonic() < end and process.poll() is None:
            if states.is_dir() and any(int(path.stem.split("-")[-1]) >= 40 for path in states.glob("node-0-round-*.npz")):
                break
            time.sleep(0.005)
        self.assertIsNone(process.poll(), "it ended before it could be killed")
        os.kill(process.pid, signal.SIGKILL)
        process.wait()

    def test_a_run_that_was_killed_ends_with_the_same_bits(self):
        for consensus in ("diffusion", "symmetric", "none"):
            with self.subTest(consensus=consensus):
                command = (*self.long, "--consensus", consensus)
                self.ok(*command, "--out", f"whole-{consensus}")
                self.killed(*command, "--out", consensus)
                error = self.choir(*command, "--checkpoint", "states", "--out", consensus)
                self.assertEqual(error.returncode, 2)
                self.assertIn("--resume", error.stderr)
                self.ok(*command, "--checkpoint", "states", "--resume", "--out", consensus, "--force")
                self.assertEqual(self.models(consensus), self.models(f"whole-{consensus}"))
                self.assertEqual(self.result(f"whole-{consensus}")["faults"], [])
                resumed = self.result(consensus)["faults"]
                self.assertEqual({(fault["what"], fault["unit"]) for fault in resumed}, {("resumed", "round")})
                self.assertTrue(all(f"at sample {32 * fault['at']} of" in fault["words"] for fault in resumed), resumed)
                self.assertEqual(self.shown_by(consensus), self.shown_by(f"whole-{consensus}"))
                for path in (self.folder / "states").iterdir():
                    path.unlink()

    def test_states_of_another_run_are_refused(self):
        self.killed(*self.long, "--out", "run")
        common = ("--checkpoint", "states", "--resume", "--out", "other")
        done = self.choir(*self.long, "--batch", 16, *common)
        self.assertEqual(done.returncode, 2)
        self.assertIn("other data or options", done.stderr)
        for path in (self.folder / "states").iterdir():
            path.write_bytes(path.read_bytes()[:-40])
        done = self.choir(*self.long, *common)
        self.assertEqual(done.returncode, 2)
        self.assertIn("states/node-", done.stderr)

    def test_resume_needs_a_state(self):
        self.refused(*self.long, "--resume", "--out", "run", words=["--checkpoint"])


class MorePasses(OnlineTest):
    def check(self, longer, *common):
        """A run, then a longer one that goes on from its states, against the longer one alone."""
        states = ("--checkpoint", "states", "--checkpoint-every", 32)
        for consensus in ("diffusion", "symmetric", "none"):
            with self.subTest(consensus=consensus):
                command = (*self.shards, "--consensus", consensus, *common)
                self.ok(*command, *states, "--out", f"first-{consensus}")
                arguments = longer()
                self.ok(*command, *arguments, *states, "--resume", "--out", f"rest-{consensus}")
                self.ok(*command, *arguments, "--out", f"whole-{consensus}")
                self.assertEqual(self.models(f"rest-{consensus}"), self.models(f"whole-{consensus}"))
                self.assertNotEqual(self.models(f"rest-{consensus}"), self.models(f"first-{consensus}"))
                self.assertEqual(self.shown_by(f"rest-{consensus}"), self.shown_by(f"whole-{consensus}"))
                self.assertEqual(len(self.result(f"whole-{consensus}")["faults"]), 0)
                # And once more, after its end.
                self.ok(*command, *arguments, *states, "--resume", "--out", f"rest-{consensus}", "--force")
                self.assertEqual(self.models(f"rest-{consensus}"), self.models(f"whole-{consensus}"))
                self.assertEqual(self.shown_by(f"rest-{consensus}"), self.shown_by(f"whole-{consensus}"))
                for path in (self.folder / "states").iterdir():
                    path.unlink()
                self.setUp_streams()

    def setUp(self):
        super().setUp()
        self.lengths = [SAMPLES] * NODES
        self.setUp_streams()

    def setUp_streams(self):
        for node, length in enumerate(self.lengths):
            (self.folder / f"stream-{node}.csv").write_text(csv_of(*mixture(length, node)))

    def test_are_those_of_a_run_without_an_interruption(self):
        self.check(lambda: ("--passes", 2))

    def test_of_streams_that_end_at_different_times(self):
        self.lengths = [SAMPLES, 70, 320, 1000]
        self.setUp_streams()
        self.check(lambda: ("--passes", 3))

    def test_files_that_have_grown(self):
        def grow():
            for node in (0, 2):
                with open(self.folder / f"stream-{node}.csv", "a") as file:
                    file.write(csv_of(*mixture(100, 50 + node)).split("\n", 1)[1])
            return ()

        self.check(grow)

    def test_need_a_state_of_before_the_end(self):
        self.lengths = [SAMPLES, 20, SAMPLES, SAMPLES]
        self.setUp_streams()
        states = ("--checkpoint", "states", "--checkpoint-every", 32)
        self.ok(*self.shards, *states, "--out", "first")
        self.refused(*self.shards, *states, "--passes", 2, "--resume", "--out", "rest", words=["before the end", "begin anew"])


if __name__ == "__main__":
    unittest.main()
