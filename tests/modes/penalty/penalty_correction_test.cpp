// Correction of penalty eigenvalues for constraint compliance: back to the eigenvalues of the mechanism.

#include "modes/penalty/penalty_correction.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <complex>
#include <random>
#include <vector>

#include "modes/exact_pairs.h"
#include "support/forms/systems.h"
#include "support/modes/random_systems.h"

using namespace stillpoint;
using Complex = std::complex<double>;
using Eigen::MatrixXd;

namespace {

/// A penalty system with the modes that belong to the mechanism, those that nearly keep the constraints.
struct Penalty {
  Penalty(LinearSystem of, double alpha)
      : system(std::move(of)),
        form(penalty_form(system, {.alpha = Eigen::VectorXd{{alpha}}, .xi = 0.9, .omega = 20})),
        problem(system) {
    const LinearSystem unconstrained =
        system_of(form.M.toDense(), form.K.toDense(), MatrixXd(0, form.M.rows()), form.C.toDense());
    const BorderedProblem own(unconstrained);
    for (const testing::ExactPair& pair : testing::exact_pairs(unconstrained)) {
      if (problem.violation(pair.x) > 0.05) continue;
      Mode mode;
      mode.s = pair.s;
      mode.shape = pair.x;
      mode.left = pair.y;
      mode.condition = own.condition(pair.s, pair.x, pair.y);
      mode.backward_error = 1e-15;
      modes.push_back(mode);
    }
  }
  double distance(Complex s) const {
    double nearest = 1e9;
    for (const testing::ExactPair& pair : testing::exact_pairs(system))
      nearest = std::min(nearest, std::abs(pair.s - s));
    return nearest;
  }

  LinearSystem system;
  PenaltyForm form;
  BorderedProblem problem;
  std::vector<Mode> modes;
};

LinearSystem random_system(unsigned seed) {
  std::mt19937 random(seed);
  return testing::random_system(
      {.coordinates = 8, .constraints = 2, .redundant = 1, .dampers = 3, .follower_forces = seed % 2 == 0}, random);
}

}  // namespace

TEST_CASE("penalty correction: each corrected value is one of the mechanism, and the change is the penalty's error") {
  for (const unsigned seed : {1, 2, 3, 4}) {
    CAPTURE(seed);
    Penalty penalty(random_system(seed), 1e5);
    REQUIRE(penalty.modes.size() == 12);  // 8 − 2 degrees of freedom
    CHECK(correct(penalty.modes, {penalty.system, penalty.form, penalty.problem}));
    for (const Mode& mode : penalty.modes) {
      CAPTURE(mode.s.imag());
      CHECK(penalty.distance(mode.corrected) <= mode.corrected_error + 1e-10 * std::abs(mode.s));
      CHECK(mode.corrected_error < 1e-8 * std::abs(mode.s));
      CHECK(mode.penalty_error == doctest::Approx(std::abs(mode.s - mode.corrected)).epsilon(1e-9).scale(0));
      CHECK(mode.error >= mode.penalty_error);
    }
  }
}

TEST_CASE("penalty correction: the error of the penalty falls with its factor, as 1/α") {
  const auto largest = [](double alpha) {
    Penalty penalty(random_system(1), alpha);
    correct(penalty.modes, {penalty.system, penalty.form, penalty.problem});
    double error = 0;
    for (const Mode& mode : penalty.modes) error = std::max(error, mode.penalty_error / std::abs(mode.s));
    return error;
  };
  const double ratio = largest(1e4) / largest(1e5);
  CHECK(ratio > 8);
  CHECK(ratio < 12);  // beyond α = 10⁵ the rounding of K_p is as large
}

TEST_CASE("penalty correction: the quotient with the penalty's own multipliers is right to second order") {
  const Penalty penalty(random_system(2), 1e4);
  const Correction correction{penalty.system, penalty.form, penalty.problem};
  for (const Mode& mode : penalty.modes) {
    const double before = penalty.distance(mode.s) / std::abs(mode.s);
    const Complex first = rayleigh_value(correction.modal_coefficients(mode), mode.s).s;
    CHECK(penalty.distance(first) / std::abs(mode.s) < 1000 * before * before + 1e-11);
  }
}

TEST_CASE("penalty correction: zeros by structure stay zero, and values at hand are taken") {
  Penalty penalty(random_system(3), 1e5);
  std::vector<Mode> modes = penalty.modes;
  Mode zero = modes.front();
  zero.s = 0;
  zero.error = 1e-9;
  modes.push_back(zero);
  std::vector<std::optional<Refined>> at_hand(modes.size());
  at_hand[0] = Refined{modes[0].s * (1 + 1e-7), 3e-9, true};
  correct(modes, {penalty.system, penalty.form, penalty.problem}, at_hand);
  CHECK(modes.back().corrected == Complex(0));
  CHECK(modes.back().penalty_error == 0);
  CHECK(modes.back().error == 1e-9);
  CHECK(modes[0].corrected == at_hand[0]->s);
  CHECK(modes[0].corrected_error == 3e-9);
}
