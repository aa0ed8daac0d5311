"""Compares what kind.cpp and the page of a run say about each kind of message, and that docs/runtime.md lists them all."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def strings_of(text, name):
    table = re.search(name + r"\[\] = \{(.*?)\};", text, re.DOTALL).group(1)
    return re.findall(r'"((?:[^"\\]|\\.)*)"', table)


def main():
    kinds = (ROOT / "choir/runtime/kind.cpp").read_text()
    names = strings_of(kinds, "kind_words")
    lessons = strings_of(kinds, "kind_lessons")
    page = (ROOT / "choir/report/page/source/words.js").read_text()
    page = page[page.index("export const kinds") : page.index("export const kindOrder")]
    shown = re.findall(r"^  (\w+): \{\n    name: .*\n    tells: [\"'](.*)[\"'],$", page, re.MULTILINE)
    errors = []
    if len(names) < 10 or len(names) != len(lessons):
        errors.append(f"{len(names)} kinds have {len(lessons)} sentences")
    if shown != list(zip(names, lessons)):
        errors.append(f"the page says {shown}, kind.cpp {list(zip(names, lessons))}")
    docs = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs/runtime.md").read_text(), re.MULTILINE)
    errors += [f"docs/runtime.md does not list the kind {name}" for name in names if name not in docs]
    for error in errors:
        print(error, file=sys.stderr)
    print(f"{len(names)} kinds, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
