#include "modes/penalty_followers.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "base/at.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Matrix = Eigen::MatrixXcd;

constexpr double good = 1e-13, sound = 1e-9;  // residuals: better ones need no more steps; worse ones are no modes
constexpr int most_steps = 6;
constexpr double room = 4;             // so many times farther apart than the penalty moves them: no neighbours
constexpr double most_width = 1e-2;    // relative: what the penalty moves farther draws in no more neighbours
constexpr double same = 1e-9;          // relative: values that may be one
constexpr double parallel = 1e-6;      // a vector of which others with that value leave no more is none of its own
constexpr double clear_failure = 0.1;  // true motions violate the constraints by less

// What was followed together, and where to.
struct Group {
  std::vector<std::size_t> members;  ///< of the known modes with Im s ≥ 0
  bool straddles = false;            ///< with the conjugates of these: they are neighbours across the real axis
};

struct Pair {
  Complex s;
  double residual = std::numeric_limits<double>::infinity();
  Eigen::VectorXcd right, left;
};

// Like modes of the mechanism, together with how far the penalty has moved them.
struct Start {
  const Mode* mode;
  double width;
};

bool are_neighbours(Complex a, Complex b, double widths) { return std::abs(a - b) <= room * widths; }

Index root_of(std::vector<Index>& parents, Index i) {
  while (parents[at(i)] != i) i = parents[at(i)] = parents[at(parents[at(i)])];
  return i;
}

std::vector<Group> groups_of(const std::vector<Start>& starts) {
  std::vector<Index> parents(starts.size());
  std::iota(parents.begin(), parents.end(), 0);
  std::vector<char> straddles(starts.size());
  for (std::size_t i = 0; i < starts.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const Complex a = starts[i].mode->s, b = starts[j].mode->s;
      const double widths = starts[i].width + starts[j].width;
      const bool across = (a.imag() != 0 || b.imag() != 0) && are_neighbours(a, std::conj(b), widths);
      if (across) straddles[i] = true;
      if (across || are_neighbours(a, b, widths))
        parents[at(root_of(parents, static_cast<Index>(i)))] = root_of(parents, static_cast<Index>(j));
    }
  }
  std::map<Index, Group> groups;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    Group& of = groups[root_of(parents, static_cast<Index>(i))];
    of.members.push_back(i);
    of.straddles = of.straddles || straddles[i];
  }
  std::vector<Group> list;
  for (auto& [root, members] : groups) list.push_back(std::move(members));
  return list;
}

/// Inverse iteration with a block of vectors.
class Follower {
 public:
  explicit Follower(const PenaltyProblem& problem) : problem_(problem), lu_(problem.pattern()) {}

  /// As many pairs as there are columns, each found from one of these values; those that cannot be have no finite
  /// residual, or a large one.
  std::vector<Pair> follow(const std::vector<Complex>& from, const Matrix& right, const Matrix& left) {
    std::vector<Pair> pairs = iterate(mean_of(from), right, left);
    if (pairs.empty()) pairs.resize(from.size());
    if (from.size() == 1) return pairs;
    for (std::size_t k = 0; k < from.size(); ++k) {  // far from the middle: each by itself
      const auto column = static_cast<Eigen::Index>(k);
      if (std::isfinite(pairs[k].residual)) improve(pairs[k], pairs[k].s, pairs[k].right, pairs[k].left);
      improve(pairs[k], from[k], right.col(column), left.col(column));
    }
    return pairs;
  }

 private:
  std::vector<Pair> iterate(Complex sigma, Matrix right, Matrix left) {
    std::vector<Pair> pairs;
    for (int step = 0; step < most_steps; ++step) {
      if (!factor_beside(sigma)) return {};
      solve(right, left);
      rotate(right, left);
      pairs.clear();
      for (Eigen::Index k = 0; k < right.cols(); ++k) pairs.push_back(pair_of(right.col(k), left.col(k)));
      if (worst_of(pairs) <= good) break;
      sigma = mean_of(values_of(pairs));
    }
    return pairs;
  }

  void improve(Pair& pair, Complex s, const Matrix& right, const Matrix& left) {
    if (pair.residual <= good) return;
    const std::vector<Pair> other = iterate(s, right, left);
    if (!other.empty() && !(other.front().residual > pair.residual)) pair = other.front();
  }

  bool factor_beside(Complex s) {
    constexpr double farthest = 1e-4;
    for (double off = 0; off<farthest; off = off> 0 ? 100 * off : 1e-10) {
      sigma_ = s * (1 + off);
      T_ = problem_.matrix(sigma_);
      if (T_.coeffs().isFinite().all() && lu_.factor(T_)) return true;
    }
    return false;
  }

  void solve(Matrix& right, Matrix& left) {
    for (Eigen::Index k = 0; k < right.cols(); ++k) {
      right.col(k) = lu_.solve(problem_.slope(sigma_, right.col(k))).normalized();
      if (problem_.is_symmetric()) left.col(k) = right.col(k).conjugate();
      else left.col(k) = lu_.solve_adjoint(problem_.left_slope(sigma_, left.col(k))).normalized();
    }
  }

  // Where all of them are one eigenvalue but for rounding, every basis will do.
  void rotate(Matrix& right, Matrix& left) const {
    const Eigen::Index count = right.cols();
    if (count == 1) return;
    Matrix slopes(right.rows(), count);
    for (Eigen::Index k = 0; k < count; ++k) slopes.col(k) = problem_.slope(sigma_, right.col(k));
    const Matrix from_slopes = (left.adjoint() * slopes).partialPivLu().inverse();
    const Matrix distances = -from_slopes * (left.adjoint() * (T_ * right));
    Matrix basis = Matrix::Identity(count, count);
    const Complex mean = distances.trace() / static_cast<double>(count);
    const double spread = (distances - mean * basis).norm();
    if (spread > same * std::abs(sigma_) / problem_.frequency_scale())
      basis = Eigen::ComplexEigenSolver<Matrix>(distances).eigenvectors();
    const Matrix dual = (basis.partialPivLu().inverse() * from_slopes).adjoint();
    if (!basis.allFinite() || !dual.allFinite()) return;
    right = (right * basis).colwise().normalized();
    left = (left * dual).colwise().normalized();
  }

  // Beside a real shift what cannot be told from a real value is one.
  Pair pair_of(const Eigen::VectorXcd& right, const Eigen::VectorXcd& left) const {
    RayleighValue value = rayleigh_value(problem_.sandwich(sigma_, right, left), sigma_);
    value = rayleigh_value(problem_.sandwich(value.s, right, left), value.s);
    if (sigma_.imag() == 0 && std::abs(value.s.imag()) <= value.rounding) value.s = value.s.real();
    return {value.s, problem_.residual(value.s, right), right, left};
  }

  static double worst_of(const std::vector<Pair>& pairs) {
    return std::max_element(pairs.begin(), pairs.end(),
                            [](const Pair& a, const Pair& b) { return a.residual < b.residual; })
        ->residual;
  }

  static std::vector<Complex> values_of(const std::vector<Pair>& pairs) {
    std::vector<Complex> values;
    for (const Pair& pair : pairs) values.push_back(pair.s);
    return values;
  }

  static Complex mean_of(const std::vector<Complex>& values) {
    return std::accumulate(values.begin(), values.end(), Complex()) / static_cast<double>(values.size());
  }

  const PenaltyProblem& problem_;
  ComplexLu lu_;
  ComplexSparseMatrix T_;
  Complex sigma_;  ///< of T
};

std::vector<Complex> values_of(const Group& group, const std::vector<Start>& starts) {
  std::vector<Complex> values;
  for (const std::size_t i : group.members) {
    const Complex s = starts[i].mode->s;
    values.push_back(s);
    if (group.straddles && s.imag() != 0) values.push_back(std::conj(s));
  }
  return values;
}

std::vector<Pair> follow_group(Follower& follower, const PenaltyProblem& problem, const std::vector<Start>& starts,
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
  return follower.follow(from, right, left);
}

// How far the nearest of those that it may have become is.
double moved(const Mode& from, const std::vector<Pair>& pairs) {
  double least = std::numeric_limits<double>::infinity();
  for (const Pair& pair : pairs) {
    if (pair.residual <= sound) least = std::min(least, std::abs(pair.s - from.s));
  }
  return std::isfinite(least) ? least : 0;
}

struct FollowedGroup {
  Group group;
  std::vector<Pair> pairs;
};

// Until no two groups turn out to be neighbours by what the penalty changes. Groups only grow, so that ends.
std::vector<FollowedGroup> follow_groups(const PenaltyProblem& problem, std::vector<Start>& starts) {
  Follower follower(problem);
  std::vector<FollowedGroup> known;
  while (true) {
    std::vector<FollowedGroup> next;
    bool is_new = false;
    for (Group& group : groups_of(starts)) {
      const auto same_group = std::find_if(known.begin(), known.end(), [&](const FollowedGroup& other) {
        return other.group.members == group.members && other.group.straddles == group.straddles;
      });
      if (same_group != known.end()) {
        next.push_back(std::move(*same_group));
        continue;
      }
      is_new = true;
      std::vector<Pair> pairs = follow_group(follower, problem, starts, group);
      for (const std::size_t i : group.members) {
        const Mode& mode = *starts[i].mode;
        starts[i].width = std::max(starts[i].width, std::min(moved(mode, pairs), most_width * std::abs(mode.s)));
      }
      next.push_back({std::move(group), std::move(pairs)});
    }
    known = std::move(next);
    if (!is_new) return known;
  }
}

std::string words_for(Complex s) {
  return fmt::format("{:.6g} {} {:.6g}i", s.real(), s.imag() < 0 ? "-" : "+", std::abs(s.imag()));
}

// Part of each vector that those before it with the same value do not have.
double part_of_its_own(const Pair& pair, const std::vector<const Pair*>& before, Index coordinates) {
  Matrix basis(coordinates, static_cast<Eigen::Index>(before.size()) + 1);
  Eigen::Index count = 0;
  const auto add = [&](const Eigen::VectorXcd& z) {
    Eigen::VectorXcd x = z.head(coordinates).normalized();
    for (int twice = 0; twice < 2; ++twice) x -= basis.leftCols(count) * (basis.leftCols(count).adjoint() * x);
    const double left = x.norm();
    if (left > 0) basis.col(count++) = x / left;
    return left;
  };
  for (const Pair* const other : before) {
    if (std::abs(other->s - pair.s) <= same * std::abs(pair.s)) add(other->right);
  }
  return add(pair.right);
}

std::vector<Complex> conjugates(std::vector<Complex> values) {
  for (Complex& value : values) value = std::conj(value);
  return values;
}

Mode mode_of(const Pair& pair, const PenaltyProblem& problem) {
  Mode mode;
  mode.s = pair.s;
  mode.shape = problem.unscaled(pair.right).coordinates;
  mode.left = problem.unscaled(pair.left).coordinates;
  mode.backward_error = pair.residual;
  mode.condition = problem.condition(pair.s, pair.right, pair.left);
  return mode;
}

Mode conjugate(Mode mode) {
  mode.s = std::conj(mode.s);
  mode.shape = mode.shape.conjugate().eval();
  mode.left = mode.left.conjugate().eval();
  return mode;
}

// Nothing if it is a mode of its own.
std::string what_is_wrong(const Pair& pair, const std::vector<const Pair*>& before, const PenaltyProblem& problem) {
  if (!std::isfinite(pair.residual)) return "its matrix is singular there";
  if (pair.residual > sound) return fmt::format("a residual of {:.1e} remains", pair.residual);
  if (problem.violation(pair.right) > clear_failure) return "it became a motion that violates the constraints";
  const bool is_own = part_of_its_own(pair, before, problem.coordinates()) > parallel;
  return is_own ? "" : "it became one that another led to";
}

}  // namespace

Followers follow(const PenaltyProblem& problem, const std::vector<Mode>& known) {
  std::vector<Start> starts;
  for (const Mode& mode : known) {
    if (mode.s != 0.0 && mode.s.imag() >= 0) starts.push_back({&mode, mode.error});
  }
  const std::vector<FollowedGroup> groups = follow_groups(problem, starts);
  Followers result;
  std::vector<const Pair*> before;
  for (const auto& [group, pairs] : groups) {
    const std::vector<Complex> from = values_of(group, starts);
    const bool has_mirror = !group.straddles && from.front().imag() != 0;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const Pair& pair = pairs[k];
      const std::string why = what_is_wrong(pair, before, problem);
      if (!why.empty()) {
        result.doubts.push_back(fmt::format("the mode near {} 1/s could not be followed into the penalty system: {}",
                                            words_for(from[k]), why));
        continue;
      }
      before.push_back(&pair);
      result.found.push_back({mode_of(pair, problem), from});
      if (has_mirror) result.found.push_back({conjugate(result.found.back().mode), conjugates(from)});
    }
  }
  return result;
}

}  // namespace stillpoint
