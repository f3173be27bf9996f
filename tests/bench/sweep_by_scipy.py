#!/usr/bin/python3
"""A root locus of Ziegler's column by SciPy beside `stillpoint sweep` over the same points.

    /usr/bin/python3 tests/bench/sweep_by_scipy.py TOOL [POINTS]

SciPy gets matrices that were derived by hand for this column and the known equilibrium, and returns eigenvalues in no
order; the tool reads the model, finds each equilibrium, follows the modes and locates what happens between the points.
"""

import resource
import subprocess
import sys
import tempfile
import time

import numpy as np
import scipy.linalg


def by_scipy(loads, damping):
    """Eigenvalues for each load: masses 2 and 1 at the ends of two rods of length 1 on springs of stiffness 1."""
    M = np.array([[3.0, 1.0], [1.0, 1.0]])
    C = damping * np.array([[2.0, -1.0], [-1.0, 1.0]])
    I, O = np.eye(2), np.zeros((2, 2))
    result = []
    for P in loads:
        K = np.array([[2.0 - P, P - 1.0], [-1.0, 1.0]])
        A = np.block([[O, I], [-K, -C]])
        result.append(scipy.linalg.eig(A, np.block([[I, O], [O, M]]), right=False))
    return np.array(result)


def by_tool(tool, points, damping):
    """Processor seconds of a sweep with so many points."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [tool, "sweep", "cases/ziegler_column", "--set", f"b1={damping}", "--set", f"b2={damping}", "--over",
             f"P=0:3:{points}", "-o", f"{folder}/sweep.csv", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main():
    tool, points, damping = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 4000, 0.1
    loads = np.linspace(0, 3, points)
    started = time.process_time()
    values = by_scipy(loads, damping)
    scipy_seconds = time.process_time() - started
    tool_seconds = by_tool(tool, points, damping) - by_tool(tool, 2, damping)
    grows = loads[np.argmax(values.real.max(axis=1) > 1e-9)]
    print(f"{points} points: SciPy {scipy_seconds:.3f} s, the tool {tool_seconds:.3f} s of processor time, "
          f"ratio {tool_seconds / scipy_seconds:.2f}")
    print(f"SciPy: some eigenvalue grows at P = {grows:.4f} for the first time; exact {41 / 28 + 0.005:.4f}")


main()
