// A growing space of real motions for Galerkin's method, and the quadratic problem projected onto it:
//
//   Vᵀ (s² M + s C + K) V z = 0,   x = V z,   Vᵀ N V = I
#pragma once

#include <functional>
#include <vector>

#include "modes/problem/bordered_problem.h"

namespace stillpoint {

/// Eigenvalues with Im s ≥ 0, in the order of |s|; their conjugates are eigenvalues too.
struct GalerkinValues {
  Eigen::VectorXcd s;
  Eigen::MatrixXcd z;  ///< coefficients of the vectors, in columns

  Index size() const { return static_cast<Index>(s.size()); }
};

/// The undamped problem projected onto a space of motions.
struct ProjectedUndamped {
  Eigen::MatrixXd M, K;
  double error_of_M = 0, error_of_K = 0;  ///< bounds of what rounding and violated constraints change, as norms

  /// So many values μ = −s² of the whole problem lie below the given one, or more: K − μM has no fewer negative
  /// eigenvalues on all motions than on some of them.
  Index at_least_below(double mu) const;
};

class GalerkinSpace {
 public:
  /// Projects each column onto the motions that the constraints allow.
  using Project = std::function<Eigen::MatrixXd(const Eigen::MatrixXd& x)>;

  /// Returns some of the vectors that are added, the first of them and their number given.
  using Source = std::function<Eigen::MatrixXd(Eigen::Index first, Eigen::Index some)>;

  /// N is positive definite and must outlive the space.
  GalerkinSpace(const BorderedProblem& problem, const SparseMatrix& N, Project project);

  Index size() const { return size_; }
  /// Adds the directions of these vectors that are not in the space yet; a vector that lies in it to rounding adds
  /// nothing.
  void add(const Eigen::Ref<const Eigen::MatrixXd>& vectors);
  /// The same, with so many vectors that are made when it is their turn.
  void add(Eigen::Index count, const Source& vectors);
  /// Solves the projected problem. Values near the real shift σ are the most accurate; σ itself must not be an
  /// eigenvalue.
  GalerkinValues values(double sigma) const;
  ProjectedUndamped undamped() const;
  /// Returns for each x the part of its length in the span of the first `count` vectors, from 0 to 1.
  Eigen::VectorXd share_of_first(Index count, const Eigen::MatrixXcd& z) const;
  /// Returns x = V z, in columns.
  Eigen::MatrixXcd vectors(const Eigen::MatrixXcd& z) const;

 private:
  void add_together(Eigen::MatrixXd vectors, std::size_t known_parts);
  Eigen::MatrixXd products_with(const Eigen::MatrixXd& vectors) const;
  void orthogonalise(Eigen::MatrixXd& vectors, std::size_t first_part, std::size_t end) const;
  void restore_constraints(Eigen::MatrixXd& vectors) const;

  const BorderedProblem& problem_;
  const SparseMatrix& N_;
  Project project_;
  std::vector<Eigen::MatrixXd> V_;  ///< the basis, some columns in each part, so that none moves when it grows
  Index size_ = 0;
  Eigen::MatrixXd M_, C_, K_;
};

}  // namespace stillpoint
