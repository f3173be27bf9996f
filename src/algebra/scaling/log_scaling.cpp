#include "algebra/scaling/log_scaling.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace stillpoint {

namespace {

constexpr double good_from_start = 1;  // root mean square of the residual means, in bits
constexpr double good_enough = 0.05;
constexpr int most_iterations = 50;
constexpr int most_rounds = 12;    // of reweighting
constexpr double far_below = 3.0;  // in bits; the influence of entries smaller than 2^−3 no longer grows

/// The weighted normal equations: the weighted mean over each row and each column must vanish.
class Logarithms {
 public:
  explicit Logarithms(const SparseMatrix& A)
      : A_(A), logs_(static_cast<std::size_t>(A.nonZeros())), weights_(logs_.size(), 1.0) {
    for (std::size_t k = 0; k < logs_.size(); ++k) logs_[k] = std::log2(std::abs(A.valuePtr()[k]));
  }

  /// Returns Σ w (constant · log + r + c) for each row and each column.
  LogScales sums(const LogScales& at, double constant) const {
    LogScales result{Eigen::VectorXd::Zero(A_.rows()), Eigen::VectorXd::Zero(A_.cols())};
    for_entries([&](Index i, Index j, std::size_t k) {
      const double term = weights_[k] * (constant * logs_[k] + at.rows[i] + at.columns[j]);
      result.rows[i] += term;
      result.columns[j] += term;
    });
    return result;
  }

  LogScales total_weights() const {
    LogScales result{Eigen::VectorXd::Zero(A_.rows()), Eigen::VectorXd::Zero(A_.cols())};
    for_entries([&](Index i, Index j, std::size_t k) {
      result.rows[i] += weights_[k];
      result.columns[j] += weights_[k];
    });
    return result;
  }

  /// Updates the weights, w = φ'(x) / (2x), and returns the largest change of a weight.
  double weigh(const LogScales& at) {
    double change = 0;
    for_entries([&](Index i, Index j, std::size_t k) {
      const double above = logs_[k] + at.rows[i] + at.columns[j];
      const double weight = above >= -far_below ? 1 : -far_below / above;
      change = std::max(change, std::abs(std::exchange(weights_[k], weight) - weight));
    });
    return change;
  }

 private:
  template <class Visit>
  void for_entries(const Visit& visit) const {
    for (Index j = 0; j < A_.outerSize(); ++j) {
      for (Index k = A_.outerIndexPtr()[j]; k < A_.outerIndexPtr()[j + 1]; ++k) {
        visit(A_.innerIndexPtr()[k], j, static_cast<std::size_t>(k));
      }
    }
  }

  const SparseMatrix& A_;
  std::vector<double> logs_, weights_;
};

double dot(const LogScales& a, const LogScales& b) { return a.rows.dot(b.rows) + a.columns.dot(b.columns); }

/// Improves x by conjugate gradients, preconditioned by the sums of the weights.
void improve(LogScales& x, const Logarithms& logarithms, double tolerance) {
  const LogScales weights = logarithms.total_weights();
  const double total = weights.rows.sum() + weights.columns.sum();
  const auto means = [&](const LogScales& sums) {
    return LogScales{(weights.rows.array() > 0).select(sums.rows.cwiseQuotient(weights.rows), 0.0),
                     (weights.columns.array() > 0).select(sums.columns.cwiseQuotient(weights.columns), 0.0)};
  };
  LogScales rest = logarithms.sums(x, 1), z = means(rest), step{-z.rows, -z.columns};
  double size = dot(rest, z);
  if (size <= tolerance * tolerance * total) return;
  for (int k = 0; k < most_iterations && size > good_enough * good_enough * total; ++k) {
    const LogScales image = logarithms.sums(step, 0);
    const double curvature = dot(step, image);
    if (!(curvature > 0)) break;
    const double length = size / curvature;
    x.rows += length * step.rows;
    x.columns += length * step.columns;
    rest.rows += length * image.rows;
    rest.columns += length * image.columns;
    z = means(rest);
    const double before = std::exchange(size, dot(rest, z));
    step.rows = size / before * step.rows - z.rows;
    step.columns = size / before * step.columns - z.columns;
  }
}

}  // namespace

LogScales log_scales(const SparseMatrix& A) {
  LogScales x{Eigen::VectorXd::Zero(A.rows()), Eigen::VectorXd::Zero(A.cols())};
  Logarithms logarithms(A);
  improve(x, logarithms, good_from_start);
  for (int round = 0; round < most_rounds && logarithms.weigh(x) > 0.05; ++round) improve(x, logarithms, good_enough);
  return x;
}

}  // namespace stillpoint
