// Seeded linear systems with constraints, of all kinds that mechanisms lead to.
#pragma once

#include <random>

#include "stillpoint/linear_system.h"

namespace stillpoint::testing {

struct SystemKind {
  Index coordinates = 6, constraints = 2;
  Index redundant = 0;  ///< rows that repeat combinations of the others
  Index massless = 0;   ///< coordinates without mass, held by stiffness or a damper
  Index dampers = 0;
  bool follower_forces = false;  ///< K is not symmetric
  Index free_motions = 0;        ///< directions without stiffness, damping or constraint
};

/// Bodies of very different sizes, coupled by springs along random directions.
LinearSystem random_system(const SystemKind& kind, std::mt19937& random);

SystemKind random_kind(std::mt19937& random);

/// From dense matrices, without names; J may be empty.
LinearSystem system_of(const Eigen::MatrixXd& M, const Eigen::MatrixXd& C, const Eigen::MatrixXd& K,
                       const Eigen::MatrixXd& J = {});

/// The eigenvalues in long double (modes/wide_spectrum.h). M_r must be regular.
std::vector<std::complex<double>> reference_eigenvalues(const LinearSystem& system);

/// The largest distance of partners when each of `found` gets the nearest of `expected` that is left; the error bar of
/// each is asked for by index. Infinite if sizes differ.
struct Match {
  double distance = 0;
  std::size_t expected = 0;
};
std::vector<Match> match(const std::vector<std::complex<double>>& found,
                         const std::vector<std::complex<double>>& expected);

}  // namespace stillpoint::testing
