"""docs/threat-model.md promises nothing without a test: every test that it names exists, and every attack is in it."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs/threat-model.md").read_text()
FOLDERS = sorted(path.name for path in (ROOT / "tests").iterdir() if path.is_dir())


def tests_named_in(text):
    """Words in backticks that begin with a folder of tests: attack/poison, runtime/mpi/senders."""
    return sorted(set(re.findall(r"`((?:%s)(?:/[a-z0-9_]+)+)`" % "|".join(FOLDERS), text)))


def exists(name):
    """A folder may have one file of its own name: learn/agreement is tests/learn/agreement/agreement_test.cpp."""
    place = ROOT / "tests" / name
    return any(place.with_name(place.name + ending).exists() or (place / (place.name + ending)).exists()
               for ending in ("_test.cpp", "_test.py"))


def rows(text):
    return [line for line in text.splitlines() if line.startswith("|") and not line.startswith("|---")]


class ThreatModel(unittest.TestCase):
    def test_every_test_it_names_exists(self):
        named = tests_named_in(TEXT)
        self.assertGreater(len(named), 10)
        self.assertEqual([name for name in named if not exists(name)], [])

    def test_a_test_that_is_not_there_would_be_missed(self):
        self.assertEqual(tests_named_in("see `attack/nobody_wrote` and `docs/program.md`"), ["attack/nobody_wrote"])
        self.assertFalse(exists("attack/nobody_wrote"))

    def test_every_attack_is_in_it(self):
        attacks = [path.name.rsplit("_test.", 1)[0] for path in (ROOT / "tests/attack").glob("*_test.*")]
        unmentioned = [name for name in attacks if name != "view" and f"`attack/{name}`" not in TEXT]
        self.assertEqual(unmentioned, [])

    def test_every_row_ends_with_the_tests_that_try_or_says_that_none_does(self):
        for row in rows(TEXT):
            last = row.rstrip("|").rsplit("|", 1)[-1].strip()
            if last in ("test", "what he has") or "what he has" in TEXT[: TEXT.index(row)].rsplit("\n##", 1)[-1]:
                continue
            with self.subTest(row=row):
                self.assertTrue(last == "-" or tests_named_in(last), last)


if __name__ == "__main__":
    unittest.main()
