"""Steps, impulses and margins of the tool beside those of SciPy for the same plants.

    respond_with_scipy.py TOOL CASES FOLDER

Each system below is exported; scipy.signal.step and impulse answer at the times of the tool, and the margins are roots
of the plant's transfer function by scipy.optimize.brentq. One line is printed for each system: its name, the number of
channels, the largest difference of a step, of an impulse and of a margin, relative to the largest value, how many
margins were compared, and the phase (rad) of the fastest motion at the end: rounding of A, or of its exponential, turns
it by ε times that.
"""
import json
import subprocess
import sys

import numpy as np
from scipy import optimize, signal

tool, cases, folder = sys.argv[1:4]

systems = [
    ('drive_train', ['--output', 'shaft']),
    ('drive_train', ['--output', 'shaft', '--set', 'd=2']),
    ('drive_train', ['--output', 'motor_speed,load_speed,shaft', '--set', 'd=0.5']),
    ('cart_pole', ['--rest', 'nearest']),
    ('cart_pole', ['--rest', 'nearest', '--set', 'theta_guess=0']),
    ('controlled_cart_pole', ['--rest', 'nearest']),
    ('controlled_cart_pole', ['--rest', 'nearest', '--open', 'balance', '--input', 'balance.error',
                              '--output', 'balance.feedback']),
    ('controlled_cart_pole', ['--rest', 'nearest', '--open', 'station', '--input', 'station.error',
                              '--output', 'station.feedback']),
    ('controlled_cart_pole', ['--rest', 'nearest', '--set', 'delay=0.01', '--open', 'balance', '--input',
                              'balance.error', '--output', 'balance.feedback']),
    ('maxwell_mass', ['--input', 'mass.x', '--output', 'mass.x']),
    ('actuated_four_bar', []),
    ('flexible_double_pendulum', []),
]


def run(*arguments):
    done = subprocess.run([tool, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(' '.join(arguments) + ': ' + done.stderr)
    return done.stdout


def matrix(value, rows, columns):
    if isinstance(value, dict):
        full = np.zeros(value['shape'])
        for i, j, x in zip(value['rows'], value['columns'], value['values']):
            full[i, j] = x
        return full
    return np.array(value, dtype=float).reshape(rows, columns)


def exported(arguments, name):
    path = f'{folder}/{name}.json'
    run('export', *arguments, '-o', path, '--quiet', '--uncertified')
    plant = json.load(open(path))
    n, inputs, outputs = len(plant['StateName']), len(plant['InputName']), len(plant['OutputName'])
    return (matrix(plant['A'], n, n), matrix(plant['B'], n, inputs), matrix(plant['C'], outputs, n),
            matrix(plant['D'], outputs, inputs))


def difference(found, expected):
    """Relative to the largest value; where a plant does not move at all, to one."""
    size = np.abs(expected).max()
    return np.abs(found - expected).max() / (size if size > 0 else 1)


def transfer(plant, i, j):
    A, B, C, D = plant
    return lambda omega: (C[i] @ np.linalg.solve(1j * omega * np.eye(len(A)) - A, B[:, j]) + D[i, j])


def margins_off(pair, H):
    """How far the crossings are from roots that brentq finds near them, and the margins from the values there."""
    worst, count = 0, 0
    for margin in pair['margins']['phase_margins']:
        omega = margin['omega_rad_s']
        root = optimize.brentq(lambda w: np.log(abs(H(w))), omega * (1 - 1e-5), omega * (1 + 1e-5), xtol=1e-300)
        worst = max(worst, abs(root / omega - 1), abs(np.angle(-H(root), deg=True) - margin['degrees']) / 180)
        count += 1
    for margin in pair['margins']['gain_margins']:
        omega = margin['omega_rad_s']
        root = optimize.brentq(lambda w: np.angle(-H(w)), omega * (1 - 1e-5), omega * (1 + 1e-5), xtol=1e-300)
        worst = max(worst, abs(root / omega - 1), abs(1 / abs(H(root)) / margin['factor'] - 1))
        count += 1
    return worst, count


for number, (case, options) in enumerate(systems):
    arguments = [f'{cases}/{case}', *options]
    plant = exported(arguments, f'plant{number}')
    found = [json.loads(run('response', *arguments, kind, '--json', '--quiet', '--points', '101'))
             for kind in ('--step', '--impulse')]
    loops = json.loads(run('response', *arguments, '--nyquist', '--json', '--quiet'))
    A, B, C, D = plant
    off, margin_off, count = [0, 0], 0, 0
    phase = abs(np.linalg.eigvals(A)).max() * max(answer['time_s'][-1] for answer in found)
    for k, (answer, method) in enumerate(zip(found, (signal.step, signal.impulse))):
        times = np.array(answer['time_s'])
        for j in range(B.shape[1]):
            system = signal.StateSpace(A, B[:, [j]], C, D[:, [j]])
            expected = method(system, T=times)[1].reshape(len(times), -1)
            for i in range(C.shape[0]):
                values = np.array(answer['channels'][i * B.shape[1] + j]['value'])
                off[k] = max(off[k], difference(values, expected[:, i]))
    for k, pair in enumerate(loops['pairs']):
        here, some = margins_off(pair, transfer(plant, k // B.shape[1], k % B.shape[1]))
        margin_off, count = max(margin_off, here), count + some
    print(f'{case} {" ".join(options)}: {C.shape[0] * B.shape[1]} channels, {off[0]:.1e}, {off[1]:.1e}, '
          f'{margin_off:.1e}, {count} margins, {phase:.1e} rad')
