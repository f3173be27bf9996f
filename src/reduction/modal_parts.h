// The modal form of a state space: A is block diagonal [Bavely & Stewart 1979].
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
  double largest_real() const;  ///< largest Re s
  bool is_stable() const;       ///< Re s < 0 by more than rounding
  bool is_unstable() const;     ///< Re s > 0 by more than rounding
};

struct ModalParts {
  Eigen::MatrixXd V, W, A;
  std::vector<ModalPart> parts;  ///< by |s|
};

/// Block-diagonalizes A. `poles` are eigenvalues that are known more accurately than A determines them: a simple real
/// eigenvalue or pair takes the value of the nearest pole, and the zeros get one block whose diagonal is zero.
ModalParts modal_parts(const Eigen::MatrixXd& A, const std::vector<Plant::Pole>& poles);

/// The columns and the block of some of the parts.
struct ModalColumns {
  Eigen::MatrixXd V, W, A;
};
ModalColumns columns_of(const ModalParts& all, const std::vector<ModalPart>& chosen);

/// Returns the state names: "mode[3].a" and "mode[3].b" for a pair, "mode[4]" for a real eigenvalue, "mode[1].a" ...
/// for a Jordan chain.
std::vector<std::string> modal_names(const std::vector<ModalPart>& parts);

/// Returns the plant in the coordinates of all parts.
Plant modal_plant(const Plant& full, const ModalParts& all);

/// Returns the plant in the coordinates ξ of some columns: x = V ξ, ξ = Wᵀ x.
Plant in_coordinates(const Plant& plant, const Eigen::MatrixXd& V, const Eigen::MatrixXd& W, const Eigen::MatrixXd& A,
                     std::vector<std::string> names);

}  // namespace stillpoint
