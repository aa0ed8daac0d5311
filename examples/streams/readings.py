"""Readings of machines, a line each, as they come: python3 readings.py COUNT [turn]

A line is vibration,temperature,state; the state is 0 (well), 1 (worn) or 2 (about to fail). Halfway somebody mounts the
sensor anew, and what stood for one state now stands for another; with `turn` it has been so from the start.
"""
import math
import random
import sys

count = int(sys.argv[1])
turned = "turn" in sys.argv[2:]
turned_from = 0 if turned else count // 2
random.seed(2 if turned else 1)

print("vibration,temperature,state")
for number in range(count):
    state = random.randrange(3)
    place = (state + (number >= turned_from)) % 3
    angle = 2 * math.pi * place / 3
    print(f"{1.5 * math.cos(angle) + random.gauss(0, 0.6):.3f},{1.5 * math.sin(angle) + random.gauss(0, 0.6):.3f},{state}")
