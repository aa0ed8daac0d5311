"""A rank that is killed ends the whole job in seconds, with one sentence that names it."""
import socket
import unittest

from troubled_job import Job


class DeadRankTest(unittest.TestCase):
    def kill(self, mode, rank, nodes):
        job = Job(mode)
        job.disturb(rank)
        code, seconds, said = job.end()
        self.assertNotEqual(code, 0)
        self.assertLess(seconds, 10)
        self.assertEqual(said, [f"rank {rank} (process {job.ids[rank]} on {socket.gethostname()}, {nodes}) has died"])

    def test_while_others_wait_for_it(self):
        self.kill("rounds", 2, "nodes 10 to 14")

    def test_the_usual_speaker(self):
        self.kill("rounds", 0, "nodes 0 to 4")

    def test_while_all_compute(self):
        self.kill("compute", 3, "nodes 15 to 19")


if __name__ == "__main__":
    unittest.main()
