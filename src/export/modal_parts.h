// A matrix in blocks that do not act on each other (Bavely and Stewart 1979).
//
//   A V = V diag(A_1, A_2, ...),   W ᵀ V = I
#pragma once

#include <complex>
#include <vector>

#include "stillpoint/plant.h"

namespace stillpoint {

struct ModalPart {
  Eigen::Index first = 0, size = 0;     ///< columns of V, rows and columns of A
  std::vector<std::complex<double>> s;  ///< its eigenvalues, Im ≥ 0

  double slowest() const;       ///< least |s|
  double largest_real() const;  ///< of its eigenvalues
};

struct ModalParts {
  Eigen::MatrixXd V, W, A;
  std::vector<ModalPart> parts;  ///< by |s|
};

/// `poles`: what is known of the eigenvalues better than rounding leaves them. A real eigenvalue or a pair by itself
/// becomes the pole that is nearest; those that are zero get a block whose diagonal is zero.
ModalParts modal_parts(const Eigen::MatrixXd& A, const std::vector<Plant::Pole>& poles);

/// The plant in the coordinates of some columns: x = V ξ, ξ = Wᵀ x.
Plant in_coordinates(const Plant& plant, const Eigen::MatrixXd& V, const Eigen::MatrixXd& W, const Eigen::MatrixXd& A,
                     std::vector<std::string> names);

}  // namespace stillpoint
