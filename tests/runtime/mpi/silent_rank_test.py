"""A rank that does not answer ends the whole job in seconds; one that was asked to stop is not taken for lost."""
import signal
import socket
import unittest

from troubled_job import Job


class SilentRankTest(unittest.TestCase):
    def job_that_fails_soon(self, rank, disturbance):
        job = Job("rounds")
        job.disturb(rank, disturbance)
        code, seconds, said = job.end()
        self.assertNotEqual(code, 0)
        self.assertLess(seconds, 10)
        return job, said

    def test_a_stopped_process_does_not_answer(self):
        job, said = self.job_that_fails_soon(1, signal.SIGSTOP)
        self.assertEqual(said, [f"rank 1 (process {job.ids[1]} on {socket.gethostname()}, nodes 5 to 9) does not answer"])

    def test_a_stop_is_not_a_loss(self):
        _, said = self.job_that_fails_soon(3, signal.SIGTERM)
        self.assertEqual(said, ["stopped on request"])


if __name__ == "__main__":
    unittest.main()
