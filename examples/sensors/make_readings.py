"""Readings of 20 weather stations, three instruments each, an hour apart: python3 make_readings.py FOLDER

past-<station>.csv has 300 hours, new-<station>.csv the 40 after them. In hour 27 of the new ones the clocks of
stations 0 to 9 are wrong by eleven hours: each of their values is an ordinary one, all of them together are not.
"""
import csv
import math
import pathlib
import random
import sys

STATIONS, PAST, NEW = 20, 300, 40
STRANGE_HOUR, WRONG_CLOCKS, WRONG_BY = 27, 10, 11
USUAL = {"temperature": 15, "humidity": 60, "pressure": 1013}

random.seed(0)


def causes_by_hour():
    """The hour of the day, in two numbers, and the weather, which changes slowly."""
    causes, weather = [], 0
    for hour in range(PAST + NEW):
        weather = 0.95 * weather + 0.3 * random.gauss(0, 1)
        causes.append((math.sin(2 * math.pi * hour / 24), math.cos(2 * math.pi * hour / 24), weather))
    return causes


def readings_of_a_station(causes):
    effects = [[random.gauss(0, 1) for _ in causes[0]] for _ in USUAL]
    return [[usual + sum(e * c for e, c in zip(effect, cause)) + random.gauss(0, 0.2)
             for usual, effect in zip(USUAL.values(), effects)] for cause in causes]


def write(path, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([USUAL, *([f"{value:.3f}" for value in row] for row in rows)])


folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
all_causes = causes_by_hour()
for station in range(STATIONS):
    readings = readings_of_a_station(all_causes)
    past, new = readings[:PAST], readings[PAST:]
    if station < WRONG_CLOCKS:
        new[STRANGE_HOUR] = new[STRANGE_HOUR - WRONG_BY]
    write(folder / f"past-{station}.csv", past)
    write(folder / f"new-{station}.csv", new)
