#include "modes/penalty/penalty_continuation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/at.h"
#include "base/disjoint_sets.h"
#include "base/in_parallel.h"
#include "modes/accuracy/finish.h"
#include "modes/penalty/penalty_iteration.h"
#include "modes/tolerances.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Matrix = Eigen::MatrixXcd;

constexpr double grouping_ratio = 4;    // distance of groups in multiples of the change by the penalty
constexpr double largest_width = 1e-2;  // relative: larger changes draw no more modes into a group

// Modes that are continued together.
struct Group {
  std::vector<std::size_t> members;  ///< indices of known modes with Im s ≥ 0
  bool straddles = false;            ///< contains the conjugates too, which are close across the real axis
};

// A mode of the mechanism and the known distance by which the penalty moves it.
struct Start {
  const Mode* mode;
  double width;
};

bool are_close(Complex a, Complex b, double widths) { return std::abs(a - b) <= grouping_ratio * widths; }

std::vector<Group> groups_of(const std::vector<Start>& starts) {
  DisjointSets<std::size_t> clusters(starts.size());
  std::vector<char> straddles(starts.size());
  for (std::size_t i = 0; i < starts.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const Complex a = starts[i].mode->s, b = starts[j].mode->s;
      const double widths = starts[i].width + starts[j].width;
      const bool across = (a.imag() != 0 || b.imag() != 0) && are_close(a, std::conj(b), widths);
      if (across) straddles[i] = true;
      if (across || are_close(a, b, widths)) clusters.tie(i, j);
    }
  }
  std::map<std::size_t, Group> groups;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    Group& of = groups[clusters.find(i)];
    of.members.push_back(i);
    of.straddles = of.straddles || straddles[i];
  }
  std::vector<Group> list;
  for (auto& [root, members] : groups) list.push_back(std::move(members));
  return list;
}

std::vector<Complex> values_of(const Group& group, const std::vector<Start>& starts) {
  std::vector<Complex> values;
  for (const std::size_t i : group.members) {
    const Complex s = starts[i].mode->s;
    values.push_back(s);
    if (group.straddles && s.imag() != 0) values.push_back(std::conj(s));
  }
  return values;
}

std::vector<PenaltyPair> continue_group(const PenaltyProblem& problem, const std::vector<Start>& starts,
                                        const Group& group) {
  const std::vector<Complex> from = values_of(group, starts);
  Matrix right(problem.size(), static_cast<Eigen::Index>(from.size())), left(right.rows(), right.cols());
  Eigen::Index column = 0;
  for (const std::size_t i : group.members) {
    const Mode& mode = *starts[i].mode;
    right.col(column) = problem.scaled(mode.shape);
    left.col(column++) = problem.scaled(mode.left);
    if (!group.straddles || mode.s.imag() == 0) continue;
    right.col(column) = right.col(column - 1).conjugate();
    left.col(column) = left.col(column - 1).conjugate();
    ++column;
  }
  return PenaltyIteration(problem).continue_from(from, std::move(right), std::move(left));
}

// Returns the distance to the nearest mode that it may have become.
double moved(const Mode& from, const std::vector<PenaltyPair>& pairs) {
  double least = std::numeric_limits<double>::infinity();
  for (const PenaltyPair& pair : pairs) {
    if (pair.residual <= tolerance::largest_penalty_residual) least = std::min(least, std::abs(pair.s - from.s));
  }
  return std::isfinite(least) ? least : 0;
}

struct ContinuedGroup {
  Group group;
  std::vector<PenaltyPair> pairs;
};

bool is_same(const Group& a, const Group& b) { return a.members == b.members && a.straddles == b.straddles; }

// Repeats until no two groups turn out to be close by what the penalty changes. Groups never divide, so this ends.
std::vector<ContinuedGroup> continue_groups(const PenaltyProblem& problem, std::vector<Start>& starts) {
  std::vector<ContinuedGroup> known;
  while (true) {
    std::vector<ContinuedGroup> next;
    std::vector<std::size_t> fresh;
    for (Group& group : groups_of(starts)) {
      const auto before = std::find_if(known.begin(), known.end(),
                                       [&](const ContinuedGroup& other) { return is_same(other.group, group); });
      if (before == known.end()) fresh.push_back(next.size());
      next.push_back(before == known.end() ? ContinuedGroup{std::move(group), {}} : std::move(*before));
    }
    known = std::move(next);
    if (fresh.empty()) return known;
    in_parallel(static_cast<Index>(fresh.size()), [&](Index k) {
      auto& [group, pairs] = known[fresh[at(k)]];
      pairs = continue_group(problem, starts, group);
    });
    for (const std::size_t k : fresh) {
      for (const std::size_t i : known[k].group.members) {
        const Mode& mode = *starts[i].mode;
        starts[i].width =
            std::max(starts[i].width, std::min(moved(mode, known[k].pairs), largest_width * std::abs(mode.s)));
      }
    }
  }
}

std::string words_for(Complex s) {
  return fmt::format("{:.6g} {} {:.6g}i", s.real(), s.imag() < 0 ? "-" : "+", std::abs(s.imag()));
}

// Returns the length of the part of a unit vector that those of the same value before it do not contain.
double part_of_its_own(const PenaltyPair& pair, const std::vector<const PenaltyPair*>& before, Index coordinates) {
  std::vector<const PenaltyPair*> equal;
  for (const PenaltyPair* const other : before) {
    if (std::abs(other->s - pair.s) <= tolerance::copies * std::abs(pair.s)) equal.push_back(other);
  }
  Matrix vectors(coordinates, static_cast<Eigen::Index>(equal.size()) + 1);
  for (std::size_t k = 0; k < equal.size(); ++k) {
    vectors.col(static_cast<Eigen::Index>(k)) = equal[k]->right.head(coordinates).normalized();
  }
  vectors.rightCols(1) = pair.right.head(coordinates).normalized();
  for (Eigen::Index k = 0; k < vectors.cols(); ++k) {
    auto x = vectors.col(k);
    for (int twice = 0; twice < 2; ++twice) x -= vectors.leftCols(k) * (vectors.leftCols(k).adjoint() * x);
    if (k + 1 < vectors.cols()) x.normalize();
  }
  return vectors.rightCols(1).norm();
}

std::vector<Complex> conjugates(std::vector<Complex> values) {
  for (Complex& value : values) value = std::conj(value);
  return values;
}

Mode mode_of(const PenaltyPair& pair, const PenaltyProblem& problem) {
  Mode mode;
  mode.s = pair.s;
  mode.shape = problem.unscaled(pair.right).coordinates;
  if (pair.left == pair.right.conjugate()) mode.left = mode.shape.conjugate();
  else mode.left = problem.unscaled(pair.left).coordinates;
  mode.backward_error = pair.residual;
  mode.condition = problem.condition(pair.s, pair.right, pair.left);
  return mode;
}

// Returns a reason if the pair is no mode of its own; empty if it is.
std::string what_is_wrong(const PenaltyPair& pair, const std::vector<const PenaltyPair*>& before,
                          const PenaltyProblem& problem) {
  if (!std::isfinite(pair.residual)) return "its matrix is singular there";
  if (pair.residual > tolerance::largest_penalty_residual)
    return fmt::format("a residual of {:.1e} remains", pair.residual);
  if (problem.violation(pair.right) > tolerance::largest_true_violation)
    return "it became a motion that violates the constraints";
  const bool is_own = part_of_its_own(pair, before, problem.coordinates()) > tolerance::dependent_vectors;
  return is_own ? "" : "it became a mode that another one led to";
}

}  // namespace

PenaltyContinuation continue_modes(const PenaltyProblem& problem, const std::vector<Mode>& known) {
  std::vector<Start> starts;
  for (const Mode& mode : known) {
    if (mode.s != 0.0 && mode.s.imag() >= 0) starts.push_back({&mode, mode.error});
  }
  const std::vector<ContinuedGroup> groups = continue_groups(problem, starts);
  PenaltyContinuation result;
  std::vector<const PenaltyPair*> before;
  for (const auto& [group, pairs] : groups) {
    const std::vector<Complex> from = values_of(group, starts);
    const bool has_conjugate = !group.straddles && from.front().imag() != 0;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const PenaltyPair& pair = pairs[k];
      const std::string why = what_is_wrong(pair, before, problem);
      if (!why.empty()) {
        result.uncertainties.push_back(fmt::format(
            "the mode near {} 1/s could not be continued into the penalty system: {}", words_for(from[k]), why));
        continue;
      }
      before.push_back(&pair);
      result.found.push_back({mode_of(pair, problem), from});
      if (has_conjugate) result.found.push_back({conjugate(result.found.back().mode), conjugates(from)});
    }
  }
  return result;
}

}  // namespace stillpoint
