// K_r in the form of [González 2017], without multipliers, against the other form and against differences along the
// motion.

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <algorithm>

#include "stillpoint/linearize.h"
#include "support/dense_reference.h"
#include "support/linearize/claims.h"

using namespace stillpoint;

namespace {

/// Coordinates that the others follow from: pivots of null(J)ᵀ.
std::vector<Index> independent_coordinates(const Eigen::MatrixXd& J) {
  const Eigen::MatrixXd N = dense::null_space(J);
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(N.transpose());
  std::vector<Index> chosen;
  for (Eigen::Index k = 0; k < N.cols(); ++k) chosen.push_back(static_cast<Index>(qr.colsPermutation().indices()[k]));
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

/// R = [I; −J_D⁺ J_I]: of redundant rows any may go, and the pseudoinverse need not say which.
Eigen::MatrixXd partitioned(const Eigen::MatrixXd& J, const std::vector<Index>& independent) {
  const Eigen::MatrixXd N = dense::null_space(J);
  return N * N(independent, Eigen::all).inverse();
}

/// The mechanism with its independent coordinates displaced, its loops closed by the others.
State moved(const Model& model, const State& from, const std::vector<Index>& independent, const Eigen::VectorXd& by) {
  State state = from;
  for (std::size_t k = 0; k < independent.size(); ++k) state.q[independent[k]] += by[static_cast<Index>(k)];
  for (int step = 0; step < 20; ++step) {
    Eigen::MatrixXd J = dense::matrices_at(model, state).J;
    for (const Index i : independent) J.col(i).setZero();
    state.q -= dense::least_norm_solution(J, constraint_residual(model, state));
  }
  return state;
}

Eigen::VectorXd reduced_forces(const Model& model, const State& state, const std::vector<Index>& independent) {
  return partitioned(dense::matrices_at(model, state).J, independent).transpose() * applied_forces(model, state);
}

bool is_in_plane(const Model& model) { return model.initial_state().orientations.empty(); }

}  // namespace

TEST_CASE("reduced stiffness without multipliers: the same as RᵀKR with them, at every regular rest position") {
  int compared = 0;
  for (const std::string& name : case_names()) {
    CAPTURE(name);
    const Model model = model_of_case(name);
    const Equilibrium rest = find_equilibrium(model);
    if (rest.status != EquilibriumStatus::at_rest || rest.dof == 0) continue;
    REQUIRE((rest.kind == ConfigurationType::regular || rest.kind == ConfigurationType::redundant));
    const dense::Matrices at = dense::matrices_at(model, rest.state);
    const std::vector<Index> independent = independent_coordinates(at.J);
    const Eigen::MatrixXd R = partitioned(at.J, independent);
    const Eigen::MatrixXd with = R.transpose() * at.K * R;
    const Eigen::MatrixXd without = reduced_stiffness_without_multipliers(model, rest.state, independent);
    // λ and λ̂ agree as well as the forces balance, 1e-12 of the largest.
    const double size = at.K.cwiseAbs().maxCoeff() * R.cwiseAbs().maxCoeff() * R.cwiseAbs().maxCoeff();
    CHECK((with - without).cwiseAbs().maxCoeff() < 1e-11 * size);
    ++compared;
  }
  CHECK(compared > 10);
}

TEST_CASE("reduced stiffness without multipliers: the derivative of −Rᵀf along the closed motion, at rest or not") {
  int compared = 0;
  for (const std::string& name : case_names()) {
    const Model model = model_of_case(name);
    if (!is_in_plane(model) || model.constraints() == 0) continue;  // in space increments do not add up
    CAPTURE(name);
    const Equilibrium rest = find_equilibrium(model);
    const std::vector<Index> independent = independent_coordinates(dense::matrices_at(model, rest.state).J);
    const auto k = static_cast<Index>(independent.size());
    if (k == 0) continue;
    for (const double away : {0.0, 0.1}) {
      CAPTURE(away);
      const State state = moved(model, rest.state, independent, Eigen::VectorXd::Constant(k, away));
      const Eigen::MatrixXd exact = reduced_stiffness_without_multipliers(model, state, independent);
      // Truncation h² and rounding ε/h, both near 1e-9 of what is differentiated twice.
      constexpr double h = 3e-5;
      Eigen::MatrixXd differences(k, k);
      for (Index j = 0; j < k; ++j) {
        const Eigen::VectorXd step = h * Eigen::VectorXd::Unit(k, j);
        differences.col(j) = -(reduced_forces(model, moved(model, state, independent, step), independent) -
                               reduced_forces(model, moved(model, state, independent, -step), independent)) /
                             (2 * h);
      }
      const double size = std::max(exact.cwiseAbs().maxCoeff(), applied_forces(model, state).cwiseAbs().maxCoeff());
      CHECK(differences.cwiseAbs().maxCoeff() > 0);
      CHECK((exact - differences).cwiseAbs().maxCoeff() < 1e-6 * size);
    }
    ++compared;
  }
  CHECK(compared > 6);
}

TEST_CASE("reduced stiffness without multipliers: independent coordinates that do not do are refused") {
  const Model model = model_of_case("pendulum");
  const State state = find_equilibrium(model).state;
  const Index x = coordinate_called(model, "B.x"), y = coordinate_called(model, "B.y");
  const auto refusal = [&](const std::vector<Index>& independent) {
    return error_of([&] { reduced_stiffness_without_multipliers(model, state, independent); });
  };
  CHECK(contains(refusal({y}), "the other coordinates do not follow from B.y"));  // it hangs: y is at its least
  CHECK(contains(refusal({x, y}),
                 "2 independent coordinates are given, and 3 coordinates with 2 independent "
                 "constraints leave 1"));
  CHECK(contains(refusal({x, x}), "coordinate 'B.x' is given twice"));
  CHECK(contains(refusal({7}), "there is no coordinate 8: there are 3"));
}
