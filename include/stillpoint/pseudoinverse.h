// The Moore–Penrose pseudoinverse A⁺ of a matrix [Penrose 1955], and least-squares solutions of minimum norm.
//
//   A A⁺ A = A,   A⁺ A A⁺ = A⁺,   (A A⁺)ᵀ = A A⁺,   (A⁺ A)ᵀ = A⁺ A                         ([de Falco 2005], §2.1)
//
// For small dense matrices there are five algorithms of [de Falco 2005]. They work in the units of A, on which a
// pseudoinverse depends. For large sparse matrices, A x ≈ b and Aᵀ λ ≈ f are solved without forming A⁺, from rows that
// are known to be linearly independent. All entries must be finite and the sizes must agree; otherwise
// std::invalid_argument is thrown.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>

#include "stillpoint/rank.h"

namespace stillpoint {

/// The algorithm; the section numbers are those of [de Falco 2005].
enum class PseudoinverseMethod {
  svd,          ///< §2.3: A = U Σ Vᵀ; the reciprocals of the singular values above the tolerance
  varga,        ///< §2.4: two QR factorisations, A = U diag(G, 0) V
  greville,     ///< §2.5: recursion over the rows
  householder,  ///< §2.2: least squares by Householder QR
  gram_schmidt  ///< §2.2: least squares by modified Gram–Schmidt QR, with reorthogonalisation
};

/// The default is the SVD, the only method that knows the singular values. The others judge the rank by the norm of
/// what remains of a row or column, which can be large although A is singular (Kahan's matrix).
struct PseudoinverseOptions {
  PseudoinverseMethod method = PseudoinverseMethod::svd;
  double tolerance = 0;         ///< relative to the largest value; 0 means max(m, n) ε
  std::optional<Index> rank{};  ///< replaces the tolerance
};

struct Pseudoinverse {
  Eigen::MatrixXd matrix;  ///< n × m
  Index rank = 0;
};

Pseudoinverse pseudoinverse(const Eigen::MatrixXd& A, const PseudoinverseOptions& options = {});

/// The residuals of the four Penrose conditions, each in the Frobenius norm and relative to the product of the norms of
/// its factors.
struct PenroseResiduals {
  double first = 0;   ///< A A⁺ A = A
  double second = 0;  ///< A⁺ A A⁺ = A⁺
  double third = 0;   ///< (A A⁺)ᵀ = A A⁺
  double fourth = 0;  ///< (A⁺ A)ᵀ = A⁺ A

  double largest() const;
};

PenroseResiduals penrose_residuals(const Eigen::MatrixXd& A, const Eigen::MatrixXd& A_plus);

/// Minimum-norm solutions with one large sparse matrix whose dependent rows are known. These are taken to be exact
/// combinations of the others, as given by `dependence`. Norms are in the units of A.
class LeastNorm {
 public:
  LeastNorm(const SparseMatrix& A, const RowDependence& dependence);
  ~LeastNorm();
  LeastNorm(const LeastNorm&) = delete;
  LeastNorm& operator=(const LeastNorm&) = delete;

  /// Returns the x of minimum norm among those that minimise ‖A x − b‖.
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;

  /// Returns the λ of minimum norm among those that minimise ‖Aᵀ λ − f‖.
  Eigen::VectorXd solve_transposed(const Eigen::VectorXd& f) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

/// The same as LeastNorm::solve() for a single right-hand side.
Eigen::VectorXd least_norm_solution(const SparseMatrix& A, const Eigen::VectorXd& b, const RowDependence& dependence);

/// Returns the Lagrange multipliers of minimum norm that minimise ‖Jᵀλ − f‖: the reactions.
Eigen::VectorXd minimum_norm_multipliers(const SparseMatrix& J, const Eigen::VectorXd& f,
                                         const RowDependence& dependence);

}  // namespace stillpoint
