// Moore–Penrose pseudoinverses, and solutions of least norm.
//
//   A A⁺ A = A,   A⁺ A A⁺ = A⁺,   (A A⁺)ᵀ = A A⁺,   (A⁺ A)ᵀ = A⁺ A                               (paper 003, §2.1)
//
// Small dense matrices: five algorithms of paper 003, in the units of A (a pseudoinverse depends on them).
// Large sparse ones: A x ≈ b and Aᵀ λ ≈ f without ever forming A⁺, from the rows that are known to be independent.
// Before: numbers are finite and sizes agree; otherwise std::invalid_argument.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>

#include "stillpoint/rank.h"

namespace stillpoint {

/// The section of paper 003 in brackets.
enum class PseudoinverseMethod {
  svd,          ///< §2.3: A = U Σ Vᵀ, reciprocals of what is not noise
  varga,        ///< §2.4: two QR factorisations, A = U diag(G, 0) V
  greville,     ///< §2.5: row by row
  householder,  ///< §2.2: least squares with a Householder QR
  gram_schmidt  ///< §2.2: least squares with a modified Gram–Schmidt QR, each vector orthogonalised twice
};

/// The SVD is the default. It alone sees singular values; the others judge by what is left of a row or column, which
/// can be large although A is singular (Kahan's matrix).
struct PseudoinverseOptions {
  PseudoinverseMethod method = PseudoinverseMethod::svd;
  double tolerance = 0;         ///< relative to the largest value; 0: max(m, n) ε
  std::optional<Index> rank{};  ///< instead of the tolerance
};

struct Pseudoinverse {
  Eigen::MatrixXd matrix;  ///< n × m
  Index rank = 0;
};

Pseudoinverse pseudoinverse(const Eigen::MatrixXd& A, const PseudoinverseOptions& options = {});

/// How well the four identities hold, each in the Frobenius norm relative to the product of the norms of its factors.
struct PenroseResiduals {
  double first = 0;   ///< A A⁺ A = A
  double second = 0;  ///< A⁺ A A⁺ = A⁺
  double third = 0;   ///< (A A⁺)ᵀ = A A⁺
  double fourth = 0;  ///< (A⁺ A)ᵀ = A⁺ A

  double largest() const;
};

PenroseResiduals penrose_residuals(const Eigen::MatrixXd& A, const Eigen::MatrixXd& A_plus);

/// Solutions of least norm with one large sparse matrix of which the dependent rows are known. The dependent rows are
/// taken for exact combinations of the others, as `dependence` has them. Norms are in the units of A as it is given.
class LeastNorm {
 public:
  LeastNorm(const SparseMatrix& A, const RowDependence& dependence);
  ~LeastNorm();
  LeastNorm(const LeastNorm&) = delete;
  LeastNorm& operator=(const LeastNorm&) = delete;

  /// The shortest x of those that minimise ‖A x − b‖.
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;

  /// The shortest λ of those that minimise ‖Aᵀ λ − f‖.
  Eigen::VectorXd solve_transposed(const Eigen::VectorXd& f) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

/// LeastNorm for one right-hand side.
Eigen::VectorXd least_norm_solution(const SparseMatrix& A, const Eigen::VectorXd& b, const RowDependence& dependence);

/// Reactions: λ of least norm that minimises ‖Jᵀλ − f‖.
Eigen::VectorXd minimum_norm_multipliers(const SparseMatrix& J, const Eigen::VectorXd& f,
                                         const RowDependence& dependence);

}  // namespace stillpoint
