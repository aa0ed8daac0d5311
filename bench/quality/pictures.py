"""Pictures of the benchmark as SVG, drawn without a library, in the colours of docs/experiments.

    scatter_of_claims(rows)               # claimed against true similarity, the bad corner marked
    strips_of_captured(rows)              # captured share of every cell, one strip per method
"""
from html import escape

from summary import TOO_HIGH, calls_itself_good, has_answer

COLOURS = {"central-kpca": "#999999", "consensus-kpca": "#0072b2", "gossip-pca": "#009e73", "oneshot-kpca": "#d55e00"}
BAD = "#fbe3e0"
FONT = "Helvetica, Arial, 'DejaVu Sans', sans-serif"


class Picture:
    """Lines of SVG with the few shapes that these pictures have."""

    def __init__(self, width, height, title):
        self.lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
                      f'font-family="{FONT}">', f'<rect width="{width}" height="{height}" fill="#ffffff"/>']
        self.words(20, 24, title, size=14, weight="bold")

    def words(self, x, y, text, size=12, anchor="start", weight="normal", colour="#222222", turned=False):
        turn = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if turned else ""
        self.lines.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}" '
                          f'font-weight="{weight}"{turn}>{escape(text)}</text>')

    def line(self, x1, y1, x2, y2, colour="#e2e2e2", width=1):
        self.lines.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}"/>')

    def area(self, points, colour):
        self.lines.append(f'<polygon points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}" fill="{colour}"/>')

    def dot(self, x, y, colour, title, filled=True):
        inside = f'fill="{colour}" fill-opacity="0.65"' if filled else 'fill="#ffffff" fill-opacity="0.6"'
        self.lines.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" {inside} stroke="{colour}"><title>{escape(title)}</title></circle>')

    def text(self):
        return "\n".join([*self.lines, "</svg>"]) + "\n"


def legend(picture, x, y):
    for number, (name, colour) in enumerate(COLOURS.items()):
        picture.dot(x, y + 20 * number, colour, name)
        picture.words(x + 12, y + 4 + 20 * number, name)
    below = y + 20 * len(COLOURS)
    picture.dot(x, below, "#222222", "hollow", filled=False)
    picture.words(x + 12, below + 4, "exit 3, or not converged")


def name_of(row):
    return (f"cell {row['number']}: {row['method']}, {row['table']}, {row['kernel']}, {row['split']}, {row['nodes']} nodes, {row['topology']}, "
            f"D {row['components']}, {row['fault']}")


def colour_of(row):
    return COLOURS[row["method"].split("/")[0]]


def stretched(value, start, end, most=1.0):
    """A place between start and end. The upper two thirds belong to values above .9, where answers are told apart."""
    middle = start + (end - start) / 3
    value = min(max(value, 0), most)
    if value < 0.9:
        return start + value / 0.9 * (middle - start)
    return middle + (value - 0.9) / (most - 0.9) * (end - middle)


TICKS = (0, 0.3, 0.6, 0.9, 0.92, 0.94, 0.96, 0.98, 1)


def tick_colour(tick):
    return "#999999" if tick == 0.9 else "#e2e2e2"


def scatter_of_claims(rows):
    """Up: the truth; to the right: the claim. Cells that claim nothing stand in a column of their own on the left."""
    left, right, top, bottom = 150, 630, 50, 530
    picture = Picture(840, 590, "Claimed and true similarity of every cell, smallest of all separated components")
    across = lambda claim: stretched(claim, left, right)  # noqa: E731
    up = lambda truth: stretched(truth, bottom, top)  # noqa: E731
    edge = [TOO_HIGH + step / 200 for step in range(200) if TOO_HIGH + step / 200 < 1] + [1]
    picture.area([*((across(claim), up(claim - TOO_HIGH)) for claim in edge), (across(1), up(0))], BAD)
    picture.words(across(0.995), up(0.05), f"claims exceed the truth by more than {TOO_HIGH}", anchor="end", colour="#a33a2a")
    for tick in TICKS:
        picture.line(60, up(tick), right, up(tick), tick_colour(tick))
        picture.words(52, up(tick) + 4, f"{tick:g}", anchor="end")
        picture.line(across(tick), top, across(tick), bottom, tick_colour(tick))
        picture.words(across(tick), bottom + 18, f"{tick:g}", anchor="middle")
    picture.words((left + right) / 2, bottom + 40, "claimed similarity (the scales change at .9)", anchor="middle")
    picture.words(95, bottom + 18, "no claim", anchor="middle")
    picture.words(20, (top + bottom) / 2, "true similarity", anchor="middle", turned=True)
    for row in filter(has_answer, rows):
        x = across(row["claimed"]) if row["claimed"] is not None else 72 + row["number"] * 37 % 47
        picture.dot(x, up(row["true"]), colour_of(row), name_of(row), calls_itself_good(row))
    legend(picture, right + 30, top + 20)
    return picture.text()


def strips_of_captured(rows):
    """One strip per method."""
    methods = sorted({row["method"] for row in rows})
    left, right, top, step = 240, 780, 60, 34
    bottom = top + step * len(methods)
    picture = Picture(840, bottom + 60, "Variance captured, as a share of what the central components capture")

    across = lambda share: stretched(share, left, right, most=1.01)  # noqa: E731
    for tick in TICKS:
        picture.line(across(tick), top - 10, across(tick), bottom, tick_colour(tick))
        picture.words(across(tick), bottom + 18, f"{tick:g}", anchor="middle")
    picture.words(across(0.9), bottom + 40, "the scale changes at .9; hollow: exit 3, or not converged", anchor="middle")
    for number, method in enumerate(methods):
        middle = top + step * (number + 0.5)
        picture.words(left - 12, middle + 4, method, anchor="end")
        for row in rows:
            if row["method"] == method and has_answer(row) and row["captured"] is not None:
                picture.dot(across(row["captured"]), middle + row["number"] * 13 % 19 - 9, colour_of(row), name_of(row), calls_itself_good(row))
    return picture.text()
