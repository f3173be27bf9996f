// The regularised saddle-point (bordered) matrix of the static problem, in nondimensional form.
//
//   [ S K S / E + δ I     (W J S)ᵀ ]      K: n × n,  J: m × n
//   [     W J S             −μ I   ]
//
// S and W are diagonal scalings of the coordinates and the constraints, and E is an energy. A constraint that is
// switched off has its row and column replaced by −1 on the diagonal; its multiplier is then the right-hand side times
// −1.
#pragma once

#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Scalings that make coordinates and constraints nondimensional: x = S⁻¹ δq, and W Φ.
struct Scaling {
  Eigen::VectorXd s, w;
};

class BorderedMatrix {
 public:
  /// Analyses the patterns of K (n × n) and J (m × n). K may be without entries and need not be symmetric: the matrix
  /// has an entry wherever K or Kᵀ has one, and on the whole diagonal.
  BorderedMatrix(const SparseMatrix& K, const SparseMatrix& J);

  struct Shifts {
    double coordinates = 0;  ///< δ
    double constraints = 0;  ///< μ
    bool operator==(const Shifts&) const = default;
  };

  /// Whether the matrix has a place for each entry of K, and the pattern of J.
  bool has_places_for(const SparseMatrix& K, const SparseMatrix& J) const;

  /// Sets the values; there must be places for them. `is_on` has a flag for each row of J, or is empty if all
  /// constraints are on.
  void set(const SparseMatrix& K, const SparseMatrix& J, const Scaling& scaling, double energy, const Shifts& shifts,
           const std::vector<char>& is_on = {});

  const SparseMatrix& matrix() const { return matrix_; }
  Index multipliers() const { return m_; }

 private:
  Index n_ = 0, m_ = 0;
  SparseMatrix matrix_;
};

}  // namespace stillpoint
