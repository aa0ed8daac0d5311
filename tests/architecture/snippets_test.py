"""Every public header can be included alone, and the snippet in its opening comment compiles.

    snippets_test.py COMPILER FLAG...

A header that some source of choir or its tests includes first is compiled alone where that source is compiled by itself, without
precompiled headers; the presets compile several at once, with them. So `make test` compiles only the other headers here, and
CHOIR_EVERY_HEADER=1 (.ci/run) compiles all: a minute on two cores. All snippets together are one source, after
snippet_preamble.h."""
import concurrent.futures
import os
import re
import subprocess
import sys
import unittest

from public_headers import ROOT, listed, snippet_of, source_of, split_definitions

COMPILER = sys.argv[1:]
FIRST_INCLUDE = re.compile(r'^#include [<"]([^>"]+)[>"]', re.MULTILINE)


def complaint_about(source):
    """What the compiler says; empty: nothing."""
    command = [*COMPILER, f"-I{ROOT}", "-std=c++20", "-O0", "-w", "-fsyntax-only", "-x", "c++", "-"]
    ended = subprocess.run(command, input=source, capture_output=True, text=True, cwd=ROOT)
    return "" if ended.returncode == 0 else ended.stderr


def included_first():
    sources = [path.read_text() for folder in ("choir", "tests") for path in (ROOT / folder).rglob("*.cpp")]
    return {found[1] for found in map(FIRST_INCLUDE.search, sources) if found}


class PublicHeaders(unittest.TestCase):
    def test_each_can_be_included_alone(self):
        proven = set() if os.environ.get("CHOIR_EVERY_HEADER") else included_first()
        alone = [header for header in listed() if header not in proven]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            complaints = pool.map(complaint_about, [f'#include "{header}"\n' for header in alone])
        self.assertEqual([complaint for complaint in complaints if complaint], [])

    def test_each_has_a_snippet(self):
        self.assertEqual([header for header in listed() if not snippet_of((ROOT / header).read_text())], [])

    def test_the_snippets_compile(self):
        parts = ['#include "tests/architecture/snippet_preamble.h"\n']
        parts += [source_of(header, (ROOT / header).read_text()) for header in listed()]
        self.assertEqual(complaint_about("".join(parts)), "")


class Reading(unittest.TestCase):
    def test_a_snippet_is_what_the_opening_comment_indents(self):
        text = "// About.\n//\n//   f(x,\n//     y);\n//\n//   g(x);\n#pragma once\n//\n//   not this\n"
        self.assertEqual(snippet_of(text), [(3, "f(x,"), (4, "  y);"), (6, "g(x);")])

    def test_tables_and_formulas_are_no_code(self):
        self.assertEqual(snippet_of("// iid     at random\n//         once\n//\n//  t(x) = U'x\n//       = a\n"), [])

    def test_definitions_do_not_go_into_a_function(self):
        lines = [(1, "struct A {"), (2, "  int b = {};"), (3, "};"), (4, "A a;"), (5, "class B { ... };  // short")]
        definitions, statements = split_definitions(lines)
        self.assertEqual([number for number, _ in definitions], [1, 2, 3, 5])
        self.assertEqual(statements, [(4, "A a;")])

    def test_what_is_wrong_is_found(self):
        self.assertIn("some.h:3", complaint_about(source_of("some.h", "// About.\n//\n//   no_such_thing();\n")))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
