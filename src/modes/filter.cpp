#include "modes/filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/at.h"

namespace stillpoint {

namespace {

constexpr double clear_margin = 10;    // between the two sets
constexpr double clear_failure = 0.1;  // a true motion fails by less

// Where the largest ratio of neighbours is: as many are below it.
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

Separation separate(const std::vector<double>& failures, Index expected, double floor) {
  Separation result;
  result.kinds.assign(failures.size(), ModeClass::genuine);
  result.margin = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::size_t> order(failures.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return failures[i] < failures[j]; });
  const std::size_t count = std::min(at(expected), failures.size());
  for (std::size_t i = count; i < order.size(); ++i) result.kinds[order[i]] = ModeClass::spurious;
  if (count < at(expected)) {
    result.clear = result.agrees = false;
    result.disagreement = fmt::format("{} eigenvalues must exist, only {} are finite", expected, failures.size());
    return result;
  }
  if (count == failures.size() || count == 0) return result;

  std::vector<double> sorted;
  for (const std::size_t i : order) sorted.push_back(failures[i]);
  const double last = std::max(sorted[count - 1], floor), next = std::max(sorted[count], floor);
  result.margin = next / last;
  const std::size_t gap = largest_gap(sorted, floor);
  result.clear = result.margin >= clear_margin && last <= clear_failure;
  if (result.clear && gap == count) return result;

  result.agrees = false;
  result.disagreement = fmt::format(
      "{} eigenvalues must exist; the constraint violations {:.2g} of the {}th and {:.2g} of the next differ by "
      "a factor of {:.2g} only, and the largest gap is after {}",
      expected, last, count, next, result.margin, gap);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool is_between = sorted[i] * clear_margin >= last && sorted[i] <= next * clear_margin;
    const bool fails = i < count && sorted[i] > clear_failure;
    if ((is_between && result.margin < clear_margin) || fails) result.kinds[order[i]] = ModeClass::undecided;
  }
  return result;
}

void report(const Separation& separation, Spectrum& spectrum) {
  spectrum.margin = separation.margin;
  spectrum.certified &= separation.agrees;
  if (!separation.agrees) spectrum.warnings.push_back(separation.disagreement);
}

}  // namespace stillpoint
