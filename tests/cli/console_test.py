"""Progress is drawn on a terminal and nowhere else, and wiped when the work is done."""
from program import DIGITS, ProgramTest


class Console(ProgramTest):
    COMMAND = ("fit", "central-kpca", "--data", DIGITS, "--gamma", "2e-7", "--out", "run", "--force")

    def test_draws_on_a_terminal_and_wipes_what_it_drew(self):
        shown = self.on_a_terminal(*self.COMMAND)
        self.assertIn("kernel matrix [", shown)
        last_bar = shown.rindex("\r\x1b[K")
        self.assertNotIn("%", shown[last_bar:])

    def test_quiet_draws_nothing(self):
        self.assertEqual(self.on_a_terminal(*self.COMMAND, "--quiet"), "")

    def test_draws_nothing_into_a_pipe(self):
        done = self.choir(*self.COMMAND)
        self.assertNotIn("\r", done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1)
