// A matrix in blocks that do not act on each other (Bavely and Stewart 1979).
//
//   A V = V diag(A_1, A_2, ...),   W ᵀ V = I
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "stillpoint/plant.h"

namespace stillpoint {

struct ModalPart {
  Eigen::Index first = 0, size = 0;     ///< columns of V, rows and columns of A
  std::vector<std::complex<double>> s;  ///< its eigenvalues, Im ≥ 0

  double slowest() const;       ///< least |s|
  double largest_real() const;  ///< of its eigenvalues
  bool is_stable() const;       ///< damped by more than rounding
  bool is_growing() const;      ///< by more than rounding
};

struct ModalParts {
  Eigen::MatrixXd V, W, A;
  std::vector<ModalPart> parts;  ///< by |s|
};

/// `poles`: what is known of the eigenvalues better than rounding leaves them. A real eigenvalue or a pair by itself
/// becomes the pole that is nearest; those that are zero get a block whose diagonal is zero.
ModalParts modal_parts(const Eigen::MatrixXd& A, const std::vector<Plant::Pole>& poles);

/// Some of the parts by themselves.
struct ModalColumns {
  Eigen::MatrixXd V, W, A;
};
ModalColumns columns_of(const ModalParts& all, const std::vector<ModalPart>& chosen);

/// "mode[3].a" and "mode[3].b" of a pair, "mode[4]" of a real root, "mode[1].a" ... of a chain.
std::vector<std::string> modal_names(const std::vector<ModalPart>& parts);

/// The plant in the coordinates of all parts.
Plant modal_plant(const Plant& full, const ModalParts& all);

/// The plant in the coordinates of some columns: x = V ξ, ξ = Wᵀ x.
Plant in_coordinates(const Plant& plant, const Eigen::MatrixXd& V, const Eigen::MatrixXd& W, const Eigen::MatrixXd& A,
                     std::vector<std::string> names);

}  // namespace stillpoint
