#include "modes/dense/scaled_quadratic.h"

#include <cmath>
#include <vector>

#include "algebra/scaling/congruence_scaling.h"
#include "algebra/scaling/typical_frequency.h"

namespace stillpoint {

using Matrix = Eigen::MatrixXd;

ScaledQuadratic scaled(const Quadratic& P) {
  ScaledQuadratic result;
  result.gamma = typical_frequency(P.K.magnitude.diagonal(), P.M.magnitude.diagonal());
  const double g = result.gamma;
  const Matrix magnitudes = g * g * P.M.magnitude + g * P.C.magnitude + P.K.magnitude;
  const SparseMatrix both_triangles = (magnitudes + magnitudes.transpose()).sparseView();
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
  const double magnitude = std::abs(s) / gamma;
  return (magnitude * M_norm + C_norm) * magnitude + K_norm;
}

}  // namespace stillpoint
