"""Commands of an example's README.md, typed as they stand there, print what it says."""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["CHOIR_ROOT"])
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def commands(text):
    """(command, what it prints) for every line that begins with a prompt; both are indented, up to the next text that is
    not."""
    found, printing = [], False
    for line in text.splitlines():
        if line.startswith("    $ "):
            found.append((line[6:], []))
            printing = True
        elif line and not line.startswith("    "):
            printing = False
        elif printing:
            found[-1][1].append(line[4:].rstrip())
    return [(command, "\n".join(lines).strip()) for command, lines in found]


def run(command, programs, folder):
    """A program, or several of which each reads what the one before it printed; the last may write to a file."""
    done = subprocess.CompletedProcess([], 0, "", "")
    for step in command.split(" | "):
        step, _, file = step.partition(" > ")
        program, *arguments = shlex.split(step)
        done = subprocess.run([programs[program], *arguments], cwd=folder, input=done.stdout, capture_output=True, text=True,
                              timeout=1500)
        if file:
            (pathlib.Path(folder) / file).write_text(done.stdout)
            done.stdout = ""
        if done.returncode:
            break
    return done


class ReadmeTest(unittest.TestCase):
    def agree(self, printed, expected):
        """Word for word, and numbers to what another processor may change in them."""
        words = [NUMBER.sub("#", text).split() for text in (printed, expected)]
        self.assertEqual(words[0], words[1], f"printed\n{printed}\nand not\n{expected}")
        for one, other in zip(NUMBER.findall(printed), NUMBER.findall(expected)):
            self.assertAlmostEqual(float(one), float(other), delta=0.02 * abs(float(other)) + 0.002,
                                   msg=f"printed\n{printed}\nand not\n{expected}")

    def type_commands_of(self, example, programs):
        """`programs` is where those are that the README names by another path. What begins with "choir: " in the README is a
        refusal on stderr. Returns what was printed."""
        found = commands((ROOT / f"examples/{example}/README.md").read_text())
        self.assertGreater(len(found), 0)
        printed = []
        with tempfile.TemporaryDirectory() as folder:
            for name in ("datasets", "examples"):
                os.symlink(ROOT / name, pathlib.Path(folder) / name)
            for command, expected in found:
                with self.subTest(command=command):
                    done = run(command, {"python3": sys.executable, **programs}, folder)
                    refused = expected.startswith("choir: ")
                    self.assertEqual(done.returncode, 2 if refused else 0, done.stderr)
                    printed.append(done.stderr if refused else done.stdout)
                    self.agree(printed[-1].strip(), expected)
        return printed
