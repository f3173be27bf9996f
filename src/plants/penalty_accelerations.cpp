#include "plants/penalty_accelerations.h"

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

// Each step reduces the error by the ratio of the mass that a constraint moves to its penalty: to 1e-7 with the usual
// penalty factors, and to more with soft ones.
constexpr int most_steps = 100;

// The least reciprocal condition number of a regular M_p. It is small because penalties are much larger than masses.
constexpr double singular = 1e-15;

/// A factorization of M, scaled so that its diagonal is about one.
class MassFactor {
 public:
  explicit MassFactor(const MatrixXd& M) : scale_(VectorXd::Ones(M.rows())) {
    for (Eigen::Index i = 0; i < M.rows(); ++i) {
      if (M(i, i) > 0) scale_[i] = std::exp2(-std::round(std::log2(M(i, i)) / 2));
    }
    lu_.compute(scale_.asDiagonal() * M * scale_.asDiagonal());
  }

  bool is_regular() const { return lu_.rows() == 0 || lu_.rcond() > singular; }
  MatrixXd solve(const MatrixXd& b) const { return scale_.asDiagonal() * lu_.solve(scale_.asDiagonal() * b); }

 private:
  VectorXd scale_;
  Eigen::PartialPivLU<MatrixXd> lu_;
};

/// Joins the matrices that are multiplied by q, q̇, u, u̇ and ü.
MatrixXd side_by_side(const SparseMatrix& of_q, const SparseMatrix& of_v, const SparseMatrix& of_u,
                      const SparseMatrix& of_du, const SparseMatrix& of_ddu) {
  MatrixXd all(of_q.rows(), of_q.cols() + of_v.cols() + 3 * of_u.cols());
  all << MatrixXd(of_q), MatrixXd(of_v), MatrixXd(of_u), MatrixXd(of_du), MatrixXd(of_ddu);
  return all;
}

}  // namespace

PenaltyAccelerations penalty_accelerations(const LinearSystem& system, const PenaltyForm& form,
                                           const std::vector<Index>& massive) {
  const double theta = 2 * form.xi * form.omega, omega2 = form.omega * form.omega;
  const SparseMatrix none(system.coordinates(), system.inputs());
  const MatrixXd r = side_by_side(-system.K, -system.C, system.F, none, none)(massive, Eigen::all);
  const MatrixXd gamma = side_by_side(-omega2 * form.J, -theta * form.J, omega2 * system.G, theta * system.G, system.G);
  const MatrixXd M = MatrixXd(system.M)(massive, massive), J = MatrixXd(form.J)(Eigen::all, massive);
  const MatrixXd JtXi = J.transpose() * form.alpha.asDiagonal();
  const MassFactor factor(M + JtXi * J);
  if (!factor.is_regular()) {
    throw Error(
        "a motion that the constraints allow has no mass, and then the penalty method has no corrected form: choose "
        "the "
        "approximate one, or method 'mcs' or method 'rcs'");
  }
  PenaltyAccelerations found{MatrixXd::Zero(r.rows(), r.cols()), MatrixXd::Zero(gamma.rows(), r.cols())};
  double before = std::numeric_limits<double>::infinity();
  while (found.steps < most_steps) {
    const MatrixXd residual = gamma - J * found.a;
    const MatrixXd step = factor.solve(r - M * found.a - J.transpose() * found.lambda + JtXi * residual);
    const double size = step.norm();
    if (!(size < before)) break;  // the rest is rounding
    found.a += step;
    found.lambda += form.alpha.asDiagonal() * (J * step - residual);
    ++found.steps;
    if (size <= 16 * std::numeric_limits<double>::epsilon() * found.a.norm()) break;
    before = size;
  }
  return found;
}

}  // namespace stillpoint
