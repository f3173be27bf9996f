// The equations of motion at one state, solved by a proximal KKT matrix [Rockafellar 1976]:
//
//   [M, Jᵀ; J, −E] [x; λ'] = [b; c − E λ],   E = ε diag(J D⁻¹ Jᵀ),  D = diag(M)                                 (13.3)
//
// With λ = 0 at first and a few repetitions λ ← λ', x satisfies J x = c to a power of ε/σ² for each singular value σ of
// J M^(−1/2). Where σ vanishes, at redundant constraints and singular configurations, the matrix stays regular, and
// what is compatible is solved as well as elsewhere.
#pragma once

#include <memory>
#include <vector>

#include "algebra/lu/sparse_lu.h"
#include "stillpoint/assembly.h"

namespace stillpoint {

/// The largest magnitude; 0 of no entries.
template <class Vector>
double largest_entry(const Vector& x) {
  return x.size() > 0 ? x.template lpNorm<Eigen::Infinity>() : 0;
}

/// The inertia of each coordinate, from the diagonal of M or of a matrix in its place: those without any of their own
/// count with the largest one.
Eigen::VectorXd inertia_or_largest(Eigen::VectorXd diagonal);

/// diag(J D⁻¹ Jᵀ), where D has this diagonal, completed by the function above. Rows that move nothing count with
/// the largest row.
Eigen::VectorXd mobility_of_rows(const Eigen::VectorXd& diagonal, const SparseMatrix& J);

/// ε for so many rows: of a chain of m links the least σ² is about (π/m)², and ε must stay far below it.
double proximal_for(double proximal, Eigen::Index rows);

/// What is left of [M, Jᵀ; J, 0] x = right, for a matrix that holds −E in the place of 0.
Eigen::VectorXd left_without_proximal(const SparseMatrix& matrix, const Eigen::VectorXd& E,
                                      const Eigen::VectorXd& right, const Eigen::VectorXd& x);

class MotionKkt {
 public:
  MotionKkt(const Model& model, double proximal);

  /// Puts the values of a state into the matrix.
  void assemble(const State& state);
  /// Assembles and factors at a state. Returns false if the matrix is singular: a motion has no inertia. At the state
  /// that was factored last there is nothing to factor.
  bool factor(const State& state);

  struct Solution {
    Eigen::VectorXd x, lambda;
  };
  /// Repeats until what is left of J x = c is at most `accuracy` of its terms, and so for the other equations, or until
  /// repetitions gain nothing.
  Solution solve(const Eigen::VectorXd& b, const Eigen::VectorXd& c, double accuracy = 0);

  /// ‖J x − c‖ relative to the size of the terms, the worst row.
  double open_part(const Eigen::VectorXd& x, const Eigen::VectorXd& c) const;

  struct Response {
    Eigen::MatrixXd lambda, motion;
    Eigen::MatrixXd scaled;  ///< D⁻¹ λ
  };
  /// What answers D⁻¹ r, for each column: λ with S D⁻¹ λ = r, for S = D (J M⁻¹Jᵀ + E) D, where D makes the diagonal of
  /// D J M⁻¹Jᵀ D about one, and the motion −M⁻¹Jᵀλ. The singular values of D J M^(−1/2) are those of S less ε, square
  /// roots taken.
  Response respond(const Eigen::MatrixXd& r);
  /// As in the constructor, but not below this for any number of rows. There are no factors then, unless it is the one
  /// that there was.
  void set_proximal(double proximal, double least = 0);

  const MotionAssembly::Parts& parts() const { return assembly_.parts(); }
  const SparseMatrix& M() const { return parts().M; }
  const SparseMatrix& J() const { return parts().J; }
  const SparseMatrix& G() const { return parts().G; }
  /// The norms of the rows of J.
  const Eigen::VectorXd& row_norms() const { return row_norms_; }
  long factorisations() const { return factorisations_; }

 private:
  /// Where the values or the factors were computed.
  struct Configuration {
    Eigen::VectorXd q, u;
    std::vector<Rotation<double>> orientations;
    bool is_valid = false;

    void put(const State& state);
    bool is_at(const State& state) const;
  };

  void lay_out(SparseLu::Use use);
  void put_values();

  /// The largest entries of what is left, in its two parts, and of the unknowns.
  struct Sizes {
    double of_forces = 0, of_rows = 0, x = 0, lambda = 0;
    void operator+=(const Sizes& other);
  };
  /// A right-hand side, or what is left of [M, Jᵀ; J, 0] [x; λ] = right.
  struct Left {
    Eigen::VectorXd all{};
    Sizes sizes{};
  };
  /// b above c, with its sizes.
  static Left joined(const Eigen::VectorXd& b, const Eigen::VectorXd& c);
  Left left_without_proximal_at(const Eigen::VectorXd& right, const Eigen::VectorXd& both) const;

  MotionAssembly assembly_;
  double proximal_;
  SparseMatrix kkt_;
  std::vector<Index> transposed_, diagonal_;  ///< places of the entries of Jᵀ and of E in the matrix
  std::vector<Index> diagonal_of_M_;          ///< places in M; −1: no entry
  Eigen::VectorXd E_, row_norms_;
  double longest_row_ = 0;
  std::unique_ptr<SparseLu> lu_;
  Configuration assembled_, factored_;
  long factorisations_ = 0;
};

}  // namespace stillpoint
