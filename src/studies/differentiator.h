// Derivatives of vectors and matrices along a line: by differences of order eight with the step that leaves the least
// error, or by the shortest ones where eight digits are enough.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "stillpoint/system_rates.h"
#include "studies/difference_rule.h"

namespace stillpoint {

/// What is differentiated at one value of the parameter: vectors and matrices of fixed sizes.
struct Sample {
  std::vector<Eigen::VectorXd> vectors;
  std::vector<SparseMatrix> matrices;
  std::vector<double> terms{};  ///< norms of the terms of each vector, which may cancel
};

/// A derivative with the next lower order subtracted from it.
struct Derivative {
  Sample rate, error;
  double relative_error = std::numeric_limits<double>::infinity();
};

class Differentiator {
 public:
  Differentiator(const Variation& variation, RatesDigits digits)
      : name_(variation.name), digits_(digits), reach_(std::max(std::abs(variation.value), variation.scale)) {
    if (reach_ == 0) reach_ = 1;
  }

  /// The change of the parameter that counts as a change by itself: its value, or one unit.
  double reach() const { return reach_; }
  /// Throws Error if there is none.
  Derivative derivative(const std::function<Sample(double)>& sample, const Sample& here);

 private:
  Derivative by_shortest_rule(const std::function<Sample(double)>& sample, const Sample& here, double step) const;
  Derivative with_best_step(const std::function<Sample(double)>& sample, const Sample& here);
  Derivative with_step(const std::function<Sample(double)>& sample, const Sample& here, double step);
  Derivative by_rule(const DifferenceRule& rule, const std::function<Sample(double)>& sample, const Sample& here,
                     double step) const;

  std::string name_;
  RatesDigits digits_;
  double reach_;
  std::string refusal_;
};

}  // namespace stillpoint
