"""A rank that never comes to the run does not leave the others waiting, nor they it."""
import socket
import unittest

from troubled_job import Job


class LeftRankTest(unittest.TestCase):
    def test_it_is_named(self):
        job = Job("leave", "2")
        code, seconds, said = job.end()
        self.assertNotEqual(code, 0)
        self.assertLess(seconds, 10)
        self.assertEqual(said, [f"rank 2 (process {job.ids[2]} on {socket.gethostname()}, nodes 10 to 14) "
                                "has left before the end of the run"])
        # It waits for the others' farewell, not inside MPI_Finalize, where it could not hear that there is none.
        self.assertEqual(job.printed, "out of MPI\n")


if __name__ == "__main__":
    unittest.main()
