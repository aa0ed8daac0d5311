"""Refuses what g++ 12 compiles and then destroys twice: an aggregate built inside a co_await expression, a co_await
in one branch of a conditional expression, and a default argument made of braces on a coroutine. See
choir/runtime/task.h."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDERS = ("choir", "examples", "tests")
# Kept in place of what they cover, so that line numbers stay.
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?:.*?)\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
TASK_FUNCTION = re.compile(r"\bTask<[^;{}()]*>\s+(?:\w+::)*\w+\s*\(")
TASK_LAMBDA = re.compile(r"\)\s*(?:mutable\s*)?->\s*(?:choir::)?Task<")
BRACES_AS_DEFAULT = re.compile(r"=\s*(?:[\w:]+(?:<[^<>]*>)?\s*)?\{")
CONDITIONAL = re.compile(r"\?[^;{}]*\bco_await\b")
OPENING, CLOSING = "([", ")]"


def code_of(text):
    return NOT_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def end_of_expression(code, begin):
    """Where the full expression around a co_await ends: at its semicolon, or at the bracket of the statement it is
    the condition of, as in `while (co_await ...) {`."""
    depth = 0
    for at in range(begin, len(code)):
        if code[at] in OPENING:
            depth += 1
        elif code[at] in CLOSING:
            depth -= 1
            if depth < 0 and re.match(r"\)\s*(\{|[\w+*-])", code[at:]):
                return at
        elif code[at] == ";":
            return at
    return len(code)


def brackets_from(code, opening):
    depth = 0
    for at in range(opening, len(code)):
        depth += (code[at] in OPENING) - (code[at] in CLOSING)
        if depth == 0:
            return code[opening : at + 1]
    return code[opening:]


def brackets_until(code, closing):
    depth = 0
    for at in range(closing, -1, -1):
        depth += (code[at] in CLOSING) - (code[at] in OPENING)
        if depth == 0:
            return code[at : closing + 1]
    return code[: closing + 1]


def violations(text):
    """Pairs of a line and what is wrong there."""
    code = code_of(text)

    def line(at):
        return code.count("\n", 0, at) + 1

    for found in re.finditer(r"(?<!operator )\bco_await\b", code):
        if "{" in code[found.start() : end_of_expression(code, found.start())]:
            yield line(found.start()), "braces inside a co_await expression; name what they make first"
    for found in CONDITIONAL.finditer(code):
        yield line(found.start()), "co_await in a branch of a conditional expression; use if and else"
    for found in TASK_FUNCTION.finditer(code):
        if BRACES_AS_DEFAULT.search(brackets_from(code, found.end() - 1)):
            yield line(found.start()), "a coroutine with a default argument made of braces; let the caller name it"
    for found in TASK_LAMBDA.finditer(code):
        if BRACES_AS_DEFAULT.search(brackets_until(code, found.start())):
            yield line(found.start()), "a coroutine with a default argument made of braces; let the caller name it"


REFUSED = [
    "co_await f({.n = 5});",
    "co_await f(Options{.n = 5});",
    "const int x = 1 + co_await f(node,\n    std::vector<int>{1, 2});",
    "while (co_await f({1})) continue;",
    "const Step s = sure ? co_await f(x) : co_await g(x);",
    "if ((co_await f(Options{})).has_value()) { g(); }",
    "Task<int> f(Node& node, Options options = {});",
    "Task<std::vector<double>> f(Node& node, Options options = Options{});",
    "Task<void> Class::f(std::vector<int> v = std::vector<int>{1}) { co_return; }",
    "const auto f = [](Node& node, Options o = {}) -> Task<void> { co_return; };",
]
ACCEPTED = [
    "co_await f(options); g({1, 2});",
    "while (co_await f(options)) { g({1}); }",
    "if ((co_await f(options)).has_value()) { g(); }",
    "while (co_await f(x)) ++count; const Options o{1};",
    "for (const Received& r : co_await f(x)) { g(r); }",
    "Task<int> f(Node& node, Options options, int n = 3);",
    "Task<int> f(Node& node) { const Options o = {}; co_return {1, 2}; }",
    "int f(Options options = {});",
    "// co_await f({1});",
    'log("co_await f({1});");',
    "run([](Node& node) -> Task<void> { co_await f(node); });",
    "Task<int> task = f(Options{});",
    "Awaiter operator co_await() const& { return Awaiter(frame_); }",
]


def self_check():
    for text in REFUSED:
        if not list(violations(text)):
            yield f"coroutines_test.py: does not find what is wrong with: {text}"
    for text in ACCEPTED:
        if list(violations(text)):
            yield f"coroutines_test.py: finds fault with: {text}"


def main():
    errors, count = list(self_check()), 0
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (".h", ".cpp"):
                continue
            count += 1
            name = path.relative_to(ROOT).as_posix()
            errors += [f"{name}:{line}: {what}" for line, what in violations(path.read_text())]
    for error in errors:
        print(error, file=sys.stderr)
    print(f"{count} files read, {len(errors)} errors")
    return 1 if errors or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
