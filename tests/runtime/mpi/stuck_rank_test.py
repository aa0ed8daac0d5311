"""A node that computes past its deadline ends the whole job in seconds, with one sentence that names it."""
import unittest

from troubled_job import Job


class StuckRankTest(unittest.TestCase):
    def test_the_node_and_its_rank_are_named(self):
        jobs = {stuck: Job("stuck", str(stuck)) for stuck in (2, 0)}
        for stuck, job in jobs.items():
            code, seconds, said = job.end()
            self.assertNotEqual(code, 0)
            self.assertLess(seconds, 10)
            self.assertEqual(len(said), 1, said)
            self.assertRegex(said[0], rf"node \d+ on rank {stuck} has missed its deadline: "
                                      r"node \d+ on rank \d waits for it in round 1")


if __name__ == "__main__":
    unittest.main()
