"""The commands of examples/hospitals/README.md, typed as they stand there, print what it says."""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

PROGRAMS = {"build/choir": os.environ["CHOIR"], "python3": sys.executable}
ROOT = pathlib.Path(os.environ["CHOIR_ROOT"])
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def commands(text):
    """(command, what it prints) for every line that begins with a prompt; both are indented."""
    found = []
    for line in text.splitlines():
        if line.startswith("    $ "):
            found.append((line[6:], []))
        elif line.startswith("    ") and found:
            found[-1][1].append(line[4:].rstrip())
        elif found and found[-1][1] and not line:
            found[-1][1].append("")
    return [(command, "\n".join(lines).strip()) for command, lines in found]


class Hospitals(unittest.TestCase):
    def agree(self, printed, expected):
        """Word for word, and numbers to what another processor may change in them."""
        words = [NUMBER.sub("#", text).split() for text in (printed, expected)]
        self.assertEqual(words[0], words[1], f"printed\n{printed}\nand not\n{expected}")
        for one, other in zip(NUMBER.findall(printed), NUMBER.findall(expected)):
            self.assertAlmostEqual(float(one), float(other), delta=0.02 * abs(float(other)) + 0.002, msg=printed)

    def test_the_readme_tells_what_happens(self):
        examples = commands((ROOT / "examples/hospitals/README.md").read_text())
        self.assertGreater(len(examples), 4)
        with tempfile.TemporaryDirectory() as folder:
            for name in ("datasets", "examples"):
                os.symlink(ROOT / name, pathlib.Path(folder) / name)
            for command, expected in examples:
                program, *arguments = shlex.split(command)
                with self.subTest(command=command):
                    done = subprocess.run([PROGRAMS[program], *arguments], cwd=folder, capture_output=True, text=True,
                                          timeout=300)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.agree(done.stdout.strip(), expected)


if __name__ == "__main__":
    unittest.main()
