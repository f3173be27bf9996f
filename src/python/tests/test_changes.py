"""Changes of linear systems beside systems that are assembled directly."""
import numpy as np
import pytest
import scipy.linalg
import scipy.sparse
import stillpoint as sp


def chain(masses, springs, name):
    n = len(masses)
    K = np.zeros((n, n))
    for i, k in enumerate(springs):
        e = np.zeros(n)
        e[i] = 1
        if i:
            e[i - 1] = -1
        K += k * np.outer(e, e)
    return sp.LinearSystem(M=np.diag(np.array(masses, float)), K=K, coordinates=[f"{name}{i + 1}" for i in range(n)])


def close(found, expected):
    order = lambda s: s[np.lexsort((s.imag.round(6), s.real.round(6)))]  # noqa: E731
    assert np.allclose(order(np.asarray(found)), order(np.asarray(expected)), rtol=1e-10, atol=1e-9)


def test_two_chains_coupled_at_a_mass_are_the_whole_chain():
    both = sp.couple(chain([1, 2], [100, 200], "a"), chain([3, 4, 1], [0, 300, 150], "b"), {"a2": "b1"})
    close(both.modes().s, chain([1, 5, 4, 1], [100, 200, 300, 150], "q").modes().s)
    assert both.constraints == ["coupling[1]"] and both.dof == 4


def test_twins_need_prefixes():
    one = chain([1, 2], [10, 20], "q")
    with pytest.raises(sp.Error, match="both systems have a coordinate 'q1'"):
        sp.couple(one, one, {"q2": "q2"})
    twins = sp.couple(one, one, {"q1": "q1", "q2": "q2"}, prefixes=("left.", "right."))
    close(twins.modes().s, one.modes().s)
    assert twins.coordinates == ["left.q1", "left.q2", "right.q1", "right.q2"]


def test_members_add_to_the_matrices():
    lin = chain([1, 2, 3], [10, 20, 0], "q")
    changed = lin.with_spring("q2", "q3", stiffness=30).with_damper("q3", damping=0.5).with_mass("q1", mass=4)
    assert np.array_equal(changed.K.toarray(), chain([1, 2, 3], [10, 20, 30], "q").K.toarray())
    assert changed.C.toarray()[2, 2] == 0.5 and changed.M.toarray()[0, 0] == 5
    assert lin.M.toarray()[0, 0] == 1  # the system itself has not changed


def test_a_dynamic_controller_is_the_loop_that_scipy_closes():
    lin = sp.read_model("cases/cart_pole").linearize("nearest")
    A, B = np.array([[-20.0, 0], [1, -5]]), np.array([[1.0, 0], [0, 2]])
    C, D = np.array([[300.0, -40]]), np.array([[5.0, -200]])
    loop = lin.close_loop(D, A=A, B=B, C=C, measured=["position", "angle"], driven=["u"])
    plant = lin.plant()
    closed = np.block([[plant.A + plant.B @ D @ plant.C, plant.B @ C], [B @ plant.C, A]])
    close(loop.modes().s, np.linalg.eigvals(closed))
    assert loop.coordinates[-2:] == ["controller.x[1]", "controller.x[2]"]


def test_lqr_holds_the_pole_up():
    lin = sp.read_model("cases/cart_pole").linearize("nearest")
    names = ["cart.x", "pole.phi", "cart.x'", "pole.phi'"]
    plant = lin.plant(outputs=["position", "angle"])
    measure = np.vstack([plant.C, plant.C @ plant.A])  # positions and rates from the states
    assert np.abs(plant.C @ plant.B).max() < 1e-12  # the rates are not driven at once
    P = scipy.linalg.solve_continuous_are(plant.A, plant.B, np.eye(4), [[1.0]])
    gain = (plant.B.T @ P) @ np.linalg.inv(measure)
    held = lin.close_loop(-gain, measured=names, driven=["u"]).modes()
    close(held.s, np.linalg.eigvals(plant.A - plant.B @ plant.B.T @ P))
    assert held.verdict == "asymptotically stable" and lin.modes().verdict == "unstable"


@pytest.mark.parametrize(
    "wrong, text",
    [
        (lambda lin: lin.with_spring("q9", stiffness=1), "there is no coordinate 'q9'"),
        (lambda lin: lin.with_spring("q1", stiffness=float("nan")), "it must be finite"),
        (lambda lin: lin.with_constraints({}), "at least one"),
        (lambda lin: lin.close_loop([["a"]], measured=["q1"], driven=["q1"]), "a matrix of numbers is meant"),
        (lambda lin: lin.close_loop([[1, 2]], measured=["q1"], driven=["q1"]), "D of the controller is 1 x 2"),
        (lambda lin: lin.close_loop([[1]], measured=["q7'"], driven=["q1"]), "there is no output or coordinate"),
    ],
)
def test_mistakes_about_changes(wrong, text):
    with pytest.raises(sp.Error) as caught:
        wrong(chain([1, 2], [10, 20], "q"))
    assert text in str(caught.value)


def test_gains_may_be_sparse():
    loop = chain([1], [1], "q").close_loop(scipy.sparse.csr_matrix([[-3.0]]), measured=["q1"], driven=["q1"])
    close(loop.modes().s, [2j, -2j])
