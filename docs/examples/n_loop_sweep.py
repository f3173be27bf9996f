"""The N-loop four-bar mechanism: its frequency over the number of loops, and over the stiffness of the springs.

python3 docs/examples/n_loop_sweep.py [PICTURE.png]
"""
import sys

import matplotlib.pyplot as plt
import numpy as np
import stillpoint as sp

loops = np.unique(np.geomspace(1, 200, 25).round().astype(int))
models = [sp.read_model("cases/four_bar", set={"N": int(n)}) for n in loops]
lowest = [model.modes(count=1).lowest for model in models]
for n, hertz in list(zip(loops, lowest))[:: len(loops) // 5]:
    print(f"N = {n:3d}: {hertz:.5f} Hz")

stiffness = np.linspace(20, 60, 33)
sweeps = {n: sp.read_model("cases/four_bar", set={"N": n}).sweep(over={"k": stiffness}, count=1) for n in (1, 5, 20)}
for n, sweep in sweeps.items():
    print(f"N = {n}: {sweep!r}")
    assert all(sweep.certified) and not sweep.uncertain

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
left.semilogx(loops, lowest, "o-")
left.set(xlabel="number of loops N", ylabel="frequency (Hz)", title="k = 25 N/m")
for n, sweep in sweeps.items():
    vibrates = sweep.s[0].imag != 0
    (line,) = right.plot(sweep.values[vibrates], sweep.frequency[0][vibrates], ".-", label=f"N = {n}")
    growth = np.abs(sweep.s[0].real) / (2 * np.pi)
    right.plot(sweep.values[~vibrates], growth[~vibrates], ".--", color=line.get_color())
    for event in sweep.events:
        right.axvline(event.parameter, color=line.get_color(), lw=0.8, alpha=0.6)
right.set(
    xlabel="stiffness of each spring (N/m)",
    ylabel="|s| / 2π (Hz)",
    title="divergence: frequency (full), growth rate (dashed)",
)
right.legend()
for axes in (left, right):
    axes.grid(alpha=0.3, which="both")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "n_loop_sweep.png", dpi=110)
