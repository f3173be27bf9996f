// The matrix of Newton's method for one step of an implicit method, with its factors:
//
//   [M + τC + β'K, Jᵀ; J, −E],   E = ε diag(J D⁻¹ Jᵀ),  D = max(diag(M), diag(M + τC + β'K))                  (13.12)
//
// The unknowns are accelerations, of which the rates change by τ and the coordinates by β' times as much, and
// multipliers. The proximal term is that of (13.3): redundant constraints and singular configurations leave the matrix
// regular.
#pragma once

#include <memory>
#include <vector>

#include "algebra/lu/sparse_lu.h"
#include "stillpoint/assembly.h"

namespace stillpoint {

class NewtonMatrix {
 public:
  NewtonMatrix(const Model& model, double proximal);

  /// M, C, K, J and G at a state in motion, whose multipliers and accelerations count; valid until the next call.
  const Matrices& assemble(const State& state);
  const Matrices& matrices() const { return *assembled_; }
  /// As in the constructor, from the next factorisation on.
  void set_proximal(double proximal);
  /// Factors the matrix of the state that was assembled last, with τ `of_rates` and β' `of_positions`. Returns false if
  /// it is singular.
  bool factor(double of_rates, double of_positions);

  /// Accelerations, then multipliers, by the matrix that was factored last. Constraints that are weak beside the
  /// proximal term are satisfied by repetitions as in (13.3), as long as these halve what is open.
  Eigen::VectorXd solve(const Eigen::VectorXd& right);
  long factorisations() const { return factorisations_; }

 private:
  void lay_out();

  double proximal_;
  Assembly assembly_;
  const Matrices* assembled_ = nullptr;
  SparseMatrix matrix_;
  Eigen::VectorXd E_;
  std::vector<Index> of_M_, of_C_, of_K_, of_J_, transposed_, diagonal_;  ///< places of their entries in the matrix
  std::unique_ptr<SparseLu> lu_;
  long factorisations_ = 0;
};

}  // namespace stillpoint
