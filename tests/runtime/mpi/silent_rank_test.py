"""A rank that does not answer ends the whole job in seconds; one that was asked to stop is not taken for lost."""
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

    def test_a_stop_is_not_a_loss(self):
        job = Job("rounds")
        job.disturb(3, signal.SIGTERM)
        code, seconds, said = job.end()
        self.assertNotEqual(code, 0)
        self.assertLess(seconds, 10)
        self.assertEqual(said, ["stopped on request"])


if __name__ == "__main__":
    unittest.main()
