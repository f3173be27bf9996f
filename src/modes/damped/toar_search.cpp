#include "modes/damped/toar_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "algebra/sparse/random_start.h"
#include "algebra/sparse/symmetry.h"
#include "base/at.h"
#include "base/stopwatch.h"
#include "modes/count/disc_count.h"
#include "modes/damped/toar_view.h"
#include "modes/problem/real_pairs.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

constexpr const char* cannot_count =
    "the eigenvalues cannot be counted: rounding of the matrices is as large as their differences";
constexpr int most_views_for_rounding = 4;
constexpr int check_every = 5, most_restarts = 100, most_shifts = 6, most_without_gain = 4,
              patient = 12;  // restarts without a newly converged eigenvalue
constexpr int most_wider = 3;

constexpr Index first_in_distance = 20;
// More missing copies than this are not searched for: few converge at a time, and the work grows with the cube of their
// number.
constexpr Index most_missing = 200;

Index capacity_for(Index wanted) { return std::max<Index>(4 * wanted + 20, 40); }

// Modes are orthogonal in the inner product of the mass. If the regularised mass is not definite, the identity takes
// its place.
SparseMatrix with_mass(const SparseMatrix& M) {
  const SparseMatrix N = with_regularized_mass(symmetric_part(M));
  SymmetricFactor factor(N);
  factor.factor(N);
  if (factor.signs().positive == static_cast<Index>(N.rows())) return N;
  SparseMatrix identity(M.rows(), M.cols());
  identity.setIdentity();
  return identity;
}

template <class Scalar>
Scalar as_scalar(Complex s) {
  if constexpr (std::is_same_v<Scalar, double>) return s.real();
  else return s;
}

template <class Scalar>
class Search {
 public:
  using Vector = Eigen::VectorX<Scalar>;
  using Basis = SecondOrderKrylov<Scalar>;

  Search(const BorderedProblem& problem, const QuadraticPencil& pencil, const QuadraticRequest& request)
      : problem_(problem),
        pencil_(pencil),
        request_(request),
        shifted_(pencil),
        inner_product_(with_mass(problem.M().copy())) {}

  QuadraticPairs nearest();

 private:
  QuadraticPairs none() const {
    QuadraticPairs found;
    found.x.resize(pencil_.size(), 0);
    return found;
  }
  QuadraticPairs search_around();
  void search_again(QuadraticPairs& found);
  void search_wider(QuadraticPairs& found);
  void search_for_hidden(QuadraticPairs& found, Index asked);
  Vector random_vector();
  SecondOrderStart<Scalar> random_start();
  Vector product(const Vector& v, const Vector& w);
  Vector solved(const Vector& v, const Vector& w);
  double violation(const Vector& x) const;
  bool shift_beside(double offset);
  ToarView view_of(const Basis& basis) const { return {basis, shifted_.at(), request_.centre}; }
  template <class Enough>
  ToarView search(Basis& basis, Index wanted, int patience, const Enough& is_enough);
  ToarView search_from_best_shift(std::optional<Basis>& basis, Index count);
  ToarView search_far_enough(std::optional<Basis>& basis, QuadraticPairs& found, std::optional<Gap>& gap);
  void complete(Basis& basis, const Gap& gap, ToarView& view, QuadraticPairs& found);
  ToarView search_for_missing(Basis& basis, const ToarView& view, double radius, Index missing);
  Eigen::VectorXcd with_multipliers(const ToarView& view, Index k, const Eigen::VectorXcd& x);
  void take(const Basis& basis, const ToarView& view, QuadraticPairs& found);

  const BorderedProblem& problem_;
  const QuadraticPencil& pencil_;
  QuadraticRequest request_;
  ShiftedQuadratic<Scalar> shifted_;
  SparseMatrix inner_product_;
  unsigned seed_ = 0;
};

// Returns −B(σ)⁻¹ [(2σM + C) v + M w; 0].
template <class Scalar>
auto Search<Scalar>::solved(const Vector& v, const Vector& w) -> Vector {
  Vector b = Vector::Zero(pencil_.size());
  b.head(v.size()) = -(problem_.M() * Vector(2.0 * shifted_.at() * v + w) + problem_.C() * v);
  return shifted_.solve(b);
}

template <class Scalar>
auto Search<Scalar>::product(const Vector& v, const Vector& w) -> Vector {
  return solved(v, w).head(v.size());
}

// Returns ‖J x‖ relative to the magnitudes of the terms.
template <class Scalar>
double Search<Scalar>::violation(const Vector& x) const {
  const double whole = problem_.J().magnitudes_times(x.cwiseAbs()).norm();
  return whole > 0 ? (problem_.J() * x).norm() / whole : 0;
}

template <class Scalar>
auto Search<Scalar>::random_vector() -> Vector {
  const auto n = static_cast<Index>(problem_.M().rows());
  Vector x = stillpoint::random_start(n, ++seed_).template cast<Scalar>();
  if constexpr (!std::is_same_v<Scalar, double>) x += Complex(0, 1) * stillpoint::random_start(n, ++seed_);
  return x;
}

// A few products remove what the constraints forbid and what has no inertia; two products amplify the rest by θ².
template <class Scalar>
SecondOrderStart<Scalar> Search<Scalar>::random_start() {
  SecondOrderStart<Scalar> start;
  start.v = random_vector();
  start.w = random_vector();
  for (int k = 0; k < 2; ++k) {
    for (int l = 0; l < 2; ++l) start.w = std::exchange(start.v, product(start.v, start.w));
    const double length = std::hypot(start.v.norm(), start.w.norm());
    if (length == 0) break;
    start.rho = std::sqrt(length);
    start.v /= length;
    start.w /= length;
  }
  return start;
}

// Shifts by the offset from the centre, or farther if an eigenvalue is still too near.
template <class Scalar>
bool Search<Scalar>::shift_beside(double offset) {
  for (int tries = 0; tries < 6; ++tries, offset *= 5) {
    if (shifted_.shift(as_scalar<Scalar>(request_.centre) + offset)) return true;
  }
  return false;
}

template <class Scalar>
template <class Enough>
ToarView Search<Scalar>::search(Basis& basis, Index wanted, int patience, const Enough& is_enough) {
  Index most_converged = 0;
  for (int restart = 0, without_gain = 0;; ++restart) {
    while (!basis.is_full() && !basis.is_complete()) {
      basis.grow();
      if (basis.size() % check_every != 0) continue;
      ToarView view = view_of(basis);
      request_.supervision.say(fmt::format("{} eigenvalues near the shift, {} modes wanted", view.converged(), wanted));
      if (is_enough(view) || request_.supervision.is_time_over()) return view;
    }
    ToarView view = view_of(basis);
    without_gain = view.converged() > most_converged ? 0 : without_gain + 1;
    most_converged = std::max(most_converged, view.converged());
    if (is_enough(view) || basis.is_complete() || restart == most_restarts || without_gain > patience ||
        request_.supervision.is_time_over())
      return view;
    const Index least = std::max(2 * wanted, view.converged());
    basis.restart(std::min(basis.size() - 2, least + (basis.size() - least) / 3));
  }
}

// Returns [x; λ] with B(σ) [x; λ] + [(2σM + C) δ x + δ² M x; 0] = 0, δ = s − σ. This x has smaller errors, too.
template <class Scalar>
Eigen::VectorXcd Search<Scalar>::with_multipliers(const ToarView& view, Index k, const Eigen::VectorXcd& x) {
  const Complex delta = 1.0 / view.theta(k);
  const Eigen::VectorXcd v = delta * x, w = delta * v;
  Eigen::VectorXcd both(pencil_.size());
  if constexpr (std::is_same_v<Scalar, double>) {
    both.real() = solved(v.real(), w.real());
    if (view.s(k).imag() == 0) both.imag().setZero();
    else both.imag() = solved(v.imag(), w.imag());
  } else {
    both = solved(v, w);
  }
  return both / both.head(x.size()).norm();
}

template <class Scalar>
void Search<Scalar>::take(const Basis& basis, const ToarView& view, QuadraticPairs& found) {
  const bool has_conjugates = request_.centre.imag() == 0;
  const double off_axis = has_conjugates ? 0 : largest_rounding(std::abs(request_.centre) + found.radius);
  std::vector<Index> inside;
  for (Index k = 0; k < view.converged(); ++k) {
    if (view.s(k).imag() >= -off_axis && view.distance_to_centre(k) < found.radius) inside.push_back(k);
  }
  std::stable_sort(inside.begin(), inside.end(),
                   [&](Index a, Index b) { return view.distance_to_centre(a) < view.distance_to_centre(b); });
  found.s.resize(static_cast<Eigen::Index>(inside.size()));
  found.x.resize(pencil_.size(), found.s.size());
  Eigen::Index taken = 0;
  for (const Index k : inside) {
    found.s[taken] = view.s(k);
    Eigen::VectorXcd x = basis.vector(view.ritz(), k);
    if (found.s[taken].imag() == 0) x = real_part(x).cast<Complex>();
    found.x.col(taken) = with_multipliers(view, k, x);
    if (found.x.col(taken).allFinite()) ++taken;  // a start vector without inertia leads to no finite vector
  }
  found.s.conservativeResize(taken);
  found.x.conservativeResize(Eigen::NoChange, taken);
}

std::vector<Complex> known_to(const ToarView& view) {
  std::vector<Complex> known;
  for (Index k = 0; k < view.converged(); ++k) known.push_back(view.s(k));
  return known;
}

// Counts the values with Im s ≥ 0; both members of a pair beside the real axis may be in the list.
Index upper(const QuadraticPairs& pairs) {
  return static_cast<Index>(std::count_if(pairs.s.begin(), pairs.s.end(), [](Complex s) { return s.imag() >= 0; }));
}

/// Counts the values with their conjugates. A double zero may appear as a pair from one shift and as two real values
/// from another.
Index total(const QuadraticPairs& pairs) {
  const auto real = std::count_if(pairs.s.begin(), pairs.s.end(), [](Complex s) { return s.imag() == 0; });
  return 2 * pairs.size() - static_cast<Index>(real);
}

Index known_within(const ToarView& view, double radius) {
  Index count = 0;
  for (Index k = 0; k < view.converged(); ++k) count += view.distance_to_centre(k) < radius;
  return count;
}

// Restarts from another shift as long as a better one is known.
template <class Scalar>
ToarView Search<Scalar>::search_from_best_shift(std::optional<Basis>& basis, Index count) {
  bool may_shift = !request_.stays;
  const int most_full_views = request_.stays ? 0 : 3;
  for (int attempt = 0;; ++attempt) {
    basis.emplace(SecondOrderOperator<Scalar>{[this](const Vector& v, const Vector& w) { return product(v, w); },
                                              [this](const Vector& x) { return shifted_.project(x); },
                                              [this](const Vector& x) { return violation(x); }},
                  inner_product_, random_start(), capacity_for(count), 2 * pencil_.dof());
    std::optional<double> next_shift;
    const Scalar before = shifted_.at();
    int full_views = 0, views_with_gap = 0;
    ToarView view = search(*basis, count, patient, [&](const ToarView& now) {
      full_views += basis->is_full();
      if (may_shift && attempt < most_shifts) next_shift = now.better_shift(count, full_views > 3);
      if (next_shift || (full_views > most_full_views && now.should_come_nearer(request_.aim))) return true;
      const std::optional<Gap> gap = now.gap_beyond(count, 0);
      return gap && (now.is_at_rounding(gap->middle()) || ++views_with_gap > most_views_for_rounding);
    });
    if (!next_shift) return view;
    may_shift = shift_beside(*next_shift);
    if (!may_shift && !shifted_.shift(before)) throw Undecided("a shift that was regular is singular now");
  }
}

// Continues with another start vector and all known vectors locked, until the missing eigenvalues have been found and
// everything in the region has converged.
template <class Scalar>
ToarView Search<Scalar>::search_for_missing(Basis& basis, const ToarView& view, double radius, Index missing) {
  const Index known = view.apart_from_others();
  basis.restart(known, random_start(), capacity_for(missing));
  return search(basis, (known + missing) / 2 + 1, most_restarts, [&](const ToarView& now) {
    return now.converged() >= known + std::max<Index>(missing, 1) && now.clear_radius() > ToarView::beyond(radius);
  });
}

// Repeats the count and the search until no eigenvalue is missing.
template <class Scalar>
void Search<Scalar>::complete(Basis& basis, const Gap& gap, ToarView& view, QuadraticPairs& found) {
  Stopwatch watch;
  DiscCount count(problem_, pencil_, request_.centre, gap, {}, request_.supervision);
  for (int without_gain = 0; without_gain < most_without_gain;) {
    request_.supervision.say("counting");
    const std::optional<Index> unknown = count.unknown(known_to(view));
    found.missing = unknown.value_or(0);
    found.uncertainty = unknown ? "" : cannot_count;
    found.counting_seconds += watch.lap();
    if (request_.supervision.is_time_over() && (!unknown || *unknown > 0)) {
      found.uncertainty = time_over_in_count;
      break;
    }
    if (unknown && *unknown <= 0) {
      found.inside = known_within(view, found.radius);
      break;
    }
    if (found.missing > most_missing) break;
    const Index before = view.converged();
    view = search_for_missing(basis, view, found.radius, found.missing);
    watch.lap();
    if (view.converged() <= before) ++without_gain;
  }
}

// Searches for the requested number of eigenvalues, or for twice as many until all within the distance are among them.
template <class Scalar>
ToarView Search<Scalar>::search_far_enough(std::optional<Basis>& basis, QuadraticPairs& found,
                                           std::optional<Gap>& gap) {
  if (request_.distance == 0) {
    ToarView view = search_from_best_shift(basis, request_.count);
    gap = view.gap_beyond(request_.count, 0);
    if (!gap) {
      found.uncertainty =
          fmt::format("{}not all of the {} modes converged: these are the converged ones",
                      request_.supervision.is_time_over() ? "when the time limit was reached, " : "", request_.count);
      found.is_converged = false;
      found.unconverged = view.unconverged(request_.aim);
    }
    return view;
  }
  for (Index wanted = std::min(first_in_distance, request_.most);; wanted = std::min(2 * wanted, request_.most)) {
    ToarView view = search_from_best_shift(basis, wanted);
    gap = view.gap_beyond(0, request_.distance);
    if (gap) return view;
    gap = view.gap_beyond(wanted, 0);
    if (gap && wanted < request_.most && !request_.supervision.is_time_over()) continue;
    found.is_converged = gap.has_value();
    found.uncertainty =
        gap ? fmt::format("more than {} modes lie in the requested region: these are some of them", wanted)
            : "not all modes in the requested region converged: these are the converged ones";
    return view;
  }
}

template <class Scalar>
QuadraticPairs Search<Scalar>::nearest() {
  if (pencil_.dof() == 0) return none();
  const double offset =
      request_.centre == 0.0 ? shift_rate_beside_zero : shift_beside_centre * std::abs(request_.centre);
  const bool is_regular = shifted_.shift(as_scalar<Scalar>(request_.centre));
  if (!is_regular && request_.stays) {
    QuadraticPairs found = none();
    found.is_converged = false;
    return found;
  }
  if (!is_regular && !shift_beside(offset) && !shift_beside(shift_rate_beside_zero)) {
    throw Error(request_.centre == 0.0
                    ? "the matrices are singular at every shift: a motion has neither mass nor damping nor stiffness"
                    : fmt::format("the matrices are singular at and near {:.3g} rad/s: it is too far from all "
                                  "eigenvalues, or a motion has neither mass nor damping nor stiffness",
                                  problem_.frequency_scale() * std::abs(request_.centre)));
  }
  QuadraticPairs found = search_around();
  if (request_.distance > 0 || request_.stays) return found;
  const Index asked = request_.count;
  search_wider(found);
  search_for_hidden(found, asked);
  return found;
}

// Rounding decides the places of the zeros of a free body; in a region that contains all of them that does not matter.
template <class Scalar>
void Search<Scalar>::search_wider(QuadraticPairs& found) {
  const Index all = 2 * pencil_.dof();
  for (int wider = 0; wider < most_wider && found.uncertainty == cannot_count && request_.count < all; ++wider) {
    request_.count = std::min(4 * request_.count, all);
    search_again(found);
  }
}

// An eigenvalue much nearer to the shift than all others hides them. They are found from a shift amid the region that
// it leaves empty, or where they were counted.
template <class Scalar>
void Search<Scalar>::search_for_hidden(QuadraticPairs& found, Index asked) {
  constexpr double amid = 0.3;
  constexpr int most_searches = 10;
  const auto are_hidden = [&] { return upper(found) < asked || found.missing > 0; };
  for (int search = 0; search < most_searches && found.uncertainty.empty() && are_hidden(); ++search) {
    if (!shift_beside(amid * found.radius)) return;
    const QuadraticPairs before = found;
    search_again(found);
    if (found.uncertainty.empty() && (total(found) > total(before) || found.missing < before.missing)) continue;
    found = before;  // no others exist
    return;
  }
}

template <class Scalar>
void Search<Scalar>::search_again(QuadraticPairs& found) {
  const double seconds = found.counting_seconds;
  found = search_around();
  found.counting_seconds += seconds;
}

template <class Scalar>
QuadraticPairs Search<Scalar>::search_around() {
  QuadraticPairs found = none();
  std::optional<Basis> basis;
  std::optional<Gap> gap;
  ToarView view = search_far_enough(basis, found, gap);
  found.radius = gap ? gap->middle() : std::max(0.0, view.clear_radius());
  if (found.uncertainty.empty() && request_.counts) complete(*basis, *gap, view, found);
  take(*basis, view, found);
  return found;
}

}  // namespace

SparseMatrix with_regularized_mass(const SparseMatrix& M) {
  constexpr double added_mass = 1e-8;  // scaled
  SparseMatrix identity(M.rows(), M.cols());
  identity.setIdentity();
  return M + added_mass * identity;
}

QuadraticPairs find_around(const BorderedProblem& problem, const QuadraticPencil& pencil,
                           const QuadraticRequest& request) {
  if (request.centre.imag() == 0) return Search<double>(problem, pencil, request).nearest();
  return Search<Complex>(problem, pencil, request).nearest();
}

}  // namespace stillpoint
