#include "modes/undamped/spectra_lanczos.h"

#include <Spectra/SymGEigsShiftSolver.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "algebra/dense/lapack.h"

namespace stillpoint {

namespace {

constexpr Index least_basis = 3;             // Spectra needs 1 ≤ wanted < basis vectors; one more lets it restart
constexpr Index least_wanted = 8;            // eigenvalues of a further run
constexpr int most_rounds = 20;              // runs of Spectra, each of which finds one vector of a multiple eigenvalue
constexpr double lost_orthogonality = 1e-3;  // of two basis vectors: beyond it, they are not independent for certain
constexpr double no_coupling = 1e-13;        // of the next basis vector, relative to the largest |θ|: rounding
constexpr double part_of_tolerance = 0.5;    // so that what Spectra accepts has converged for the view, too

struct NotFinite : std::runtime_error {
  NotFinite() : std::runtime_error("a vector is not finite") {}
};

/// The product y = M x in the form that Spectra expects. It ends a run whose vectors are no longer finite.
class MassProduct {
 public:
  using Scalar = double;

  explicit MassProduct(const SparseMatrix& M) : M_(M) {}
  Eigen::Index rows() const { return M_.rows(); }
  Eigen::Index cols() const { return M_.cols(); }
  void perform_op(const double* x_in, double* y_out) const {
    const Eigen::Map<const Eigen::VectorXd> x(x_in, rows());
    if (!x.allFinite()) throw NotFinite();
    Eigen::Map<Eigen::VectorXd>(y_out, rows()).noalias() = M_ * x;
  }

 private:
  const SparseMatrix& M_;
};

/// The product y = P A⁻¹ Pᵀ b / scale. The operator P A⁻¹ Pᵀ M is self-adjoint in the inner product of M, and it equals
/// P A⁻¹ M if the columns of Z are eigenvectors. The scale brings the largest |θ| near one, because some thresholds of
/// Spectra are absolute. It tells the progress of a run, which can take minutes.
class DeflatedInverse {
 public:
  using Scalar = double;

  DeflatedInverse(const ConservativePencil& pencil, const Eigen::MatrixXd& Z, double scale,
                  const Supervision& supervision)
      : pencil_(pencil), Z_(Z), scale_(scale), supervision_(supervision) {}
  Eigen::Index rows() const { return pencil_.size(); }
  Eigen::Index cols() const { return pencil_.size(); }
  void set_shift(double) {}  // the pencil is factored at its shift
  void perform_op(const double* b_in, double* y_out) const {
    report_basis(supervision_, ++count_);
    const Eigen::Map<const Eigen::VectorXd> b(b_in, rows());
    Eigen::Map<Eigen::VectorXd> y(y_out, rows());
    if (Z_.cols() == 0) {
      y = pencil_.solve(b) / scale_;
      return;
    }
    y = pencil_.solve(b - pencil_.mass() * (Z_ * (Z_.transpose() * b)));
    y -= Z_ * (Z_.transpose() * (pencil_.mass() * y));
    y /= scale_;
  }

 private:
  const ConservativePencil& pencil_;
  const Eigen::MatrixXd& Z_;
  double scale_;
  const Supervision& supervision_;
  mutable Index count_ = 0;
};

using Solver = Spectra::SymGEigsShiftSolver<DeflatedInverse, MassProduct, Spectra::GEigsMode::ShiftInvert>;

/// Spectra's solver with access to its factorisation A V = V H + f eᵀ, so that pairs that have not converged are
/// visible, too.
class Factorization : public Solver {
 public:
  using Solver::Solver;
  const Eigen::MatrixXd& V() const { return m_fac.matrix_V(); }
  const Eigen::MatrixXd& H() const { return m_fac.matrix_H(); }
  double next_length() const { return m_fac.f_norm(); }
};

/// The leading part of a Lanczos factorisation: A V = V H + v eᵀ · coupling.
struct Basis {
  Eigen::MatrixXd V, H;
  double coupling = 0;

  Index size() const { return static_cast<Index>(V.cols()); }
};

/// Returns the number of leading vectors that Spectra has computed.
Index computed_part(const Eigen::MatrixXd& V, const Eigen::MatrixXd& H) {
  Index part = 0;
  const auto is_computed = [&](Index i) {
    return std::isfinite(H(i, i)) && H(i, i) != 0 && (i == 0 || std::isfinite(H(i, i - 1))) && V.col(i).allFinite();
  };
  while (part < H.cols() && is_computed(part)) ++part;
  return part;
}

/// Returns the leading vectors that are M-orthogonal but for a small error, and makes them M-orthonormal by the
/// Cholesky factor of their Gram matrix, Vᵀ M V = Rᵀ R: A V R⁻¹ = V R⁻¹ (R H R⁻¹) + v eᵀ R⁻¹. Spectra does not
/// orthogonalise the second vector again, so that a short one has an error.
Basis orthonormal_part(const Factorization& spectra, const SparseMatrix& M) {
  const Eigen::MatrixXd &V = spectra.V(), &H = spectra.H();
  const Index computed = computed_part(V, H);
  const Eigen::MatrixXd MV = M * V.leftCols(computed);
  const Eigen::MatrixXd gram = V.leftCols(computed).transpose() * MV;
  const auto is_orthonormal = [&](Index i) {
    return std::abs(gram(i, i) - 1) < lost_orthogonality &&
           (i == 0 || gram.col(i).head(i).cwiseAbs().maxCoeff() < lost_orthogonality);
  };
  Index part = 0;
  while (part < computed && is_orthonormal(part)) ++part;
  if (part == 0) return {};
  const Eigen::LLT<Eigen::MatrixXd> factor(gram.topLeftCorner(part, part));
  const auto R = factor.matrixU();
  const double next = part < H.cols() ? H(part, part - 1) : spectra.next_length();
  Basis basis{V.leftCols(part), R * H.topLeftCorner(part, part), std::isfinite(next) ? next : 0};
  R.solveInPlace<Eigen::OnTheRight>(basis.V);
  R.solveInPlace<Eigen::OnTheRight>(basis.H);
  basis.H = (0.5 * (basis.H + basis.H.transpose())).eval();
  basis.coupling /= factor.matrixLLT()(part - 1, part - 1);
  return basis;
}

RitzPairs ritz_pairs(const Basis& basis) {
  RitzPairs pairs;
  SymmetricEigen eigen = solve_symmetric(basis.H);
  pairs.values = std::move(eigen.values);
  pairs.residuals = std::abs(basis.coupling) * eigen.vectors.row(basis.size() - 1).cwiseAbs().transpose();
  pairs.coefficients = std::move(eigen.vectors);
  return pairs;
}

RitzPairs sorted(const RitzPairs& pairs) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(pairs.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) {
    return std::abs(pairs.values[a]) > std::abs(pairs.values[b]);
  });
  return {pairs.values(order), pairs.residuals(order), pairs.coefficients(Eigen::all, order)};
}

class SpectraSearch : public LanczosSearch {
 public:
  SpectraSearch(const ConservativePencil& pencil, std::function<Eigen::VectorXd()> start, const Eigen::MatrixXd& locked,
                const Supervision& supervision)
      : pencil_(pencil), start_(std::move(start)), supervision_(supervision), known_(locked), locked_(locked.cols()) {
    if (known_.cols() == 0) known_.resize(pencil.size(), 0);
    begin();
  }

  bool is_complete() const override { return basis_.size() == 0; }
  LanczosView run(Index wanted, int patience, const std::function<bool(const LanczosView&)>& is_enough) override;
  Eigen::MatrixXd take_vectors(const RitzPairs& pairs, const std::vector<Index>& which) override {
    return known_.rightCols(kept()) * pairs.coefficients.topRows(kept())(Eigen::all, which) +
           basis_.V * pairs.coefficients.bottomRows(basis_.size())(Eigen::all, which);
  }

 private:
  Eigen::Index kept() const { return known_.cols() - locked_; }
  Index unknown() const { return pencil_.dof() - static_cast<Index>(known_.cols()); }
  void begin();
  void extend(Index wanted, int restarts);
  RitzPairs pairs() const;
  bool keep_converged();

  const ConservativePencil& pencil_;
  std::function<Eigen::VectorXd()> start_;
  Supervision supervision_;
  Eigen::MatrixXd known_;  ///< locked vectors, then those kept from the runs before
  Eigen::Index locked_;
  RitzPairs kept_pairs_;    ///< without coefficients
  Basis basis_;             ///< of the present run; empty if nothing is left
  bool spans_all_ = false;  ///< the basis spans an invariant subspace
};

// The first step is ours: it removes the known vectors from the start vector, shows whether anything is left of it, and
// gives the scale of θ.
void SpectraSearch::begin() {
  basis_ = {};
  spans_all_ = true;
  LanczosBasis first(pencil_.mass(),
                     {[this](const Eigen::VectorXd& Mx) { return pencil_.solve(Mx); },
                      [this](const Eigen::VectorXd& z) { return pencil_.project(z); }},
                     start_(), known_, 1, pencil_.dof());
  if (first.is_complete()) return;
  first.grow();
  const RitzPairs ritz = first.ritz();
  if (!(std::abs(ritz.values[0]) > 0) || !std::isfinite(ritz.values[0])) return;
  spans_all_ = first.is_complete();
  basis_ = {first.take_vectors(ritz, {0}), Eigen::MatrixXd::Constant(1, 1, ritz.values[0]), ritz.residuals[0]};
}

// If Spectra ends with an exception or without any usable vector, the basis remains that of the first step. A basis of
// full size may still miss directions: Spectra continues an exhausted basis with vectors outside the subspace.
void SpectraSearch::extend(Index wanted, int restarts) {
  if (spans_all_ || unknown() < least_basis) return;
  const double scale = std::hypot(basis_.H(0, 0), basis_.coupling);
  DeflatedInverse inverse(pencil_, known_, scale, supervision_);
  MassProduct mass(pencil_.mass());
  const Index vectors = std::min(lanczos_capacity(wanted), unknown());
  Factorization spectra(inverse, mass, std::min(wanted + 1, vectors - 1), vectors, pencil_.at());
  const Eigen::VectorXd start = basis_.V.col(0);
  try {
    spectra.init(start.data());
    spectra.compute(Spectra::SortRule::LargestMagn, restarts, part_of_tolerance * vector_tolerance(pencil_.size()));
  } catch (const std::exception&) {  // what it has computed so far is usable
  }
  Basis found = orthonormal_part(spectra, pencil_.mass());
  if (found.size() == 0) return;
  basis_ = std::move(found);
  spans_all_ = std::abs(basis_.coupling) <= no_coupling * basis_.H.cwiseAbs().maxCoeff();
  basis_.H *= scale;
  basis_.coupling *= scale;
}

// The kept vectors and the basis are M-orthogonal, so their pairs stand beside each other.
RitzPairs SpectraSearch::pairs() const {
  const Eigen::Index size = kept() + basis_.size();
  RitzPairs all{Eigen::VectorXd(size), Eigen::VectorXd(size), Eigen::MatrixXd::Identity(size, size)};
  all.values.head(kept()) = kept_pairs_.values;
  all.residuals.head(kept()) = kept_pairs_.residuals;
  if (basis_.size() > 0) {
    const RitzPairs now = ritz_pairs(basis_);
    all.values.tail(basis_.size()) = now.values;
    all.residuals.tail(basis_.size()) = now.residuals;
    all.coefficients.bottomRightCorner(basis_.size(), basis_.size()) = now.coefficients;
  }
  return sorted(all);
}

// Adds the converged vectors of this run to the known ones; false if there are none.
bool SpectraSearch::keep_converged() {
  if (basis_.size() == 0) return false;
  const RitzPairs now = ritz_pairs(basis_);
  const double tolerance = vector_tolerance(pencil_.size());
  std::vector<Eigen::Index> converged;
  for (Eigen::Index k = 0; k < now.values.size(); ++k) {
    if (now.residuals[k] <= tolerance * std::abs(now.values[k])) converged.push_back(k);
  }
  const auto more = static_cast<Eigen::Index>(converged.size());
  if (more == 0) return false;
  const Eigen::MatrixXd vectors = basis_.V * now.coefficients(Eigen::all, converged);
  const Eigen::Index before = kept();
  known_.conservativeResize(Eigen::NoChange, known_.cols() + more);
  known_.rightCols(more) = vectors;
  kept_pairs_.values.conservativeResize(before + more);
  kept_pairs_.values.tail(more) = now.values(converged);
  kept_pairs_.residuals.conservativeResize(before + more);
  kept_pairs_.residuals.tail(more) = now.residuals(converged);
  return true;
}

// One run of Spectra after another, each M-orthogonal to what has converged before.
LanczosView SpectraSearch::run(Index wanted, int patience, const std::function<bool(const LanczosView&)>& is_enough) {
  for (int round = 1;; ++round) {
    extend(std::max(wanted - static_cast<Index>(kept()), std::min(wanted, least_wanted)), patience);
    LanczosView view(pairs(), spans_all_, pencil_.at(), pencil_.size());
    report(supervision_, view, wanted);
    if (is_enough(view) || spans_all_ || supervision_.is_time_over() || round == most_rounds || !keep_converged())
      return view;
    begin();
  }
}

}  // namespace

bool has_room_for_spectra(const ConservativePencil& pencil, const Eigen::MatrixXd& locked) {
  return pencil.dof() - locked.cols() >= least_basis;
}

std::unique_ptr<LanczosSearch> spectra_search(const ConservativePencil& pencil, std::function<Eigen::VectorXd()> start,
                                              const Eigen::MatrixXd& locked, const Supervision& supervision) {
  return std::make_unique<SpectraSearch>(pencil, std::move(start), locked, supervision);
}

}  // namespace stillpoint
