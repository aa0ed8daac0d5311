"""A rank that does not answer, or a node that computes past its deadline, ends the whole job in seconds."""
import signal
import socket
import unittest

from troubled_job import Job


class SilentRankTest(unittest.TestCase):
    def test_a_stopped_process_does_not_answer(self):
        job = Job("rounds")
        job.disturb(1, signal.SIGSTOP)
        code, seconds, said = job.end()
        self.assertNotEqual(code, 0)
        self.assertLess(seconds, 10)
        self.assertEqual(said, [f"rank 1 (process {job.ids[1]} on {socket.gethostname()}, nodes 5 to 9) does not answer"])

    def test_a_node_that_computes_for_ever_misses_its_deadline(self):
        for stuck in (2, 0):
            job = Job("stuck", str(stuck))
            code, seconds, said = job.end()
            self.assertNotEqual(code, 0)
            self.assertLess(seconds, 10)
            self.assertEqual(len(said), 1, said)
            self.assertRegex(said[0], rf"node \d+ on rank {stuck} has missed its deadline: "
                                      r"node \d+ on rank \d waits for it in round 1")

    def test_a_stop_is_not_a_loss(self):
        job = Job("rounds")
        job.disturb(3, signal.SIGTERM)
        code, seconds, said = job.end()
        self.assertNotEqual(code, 0)
        self.assertLess(seconds, 10)
        self.assertEqual(said, ["stopped on request"])


if __name__ == "__main__":
    unittest.main()
