// Moment matching by second-order Krylov subspaces at some frequencies: the basis contains the terms of the series of
// the response in s − iω.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <memory>
#include <numbers>

#include "algebra/lu/refined_solution.h"
#include "forms/prescribed_motion.h"
#include "plants/plant_parts.h"
#include "reduction/reduced_bases.h"
#include "response/bordered_system.h"
#include "stillpoint/error.h"
#include "stillpoint/pseudoinverse.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXcd, Eigen::MatrixXd, Eigen::VectorXd;

// A vector that loses all but this part of its length to orthogonalization is mostly rounding.
constexpr double all_but = 1e-8;

/// Vectors orthonormalized one after the other (Gram–Schmidt, twice), in dimensionless coordinates.
class Orthonormal {
 public:
  Orthonormal(const VectorXd& scale, Index most) : scale_(scale), vectors_(scale.size(), most) {}

  bool is_full() const { return size_ == vectors_.cols(); }
  /// Returns false if there is no room for the vector.
  bool add(const VectorXd& motion) {
    VectorXd v = motion.cwiseQuotient(scale_);
    const double before = v.norm();
    for (int pass = 0; pass < 2; ++pass) v -= vectors_.leftCols(size_) * (vectors_.leftCols(size_).transpose() * v);
    if (!(v.norm() > all_but * before)) return true;
    if (is_full()) return false;
    vectors_.col(size_++) = v.normalized();
    return true;
  }
  MatrixXd motions() const { return scale_.asDiagonal() * vectors_.leftCols(size_); }
  Index size() const { return size_; }

 private:
  VectorXd scale_;
  MatrixXd vectors_;
  Index size_ = 0;
};

/// The terms of the series at one frequency, one after the other.
class Series {
 public:
  Series(const LinearSystem& system, const BorderedProblem& problem, const QuadraticPencil& pencil, double omega,
         const MatrixXd& S)
      : system_(system),
        s_(0, omega),
        S_(S.cast<Complex>()),
        bordered_(problem, pencil),
        matrix_(bordered_.at(omega)),
        lu_(pencil.complex_lu()) {
    if (!lu_.factor(matrix_))
      throw Error(
          fmt::format("there is a pole at {:.6g} Hz ({:.6g} rad/s), where the response has no value to match: "
                      "choose another frequency",
                      omega / (2 * std::numbers::pi), omega));
  }

  MatrixXcd next() {
    const MatrixXcd force = j_ == 0   ? MatrixXcd(system_.F.toDense().cast<Complex>() - applied(S_))
                            : j_ == 1 ? MatrixXcd(-derivative(S_) - derivative(last_))
                            : j_ == 2 ? MatrixXcd(-(system_.M * S_) - derivative(last_) - system_.M * before_)
                                      : MatrixXcd(-derivative(last_) - system_.M * before_);
    const MatrixXcd none = MatrixXcd::Zero(system_.rank(), force.cols());
    before_ = std::move(last_);
    last_ = bordered_.coordinates(solve_refined(lu_, matrix_, bordered_.right_side(force, none)).x);
    ++j_;
    return last_;
  }

 private:
  /// P(s) x
  MatrixXcd applied(const MatrixXcd& x) const {
    return s_ * s_ * (system_.M * x) + s_ * (system_.C * x) + system_.K * x;
  }
  /// P'(s) x
  MatrixXcd derivative(const MatrixXcd& x) const { return 2.0 * s_ * (system_.M * x) + system_.C * x; }

  const LinearSystem& system_;
  Complex s_;
  MatrixXcd S_, last_, before_;
  BorderedSystem bordered_;
  const ComplexSparseMatrix& matrix_;
  ComplexLu lu_;
  int j_ = 0;
};

/// Returns a matrix S with J S = G.
MatrixXd prescribed(const LinearSystem& system) {
  MatrixXd S = MatrixXd::Zero(system.coordinates(), system.inputs());
  if (system.G.nonZeros() == 0) return S;
  const LeastNorm solver(system.J, system.rows);
  for (Index j = 0; j < system.inputs(); ++j) S.col(j) = solver.solve(system.G.col(j));
  return S;
}

// Eigenvalues below this, relative to the largest, are rounding errors of zeros after projection.
constexpr double no_more_than_rounding = 1e-13;

/// An orthonormal basis whose last columns span the null space of A.
struct NullSpaceLast {
  MatrixXd Q;
  Eigen::Index null = 0;  ///< dimension of the null space
};

NullSpaceLast null_space_last(const MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen((A + A.transpose()) / 2);
  const Eigen::ArrayXd magnitudes = eigen.eigenvalues().array().abs();
  std::vector<Eigen::Index> order, null;
  for (Eigen::Index i = 0; i < magnitudes.size(); ++i)
    (magnitudes[i] > no_more_than_rounding * magnitudes.maxCoeff() ? order : null).push_back(i);
  order.insert(order.end(), null.begin(), null.end());
  return {eigen.eigenvectors()(Eigen::all, order), std::ssize(null)};
}

/// Returns Qᵀ A Q with its last `null` rows and columns set to zero.
SparseMatrix in_basis(const SparseMatrix& A, const MatrixXd& Q, Eigen::Index null) {
  MatrixXd B = Q.transpose() * A * Q;
  B.bottomRows(null).setZero();
  B.rightCols(null).setZero();
  return B.sparseView();
}

/// Separates the motions without mass, and among these the ones without damping. Each vector of the series mixes them,
/// and an explicit form needs them as coordinates of their own.
MinimalForm with_massless_apart(const LinearSystem& system, const MatrixXd& V, const MatrixXd& S,
                                const std::vector<std::string>& names) {
  const MinimalForm form = form_in_basis(system, V, S, names);
  const NullSpaceLast by_mass = null_space_last(form.M);
  if (by_mass.null == 0) return form;
  MatrixXd Q = by_mass.Q;
  const MatrixXd massless = Q.rightCols(by_mass.null);
  const NullSpaceLast by_damping = null_space_last(massless.transpose() * form.C * massless);
  Q.rightCols(by_mass.null) = massless * by_damping.Q;
  MinimalForm apart = form_in_basis(system, V * Q, S, names);
  apart.M = in_basis(form.M, Q, by_mass.null);
  apart.C = in_basis(form.C, Q, by_damping.null);
  return apart;
}

}  // namespace

VectorXd usual_frequencies(const std::vector<Plant::Pole>& poles) {
  constexpr Index few = 4;
  const ResponseRange range = range_of_poles(poles);
  VectorXd omega = log_spaced(range.from, range.to / 10, few);
  for (double& value : omega) value = kept_away(value, poles);
  return omega;
}

MinimalForm krylov_basis(const LinearSystem& system, const VectorXd& frequencies, Index count, Matching matching) {
  require_consistent_motion(system);
  const BorderedProblem problem(system);
  const QuadraticPencil pencil(problem);
  const MatrixXd S = prescribed(system);
  std::vector<std::unique_ptr<Series>> series;
  for (const double value : frequencies) series.push_back(std::make_unique<Series>(system, problem, pencil, value, S));
  Orthonormal basis(problem.coordinate_scale(), std::min(count, system.dof()));
  for (Index before = -1; !basis.is_full() && basis.size() > before;) {
    const bool is_first = before < 0;
    before = basis.size();
    Index given = 0;
    bool fits = true;
    for (const auto& at_frequency : series) {
      const MatrixXcd x = at_frequency->next();
      for (Eigen::Index j = 0; j < x.cols(); ++j) {
        const bool is_complex = !x.col(j).imag().isZero(0);
        given += is_complex ? 2 : 1;
        fits = basis.add(x.col(j).real()) && fits;
        if (is_complex) fits = basis.add(x.col(j).imag()) && fits;
      }
    }
    if (is_first && !fits && matching == Matching::all_asked_for)
      throw Error(
          fmt::format("an order of {} is too small to match the response at all of these frequencies: {} suffices",
                      2 * count, 2 * given));
  }
  if (basis.size() == 0) throw Error("the inputs cause no motion that the constraints permit: there is no response");
  std::vector<std::string> names;
  for (Index i = 0; i < basis.size(); ++i) names.push_back(fmt::format("krylov[{}]", i + 1));
  return with_massless_apart(system, basis.motions(), S, names);
}

}  // namespace stillpoint
