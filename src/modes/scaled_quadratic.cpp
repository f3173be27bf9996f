#include "modes/scaled_quadratic.h"

#include <cmath>
#include <vector>

#include "algebra/congruence_scaling.h"
#include "algebra/typical_frequency.h"

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

}  // namespace stillpoint
