"""What thirty phones measured while they lay still or were carried: python3 make_readings.py FOLDER

A phone has 20 to 60 readings, phone-0.csv to phone-29.csv: forth,aside,state. Of a phone that lies still there is noise about
nothing; one that is carried swings, in any direction. The state is there to look at the clusters afterwards: nobody learns
from it."""
import math
import pathlib
import random
import sys

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
random.seed(1)


def reading(carried):
    if not carried:
        return random.gauss(0, 0.4), random.gauss(0, 0.4)
    angle = random.uniform(0, 2 * math.pi)
    return 2 * math.cos(angle) + random.gauss(0, 0.15), 2 * math.sin(angle) + random.gauss(0, 0.15)


def write(name, count, share):
    lines = ["forth,aside,state"]
    for _ in range(count):
        carried = random.random() < share
        forth, aside = reading(carried)
        lines.append(f"{forth:.4f},{aside:.4f},{int(carried)}")
    (folder / name).write_text("\n".join(lines) + "\n")


for phone in range(30):
    write(f"phone-{phone}.csv", random.randrange(20, 61), random.uniform(0.2, 0.8))
write("new.csv", 500, 0.5)
