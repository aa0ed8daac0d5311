"""A synchronous program gives the same bits, results and ledger, on every engine and any number of threads or ranks."""
import os
import shutil
import subprocess
import unittest

PROGRAM = os.environ["ENGINE_FINGERPRINT"]
WITH_MPI = os.environ["CHOIR_WITH_MPI"] == "1"


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=1500)
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.stdout}{done.stderr}")
    return done.stdout


class IdenticalTest(unittest.TestCase):
    def setUp(self):
        self.reference = run(PROGRAM, "sim", "0")
        self.assertIn("results", self.reference)

    def test_any_number_of_threads(self):
        for threads in ("1", "2", "8"):
            self.assertEqual(run(PROGRAM, "local", threads), self.reference, f"{threads} threads")

    @unittest.skipUnless(WITH_MPI and shutil.which("mpirun"), "built without MPI")
    def test_any_number_of_ranks(self):
        for ranks in ("1", "4", "20"):
            got = run("mpirun", "--oversubscribe", "-n", ranks, PROGRAM, "mpi", "0")
            self.assertEqual(got, self.reference, f"{ranks} ranks")


if __name__ == "__main__":
    unittest.main()
