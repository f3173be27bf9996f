#include "stillpoint/detail/symmetric_factor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "algebra/ldlt/front_factors.h"
#include "algebra/ldlt/front_solve.h"
#include "algebra/ldlt/front_solve_many.h"
#include "algebra/ldlt/front_tree.h"
#include "algebra/scaling/congruence_scaling.h"
#include "algebra/sparse/random_start.h"
#include "algebra/sparse/symmetry.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

/// The rounding error of an entry, relative to the magnitudes of the sums that meet in it: four rounding units. Errors
/// mostly cancel; those measured are an eighth of this or less (against long double, dense and sparse, up to n = 900).
constexpr double rounding = 2 * std::numeric_limits<double>::epsilon();

/// A hash of the pattern, which two different patterns hardly ever share: the sum over all indices, each mixed with its
/// place by the finaliser of splitmix64 [Steele 2014].
std::uint64_t fingerprint(const SparseMatrix& A) {
  std::uint64_t sum = 0, place = 0;
  const auto add = [&](Index value) {
    std::uint64_t mixed = (place += 0x9e3779b97f4a7c15ULL) + static_cast<std::uint64_t>(value);
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
    sum += mixed ^ (mixed >> 31);
  };
  for (Index j = 0; j <= A.cols(); ++j) add(A.outerIndexPtr()[j]);
  for (Index k = 0; k < A.nonZeros(); ++k) add(A.innerIndexPtr()[k]);
  return sum;
}

void require_symmetric_pattern(const SparseMatrix& A) {
  if (A.rows() != A.cols()) throw std::invalid_argument("SymmetricFactor: the matrix is not square");
  if (!A.isCompressed()) throw std::invalid_argument("SymmetricFactor: the matrix is not compressed");
  if (!has_symmetric_pattern(A))
    throw std::invalid_argument("SymmetricFactor: the pattern is not symmetric, or its rows are not ascending");
}

void require_finite(const SparseMatrix& A) {
  for (Index k = 0; k < A.nonZeros(); ++k) {
    if (!std::isfinite(A.valuePtr()[k]))
      throw Undecided("a symmetric matrix to be factored has entries beyond the range of double precision");
  }
}

/// The largest entry of S A S, and the largest 2-norm of one of its columns, which is a lower bound of ‖S A S‖₂.
struct Magnitudes {
  double entry = 0, column = 0;
};

Magnitudes scaled_magnitudes(const SparseMatrix& A, const std::vector<double>& scale) {
  Magnitudes largest;
  std::vector<double> squares(scale.size(), 0.0);
  for (Index j = 0; j < A.cols(); ++j) {
    for (Index k = A.outerIndexPtr()[j]; k < A.outerIndexPtr()[j + 1]; ++k) {
      const Index i = A.innerIndexPtr()[k];
      if (i < j) continue;
      const double a = std::abs(scale[i] * A.valuePtr()[k] * scale[j]);
      largest.entry = std::max(largest.entry, a);
      squares[j] += a * a;
      if (i > j) squares[i] += a * a;
    }
  }
  for (const double square : squares) largest.column = std::max(largest.column, std::sqrt(square));
  return largest;
}

/// Returns an upper bound of the spectral radius of G = |L| |D| |L|ᵀ: max (G x)ᵢ / xᵢ for any x > 0 (Collatz &
/// Wielandt). Two steps adapt x where the rows have very different sums, such as that of a node to which all others are
/// attached.
double largest_eigenvalue_of_magnitudes(const FrontFactors& factors, Index unknowns) {
  Eigen::VectorXd x = Eigen::VectorXd::Ones(unknowns), Gx = apply_magnitudes(factors, x);
  double bound = Gx.maxCoeff();
  for (int step = 0; step < 2; ++step) {
    x = x.cwiseProduct(Gx).cwiseSqrt().cwiseMax(std::numeric_limits<double>::min());
    Gx = apply_magnitudes(factors, x);
    bound = std::min(bound, Gx.cwiseQuotient(x).maxCoeff());
  }
  return bound;
}

/// The analyses that are in use, so that matrices of one pattern share theirs.
class SharedAnalyses {
 public:
  /// That of a pattern; made if nothing uses one.
  std::shared_ptr<const FrontTree> of(const SparseMatrix& pattern, std::uint64_t its_fingerprint) {
    if (auto known = find(pattern, its_fingerprint)) return known;
    auto made = std::make_shared<const FrontTree>(build_front_tree(pattern));
    const std::lock_guard lock(mutex_);
    std::erase_if(entries_, [](const Entry& entry) { return entry.plan.expired(); });
    entries_.push_back({its_fingerprint, pattern.nonZeros(), made});
    return made;
  }

 private:
  struct Entry {
    std::uint64_t fingerprint = 0;
    Eigen::Index entries = 0;
    std::weak_ptr<const FrontTree> plan;
  };

  std::shared_ptr<const FrontTree> find(const SparseMatrix& pattern, std::uint64_t its_fingerprint) {
    const std::lock_guard lock(mutex_);
    for (const Entry& entry : entries_) {
      if (entry.fingerprint != its_fingerprint || entry.entries != pattern.nonZeros()) continue;
      if (auto plan = entry.plan.lock(); plan && plan->unknowns() == pattern.cols()) return plan;
    }
    return {};
  }

  std::mutex mutex_;
  std::vector<Entry> entries_;
};

SharedAnalyses& shared_analyses() {
  static SharedAnalyses all;
  return all;
}

}  // namespace

struct SymmetricFactor::Analysis {
  std::uint64_t pattern = 0;
  std::shared_ptr<const FrontTree> plan;
};

struct SymmetricFactor::Numbers {
  std::vector<double> scale;
  Magnitudes magnitudes;
  FrontFactors factors;
  bool valid = false;
};

SymmetricFactor::SymmetricFactor(const SparseMatrix& pattern) : numbers_(std::make_unique<Numbers>()) {
  require_symmetric_pattern(pattern);
  auto analysis = std::make_unique<Analysis>();
  analysis->pattern = fingerprint(pattern);
  analysis->plan = shared_analyses().of(pattern, analysis->pattern);
  analysis_ = std::move(analysis);
}

SymmetricFactor::~SymmetricFactor() = default;
SymmetricFactor::SymmetricFactor(SymmetricFactor&& other) noexcept = default;
SymmetricFactor& SymmetricFactor::operator=(SymmetricFactor&& other) noexcept = default;

void SymmetricFactor::factor(const SparseMatrix& A) {
  if (A.rows() != A.cols() || A.rows() != analysis_->plan->unknowns() || !A.isCompressed() ||
      fingerprint(A) != analysis_->pattern) {
    throw std::invalid_argument("SymmetricFactor: the pattern is not the one that was analysed");
  }
  require_finite(A);
  numbers_->valid = false;
  numbers_->scale = congruence_scaling(A);
  numbers_->magnitudes = scaled_magnitudes(A, numbers_->scale);
  factor_fronts(*analysis_->plan, A.valuePtr(), numbers_->scale, numbers_->magnitudes.entry, numbers_->factors);
  numbers_->valid = true;
}

const SymmetricFactor::Numbers& SymmetricFactor::numbers() const {
  if (!numbers_->valid) throw std::logic_error("SymmetricFactor: no matrix has been factored");
  return *numbers_;
}

SignCount SymmetricFactor::signs() const { return count_signs(numbers().factors); }

double SymmetricFactor::backward_error() const {
  const Numbers& all = numbers();
  if (all.magnitudes.column == 0) return 0;
  double besides = 0;
  for (const double error : all.factors.other_errors) besides = std::max(besides, error);
  const double growth = largest_eigenvalue_of_magnitudes(all.factors, analysis_->plan->unknowns());
  return (rounding * growth + besides) / all.magnitudes.column;
}

bool SymmetricFactor::has_clear_signs() const {
  constexpr int solutions = 3;
  constexpr double clear = 4;
  const Numbers& all = numbers();
  if (count_signs(all.factors).zero > 0) return false;
  const double error = clear * backward_error() * all.magnitudes.column;
  Eigen::VectorXd x = random_start(analysis_->plan->unknowns());
  for (int k = 0; k < solutions && x.norm() > 0; ++k) {
    x.normalize();
    x.conservativeResizeLike(Eigen::VectorXd::Zero(analysis_->plan->branches.places));
    solve_in_place(all.factors, x);
    x.conservativeResize(analysis_->plan->unknowns());
    if (!(error * x.norm() < 1)) return false;  // there is an eigenvalue of magnitude below 1 / |x|
  }
  return true;
}

double SymmetricFactor::smallest_pivot() const {
  const Numbers& all = numbers();
  const double smallest = stillpoint::smallest_pivot(all.factors);
  if (std::isinf(smallest)) return std::numeric_limits<double>::quiet_NaN();
  return smallest == 0 ? 0 : smallest / all.magnitudes.entry;
}

Eigen::VectorXd SymmetricFactor::solve(const Eigen::VectorXd& b) const {
  const Numbers& all = numbers();
  const FrontTree& plan = *analysis_->plan;
  if (b.size() != plan.unknowns())
    throw std::invalid_argument("SymmetricFactor: the right-hand side has another size than the matrix");
  Eigen::VectorXd x = Eigen::VectorXd::Zero(plan.branches.places);
  for (Index k = 0; k < plan.unknowns(); ++k) x[k] = all.scale[plan.unknown[k]] * b[plan.unknown[k]];
  solve_in_place(all.factors, x);
  Eigen::VectorXd solution(b.size());
  for (Index k = 0; k < plan.unknowns(); ++k) solution[plan.unknown[k]] = all.scale[plan.unknown[k]] * x[k];
  return solution;
}

// A few right-hand sides are solved together, so that those of a front stay in the cache.
Eigen::MatrixXd SymmetricFactor::solve_columns(Eigen::MatrixXd B) const {
  constexpr Eigen::Index at_once = 16;
  const Numbers& all = numbers();
  const FrontTree& plan = *analysis_->plan;
  if (B.rows() != plan.unknowns())
    throw std::invalid_argument("SymmetricFactor: the right-hand sides have another size than the matrix");
  for (Eigen::Index first = 0; first < B.cols(); first += at_once) {
    const Eigen::Index count = std::min(at_once, B.cols() - first);
    Eigen::MatrixXd X(count, plan.branches.places);
    X.rightCols(plan.branches.places - plan.unknowns()).setZero();
    for (Index k = 0; k < plan.unknowns(); ++k) {
      const Index i = plan.unknown[k];
      X.col(k) = all.scale[i] * B.row(i).segment(first, count).transpose();
    }
    solve_rows_in_place(all.factors, X);
    for (Index k = 0; k < plan.unknowns(); ++k) {
      const Index i = plan.unknown[k];
      B.row(i).segment(first, count) = all.scale[i] * X.col(k).transpose();
    }
  }
  return B;
}

std::int64_t SymmetricFactor::entries() const { return numbers().factors.entries(); }

std::int64_t SymmetricFactor::delays() const { return numbers().factors.delays(); }

}  // namespace stillpoint
