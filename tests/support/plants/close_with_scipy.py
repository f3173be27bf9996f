"""Closes loops around exported plants with SciPy and NumPy, and compares with the tool's closed loops.

    close_with_scipy.py TOOL CASES FOLDER

For each system below the plant of the mechanism alone is exported, the controller is made by scipy.signal (delays by
scipy.interpolate.pade), the loop is closed by the algebra of state spaces, and poles and responses are compared with
those that the tool finds for the model file with a section `controllers`. One line is printed for each system: its
name, the number of poles, the largest relative error of a response and that of a pole, and the verdict.
"""
import json
import subprocess
import sys
from math import factorial

import numpy as np
from scipy import signal
from scipy.interpolate import pade

tool, cases, folder = sys.argv[1:4]


def run(*arguments):
    done = subprocess.run([tool, *arguments], capture_output=True, text=True)
    if done.returncode not in (0,):
        sys.exit(' '.join(arguments) + ': ' + done.stderr)
    return done.stdout


def matrix(value):
    if isinstance(value, dict):
        full = np.zeros(value['shape'])
        for i, j, x in zip(value['rows'], value['columns'], value['values']):
            full[i, j] = x
        return full
    return np.array(value, dtype=float)


def exported(arguments, name):
    path = f'{folder}/{name}.json'
    run('export', *arguments, '-o', path, '--quiet', '--uncertified')
    plant = json.load(open(path))
    A = matrix(plant['A'])
    n, inputs, outputs = len(A), len(plant['InputName']), len(plant['OutputName'])
    return (A.reshape(n, n), matrix(plant['B']).reshape(n, inputs), matrix(plant['C']).reshape(outputs, n),
            matrix(plant['D']).reshape(outputs, inputs), plant)


def series(first, second):
    A1, B1, C1, D1 = first
    A2, B2, C2, D2 = second
    A = np.block([[A1, np.zeros((len(A1), len(A2)))], [B2 @ C1, A2]])
    return A, np.vstack([B1, B2 @ D1]), np.hstack([D2 @ C1, C2]), D2 @ D1


def rational(numerator, denominator):
    if len(denominator) == 1:
        return np.zeros((0, 0)), np.zeros((0, 1)), np.zeros((1, 0)), np.array([[numerator[-1] / denominator[0]]])
    return signal.tf2ss(numerator, denominator)


def block(kind, values):
    """The controller by SciPy, and its keys in a model file."""
    if kind == 'gain':
        D = np.atleast_2d(values)
        return (np.zeros((0, 0)), np.zeros((0, D.shape[1])), np.zeros((D.shape[0], 0)), D), f'value: {D.tolist()}'
    if kind == 'pid':
        kp, ki, kd, T = values
        if ki == 0:
            return (rational(np.polyadd(kp * np.array([T, 1]), [kd, 0]), [T, 1]),
                    f'kp: {kp}\n    kd: {kd}\n    filter_time: {T}')
        own = np.polyadd(np.polyadd(np.polymul([kp, 0], [T, 1]), ki * np.array([T, 1])), [kd, 0, 0])
        return (rational(own, np.polymul([1, 0], [T, 1])), f'kp: {kp}\n    ki: {ki}\n    kd: {kd}\n    filter_time: {T}')
    if kind == 'transfer_function':
        return rational(*values), f'numerator: {values[0]}\n    denominator: {values[1]}'
    A, B, C, D = (np.array(x, dtype=float) for x in values)
    return (A, B, C, D), f'A: {A.tolist()}\n    B: {B.tolist()}\n    C: {C.tolist()}\n    D: {D.tolist()}'


def delayed(own, T, order):
    p, q = pade([(-T) ** k / factorial(k) for k in range(2 * order + 1)], order, order)
    delay = rational(p.coeffs, q.coeffs)
    return series(own, delay)


def closed(plant, own, sign):
    """u = u_ext + w, w = C x + D (r + sign y): the inputs are u_ext and r, the outputs y and w."""
    Ap, Bp, Cp, Dp = plant
    A, B, C, D = own
    E = np.linalg.inv(np.eye(len(D)) - sign * D @ Dp)
    W = [E @ (sign * D @ Cp), E @ C, E @ (sign * D @ Dp), E @ D]  # of plant states, states, u_ext, r
    Y = [Cp + Dp @ W[0], Dp @ W[1], Dp + Dp @ W[2], Dp @ W[3]]
    e = [sign * Y[0], sign * Y[1], sign * Y[2], np.eye(D.shape[1]) + sign * Y[3]]
    Acl = np.block([[Ap + Bp @ W[0], Bp @ W[1]], [B @ e[0], A + B @ e[1]]])
    Bcl = np.block([[Bp + Bp @ W[2], Bp @ W[3]], [B @ e[2], B @ e[3]]])
    return Acl, Bcl, np.block([[Y[0], Y[1]], [W[0], W[1]]]), np.block([[Y[2], Y[3]], [W[2], W[3]]])


def response(system, s):
    A, B, C, D = system
    return D + C @ np.linalg.solve(s * np.eye(len(A)) - A, B)


def pole_error(found, expected):
    """The largest distance to the nearest pole that is left, relative to the pole and at least to 1. NumPy finds double
    poles at zero, of free rotations, no better than to the root of the rounding unit: these count as zero."""
    found, worst = list(found), 0
    for s in sorted((0 if abs(s) < 1e-5 else s for s in expected), key=lambda s: (-abs(s), complex(s).real, complex(s).imag)):
        nearest = min(range(len(found)), key=lambda k: abs(found[k] - s))
        worst = max(worst, abs(found.pop(nearest) - s) / max(1, abs(s)))
    return worst


def with_controller(case, kind, values, source, to, delay, order, feedback, name):
    own, keys = block(kind, values)
    text = open(f'{cases}/{case}/model.yaml').read() + f'''
controllers:
  - {kind}: loop
    from: {json.dumps(source)}
    to: {json.dumps(to)}
    feedback: {feedback}
    {keys}
'''
    if delay:
        text += f'    delay: {delay}\n    delay_order: {order}\n'
        own = delayed(own, delay, order)
    path = f'{folder}/{name}.yaml'
    open(path, 'w').write(text)
    return path, own


pid, lag, lead = (8, 3, 2, 0.05), ([2], [0.3, 1]), ([4, 2], [0.1, 1])
two = ([[-1, 2], [-2, -3]], [[1], [0.5]], [[1, -1]], [[0.2]])
systems = []
for settings in ([], ['M=3'], ['m=3', 'l=0.8'], ['theta_guess=0'], ['theta_guess=0', 'M=2']):
    systems.append(('cart_pole', settings, 'pid', (350, 100, 80, 0.02), ['angle'], ['u'], 0, 0, 'negative'))
    systems.append(('cart_pole', settings, 'gain', [[400, 80, -20, -50]],
                    ['angle', "angle'", 'position', "position'"], ['u'], 0, 0, 'negative'))
    systems.append(('cart_pole', settings, 'pid', (350, 0, 80, 0.02), ['angle'], ['u'], 0.01, 3, 'negative'))
for settings in ([], ['N=3'], ['N=6']):
    for kind, values in (('pid', pid), ('transfer_function', lag), ('transfer_function', lead), ('state_space', two)):
        systems.append(('n_pendulum', settings, kind, values, ['FROM'], ['TO'], 0, 0, 'negative'))
    systems.append(('n_pendulum', settings, 'transfer_function', lead, ['FROM'], ['TO'], 0.05, 2, 'positive'))
for kind, values in (('pid', pid), ('transfer_function', lag), ('state_space', two)):
    for case in ('drive_train', 'maxwell_mass'):
        systems.append((case, [], kind, values, ['FROM'], ['TO'], 0.02, 1, 'negative'))

for number, (case, settings, kind, values, source, to, delay, order, feedback) in enumerate(systems):
    arguments = [x for setting in settings for x in ('--set', setting)] + ['--rest', 'nearest']
    if source == ['FROM']:
        names = json.loads(run('modes', f'{cases}/{case}', *arguments, '--shapes', '--json', '--quiet'))
        names = list(names['modes'][0]['shape'])
        moving = {'n_pendulum': ('P[1].x', 'P[1].x'), 'maxwell_mass': ('mass.x', 'mass.x')}.get(case)
        source, to = ([moving[0]], [moving[1]]) if moving else ([names[-1]], [names[0]])
    path, own = with_controller(case, kind, values, source, to, delay, order, feedback, f'model{number}')
    rates = [name.rstrip("'") for name in source]
    channels = ['--input', ','.join(to), '--output', ','.join(dict.fromkeys(rates))]
    Ap, Bp, Cp, Dp, plant = exported([f'{cases}/{case}', *arguments, *channels], f'open{number}')
    # y' = C (A x + B u), of outputs without feedthrough
    row = {name: k for k, name in enumerate(plant['OutputName'])}
    rows = [Cp[row[n]] if n in row else Cp[row[n[:-1]]] @ Ap for n in source]
    through = [Dp[row[n]] if n in row else Cp[row[n[:-1]]] @ Bp for n in source]
    loop = closed((Ap, Bp, np.array(rows), np.array(through)), own, 1 if feedback == 'positive' else -1)

    shown = source if len(source) == 1 else []
    references = ['loop.reference'] if len(source) == 1 else [f'loop.reference[{k + 1}]' for k in range(len(source))]
    outputs = shown + ['loop.u']
    found = exported([path, *arguments, '--input', ','.join(to + references), '--output', ','.join(outputs)],
                     f'closed{number}')
    worst = 0
    for omega in (0.3, 1.1, 4.7, 13, 40):
        mine = response(loop, 1j * omega)
        mine = np.vstack([mine[:len(shown)], mine[len(source):]])
        theirs = response(found[:4], 1j * omega)
        worst = max(worst, np.abs(mine - theirs).max() / np.abs(mine).max())
    report = json.loads(run('modes', path, *arguments, '--json', '--quiet'))
    modes = [complex(*mode['s']) for mode in report['modes']]
    poles = np.linalg.eigvals(loop[0])
    error = pole_error(modes, poles) if len(modes) == len(poles) else float('inf')
    print(f"{case}{''.join(' ' + s for s in settings)} {kind}: {len(poles)} poles, {worst:.1e}, {error:.1e}, "
          f"{report['verdict']}")
