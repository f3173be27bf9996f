#!/usr/bin/env python3
"""Writes folders of matrices whose damping has structure: grids of masses and springs of random size, held at one side.

    damped_grids.py FOLDER [WIDTH HEIGHT]

FOLDER/one, FOLDER/200 and FOLDER/gyroscopic get M, C and K with one dashpot to the ground, with 200, and with a weak
skew-symmetric C. Then `stillpoint modes FOLDER/one --count 10`, with and without `--uncounted`, tells what the
certificate takes.
"""

import os
import random
import sys


def write(path, size, entries, kind):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(f"%%MatrixMarket matrix coordinate real {kind}\n{size} {size} {len(entries)}\n")
        for (i, j), value in sorted(entries.items(), key=lambda entry: (entry[0][1], entry[0][0])):
            file.write(f"{i + 1} {j + 1} {value!r}\n")


def grid(width, height, numbers):
    stiffness = {}

    def add(i, j, value):
        stiffness[i, j] = stiffness.get((i, j), 0.0) + value

    def spring(i, j):
        k = numbers.uniform(0.5, 2)
        add(i, i, k)
        add(j, j, k)
        add(max(i, j), min(i, j), -k)

    for x in range(width):
        for y in range(height):
            here = x * height + y
            if x + 1 < width:
                spring(here, here + height)
            if y + 1 < height:
                spring(here, here + 1)
            if x == 0:
                add(here, here, 1.0)
    return stiffness


def main():
    folder = sys.argv[1]
    width, height = (int(sys.argv[2]), int(sys.argv[3])) if len(sys.argv) > 3 else (160, 200)
    numbers, size = random.Random(1), width * height
    K = grid(width, height, numbers)
    M = {(i, i): numbers.uniform(0.5, 2) for i in range(size)}
    dashpots = lambda count: {(i, i): numbers.uniform(0.5, 2) for i in numbers.sample(range(size), count)}
    skew = {}
    for i in range(0, size - 1, 2):
        g = numbers.uniform(0.05, 0.2)
        skew[i, i + 1], skew[i + 1, i] = g, -g
    for name, C, kind in (("one", dashpots(1), "symmetric"), ("200", dashpots(200), "symmetric"),
                          ("gyroscopic", skew, "general")):
        write(f"{folder}/{name}/M.mtx", size, M, "symmetric")
        write(f"{folder}/{name}/C.mtx", size, C, kind)
        write(f"{folder}/{name}/K.mtx", size, K, "symmetric")


main()
