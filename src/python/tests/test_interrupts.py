"""Ctrl-C ends every long call within half a second. Each runs in a process of its own: what cannot be interrupted inside a
library of linear algebra is left behind there, and disturbs no other test."""
import subprocess
import sys

import pytest
from conftest import ROOT

# What each needs, and the call that takes longer than the test waits.
CALLS = {
    "modes": ("lin = chain(100_000)", "lin.modes(count=200)"),
    "report": ("lin = chain(3000)", "lin.report(count=200)"),
    "report of a model": ("model = sp.read_model('cases/n_pendulum', set={'N': 700})", "model.report(motion=1e5)"),
    "scene": ("lin = chain(3000)", "lin.scene(modes=1000)"),
    "explain": ("model = sp.read_model('cases/n_pendulum', set={'N': 400})", "model.explain()"),
    "zeros": (
        "lin = sp.LinearSystem(M=np.eye(300), K=np.diag(np.arange(1.0, 301)) + 1e-3, C=1e-3 * np.eye(300))",
        "lin.zeros(['q[1]'], ['q[2]'])",
    ),
    "zeros of a large system": ("lin = chain(20000)", "lin.zeros(['P[1].x'], ['P[1].x'], near=2j, count=300)"),
    "controllability": ("lin = chain(5000)", "lin.controllability(['P[1].x'], ['P[1].x'], count=300)"),
    "controllability by the state space": ("lin = chain(490)", "lin.controllability(['P[1].x'], ['P[1].x'])"),
    "sparsity": ("lin = chain(200_000)", "lin.sparsity(metis=True)"),
    "explain methods": ("model = sp.read_model('cases/n_pendulum', set={'N': 200_000})", "model.explain('method')"),
    "unbalance": (
        "model = sp.read_model('cases/jeffcott_rotor', set={'kc': -3e4})",
        "model.unbalance([('fx', 'fy', 1e-4)], ['disc.x'], speed_parameter='Omega', band=(10, 100), points=100_000)",
    ),
    "psd": ("lin = chain(20000)", "lin.psd({'P[1].x': (1, 0.1, 2)}, ['P[1].x'], band=(0.1, 2), points=20_000)"),
    "response": ("lin = chain(20000)", "lin.response(np.linspace(0.1, 9, 20_000), ['P[1].x'], ['P[1].x'])"),
    "compare": ("lin = chain(3000)", "lin.compare(count=300)"),
    "verify": ("model = sp.read_model('cases/n_pendulum', set={'N': 60})", "model.verify(all=True)"),
    "sensitivity": ("model = sp.read_model('cases/n_pendulum', set={'N': 3000})", "model.sensitivity(count=500)"),
    "critical": ("model = sp.read_model('cases/n_pendulum', set={'N': 100})", "model.critical(over={'g': (1, 90)}, points=4000)"),
    "follow": ("model = sp.read_model('cases/four_bar', set={'N': 60})", "model.follow(over={'k': (20, 30)}, points=10**6, step=1e-6)"),
    "map": (
        "model = sp.read_model('cases/ziegler_column')",
        "model.sweep(over={'P': np.linspace(0, 3, 200), 'b1': np.linspace(0, 1, 2000)})",
    ),
    "equilibria": ("model = sp.read_model('cases/four_bar', set={'N': 20})", "model.equilibria(starts=100_000)"),
    "plant": ("lin = chain(1500)", "lin.plant(['P[1].x'], ['P[1].x'], reduce='balanced', order=10)"),
}

SCRIPT = """
import os, signal, threading, time
import numpy as np
import stillpoint as sp
chain = lambda n: sp.read_model("cases/n_pendulum", set={{"N": n}}).linearize()
{needs}
sent = []
def send():
    sent.append(time.perf_counter())
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer(0.15, send).start()
try:
    {call}
    print("done before it was interrupted")
except KeyboardInterrupt:
    print(time.perf_counter() - sent[0])
"""
AT_ONCE = """
import sys
sys.stdout.flush()
os._exit(0)  # nobody waits for what was left behind
"""


# Those whose work asks often enough, so that nothing of it is left behind.
ENDING = [
    "modes", "sparsity", "explain", "explain methods", "unbalance", "controllability", "zeros of a large system", "response", "psd",
    "critical", "map",
]

# How long the work still takes the processors. Threads that wait for the next work are kept.
WAITED = """
    used = -1.0
    while time.process_time() - used > 0.02 and time.perf_counter() - sent[0] < 10:
        used = time.process_time()
        time.sleep(0.2)
    print(time.perf_counter() - sent[0])
"""


@pytest.mark.parametrize("name", ENDING)
def test_the_work_itself_ends(name):
    needs, call = CALLS[name]
    script = SCRIPT.format(needs=needs, call=call) + AT_ONCE
    script = script.replace("    print(time.perf_counter() - sent[0])\n", WAITED)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 5, done.stdout  # without the question it would be ten and more


@pytest.mark.parametrize("name", CALLS)
def test_control_c_ends(name):
    needs, call = CALLS[name]
    script = SCRIPT.format(needs=needs, call=call) + AT_ONCE
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 0.5, done.stdout


def test_work_that_is_left_behind_lets_the_program_end():
    needs = "lin = chain(2000)"
    script = SCRIPT.format(needs=needs, call="lin.modes(all=True, engine='qz')")  # nothing stops LAPACK's QZ
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert float(done.stdout) < 0.5, done.stderr
    assert done.returncode == 130
    assert done.stderr == "stillpoint: work that was interrupted has not ended after 5 s; the program ends without it\n"
