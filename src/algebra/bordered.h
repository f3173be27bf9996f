// The bordered matrix of statics, without units:
//
//   [ S K S / E + δ I     (W J S)ᵀ ]
//   [     W J S             −μ I   ]
//
// S, W: scales of coordinates and constraints; E: an energy. A row that is switched off is replaced by −1 on the
// diagonal: its multiplier is then whatever stands on the right-hand side, times −1.
#pragma once

#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// What turns coordinates and constraints into numbers without units: x = S⁻¹ δq, W Φ.
struct Scaling {
  Eigen::VectorXd s, w;
};

class BorderedMatrix {
 public:
  /// The patterns of K (n × n) and J (m × n). K may be without entries, and need not be symmetric: the matrix gets an
  /// entry wherever K or Kᵀ has one, and on the diagonal.
  BorderedMatrix(const SparseMatrix& K, const SparseMatrix& J);

  struct Shifts {
    double coordinates = 0;  ///< δ
    double constraints = 0;  ///< μ
  };

  /// Puts numbers in; K and J have the patterns given before. `is_on`: a flag for each row of J, or empty for all.
  void set(const SparseMatrix& K, const SparseMatrix& J, const Scaling& scaling, double energy, const Shifts& shifts,
           const std::vector<char>& is_on = {});

  const SparseMatrix& matrix() const { return matrix_; }

 private:
  Index n_ = 0, m_ = 0;
  SparseMatrix matrix_;
  std::vector<Index> K_, J_, J_transposed_, diagonal_;  // where each of their entries is in the matrix
};

}  // namespace stillpoint
