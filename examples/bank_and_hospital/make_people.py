"""What a bank and a hospital know of the same people: python3 make_people.py FOLDER

people-0.csv is the bank's, people-1.csv the hospital's: a column `person` and 24 or 30 columns of numbers, 240 people, each
file in an order of its own. The hospital does not know three of the bank's people and the bank two of the hospital's.

A person either spends or saves, which the bank sees, and is either well or ill, which the hospital sees. That is all
either of them can find. What we are after is who is in trouble: who spends though ill, or saves though well.
new-0.csv and new-1.csv have 30 people more, in the same order; the first 15 are in trouble.
"""
import csv
import pathlib
import random
import sys

PEOPLE, NEW = 240, 30
PARTIES = [{"column": "month", "columns": 24, "unknown": {60, 150}},
           {"column": "lab", "columns": 30, "unknown": {17, 101, 202}}]

random.seed(0)


def life(trouble):
    """(spends, ill), each 1 or -1."""
    spends = random.choice((1, -1))
    return spends, spends if trouble else -spends


def numbers_of(life, party, effects):
    return [f"{effect * life[party] + random.gauss(0, 0.7):.3f}" for effect in effects]


def write(path, header, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([header, *rows])


folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
people = {f"person-{number:03}": life(random.random() < 0.5) for number in range(PEOPLE)}
new = [life(row < NEW / 2) for row in range(NEW)]
for party, has in enumerate(PARTIES):
    effects = [random.gauss(0, 1) for _ in range(has["columns"])]
    columns = [f"{has['column']}_{number:02}" for number in range(1, has["columns"] + 1)]
    unknown = {f"person-{number:03}" for number in has["unknown"]}
    rows = [[name, *numbers_of(life, party, effects)] for name, life in people.items() if name not in unknown]
    random.shuffle(rows)
    write(folder / f"people-{party}.csv", ["person", *columns], rows)
    newcomers = [[f"person-{PEOPLE + row:03}", *numbers_of(life, party, effects)] for row, life in enumerate(new)]
    write(folder / f"new-{party}.csv", ["person", *columns], newcomers)
