#include "modes/scaled_quadratic.h"

#include <cmath>
#include <limits>
#include <vector>

#include "algebra/congruence_scaling.h"
#include "modes/typical_frequency.h"

namespace stillpoint {

using Matrix = Eigen::MatrixXd;

ScaledQuadratic scaled(const Quadratic& P) {
  ScaledQuadratic result;
  result.gamma = typical_frequency(P.K.size.diagonal(), P.M.size.diagonal());
  const double g = result.gamma;
  const Matrix sizes = g * g * P.M.size + g * P.C.size + P.K.size;
  const SparseMatrix both_triangles = (sizes + sizes.transpose()).sparseView();
  const std::vector<double> d = congruence_scaling(both_triangles);
  result.d = Eigen::Map<const Eigen::VectorXd>(d.data(), P.order());
  const auto with = [&](const Matrix& A, double factor) -> Matrix {
    return factor * (result.d.asDiagonal() * A * result.d.asDiagonal());
  };
  result.M = with(P.M.value, g * g);
  result.C = with(P.C.value, g);
  result.K = with(P.K.value, 1);
  result.M_norm = result.M.norm();
  result.C_norm = result.C.norm();
  result.K_norm = result.K.norm();
  return result;
}

double ScaledQuadratic::norm(std::complex<double> s) const {
  const double size = std::abs(s) / gamma;
  return (size * M_norm + C_norm) * size + K_norm;
}

double backward_error(const ScaledQuadratic& P, std::complex<double> s, const Eigen::VectorXcd& x) {
  const std::complex<double> value = s / P.gamma;
  const Eigen::VectorXcd scaled_x = x.cwiseQuotient(P.d);
  const Eigen::VectorXcd left_over = value * (value * (P.M * scaled_x) + P.C * scaled_x) + P.K * scaled_x;
  return left_over.norm() / (P.norm(s) * scaled_x.norm());
}

double condition(const ScaledQuadratic& P, std::complex<double> s, const Eigen::VectorXcd& x,
                 const Eigen::VectorXcd& y) {
  const std::complex<double> value = s / P.gamma;
  const Eigen::VectorXcd scaled_x = x.cwiseQuotient(P.d), scaled_y = y.cwiseQuotient(P.d);
  const double slope = std::abs(scaled_y.dot(2.0 * value * (P.M * scaled_x) + P.C * scaled_x));
  const double divisor = std::abs(value) * slope;
  if (!(divisor > 0)) return std::numeric_limits<double>::infinity();
  return P.norm(s) * scaled_x.norm() * scaled_y.norm() / divisor;
}

}  // namespace stillpoint
