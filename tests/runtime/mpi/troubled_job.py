"""Starts a troubled_job under mpirun, disturbs it, and tells how it ended."""
import os
import re
import signal
import subprocess
import time


class Job:
    def __init__(self, *arguments, ranks=4):
        self.process = subprocess.Popen(
            [os.environ["MPIRUN"], "--oversubscribe", "-n", str(ranks), os.environ["TROUBLED_JOB"], *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.ids = {}
        while len(self.ids) < ranks:
            line = self.process.stdout.readline()
            if not line:
                raise AssertionError("the job did not start: " + self.process.stderr.read())
            rank, process = re.fullmatch(r"rank (\d+) is process (\d+)\n", line).groups()
            self.ids[int(rank)] = int(process)
        time.sleep(0.5)  # into the run

    def disturb(self, rank, what=signal.SIGKILL):
        os.kill(self.ids[rank], what)

    def end(self):
        """Exit code, seconds it took, and the sentences that choir said."""
        begin = time.monotonic()
        try:
            self.printed, errors = self.process.communicate(timeout=600)
        finally:
            self.process.kill()
            for process in self.ids.values():
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        said = [line[len("choir: "):] for line in errors.splitlines() if line.startswith("choir: ")]
        return self.process.returncode, time.monotonic() - begin, said
