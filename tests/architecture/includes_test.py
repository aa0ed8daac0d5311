"""Reads every #include of choir/ against the table of allowed directions in rooms.json, and every
choir_room() against the same table, so that the tree, the build and the plan cannot drift apart."""
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent / "choir"
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]choir/([a-z_]+)/', re.MULTILINE)
QUOTED = re.compile(r'^\s*#\s*include\s+"(?!choir/)([^"]+)"', re.MULTILINE)
# Libraries that one place of choir hides from all others.
ONLY_IN = {
    re.compile(r"#\s*include\s+<(oneapi/)?tbb/"): {"base/tbb_loop.cpp", "base/tbb_pool.cpp"},
    re.compile(r"#\s*include\s+<CLI/"): {"cli/", "experiment/program/"},
    re.compile(r"#\s*include\s+<spdlog/"): {"cli/"},
    re.compile(r"#\s*include\s+<Random123/"): {"base/rng.cpp"},
    re.compile(r"#\s*include\s+<hdf5"): {"data/"},
    re.compile(r"#\s*include\s+<linear\.h>"): {"experiment/linear_svm.cpp"},
    re.compile(r"#\s*include\s+<sodium"): {"crypto/"},
    re.compile(r"#\s*include\s+<mpi\.h>"): {"runtime/mpi/"},
}
# Not in a library: it never prints, ends the process or reads the environment.
FORBIDDEN = re.compile(r"\b(std::cout|std::cerr|std::printf|printf|std::exit|std::abort|std::getenv|getenv)\s*[(<;]")


def sources():
    for path in sorted(ROOT.rglob("*")):
        if path.suffix in (".h", ".cpp"):
            yield path.relative_to(ROOT).as_posix(), path.read_text()


def room_of(name):
    return name.split("/")[0]


def include_errors(table):
    for name, text in sources():
        room = room_of(name)
        if room == name:
            continue  # the umbrella header beside the rooms
        if room not in table:
            yield f"choir/{name}: there is no room '{room}' in rooms.json"
            continue
        for other in set(INCLUDE.findall(text)):
            if other != room and other not in table[room]:
                yield f"choir/{name}: {room} must not include {other}"
        for include in QUOTED.findall(text):
            yield f'choir/{name}: write "{include}" as its address from the root: "choir/..."'


def library_errors():
    for name, text in sources():
        for pattern, places in ONLY_IN.items():
            if pattern.search(text) and not any(name.startswith(place) for place in places):
                yield f"choir/{name}: {pattern.pattern} belongs to {', '.join(sorted(places))} alone"
        if room_of(name) != "cli" and not name.startswith("experiment/program/"):
            for found in FORBIDDEN.finditer(text):
                yield f"choir/{name}: a library never calls {found.group(1)}"


def cycle_errors(table):
    for room, seen in table.items():
        for other in seen:
            if other not in table:
                yield f"rooms.json: {room} names '{other}', which is no room"
            elif room in table[other]:
                yield f"rooms.json: {room} and {other} see each other"


def link_errors(table):
    """A room links only what it may include; and what it includes it reaches through its links."""
    room_of_target, linked = {}, []
    for path in ROOT.rglob("CMakeLists.txt"):
        for call in re.findall(r"choir_room\(([^)]*)\)", path.read_text()):
            words = call.split()
            keys = {"SOURCES", "ROOMS", "LIBRARIES", "PRIVATE_LIBRARIES"}
            room_of_target[words[0]] = room_of(path.relative_to(ROOT).as_posix())
            key = None
            for word in words[1:]:
                if word in keys or word == "NOT_INSTALLED":
                    key = word
                elif key == "ROOMS":
                    linked.append((words[0], word))
    # A room may be several targets: optional parts are targets of their own.
    links = {room: set() for room in room_of_target.values()}
    for target, other in linked:
        room, other_room = room_of_target[target], room_of_target.get(other, other)
        if room != other_room:
            links[room].add(other_room)

    def reach(room, seen):
        for other in links.get(room, ()):
            if other not in seen:
                seen.add(other)
                reach(other, seen)
        return seen

    for room, rooms in links.items():
        for other in rooms - set(table.get(room, [])):
            yield f"choir/{room}/CMakeLists.txt: {room} must not link {other}"
    for name, text in sources():
        room = room_of(name)
        if room not in links:
            continue
        for other in set(INCLUDE.findall(text)) - reach(room, set()) - {room}:
            yield f"choir/{name}: includes {other}, which choir_room({room}) does not link"


def main():
    table = json.loads((HERE / "rooms.json").read_text())
    errors = [*cycle_errors(table), *include_errors(table), *library_errors(), *link_errors(table)]
    for error in errors:
        print(error, file=sys.stderr)
    count = sum(1 for _ in sources())
    print(f"{count} files read, {len(errors)} errors")
    return 1 if errors or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
