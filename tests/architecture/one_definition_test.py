"""A name in namespace choir means one type. Two headers that each define choir::Batch compile, link, and then share the
destructor of whichever came first."""
import collections
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

COMMENT_OR_TEXT = re.compile(r"""//[^\n]*|/\*.*?\*/|R"\(.*?\)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])'""", re.S)
STEP = re.compile(
    r"\bnamespace\s*(?P<namespace>[\w:]*)\s*\{"
    r"|\b(?:struct|class|union|enum(?:\s+class)?)\s+(?:\[\[\w+\]\]\s*)?(?P<type>\w+(?:::\w+)*)[^;{}()=<>]*\{"
    r"|\{|\}")


def defined_types(source):
    """Qualified names of the types that a source defines at namespace scope, those of its own (anonymous) ones left out."""
    scopes = []
    for step in STEP.finditer(COMMENT_OR_TEXT.sub('""', source)):
        if step[0] == "}":
            if scopes:
                scopes.pop()
        elif step["type"]:
            if all(scopes):
                yield "::".join([*scopes, step["type"]])
            scopes.append("")
        elif step["namespace"]:
            scopes.append(step["namespace"])
        else:
            scopes.append("")  # anonymous, or no namespace: what is in there is nobody else's


class OneDefinition(unittest.TestCase):
    def test_every_type_is_defined_in_one_file(self):
        files = collections.defaultdict(list)
        for path in sorted((ROOT / "choir").rglob("*")):
            if path.suffix in (".h", ".cpp"):
                for name in set(defined_types(path.read_text())):
                    files[name].append(str(path.relative_to(ROOT)))
        self.assertGreater(len(files), 300, "the reader of sources sees hardly any type")
        self.assertEqual({name: where for name, where in files.items() if len(where) > 1}, {})

    def test_the_reader_sees_what_is_shared_and_only_that(self):
        source = """
            namespace choir { struct One { enum class Inner { a }; }; class Two final : public One { void f() { } };
            namespace { struct Own { }; } namespace deep::er { enum class Three { x }; } class One::Part { }; struct Later; }
            // struct Comment { };
            const char* text = "struct Text {"; const char open = '{'; template <typename T> struct Four { };"""
        self.assertEqual(list(defined_types(source)),
                         ["choir::One", "choir::Two", "choir::deep::er::Three", "choir::One::Part", "Four"])


if __name__ == "__main__":
    sys.exit(unittest.main())
