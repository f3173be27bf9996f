// Linear systems for the tests of the forms.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "stillpoint/forms.h"
#include "stillpoint/read_model.h"

namespace stillpoint {

/// A case at its rest position.
LinearSystem system_of_case(const std::string& name, const Parameters& parameters = {});

struct NamedSystem {
  std::string name;
  LinearSystem system;
};
/// Every folder in cases/, and some more parameters: redundant constraints, singular configurations, dampers.
const std::vector<NamedSystem>& all_systems();

/// From dense matrices; those without a size are zero.
LinearSystem system_of(const Eigen::MatrixXd& M, const Eigen::MatrixXd& K, const Eigen::MatrixXd& J = {},
                       const Eigen::MatrixXd& C = {}, const Eigen::MatrixXd& G = {}, const Eigen::MatrixXd& F = {});

/// A rigid pendulum at rest, q = (x, y, φ): mass m, moment of inertia I, its centre at the distance l from the hinge.
LinearSystem rigid_pendulum(double m, double I, double l, double g);

/// A chain of N bars (x, y, φ each) hinged to each other and to the ground, at random angles within ±bend.
LinearSystem bent_chain(int N, double bend);

/// 0 = det(s²M + sC + K) for a nonsingular M, sorted by imaginary and real part; dense.
std::vector<std::complex<double>> spectrum(const SparseMatrix& M, const SparseMatrix& C, const SparseMatrix& K);

/// The largest distance of a value of one list from the nearest of the other, relative to the value or to `least`.
double distance(const std::vector<std::complex<double>>& from, const std::vector<std::complex<double>>& to,
                double least);

}  // namespace stillpoint
