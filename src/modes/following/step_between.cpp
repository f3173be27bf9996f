#include "modes/following/step_between.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/at.h"
#include "modes/following/assignment.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Matrix = Eigen::MatrixXd;

constexpr double nearer = 3;          // times, than any other
constexpr double apart = 0.5;         // of the smaller distance at the ends, at least, all the way
constexpr double uncertain = 0.5;     // of the most that two interpolations of a square can differ by, 1
constexpr double alike = 0.6;         // the product of both correlations of a pair; it is 1 for the same mode
constexpr int samples = 31;           // of a cubic
constexpr double nearly_real = 1e-6;  // imaginary part of a square, relative

double largest(const FollowedSpectrum& at) { return at.s.cwiseAbs().maxCoeff(); }

// Both tangents to the middle of the step.
Matrix distances_half_way(const FollowedSpectrum& a, const FollowedSpectrum& b) {
  constexpr double vertical = 1e150;  // beside a defective value a tangent is
  const double half = 0.5 * (b.parameter - a.parameter);
  const Eigen::VectorXcd left = a.s + half * a.rates, right = b.s - half * b.rates;
  Matrix result(left.size(), right.size());
  for (Eigen::Index i = 0; i < left.size(); ++i) {
    for (Eigen::Index j = 0; j < right.size(); ++j) {
      const double distance = std::abs(left[i] - right[j]);
      result(i, j) = distance < vertical ? distance : vertical;
    }
  }
  return result;
}

// |y_iᴴ N x'_j| |y'_jᴴ N x_i|, N = (s_i + s'_j) M + C: 1 for the same mode, 0 for others of the same matrices.
Matrix correlations(const FollowedSpectrum& a, const FollowedSpectrum& b) {
  const SparseMatrix M = 0.5 * (a.M + b.M), C = 0.5 * (a.C + b.C);
  const auto with_slope = [&](const Eigen::MatrixXcd& y, const Eigen::MatrixXcd& x, const Eigen::VectorXcd& of_y,
                              const Eigen::VectorXcd& of_x) {
    const Eigen::MatrixXcd mass = y.adjoint() * (M * x), damping = y.adjoint() * (C * x);
    Matrix result(mass.rows(), mass.cols());
    for (Eigen::Index i = 0; i < mass.rows(); ++i) {
      for (Eigen::Index j = 0; j < mass.cols(); ++j) {
        const double size = std::abs((of_y[i] + of_x[j]) * mass(i, j) + damping(i, j));
        result(i, j) = std::isfinite(size) ? size : 0;
      }
    }
    return result;
  };
  return with_slope(a.y, b.x, a.s, b.s).cwiseProduct(with_slope(b.y, a.x, b.s, a.s).transpose());
}

// Of the first rows.
double least_along(const Matrix& A, const std::vector<Eigen::Index>& to, Eigen::Index rows) {
  double least = std::numeric_limits<double>::infinity();
  for (Eigen::Index i = 0; i < rows; ++i) least = std::min(least, to[at(i)] == nowhere ? 0 : A(i, to[at(i)]));
  return least;
}

// Those that were assigned in the order of their rows, and behind them the others.
std::vector<Eigen::Index> in_order(const std::vector<Eigen::Index>& assigned, Eigen::Index columns) {
  std::vector<Eigen::Index> order;
  std::vector<char> is_taken(at(columns), 0);
  for (const Eigen::Index j : assigned) {
    if (j == nowhere) continue;
    order.push_back(j);
    is_taken[at(j)] = 1;
  }
  for (Eigen::Index j = 0; j < columns; ++j) {
    if (!is_taken[at(j)]) order.push_back(j);
  }
  return order;
}

/// The examination of a step with some assignment.
class Examination {
 public:
  Examination(const FollowedSpectrum& a, const FollowedSpectrum& b, Eigen::Index followed)
      : a_(a),
        b_(b),
        followed_(followed),
        h_(b.parameter - a.parameter),
        equal_(equal_values * std::max(largest(a), largest(b))),
        distances_(distances_half_way(a, b)),
        correlations_(correlations(a, b)) {}

  StepBetween result();

 private:
  bool goes_on(Eigen::Index i) const { return to_[at(i)] != nowhere; }
  bool are_equal(Eigen::Index i, Eigen::Index k) const {
    return goes_on(k) && std::abs(a_.s[i] - a_.s[k]) <= equal_ &&
           std::abs(b_.s[to_[at(i)]] - b_.s[to_[at(k)]]) <= equal_;
  }
  Complex on_cubic(Eigen::Index i, double t) const {
    const Eigen::Index j = to_[at(i)];
    return cubic(a_.s[i], h_ * a_.rates[i], b_.s[j], h_ * b_.rates[j], t);
  }
  double end_distance(Eigen::Index i, Eigen::Index k) const {
    return std::min(std::abs(a_.s[i] - a_.s[k]), std::abs(b_.s[to_[at(i)]] - b_.s[to_[at(k)]]));
  }
  struct Approach {
    double part = std::numeric_limits<double>::infinity();
    double place = 0.5;
    Eigen::Index first = 0, second = 0;
  };
  struct Nearest {
    double distance = 0, place = 0;
  };
  Nearest least_distance(Eigen::Index i, Eigen::Index k, const Eigen::MatrixXcd& curves) const;
  Eigen::MatrixXcd sampled_cubics() const;
  Approach nearest_approach(const Eigen::MatrixXcd& curves) const;
  Approach most_uncertain(const Eigen::MatrixXcd& curves) const;
  template <class Visit>
  void visit_pairs(const Visit& visit) const;
  // At most that far a cubic goes from either end within half a step; doubled.
  double travelled(Eigen::Index i) const {
    const Eigen::Index j = to_[at(i)];
    const double reach = std::abs(b_.s[j] - a_.s[i]) + h_ * (std::abs(a_.rates[i]) + std::abs(b_.rates[j]));
    return std::isfinite(reach) ? 2 * reach : std::numeric_limits<double>::infinity();
  }
  std::optional<Coalescence> coalescence(Eigen::Index i, Eigen::Index k) const;
  std::optional<Coalescence> any_coalescence(Eigen::Index i) const;
  bool stays_clear(Eigen::Index i, Eigen::Index k, const std::array<Complex, 4>& mean,
                   const std::array<double, 4>& square) const;
  void take(const Coalescence& found, StepBetween& step);
  bool is_nearest(Eigen::Index i) const;
  bool is_alike(Eigen::Index i) const;

  const FollowedSpectrum &a_, &b_;
  Eigen::Index followed_;
  double h_, equal_;
  Matrix distances_, correlations_;
  std::vector<Eigen::Index> nearest_, to_;
  std::vector<char> meets_;
};

// The least distance of two cubics inside the step, and its place: from the lowest sample, or from an end where they
// approach each other inwards, refined.
Examination::Nearest Examination::least_distance(Eigen::Index i, Eigen::Index k, const Eigen::MatrixXcd& curves) const {
  constexpr double spacing = 1.0 / (samples + 1);
  constexpr int halvings = 40;
  const auto distance = [&](double t) { return std::abs(on_cubic(i, t) - on_cubic(k, t)); };
  Eigen::Index lowest = 0;
  Nearest nearest{(curves.col(i) - curves.col(k)).cwiseAbs().minCoeff(&lowest), 0};
  nearest.place = static_cast<double>(lowest) * spacing;
  const auto refine = [&](double left, double right) {
    for (int step = 0; step < halvings; ++step) {
      const double t = 0.5 * (left + right), beside = 1e-3 * (right - left);
      (distance(t + beside) < distance(t - beside) ? left : right) = t;
    }
    const double t = 0.5 * (left + right), there = distance(t);
    if (there < nearest.distance) nearest = {there, t};
  };
  const double middle = nearest.place;
  refine(std::max(0.0, middle - spacing), std::min(1.0, middle + spacing));
  if (lowest > 1) refine(0, spacing);
  if (lowest < samples) refine(1 - spacing, 1);
  return nearest;
}

// Calls visit(i, k, least distance at the ends) for all pairs that may have met in between. Two that are far apart
// beside the way they go need no closer look.
template <class Visit>
void Examination::visit_pairs(const Visit& visit) const {
  for (Eigen::Index i = 0; i < followed_; ++i) {
    for (Eigen::Index k = i + 1; k < a_.s.size(); ++k) {
      if (!goes_on(k) || meets_[at(i)] || meets_[at(k)] || are_equal(i, k)) continue;
      const double ends = end_distance(i, k);
      if (!(ends > travelled(i) + travelled(k))) visit(i, k, ends);
    }
  }
}

// The cubics of all that go on, in columns, from one end of the step to the other.
Eigen::MatrixXcd Examination::sampled_cubics() const {
  Eigen::MatrixXcd curves(samples + 2, a_.s.size());
  for (Eigen::Index i = 0; i < a_.s.size(); ++i) {
    if (!goes_on(i)) continue;
    for (Eigen::Index k = 0; k < samples + 2; ++k) curves(k, i) = on_cubic(i, static_cast<double>(k) / (samples + 1));
  }
  return curves;
}

Examination::Approach Examination::nearest_approach(const Eigen::MatrixXcd& curves) const {
  Approach result;
  visit_pairs([&](Eigen::Index i, Eigen::Index k, double ends) {
    const Nearest nearest = least_distance(i, k, curves);
    const double part = std::isfinite(nearest.distance) && ends > 0 ? nearest.distance / ends : 0;
    if (part < result.part) result = {part, nearest.place, i, k};
  });
  return result;
}

// Two values that pass a place next to which they would meet turn about each other there, and their cubics do not show
// which way. The square of half their difference is analytic there, and smooth: its cubic is another interpolation of
// the same data. As long as the square of the one and the other differ by less than the sum of their magnitudes, both
// go round zero alike, and so do the values (Rouché's theorem).
Examination::Approach Examination::most_uncertain(const Eigen::MatrixXcd& curves) const {
  Approach result{.part = 0};
  visit_pairs([&](Eigen::Index i, Eigen::Index k, double) {
    const Eigen::Index j = to_[at(i)], l = to_[at(k)];
    const Complex left = 0.5 * (a_.s[i] - a_.s[k]), right = 0.5 * (b_.s[j] - b_.s[l]);
    const Complex left_rate = left * h_ * (a_.rates[i] - a_.rates[k]),
                  right_rate = right * h_ * (b_.rates[j] - b_.rates[l]);
    for (int sample = 1; sample <= samples; ++sample) {
      const double t = static_cast<double>(sample) / (samples + 1);
      const Complex half = 0.5 * (curves(sample, i) - curves(sample, k)), by_values = half * half,
                    by_squares = cubic(left * left, left_rate, right * right, right_rate, t);
      const double part = std::abs(by_values - by_squares) / (std::abs(by_values) + std::abs(by_squares));
      if (part > result.part) result = {part, t, i, k};
    }
  });
  return result;
}

// The cubics through the mean and through the square must stay clear of all other values.
bool Examination::stays_clear(Eigen::Index i, Eigen::Index k, const std::array<Complex, 4>& mean,
                              const std::array<double, 4>& square) const {
  constexpr double clear = 0.25;
  const auto room = [&](Eigen::Index other, double t) {
    return std::abs(cubic(mean[0], mean[1], mean[2], mean[3], t) - on_cubic(other, t)) -
           std::sqrt(std::abs(cubic(square[0], square[1], square[2], square[3], t)));
  };
  for (Eigen::Index other = 0; other < a_.s.size(); ++other) {
    if (other == i || other == k || !goes_on(other) || meets_[at(other)]) continue;
    const double ends = std::min(room(other, 0), room(other, 1));
    for (int s = 1; s <= samples; ++s) {
      if (!(room(other, static_cast<double>(s) / (samples + 1)) > clear * ends) || ends <= 0) return false;
    }
  }
  return true;
}

std::optional<Coalescence> Examination::coalescence(Eigen::Index i, Eigen::Index k) const {
  const Eigen::Index j = to_[at(i)], l = to_[at(k)];
  const auto square_of = [](Complex u, Complex v) { return 0.25 * (u - v) * (u - v); };
  const auto rate_of = [](Complex u, Complex v, Complex u_rate, Complex v_rate) {
    return 0.5 * (u - v) * (u_rate - v_rate);
  };
  const Complex left = square_of(a_.s[i], a_.s[k]), right = square_of(b_.s[j], b_.s[l]);
  const Complex left_rate = h_ * rate_of(a_.s[i], a_.s[k], a_.rates[i], a_.rates[k]),
                right_rate = h_ * rate_of(b_.s[j], b_.s[l], b_.rates[j], b_.rates[l]);
  const auto is_real = [](Complex square) { return std::abs(square.imag()) <= nearly_real * std::abs(square); };
  if (!is_real(left) || !is_real(right) || !(left.real() * right.real() < 0)) return {};
  const std::array<double, 4> square{left.real(), left_rate.real(), right.real(), right_rate.real()};
  const std::array<Complex, 4> mean{0.5 * (a_.s[i] + a_.s[k]), 0.5 * h_ * (a_.rates[i] + a_.rates[k]),
                                    0.5 * (b_.s[j] + b_.s[l]), 0.5 * h_ * (b_.rates[j] + b_.rates[l])};
  const double of_squares = std::abs(square[0] + 0.5 * square[1] - square[2] + 0.5 * square[3]);
  if (!(nearer * of_squares < std::abs(square[0]) + std::abs(square[2]))) return {};
  if (!stays_clear(i, k, mean, square)) return {};
  const double t = root_of_cubic(square[0], square[1], square[2], square[3]);
  return Coalescence{i, k, a_.parameter + t * h_, cubic(mean[0], mean[1], mean[2], mean[3], t)};
}

std::optional<Coalescence> Examination::any_coalescence(Eigen::Index i) const {
  for (Eigen::Index k = 0; k < a_.s.size(); ++k) {
    if (k == i || !goes_on(k) || meets_[at(k)] || are_equal(i, k)) continue;
    if (const auto found = coalescence(std::min(i, k), std::max(i, k))) return found;
  }
  return {};
}

// Both leave the place at right angles, and which of them goes where is a matter of convention: the one that came from
// nearer to zero goes to the left. Where that is no difference, it is the upper one, or goes up.
void Examination::take(const Coalescence& found, StepBetween& step) {
  const auto is_first = [this](double a, double b, Complex s, Complex other) {
    return std::abs(a - b) > equal_ ? a < b : s.imag() >= other.imag();
  };
  const Complex s = a_.s[found.first], other = a_.s[found.second];
  Eigen::Index &to = to_[at(found.first)], &to_other = to_[at(found.second)];
  const Complex end = b_.s[to], other_end = b_.s[to_other];
  if (is_first(std::abs(s), std::abs(other), s, other) != is_first(end.real(), other_end.real(), end, other_end))
    std::swap(to, to_other);
  meets_[at(found.first)] = meets_[at(found.second)] = 1;
  step.to = in_order(to_, b_.s.size());
  step.coalescences.push_back(found);
}

// Nearer than any other, seen from both ends.
bool Examination::is_nearest(Eigen::Index i) const {
  const Eigen::Index j = to_[at(i)];
  std::vector<char> is_other(at(b_.s.size()), 1);
  is_other[at(j)] = 0;
  for (Eigen::Index k = 0; k < a_.s.size(); ++k) {
    const bool is_apart = k != i && !meets_[at(k)] && !are_equal(i, k);
    if (is_apart && nearer * distances_(i, j) > distances_(k, j)) return false;
    if (!is_apart && goes_on(k)) is_other[at(to_[at(k)])] = 0;
  }
  for (Eigen::Index l = 0; l < b_.s.size(); ++l) {
    if (is_other[at(l)] && nearer * distances_(i, j) > distances_(i, l)) return false;
  }
  return true;
}

// Equal values share their vectors.
bool Examination::is_alike(Eigen::Index i) const {
  double sum = correlations_(i, to_[at(i)]);
  for (Eigen::Index k = 0; k < a_.s.size(); ++k) {
    if (k != i && are_equal(i, k)) sum += correlations_(i, to_[at(k)]);
  }
  return sum > alike;
}

StepBetween Examination::result() {
  constexpr double decided = 0.5;
  nearest_ = assign(distances_);
  const std::vector<Eigen::Index> shapes = assign(-correlations_);
  to_ = least_along(correlations_, shapes, followed_) > decided ? shapes : nearest_;
  meets_.assign(to_.size(), 0);
  StepBetween step{.to = in_order(to_, b_.s.size())};
  step.is_complete = std::find(to_.begin(), to_.begin() + followed_, nowhere) == to_.begin() + followed_;
  if (!step.is_complete) return step;
  const Eigen::MatrixXcd curves = sampled_cubics();  // of those that do not meet they stay as they are
  for (;;) {
    Approach approach = nearest_approach(curves);
    const bool is_near = !(approach.part > apart);
    if (!is_near) approach = most_uncertain(curves);
    step.first = approach.first;
    step.second = is_near ? approach.second : approach.first;
    step.place = approach.place;
    if (!is_near && !(approach.part > uncertain)) break;
    const auto found = coalescence(approach.first, approach.second);
    if (!found) return step;
    take(*found, step);
  }
  step.is_certain = true;
  for (Eigen::Index i = 0; i < followed_; ++i) {
    if (meets_[at(i)]) continue;
    const Eigen::Index by_value = nearest_[at(i)];
    const bool agrees =
        by_value == to_[at(i)] || (by_value != nowhere && std::abs(b_.s[by_value] - b_.s[to_[at(i)]]) <= equal_);
    if (agrees && is_nearest(i) && is_alike(i)) continue;
    if (const auto found = any_coalescence(i)) {  // cubics may pass each other where the values leave at right angles
      take(*found, step);
      continue;
    }
    step.is_certain = false;
    step.place = 0.5;
    step.first = step.second = i;
    break;
  }
  return step;
}

}  // namespace

StepBetween step_between(const FollowedSpectrum& from, const FollowedSpectrum& to, Eigen::Index followed) {
  return Examination(from, to, followed).result();
}

std::vector<Eigen::Index> by_shapes(const FollowedSpectrum& from, const FollowedSpectrum& to) {
  return in_order(assign(-correlations(from, to)), to.s.size());
}

PairThere pair_next_to(Complex s, const FollowedSpectrum& at) {
  Eigen::Index first = 0, second = -1;
  (at.s.array() - s).abs().minCoeff(&first);
  for (Eigen::Index i = 0; i < at.s.size(); ++i) {
    if (i != first && (second < 0 || std::abs(at.s[i] - s) < std::abs(at.s[second] - s))) second = i;
  }
  const Complex half = 0.5 * (at.s[first] - at.s[second]);
  return {0.5 * (at.s[first] + at.s[second]), (half * half).real(),
          (half * (at.rates[first] - at.rates[second])).real()};
}

double root_of_cubic(double left, double left_rate, double right, double right_rate) {
  double low = 0, high = 1;
  constexpr int halvings = 60;
  for (int k = 0; k < halvings; ++k) {
    const double middle = 0.5 * (low + high);
    (cubic(left, left_rate, right, right_rate, middle) * left > 0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace stillpoint
