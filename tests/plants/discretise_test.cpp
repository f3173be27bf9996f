// Plants in discrete time beside SciPy's, and in closed form.

#include "stillpoint/discretise.h"

#include <doctest/doctest.h>

#include <Eigen/LU>
#include <cmath>

#include "stillpoint/error.h"
#include "stillpoint/reduce.h"
#include "stillpoint/write_plant.h"
#include "support/clients.h"
#include "support/plants/closed_forms.h"

using namespace stillpoint;

namespace {

// The largest difference of A, B, C and D from those of cont2discrete, each relative to the largest entry of its
// matrix.
constexpr const char* beside_scipy = R"(
import numpy, scipy.signal, sys
plain, sampled = numpy.load(sys.argv[1]), numpy.load(sys.argv[2])
expected = scipy.signal.cont2discrete([plain[name] for name in "ABCD"], sampled["Ts"].item(), sys.argv[3])
worst = 0
for name, matrix in zip("ABCD", expected):
    if matrix.size and abs(matrix).max() > 0:
        worst = max(worst, abs(sampled[name] - matrix).max() / abs(matrix).max())
    else:
        worst = max(worst, abs(sampled[name]).max() if matrix.size else 0)
print(repr(float(worst)))
)";

LinearSystem oscillator(double omega) {
  LinearSystem system = system_of(Eigen::MatrixXd::Constant(1, 1, 1), Eigen::MatrixXd::Constant(1, 1, omega * omega),
                                  {}, {}, {}, Eigen::MatrixXd::Constant(1, 1, 1));
  for (SparseMatrix* const H : {&system.Hq, &system.Hv, &system.Ha, &system.Hl, &system.Hu}) *H = SparseMatrix();
  system.Hq = Eigen::MatrixXd::Constant(1, 1, 1).sparseView();
  return checked(std::move(system));
}

}  // namespace

TEST_CASE("discretise: zoh, foh and tustin are those of SciPy to 1e-12") {
  require_python();
  const ScratchFolder folder;
  folder.write("beside.py", beside_scipy);
  for (const char* const name : {"cart_pole", "drive_train", "actuated_four_bar"}) {
    const Plant plant = state_space(system_of_case(name));
    write_plant(plant, folder / "plain.npz");
    for (const InputHold hold : {InputHold::zoh, InputHold::foh, InputHold::tustin}) {
      for (const double time : {1e-3, 0.05}) {
        CAPTURE(std::string(name));
        CAPTURE(std::string(key_of(hold)));
        CAPTURE(time);
        write_plant(discretise(plant, {.time = time, .hold = hold}), folder / "sampled.npz");
        const Answer answer =
            shell(python + " '" + folder / "beside.py" + "' '" + folder / "plain.npz" + "' '" + folder / "sampled.npz" +
                  "' " + (hold == InputHold::tustin ? "bilinear" : key_of(hold)));
        CHECK_MESSAGE(answer.code == 0, answer.err);
        CHECK(std::stod(answer.out) < 1e-12);
      }
    }
  }
}

TEST_CASE("discretise: an undamped oscillator turns by ωT") {
  const double omega = 3, T = 0.1, c = std::cos(omega * T), s = std::sin(omega * T);
  const Plant plant = discretise(state_space(oscillator(omega)), {.time = T});
  Eigen::MatrixXd A(2, 2), B(2, 1);
  A << c, s / omega, -omega * s, c;
  B << (1 - c) / (omega * omega), s / omega;
  CHECK(difference(plant.first.A.toDense(), A) < 1e-14);
  CHECK(difference(plant.first.B.toDense(), B) < 1e-14);
  CHECK(plant.sampling->time == T);
  CHECK(plant.sampling->method == "zoh");
}

TEST_CASE("discretise: the response of Tustin's rule is the continuous one at the warped frequency") {
  const Plant plant = state_space(with_channels(system_of_case("drive_train"), {"motor"}, {"shaft"}));
  const double T = 0.01;
  const Plant sampled = discretise(plant, {.time = T, .hold = InputHold::tustin});
  const Eigen::VectorXd omega = log_spaced(1, 200, 9), warped = (2 / T) * (omega * T / 2).array().tan();
  const auto discrete = response_of(sampled, omega), continuous = response_of(plant, warped);
  for (std::size_t k = 0; k < discrete.size(); ++k)
    CHECK(std::abs(discrete[k](0, 0) - continuous[k](0, 0)) <= 1e-10 * std::abs(continuous[k](0, 0)));
}

TEST_CASE("discretise: T and S lead back to the coordinates, whatever the states are") {
  // For a constant input at rest, the coordinates are the static ones.
  const LinearSystem system = oscillator(2);
  for (const InputHold hold : {InputHold::zoh, InputHold::foh, InputHold::tustin}) {
    const Plant plant = discretise(state_space(system), {.time = 0.1, .hold = hold, .delays = {{"u[1]", 0.3}}});
    const Eigen::MatrixXd A = plant.first.A.toDense(), B = plant.first.B.toDense();
    const Eigen::MatrixXd x = (Eigen::MatrixXd::Identity(A.rows(), A.cols()) - A).fullPivLu().solve(B);
    const Eigen::MatrixXd q = plant.T.toDense() * x + plant.S.toDense(),
                          y = plant.first.C.toDense() * x + plant.first.D.toDense();
    CHECK(std::abs(q(0, 0) - 0.25) < 1e-12);
    CHECK(std::abs(y(0, 0) - 0.25) < 1e-12);
  }
}

TEST_CASE("discretise: a delay of whole samples multiplies the response by z to its power") {
  const Plant plant = state_space(oscillator(2));
  const double T = 0.05;
  const Eigen::VectorXd omega = log_spaced(0.5, 20, 7);
  const auto plain = response_of(discretise(plant, {.time = T}), omega);
  const Plant delayed = discretise(plant, {.time = T, .delays = {{"u[1]", 3 * T}}});
  const auto late = response_of(delayed, omega);
  CHECK(delayed.state_names.back() == "u[1][k-3]");
  for (std::size_t k = 0; k < plain.size(); ++k) {
    const std::complex<double> expected =
        plain[k](0, 0) * std::polar(1.0, -3 * T * omega[static_cast<Eigen::Index>(k)]);
    CHECK(std::abs(late[k](0, 0) - expected) <= 1e-11 * std::abs(expected));
  }
}

TEST_CASE("discretise: what has no discrete form is refused") {
  const LinearSystem system = oscillator(2);
  const Plant plant = state_space(system);
  CHECK_THROWS_WITH_AS(discretise(descriptor(system), {.time = 0.1}),
                       doctest::Contains("a plant is made discrete as a state space"), Error);
  CHECK_THROWS_WITH_AS(discretise(plant, {.time = 0}), doctest::Contains("a sample time of 0 s"), Error);
  CHECK_THROWS_WITH_AS(discretise(plant, {.time = 0.1, .delays = {{"u[1]", 0.25}}}),
                       doctest::Contains("is 2.5 samples of 0.1 s: it must be a whole number"), Error);
  CHECK_THROWS_WITH_AS(discretise(plant, {.time = 0.1, .delays = {{"v", 0.2}}}),
                       doctest::Contains("there is no input 'v' to be delayed"), Error);
  CHECK_THROWS_WITH_AS(discretise(discretise(plant, {.time = 0.1}), {.time = 0.1}),
                       doctest::Contains("in discrete time already"), Error);
  const Plant moved = state_space(system_of_case("base_excited"));
  CHECK_THROWS_WITH_AS(discretise(moved, {.time = 0.1}), doctest::Contains("the rate 'base"), Error);
  CHECK_THROWS_WITH_AS(write_plant(discretise(plant, {.time = 0.1}), ScratchFolder() / "plant.mo"),
                       doctest::Contains("continuous time"), Error);
}
