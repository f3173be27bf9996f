#include "modes/accuracy/hamiltonian_symmetry.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <set>

#include "algebra/sparse/symmetry.h"
#include "modes/tolerances.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

bool reaches_axis(const Mode& mode) {
  return !mode.is_infinite() && mode.s.imag() != 0 && std::abs(mode.s.real()) <= mode.error;
}

// The exact value lies within the error of s, so its partner lies within three times the error.
bool may_be_partner(const Mode& mode, const Mode& other) {
  return !other.is_infinite() && std::abs(other.s - mode.s) <= 3 * mode.error + other.error;
}

using Group = std::vector<Mode*>;

// Returns the mode and all that may be partners of each other with it.
Group around(Mode& mode, std::vector<Mode>& modes) {
  Group group{&mode};
  for (std::size_t i = 0; i < group.size(); ++i) {
    for (Mode& other : modes) {
      const bool is_near = may_be_partner(*group[i], other) || may_be_partner(other, *group[i]);
      if (is_near && std::find(group.begin(), group.end(), &other) == group.end()) group.push_back(&other);
    }
  }
  return group;
}

// Tells whether the form of theory (8.2) has one sign on the vectors, by more than their errors, measured in M.
bool is_held_on_axis(const LinearSystem& system, const Group& group) {
  Eigen::MatrixXcd X(system.coordinates(), static_cast<Eigen::Index>(group.size()));
  for (std::size_t k = 0; k < group.size(); ++k) X.col(static_cast<Eigen::Index>(k)) = group[k]->shape.normalized();
  const double omega = group[0]->s.imag();
  const Eigen::MatrixXcd MX = system.M * X, masses = X.adjoint() * MX;
  const Eigen::MatrixXcd form = 2 * omega * masses - Complex(0, 1) * X.adjoint() * (system.C * X);
  const Eigen::LLT<Eigen::MatrixXcd> root(masses);
  if (root.info() != Eigen::Success || root.rcond() < tolerance::definite_krein_form) return false;
  const Eigen::MatrixXcd half = root.matrixL().solve(form), measured = root.matrixL().solve(half.adjoint());
  const Eigen::VectorXd signs =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXcd>(measured, Eigen::EigenvaluesOnly).eigenvalues();
  const double least = signs.minCoeff(), most = signs.maxCoeff();
  return least * most > 0 && std::min(std::abs(least), std::abs(most)) >
                                 tolerance::definite_krein_form * std::max(std::abs(least), std::abs(most));
}

}  // namespace

bool keeps_energy(const MinimalForm& form) { return is_symmetric(form.M) && is_symmetric(form.K) && is_skew(form.C); }

void put_on_axis(const LinearSystem& system, std::vector<Mode>& modes) {
  std::set<const Mode*> seen;
  Group on_axis;
  for (Mode& mode : modes) {
    if (!reaches_axis(mode) || mode.s.real() == 0 || seen.count(&mode)) continue;
    const Group group = around(mode, modes);
    seen.insert(group.begin(), group.end());
    const bool all_reach =
        std::all_of(group.begin(), group.end(), [](const Mode* other) { return reaches_axis(*other); });
    if (group.size() == 1 || (all_reach && is_held_on_axis(system, group)))
      on_axis.insert(on_axis.end(), group.begin(), group.end());
  }
  for (Mode* mode : on_axis) mode->s.real(0);
}

}  // namespace stillpoint
