#include "modes/accuracy/filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/at.h"
#include "modes/accuracy/finish.h"
#include "modes/tolerances.h"

namespace stillpoint {

namespace {

// Returns the place of the largest ratio of consecutive values: the number of values below it.
std::size_t largest_gap(const std::vector<double>& sorted, double floor) {
  std::size_t best = sorted.size();
  double largest = 1;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const double ratio = std::max(sorted[i], floor) / std::max(sorted[i - 1], floor);
    if (ratio <= largest) continue;
    largest = ratio;
    best = i;
  }
  return best;
}

}  // namespace

Separation separate(const std::vector<Failure>& failures, Index expected, double floor) {
  std::vector<std::size_t> order(failures.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    const double a = std::max(failures[i].value, floor), b = std::max(failures[j].value, floor);
    return a != b ? a < b : failures[i].tie_breaker < failures[j].tie_breaker;
  });
  Separation result;
  result.margin = std::numeric_limits<double>::quiet_NaN();
  const std::size_t count = std::min(at(expected), failures.size());
  result.by_count.assign(failures.size(), ModeClass::genuine);
  for (std::size_t i = count; i < order.size(); ++i) result.by_count[order[i]] = ModeClass::spurious;
  result.kinds = result.by_count;
  if (count < at(expected)) {
    result.agrees = false;
    result.disagreement = fmt::format("{} eigenvalues must exist, but only {} are finite", expected, failures.size());
    return result;
  }
  if (count == failures.size() || count == 0) return result;

  std::vector<double> sorted;
  for (const std::size_t i : order) sorted.push_back(failures[i].value);
  const double last = std::max(sorted[count - 1], floor), next = std::max(sorted[count], floor);
  if (next <= floor) {
    result.margin = failures[order[count]].tie_breaker / failures[order[count - 1]].tie_breaker;
    if (result.margin >= tolerance::certain_ties) return result;
    result.margin = 1;
  } else {
    result.margin = next / last;
  }
  const std::size_t gap = largest_gap(sorted, floor);
  if (result.margin >= tolerance::certain_margin && last <= tolerance::largest_true_violation && gap == count)
    return result;

  result.agrees = false;
  result.disagreement = fmt::format(
      "{} eigenvalues must exist; the constraint violations {:.2g} of the {}th and {:.2g} of the next differ by "
      "a factor of {:.2g} only, and the largest gap is after {}",
      expected, last, count, next, result.margin, gap);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool is_between =
        sorted[i] * tolerance::certain_margin >= last && sorted[i] <= next * tolerance::certain_margin;
    const bool fails = i < count && sorted[i] > tolerance::largest_true_violation;
    if ((is_between && result.margin < tolerance::certain_margin) || fails)
      result.kinds[order[i]] = ModeClass::undecided;
  }
  return result;
}

void report(const Separation& separation, Spectrum& spectrum) {
  spectrum.margin = separation.margin;
  if (!separation.agrees) mark_uncertified(spectrum, Uncertified::classes_disagree, separation.disagreement);
}

}  // namespace stillpoint
