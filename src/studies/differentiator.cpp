#include "studies/differentiator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algebra/sparse/same_pattern.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

double frobenius_norm(const SparseMatrix& A) { return A.nonZeros() > 0 ? A.norm() : 0; }

double size_of(const Sample& sample, std::size_t k) {
  return k < sample.vectors.size() ? sample.terms[k] : frobenius_norm(sample.matrices[k - sample.vectors.size()]);
}

double norm_of(const Sample& sample, std::size_t k) {
  return k < sample.vectors.size() ? sample.vectors[k].norm()
                                   : frobenius_norm(sample.matrices[k - sample.vectors.size()]);
}

std::size_t parts_of(const Sample& sample) { return sample.vectors.size() + sample.matrices.size(); }

void add(double weight, const Sample& sample, Sample& sum) {
  if (weight == 0) return;
  if (parts_of(sum) == 0) {
    for (const Eigen::VectorXd& part : sample.vectors) sum.vectors.emplace_back(weight * part);
    for (const SparseMatrix& part : sample.matrices) sum.matrices.emplace_back(part).coeffs() *= weight;
    return;
  }
  for (std::size_t k = 0; k < sample.vectors.size(); ++k) sum.vectors[k] += weight * sample.vectors[k];
  for (std::size_t k = 0; k < sample.matrices.size(); ++k) {
    SparseMatrix& part = sum.matrices[k];
    if (have_same_pattern(part, sample.matrices[k])) part.coeffs() += weight * sample.matrices[k].coeffs();
    else part = SparseMatrix(part + weight * sample.matrices[k]);
  }
}

// What is no more than its error, or than rounding of the values leaves, is nothing.
Eigen::VectorXd known_part(const Derivative& derivative, std::size_t k) {
  const Eigen::VectorXd &rate = derivative.rate.vectors[k], &error = derivative.error.vectors[k];
  return (rate.array().abs() > 2 * error.array().abs()).select(rate, 0);
}

void drop_rounding(Eigen::VectorXd& rate, double terms) {
  constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
  rate = (rate.array().abs() > rounding * terms).select(rate, 0);
}

}  // namespace

Derivative Differentiator::by_rule(const DifferenceRule& rule, const std::function<Sample(double)>& sample,
                                   const Sample& here, double step) const {
  Derivative result;
  for (std::size_t k = 0; k < rule.nodes.size(); ++k) {
    const Sample there = rule.nodes[k] == 0 ? here : sample(rule.nodes[k] * step);
    add(rule.weights[k] / step, there, result.rate);
    add((rule.weights[k] - rule.lower_weights[k]) / step, there, result.error);
  }
  // Beside the derivative counts what rounding of the values leaves in it: a rate that is zero has no relative error.
  result.relative_error = 0;
  for (std::size_t k = 0; k < parts_of(here); ++k) {
    const double size = norm_of(result.rate, k) + size_of(here, k) / reach_, error = norm_of(result.error, k);
    const double part = size > 0 ? error / size : 0;
    if (!(part <= result.relative_error)) result.relative_error = part;
  }
  if (!std::isfinite(result.relative_error)) result.relative_error = std::numeric_limits<double>::infinity();
  return result;
}

// Where values on one side are refused, as negative dampers are, those of the other side serve.
Derivative Differentiator::with_step(const std::function<Sample(double)>& sample, const Sample& here, double step) {
  for (const DifferenceRule* rule : {&central_rule(), &one_sided_rule(true), &one_sided_rule(false)}) {
    try {
      return by_rule(*rule, sample, here, step);
    } catch (const Error& refused) {
      if (refusal_.empty()) refusal_ = refused.what();
    }
  }
  return {};
}

// Nothing if a value is refused on one side.
Derivative Differentiator::by_shortest_rule(const std::function<Sample(double)>& sample, const Sample& here,
                                            double step) const {
  try {
    Derivative found = by_rule(shortest_rule(), sample, here, step);
    for (std::size_t k = 0; k < found.rate.vectors.size(); ++k)
      drop_rounding(found.rate.vectors[k], here.terms[k] / step);
    return found;
  } catch (const Error&) {
    return {};
  }
}

Derivative Differentiator::with_best_step(const std::function<Sample(double)>& sample, const Sample& here) {
  constexpr double first = 1.0 / 32, factor = 1.0 / 8, sufficient = 1e-13;
  constexpr int most_steps = 7;
  double step = first * reach_;
  Derivative best = with_step(sample, here, step);
  for (const double change : {factor, 1 / factor}) {
    bool is_better = false;
    for (int k = 0; k < most_steps && !(best.relative_error <= sufficient); ++k) {
      Derivative other = with_step(sample, here, step * change);
      if (!(other.relative_error < best.relative_error) && std::isfinite(best.relative_error)) break;
      step *= change;
      is_better = other.relative_error < best.relative_error;
      if (is_better) best = std::move(other);
    }
    if (is_better) break;
  }
  return best;
}

// The estimate of the shortest rule is the error of the forward difference, which is proportional to the step; where it
// is large, as beside a fold, the step must be chosen.
Derivative Differentiator::derivative(const std::function<Sample(double)>& sample, const Sample& here) {
  constexpr double short_step = 1.0 / 8192;  // leaves errors of 1e-8 by its square, and of 1e-12 by rounding
  constexpr double smooth = 1e-2, not_smooth = 1e-4;
  if (digits_ == RatesDigits::eight) {
    Derivative found = by_shortest_rule(sample, here, short_step * reach_);
    if (found.relative_error <= smooth) return found;
  }
  Derivative best = with_best_step(sample, here);
  if (parts_of(best.rate) == 0) throw Error(refusal_);
  if (best.relative_error > not_smooth)
    throw Error(fmt::format("the model has no derivative with respect to '{}': it is not smooth there", name_));
  for (std::size_t k = 0; k < best.rate.vectors.size(); ++k) best.rate.vectors[k] = known_part(best, k);
  return best;
}

}  // namespace stillpoint
