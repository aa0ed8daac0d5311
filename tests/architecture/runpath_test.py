"""No program or library of the build looks for its libraries in the folder that it happens to be called in.

An empty element of a RUNPATH is that folder: whoever can write there can make choir load what he likes.
  runpath_test.py FILE...
"""
import re
import subprocess
import sys
import unittest

FILES = sys.argv[1:]


def search_paths(dynamic_section):
    """The elements of RPATH and RUNPATH in what readelf -d prints."""
    return [element for path in re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", dynamic_section)
            for element in path.split(":")]


def depends_on_the_caller(element):
    return not element.startswith(("/", "$ORIGIN"))


class Runpath(unittest.TestCase):
    def test_nothing_is_searched_in_the_callers_folder(self):
        self.assertTrue(FILES)
        for file in FILES:
            with self.subTest(file=file):
                section = subprocess.run(["readelf", "-d", file], capture_output=True, text=True, check=True).stdout
                self.assertIn("(NEEDED)", section)
                self.assertEqual([one for one in search_paths(section) if depends_on_the_caller(one)], [])

    def test_an_empty_or_relative_element_would_be_seen(self):
        line = " 0x000000000000001d (RUNPATH)            Library runpath: [/usr/lib/openmpi:{}]"
        for bad in ("", ".", "lib"):
            self.assertIn(bad, filter(depends_on_the_caller, search_paths(line.format(bad))))
        self.assertEqual(search_paths(line.format("$ORIGIN")), ["/usr/lib/openmpi", "$ORIGIN"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
