"""Matrices go out without a copy, and come in from anywhere."""
import gc

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.linalg
import stillpoint as sp

MATRICES = ("M", "C", "K", "J", "F", "G", "Hq", "Hv", "Ha", "Hl", "Hu")


def address(array):
    return array.__array_interface__["data"][0]


def test_matrices_are_lent_at_their_address():
    lin = sp.read_model("cases/actuated_four_bar").linearize()
    for name in MATRICES:
        matrix = getattr(lin, name)
        if matrix.nnz:
            assert address(matrix.data) == lin._handle.address(name), name
        assert not matrix.data.flags.writeable and not matrix.data.flags.owndata


def test_a_million_entries_are_handed_over_without_a_copy():
    n = 1_000_000
    lin = sp.LinearSystem(M=scipy.sparse.identity(n), K=scipy.sparse.identity(n) * 4)
    M = lin.M
    assert M.nnz == n and address(M.data) == lin._handle.address("M")


def test_a_lent_matrix_outlives_its_system():
    lin = sp.read_model("cases/four_bar", set={"N": 50}).linearize()
    K, before = lin.K, lin.K.toarray()
    del lin
    gc.collect()
    rubbish = [np.full(K.nnz, 7.0) for _ in range(100)]
    assert np.array_equal(K.toarray(), before) and len(rubbish) == 100


def test_a_lent_matrix_cannot_be_written_and_works_otherwise():
    lin = sp.read_model("cases/n_pendulum", set={"N": 20}).linearize()
    with pytest.raises(ValueError, match="read-only"):
        lin.K.data[0] = 1
    A = (lin.M + lin.K).tocsc()
    assert np.isfinite(scipy.sparse.linalg.splu(A + scipy.sparse.identity(A.shape[0])).solve(np.ones(A.shape[0]))).all()
    assert lin.K[:3, :3].shape == (3, 3) and lin.K.tocsr().nnz == lin.K.nnz


@pytest.mark.parametrize(
    "form",
    [
        np.asarray,
        scipy.sparse.csc_matrix,
        scipy.sparse.csr_matrix,
        scipy.sparse.coo_matrix,
        scipy.sparse.lil_matrix,
        scipy.sparse.csc_array,
        lambda A: np.asarray(A, dtype=np.float32),
        lambda A: np.asfortranarray(A),
        lambda A: A.tolist(),
        lambda A: np.asarray(A, dtype=int),
    ],
)
def test_matrices_of_any_kind_come_in(form):
    M, K = np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([[5.0, -1.0], [-2.0, 4.0]])
    lin = sp.LinearSystem(M=form(M), K=form(K))
    assert np.array_equal(lin.M.toarray(), M) and np.array_equal(lin.K.toarray(), K)


def test_entries_that_are_there_twice_are_added():
    twice = scipy.sparse.coo_matrix(([1.0, 2.0], ([0, 0], [0, 0])), shape=(1, 1))
    unsorted = scipy.sparse.csc_matrix((np.array([4.0, 3.0]), np.array([1, 0]), np.array([0, 2, 2])), shape=(2, 2))
    assert sp.LinearSystem(M=twice, K=[[1.0]]).M[0, 0] == 3
    assert np.array_equal(sp.LinearSystem(M=np.eye(2), K=unsorted).K.toarray(), [[3, 0], [4, 0]])


def test_the_residual_of_a_mode_computed_by_scipy_is_small():
    lin = sp.read_model("cases/four_bar", set={"N": 20, "c": 1}).linearize()
    modes = lin.modes()
    assert np.abs(lin.J @ modes.shape).max() < 1e-12
    for s, x in zip(modes.s, modes.shape.T):
        force = (s**2 * lin.M + s * lin.C + lin.K) @ x
        multipliers = scipy.sparse.linalg.lsqr(lin.J.T, -force.real, atol=1e-14, btol=1e-14)[0]
        left_over = np.linalg.norm(force.real + lin.J.T @ multipliers)
        assert left_over < 1e-9 * scipy.sparse.linalg.norm(lin.K)


def test_names_and_units():
    lin = sp.LinearSystem(
        M=np.eye(2), K=np.eye(2), F=[[1], [0]], Hq=[[0, 1]], J=[[1, -1]], name="pair",
        coordinates=["a", "b"], constraints=["together"], inputs=["push"], outputs=["seen"], output_units=["m"],
    )  # fmt: skip
    assert (lin.name, lin.coordinates, lin.constraints) == ("pair", ["a", "b"], ["together"])
    assert (lin.inputs, lin.outputs, lin.units["outputs"], lin.dof) == (["push"], ["seen"], ["m"], 1)
    assert sp.LinearSystem(M=np.eye(2), K=np.eye(2)).coordinates == ["q[1]", "q[2]"]
