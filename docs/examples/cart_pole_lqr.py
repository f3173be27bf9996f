"""A cart balances its pole: LQR about the upright equilibrium, the loop closed, and the pole let go at 0.1 rad.

python3 docs/examples/cart_pole_lqr.py [PICTURE.png]
"""
import sys

import matplotlib.pyplot as plt
import numpy as np
import scipy.linalg
import scipy.signal
import stillpoint as sp

model = sp.read_model("cases/cart_pole")
upright = model.equilibrium(rest="nearest", at={"pole.phi": np.pi})
lin = model.linearize(upright)
print("without control:", repr(lin.modes()))

# States x of the plant, and the gain of the states, u = −K x.
plant = lin.plant(inputs=["u"], outputs=["position", "angle"])
Q = plant.C.T @ np.diag([10.0, 100.0]) @ plant.C
P = scipy.linalg.solve_continuous_are(plant.A, plant.B, Q, [[0.01]])
K = (plant.B.T @ P) / 0.01

# What a person would measure: positions and rates. The rates are C A x, as the force does not change them at once.
measured = ["cart.x", "pole.phi", "cart.x'", "pole.phi'"]
gain = K @ np.linalg.inv(np.vstack([plant.C, plant.C @ plant.A]))
print("gain on", ", ".join(measured), "=", gain.round(2))

held = lin.close_loop(-gain, measured=measured, driven=["u"])
modes = held.modes()
print("with control:", repr(modes))
assert modes.verdict == "asymptotically stable"
assert np.allclose(sorted(modes.s.real), sorted(np.linalg.eigvals(plant.A - plant.B @ K).real))

# The linear closed loop from 0.1 rad, at rest.
loop = held.plant(inputs=["u"], outputs=["position", "angle"])
start = np.linalg.solve(np.vstack([loop.C, loop.C @ loop.A]), [0, 0.1, 0, 0])
times = np.linspace(0, 5, 501)
_, outputs, _ = scipy.signal.lsim(loop.to_scipy(), np.zeros_like(times), times, X0=start)

figure, (upper, lower) = plt.subplots(2, 1, sharex=True, figsize=(7, 5), layout="constrained")
upper.plot(times, np.degrees(outputs[:, 1]))
upper.set_ylabel("pole from upright (°)")
lower.plot(times, outputs[:, 0], color="tab:orange")
lower.set_ylabel("cart (m)")
lower.set_xlabel("time (s)")
upper.set_title("An LQR holds the pole of cases/cart_pole upright")
for axes in (upper, lower):
    axes.grid(alpha=0.3)
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "cart_pole_lqr.png", dpi=110)
