#include "modes/accuracy/zero_motions.h"

#include <Eigen/QR>
#include <algorithm>

namespace stillpoint {

namespace {

constexpr double affordable = 1e9;  // operations
// Vectors of a defective zero agree to the square root of rounding, or worse.
constexpr double parallel = 1e-5;

using Matrix = Eigen::MatrixXcd;

/// The vectors as columns of length one. Vectors that are not known are left out.
Matrix unit_columns(std::span<const Mode> modes, ModeVector Mode::*vector) {
  std::vector<const ModeVector*> known;
  for (const Mode& mode : modes) {
    if ((mode.*vector).size() > 0 && (mode.*vector).norm() > 0) known.push_back(&(mode.*vector));
  }
  Matrix columns(known.empty() ? 0 : known.front()->size(), static_cast<Eigen::Index>(known.size()));
  for (std::size_t k = 0; k < known.size(); ++k) columns.col(static_cast<Eigen::Index>(k)) = known[k]->normalized();
  return columns;
}

Eigen::Index rank_of(const Matrix& A, double zero) {
  if (A.size() == 0) return 0;
  const Eigen::ColPivHouseholderQR<Matrix> qr(A);
  return (qr.matrixR().diagonal().cwiseAbs().array() > zero).count();
}

bool is_affordable(std::span<const Mode> modes) {
  if (modes.empty()) return true;
  const auto n = static_cast<double>(modes.front().shape.size()), k = static_cast<double>(modes.size());
  return n * k * k <= affordable;
}

}  // namespace

std::optional<Index> independent_motions(std::span<const Mode> zeros) {
  if (!is_affordable(zeros)) return {};
  return static_cast<Index>(rank_of(unit_columns(zeros, &Mode::shape), parallel));
}

bool has_growing_chain(const LinearSystem& system, const std::vector<Mode>& modes) {
  std::vector<Mode> zeros;
  std::copy_if(modes.begin(), modes.end(), std::back_inserter(zeros),
               [](const Mode& mode) { return mode.kind == ModeClass::genuine && mode.s == 0.0; });
  if (zeros.empty() || !is_affordable(zeros)) return false;
  const Matrix X = unit_columns(zeros, &Mode::shape), Y = unit_columns(zeros, &Mode::left);
  const Eigen::Index motions = rank_of(X, parallel);
  const Matrix resisted = Y.adjoint() * (system.C * X);
  const Matrix magnitude = Y.cwiseAbs().transpose() * (system.C.cwiseAbs() * X.cwiseAbs());
  const double largest = magnitude.size() > 0 ? magnitude.real().maxCoeff() : 0;
  const Eigen::Index damped = largest > 0 ? rank_of(resisted / largest, parallel) : 0;
  return static_cast<Eigen::Index>(zeros.size()) > 2 * motions - damped;
}

}  // namespace stillpoint
