"""The lowest modes of the matrices in a folder's folders, by SciPy and SLEPc, to stand beside `stillpoint`.

    ./dev bench sparse_modes 200 FOLDER
    python3 tests/bench/peers.py FOLDER build/release/stillpoint

Needs python3-scipy, and for SLEPc python3-slepc4py-real, which Debian 12 puts where PYTHONPATH must lead:
$PETSC_DIR/lib/python3/dist-packages and the same of SLEPC_DIR. All three invert the bordered matrix
[[K, J'], [J, 0]] at the shift 0. Times are those of the solution alone, without reading; stillpoint's contains its
error bars, its residuals and the proof that no mode is missing.
"""

import json
import pathlib
import subprocess
import sys
import time

import numpy as np
import scipy.io
import scipy.sparse as sparse
import scipy.sparse.linalg as linalg


def bordered(folder):
    K = scipy.io.mmread(folder / "K.mtx").tocsc()
    M = scipy.io.mmread(folder / "M.mtx").tocsc()
    if not (folder / "J.mtx").exists():
        return K, M
    J = scipy.io.mmread(folder / "J.mtx").tocsc()
    nothing = sparse.csc_matrix((J.shape[0], J.shape[0]))
    return sparse.bmat([[K, J.T], [J, None]]).tocsc(), sparse.block_diag([M, nothing]).tocsc()


def petsc_matrix(S):
    from petsc4py import PETSc

    rows = S.tocsr()
    made = PETSc.Mat().createAIJ(S.shape, csr=(rows.indptr, rows.indices, rows.data))
    made.assemble()
    return made


def invert_by_mumps(transformation):
    from slepc4py import SLEPc

    transformation.setType(SLEPc.ST.Type.SINVERT)
    transformation.getKSP().setType("preonly")
    preconditioner = transformation.getKSP().getPC()
    preconditioner.setType("lu")
    preconditioner.setFactorSolverType("mumps")


def damping(folder, size):
    C = scipy.io.mmread(folder / "C.mtx").tocsc()
    C.resize((size, size))
    return C


def by_scipy_damped(A, B, C, count):
    """The pencil of twice the size: SciPy has nothing for quadratic problems."""
    n = A.shape[0]
    one = sparse.identity(n, format="csc")
    inverse = linalg.splu(A)

    def solve(b):  # [[0, 1], [-A, -C]] x = b
        return np.concatenate([inverse.solve(-b[n:] - C @ b[:n]), b[:n]])

    left = sparse.bmat([[None, one], [-A, -C]]).tocsc()
    right = sparse.block_diag([one, B]).tocsc()
    start = np.random.default_rng(1).standard_normal(2 * n)
    start = solve(right @ solve(right @ start))
    operator = linalg.LinearOperator(left.shape, matvec=solve)
    values = linalg.eigs(left, k=2 * count, M=right, sigma=0.0, OPinv=operator, v0=start, return_eigenvectors=False)
    return np.sort(np.abs(values[values.imag > 0]))[:count]


def by_slepc_damped(A, B, C, count):
    from slepc4py import SLEPc

    solver = SLEPc.PEP().create()
    solver.setOperators([petsc_matrix(A), petsc_matrix(C), petsc_matrix(B)])
    solver.setProblemType(SLEPc.PEP.ProblemType.GENERAL)
    solver.setType(SLEPc.PEP.Type.TOAR)
    solver.setDimensions(2 * count)
    solver.setTolerances(1e-10)
    solver.setWhichEigenpairs(SLEPc.PEP.Which.TARGET_MAGNITUDE)
    solver.setTarget(0.0)
    invert_by_mumps(solver.getST())
    solver.solve()
    found = []
    vector = petsc_matrix(A).createVecRight()
    imaginary = vector.duplicate()
    for k in range(solver.getConverged()):
        s = solver.getEigenpair(k, vector, imaginary)
        if s.imag > 0:
            found.append(abs(s))
    return np.sort(np.array(found))[:count]


def by_scipy(A, B, count):
    inverse = linalg.splu(A)
    start = inverse.solve(B @ np.random.default_rng(1).standard_normal(A.shape[0]))
    operator = linalg.LinearOperator(A.shape, matvec=inverse.solve)
    values = linalg.eigsh(A, k=count, M=B, sigma=0.0, OPinv=operator, v0=start, return_eigenvectors=True)[0]
    return np.sqrt(np.sort(values))


def by_slepc(A, B, count):
    from slepc4py import SLEPc

    solver = SLEPc.EPS().create()
    solver.setOperators(petsc_matrix(A), petsc_matrix(B))
    # With constraints B is singular and A indefinite: not a symmetric-definite problem for SLEPc.
    is_definite = B.diagonal().min() > 0
    solver.setProblemType(SLEPc.EPS.ProblemType.GHEP if is_definite else SLEPc.EPS.ProblemType.GNHEP)
    solver.setDimensions(count)
    solver.setTolerances(1e-10)
    solver.setWhichEigenpairs(SLEPc.EPS.Which.TARGET_MAGNITUDE)
    solver.setTarget(0.0)
    invert_by_mumps(solver.getST())
    solver.solve()
    values = sorted(solver.getEigenvalue(k).real for k in range(min(count, solver.getConverged())))
    return np.sqrt(np.array(values))


def timed(solve, *arguments):
    try:
        started = time.perf_counter()
        values = solve(*arguments)
        return time.perf_counter() - started, values
    except Exception as problem:  # whatever the peer says is its result
        print(f"    {solve.__name__}: {problem}", file=sys.stderr)
        return float("nan"), np.array([])


def by_stillpoint(tool, folder, count):
    command = [tool, "modes", str(folder), "--count", str(count), "--solver", "sparse", "--json"]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    values = sorted(abs(complex(*mode["s"])) for mode in answer["modes"] if mode["s"][1] > 0)
    return answer["timing"]["modes"], np.array(values)


def main():
    folders, tool = pathlib.Path(sys.argv[1]), sys.argv[2]
    print(f"{'':>18} {'stillpoint':>10} {'SciPy':>10} {'SLEPc':>10} {'SciPy':>8} {'SLEPc':>8}  largest difference")
    for folder in sorted(folders.iterdir(), key=lambda path: (path / "K.mtx").stat().st_size):
        count = 20 if folder.name.startswith("row") else 12
        own, values = by_stillpoint(tool, folder, count)
        A, B = bordered(folder)
        matrices, solvers = [A, B], (by_scipy, by_slepc)
        if (folder / "C.mtx").exists():
            matrices, solvers = [A, B, damping(folder, A.shape[0])], (by_scipy_damped, by_slepc_damped)
        line = f"{folder.name:>18} {own:10.3f}"
        times, differences = [], []
        for solve in solvers:
            seconds, others = timed(solve, *matrices, count)
            times.append(seconds)
            same = len(others) == len(values)
            differences.append(f"{np.max(np.abs(others / values - 1)):.1e}" if same else f"{len(others)} found")
        print(line + "".join(f" {t:10.3f}" for t in times) + "".join(f" {t / own:8.2f}" for t in times),
              " ", ", ".join(differences), flush=True)


main()
