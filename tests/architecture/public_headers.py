"""What choir/public_headers.txt lists, and the snippets in those headers' opening comments."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = ROOT / "choir" / "public_headers.txt"
# Paragraphs of the opening comment whose first line is indented by three are code. Formulas and tables are indented less.
CODE = re.compile(r"//   (.*)")
# At the left edge of a snippet these begin something that a function cannot contain. It ends in the same line, or with a
# brace at the left edge.
DEFINITION = re.compile(r"(enum|struct|class|template|inline|Task<\w+>) ?")


def listed():
    return [line for line in LIST.read_text().splitlines() if line and not line.startswith("#")]


def snippet_of(text):
    """Pairs of a line's number and its code."""
    lines = []
    is_code = None  # unknown at the beginning of a paragraph
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.startswith("//"):
            break
        found = CODE.fullmatch(line)
        is_code = None if line == "//" else found is not None if is_code is None else is_code
        if is_code:
            lines.append((number, found[1]))
    return lines


def split_definitions(lines):
    """What belongs at namespace scope, and what belongs inside a function."""
    definitions, statements = [], []
    inside = False
    for number, code in lines:
        begins = not inside and DEFINITION.match(code) is not None
        inside = inside or begins
        (definitions if inside else statements).append((number, code))
        if code.startswith("}") or (begins and "}" in code):
            inside = False
    return definitions, statements


def numbered(header, lines):
    """`...` is what a reader fills in."""
    return "".join(f'#line {number} "{header}"\n{code.replace("...", ";")}\n' for number, code in lines)


def source_of(header, text):
    """A snippet in a namespace of its own: definitions first, statements in a function or, if they wait, a coroutine."""
    definitions, statements = split_definitions(snippet_of(text))
    name = re.sub(r"\W", "_", header)
    waits = any("co_await" in code for _, code in statements)
    result, end = ("Task<void>", "co_return;\n") if waits else ("void", "")
    return (f"namespace choir::snippets::{name} {{\n{numbered(header, definitions)}"
            f"{result} function() {{\n{numbered(header, statements)}{end}}}\n}}\n")
