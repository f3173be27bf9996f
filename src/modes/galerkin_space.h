// A space of real motions that can grow, and what the quadratic problem is on it:
//
//   Vᵀ (s² M + s C + K) V z = 0,   x = V z,   Vᵀ N V = I
#pragma once

#include <functional>

#include "modes/bordered_problem.h"

namespace stillpoint {

/// Im s ≥ 0: the conjugate ones are meant, too. By rising |s|.
struct GalerkinValues {
  Eigen::VectorXcd s;
  Eigen::MatrixXcd z;  ///< in columns

  Index size() const { return static_cast<Index>(s.size()); }
};

class GalerkinSpace {
 public:
  /// Of what rounding has left of a vector, the nearest that the constraints allow; in columns.
  using Project = std::function<Eigen::MatrixXd(const Eigen::MatrixXd& x)>;

  /// N, positive definite, must outlive the space.
  GalerkinSpace(const BorderedProblem& problem, const SparseMatrix& N, Project project);

  Index size() const { return static_cast<Index>(V_.cols()); }
  /// What is new of these; nothing where all but rounding of a vector is in the space.
  void add(Eigen::MatrixXd vectors);
  /// The nearer to a real σ the more exact; that must not be one of them.
  GalerkinValues values(double sigma) const;
  /// How much of each x lies in what the first so many vectors span, from 0 to 1.
  Eigen::VectorXd share_of_first(Index count, const Eigen::MatrixXcd& z) const;
  /// x in columns.
  Eigen::MatrixXcd vectors(const Eigen::MatrixXcd& z) const;

 private:
  void take_out_known(Eigen::MatrixXd& vectors) const;
  void bring_back(Eigen::MatrixXd& vectors) const;

  const BorderedProblem& problem_;
  const SparseMatrix& N_;
  Project project_;
  Eigen::MatrixXd V_, M_, C_, K_;
};

}  // namespace stillpoint
