"""Matrices of a finite-element program: a cantilever, with a tuned mass damper at its tip.

The program's output is imitated by Euler-Bernoulli elements that are written as Matrix Market files, the form in which
such programs export; from there on it is what one does with matrices of any origin.

python3 docs/examples/fe_matrices.py [PICTURE.png]
"""
import sys
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import scipy.io
import scipy.sparse
import stillpoint as sp

EI, mass_per_length, length, elements = 2.0e4, 8.0, 3.0, 60


def export_beam(folder: Path) -> None:
    """Writes stiff.mtx and mass.mtx of the clamped beam: two unknowns a node, w and its slope."""
    h = length / elements
    k = EI / h**3 * np.array(
        [[12, 6 * h, -12, 6 * h], [0, 4 * h * h, -6 * h, 2 * h * h], [0, 0, 12, -6 * h], [0, 0, 0, 4 * h * h]]
    )
    m = mass_per_length * h / 420 * np.array(
        [[156, 22 * h, 54, -13 * h], [0, 4 * h * h, 13 * h, -3 * h * h], [0, 0, 156, -22 * h], [0, 0, 0, 4 * h * h]]
    )
    size = 2 * (elements + 1)
    for name, element in (("stiff", k), ("mass", m)):
        symmetric = element + np.triu(element, 1).T
        whole = scipy.sparse.lil_matrix((size, size))
        for e in range(elements):
            whole[2 * e : 2 * e + 4, 2 * e : 2 * e + 4] += symmetric
        scipy.io.mmwrite(folder / f"{name}.mtx", whole.tocsc()[2:, 2:])


with tempfile.TemporaryDirectory() as folder:
    export_beam(Path(folder))
    K, M = (scipy.io.mmread(Path(folder) / f"{name}.mtx") for name in ("stiff", "mass"))

names = [f"{what}[{node}]" for node in range(1, elements + 1) for what in ("w", "slope")]
beam = sp.LinearSystem(M=M, K=K, C=2e-5 * K, coordinates=names, name="beam")
print(beam)

modes = beam.modes(count=3)
exact = np.array([1.875104068711961, 4.694091132974175, 7.854757438237613]) ** 2
exact = exact * np.sqrt(EI / mass_per_length) / length**2 / (2 * np.pi)
print("frequencies (Hz):", modes.frequency[::2].round(4), "closed form:", exact.round(4))
assert np.allclose(modes.frequency[::2], exact, rtol=1e-4)  # the damping and 60 elements change them by less

# A tuned mass damper after Den Hartog: mass ratio mu to the modal mass of the first mode, which is a quarter of the
# beam's mass where the tip moves by one.
mu = 0.05
mass = mu * mass_per_length * length / 4
stiffness = mass * (2 * np.pi * exact[0] / (1 + mu)) ** 2
damping = 2 * np.sqrt(3 * mu / (8 * (1 + mu) ** 3)) * mass * 2 * np.pi * exact[0]
tip = names[-2]
absorber = sp.LinearSystem(
    M=np.diag([0, mass]),
    C=damping * np.array([[1, -1], [-1, 1]]),
    K=stiffness * np.array([[1, -1], [-1, 1]]),
    coordinates=["foot", "absorber"],
    name="absorber",
)
damped = sp.couple(beam, absorber, {tip: "foot"})
print(repr(damped.modes(count=3)))

band = (0.6 * exact[0], 1.4 * exact[0])  # Hz; without omega the frequencies are dense where there is a resonance
plain = beam.response(inputs=[tip], outputs=[tip], band=band)
better = damped.response(inputs=[tip], outputs=[tip], band=band)
largest, remaining = (np.abs(one.H).max() for one in (plain, better))
print(f"largest response of the tip: {largest:.2e} m/N without, {remaining:.2e} m/N with the absorber")
assert remaining < largest / 5

figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
for one, label in ((plain, "beam alone"), (better, "with the tuned mass damper")):
    axes.semilogy(one.omega / (2 * np.pi), np.abs(one.H[0, 0]), label=label)
axes.set(xlabel="frequency (Hz)", ylabel="tip displacement (m/N)", title="Matrices from finite elements, coupled")
axes.legend()
axes.grid(alpha=0.3, which="both")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "fe_matrices.png", dpi=110)
