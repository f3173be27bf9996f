#include "modes/quadratic_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "algebra/random_start.h"
#include "algebra/second_order_krylov.h"
#include "base/at.h"
#include "base/stopwatch.h"
#include "modes/disc_count.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

constexpr double settled = 1e-11;                       // of a residual, relative
constexpr double apart = 1e-6;                          // relative: two neighbours are not one
constexpr double roomy = 1e-2;                          // relative: there is room for the edge of a region between them
constexpr double little_mass = 1e-8;                    // scaled
constexpr double like_zero = 1e-7, beside_zero = 1e-2;  // of the typical frequency: K may be singular; a shift then
constexpr double like_rigid = 1e-5;                     // of the shift: what is nearer to zero is zero but for rounding
constexpr double nearest_shift = 1e-6;                  // of the typical frequency
// What is so much nearer to zero than the shift is most likely a rigid motion, and needs no better one; if the search
// has turned out to be hard, it is worth a try.
constexpr double beside_rigid = 1e-2, beside_rigid_if_hard = 3e-5;
constexpr double like_infinity = 1e-13;  // of the largest 1/(s − σ): what has no inertia but for rounding
constexpr const char* nothing_to_count =
    "the eigenvalues cannot be counted: rounding of the matrices is as large as what tells them apart";
constexpr Index most_beyond = 10;  // modes that are looked at besides for the sake of such room
constexpr int check_every = 5, most_restarts = 100, most_shifts = 6, most_in_vain = 4;

Index capacity_for(Index wanted) { return std::max<Index>(4 * wanted + 20, 40); }

// What is known of the eigenvalues around the shift.
struct View {
  QuadraticRitz ritz;
  Index converged = 0;
  bool is_complete = false;
  double sigma = 0;

  View(const SecondOrderKrylov& basis, double shift)
      : ritz(basis.ritz()), converged(ritz.converged(settled)), is_complete(basis.is_complete()), sigma(shift) {
    while (converged > 0 && std::abs(ritz.values[converged - 1]) < like_infinity * std::abs(ritz.values[0]))
      --converged;
  }

  Complex s(Index k) const { return sigma + 1.0 / ritz.values[k]; }
  /// What is no larger may be zero but for rounding, of which zero, often being double, has the root.
  double largest_zero() const { return sigma == 0 ? 0 : std::max(like_rigid * std::abs(sigma), nearest_shift); }
  /// Within that distance of zero everything has converged.
  double clear_radius() const {
    if (is_complete || converged == ritz.size()) {
      return is_complete ? std::numeric_limits<double>::infinity() : std::abs(1.0 / ritz.values[converged - 1]) - sigma;
    }
    return 1 / (std::abs(ritz.values[converged]) + ritz.residuals[converged]) - std::abs(sigma);
  }
  /// How many of those that have converged are known apart from all that have not.
  Index apart_from_others() const {
    Index count = converged;
    const auto size = [&](Index k) { return std::abs(ritz.values[k]); };
    while (count > 0 && count < ritz.size() && size(count - 1) - size(count) < apart * size(count - 1)) --count;
    return count;
  }
  /// Sizes of those in the upper half plane, the real axis included, that lie there.
  std::vector<double> sizes() const {
    std::vector<double> found;
    const double clear = clear_radius();
    for (Index k = 0; k < converged; ++k) {
      if (s(k).imag() >= 0 && std::abs(s(k)) < clear) found.push_back(std::abs(s(k)));
    }
    std::sort(found.begin(), found.end());
    return found;
  }
  /// What parts the so many lowest from the others, where there is room: other copies of the next may not have been
  /// seen. Nothing while that cannot be said.
  std::optional<Gap> gap_above_lowest(Index count) const {
    const std::vector<double> found = sizes();
    const double clear = clear_radius();
    const auto seen = static_cast<Index>(found.size());
    double widest = apart;
    std::optional<Gap> best;
    for (Index k = std::isinf(clear) ? std::min(count, seen) : count; k <= seen; ++k) {
      const double last = k > 0 ? found[at(k - 1)] : 0, next = k < seen ? found[at(k)] : clear;
      if (std::isinf(next)) return best ? best : Gap{last, std::max(3 * last, beside_zero)};
      if (next < largest_zero()) continue;
      const double width = 1 - last / next;
      if (width > roomy) return Gap{last, next};
      if (width > widest && k < seen) widest = width, best = Gap{last, next};
    }
    return seen > count + most_beyond ? best : std::nullopt;
  }
  /// Of the so many nearest; nothing while they are not sure to a tenth, unless it `must` be said. What a value is
  /// still wrong by is the root of its residual, if it is double and has one vector, such as zero.
  std::optional<double> size_of(Index count, bool must) const {
    std::vector<double> all;
    for (Index k = 0; k < ritz.size() && static_cast<Index>(all.size()) < count; ++k) {
      const double distance = 1 / std::abs(ritz.values[k]);
      if (!must && distance * std::sqrt(ritz.residuals[k] * distance) > 0.1 * std::abs(s(k))) return {};
      if (s(k).imag() >= 0) all.push_back(std::abs(s(k)));
    }
    if (static_cast<Index>(all.size()) < count) return {};
    return *std::max_element(all.begin(), all.end());
  }
};

Eigen::Index largest(const Eigen::VectorXcd& x) {
  Eigen::Index at = 0;
  x.cwiseAbs().maxCoeff(&at);
  return at;
}

// In the product with the mass modes are orthogonal. A little is added for directions without; where that does not make
// it definite, it cannot be an inner product.
SparseMatrix with_mass(const SparseMatrix& M) {
  SparseMatrix identity(M.rows(), M.cols());
  identity.setIdentity();
  const SparseMatrix transposed = M.transpose();
  SparseMatrix N = 0.5 * (M + transposed) + little_mass * identity;
  SymmetricFactor factor(N);
  factor.factor(N);
  return factor.signs().positive == static_cast<Index>(N.rows()) ? N : identity;
}

class Search {
 public:
  Search(const BorderedProblem& problem, const QuadraticPencil& pencil)
      : problem_(problem), pencil_(pencil), shifted_(pencil), inner_product_(with_mass(problem.M())) {}

  QuadraticPairs lowest(Index count, bool counts);

 private:
  SecondOrderStart random_start();
  Eigen::VectorXd product(const Eigen::VectorXd& v, const Eigen::VectorXd& w);
  Eigen::VectorXd solved(const Eigen::VectorXd& v, const Eigen::VectorXd& w);
  bool shift_beside(double sigma);
  template <class Enough>
  View look(SecondOrderKrylov& basis, Index wanted, const Enough& is_enough);
  View look_from_best_shift(std::optional<SecondOrderKrylov>& basis, Index count);
  void complete(SecondOrderKrylov& basis, const Gap& gap, View& view, QuadraticPairs& found);
  View look_for_missing(SecondOrderKrylov& basis, const View& view, double radius, Index missing);
  Eigen::VectorXcd with_multipliers(const View& view, Index k, const Eigen::VectorXcd& x);
  void take(const SecondOrderKrylov& basis, const View& view, QuadraticPairs& found);

  const BorderedProblem& problem_;
  const QuadraticPencil& pencil_;
  ShiftedQuadratic shifted_;
  SparseMatrix inner_product_;
  unsigned seed_ = 0;
};

// −B(σ)⁻¹ [(2σM + C) v + M w; 0]
Eigen::VectorXd Search::solved(const Eigen::VectorXd& v, const Eigen::VectorXd& w) {
  Eigen::VectorXd b = Eigen::VectorXd::Zero(pencil_.size());
  b.head(v.size()) = -(problem_.M() * (2 * shifted_.at() * v + w) + problem_.C() * v);
  return shifted_.solve(b);
}

Eigen::VectorXd Search::product(const Eigen::VectorXd& v, const Eigen::VectorXd& w) {
  return solved(v, w).head(v.size());
}

// A few products leave nothing that the constraints forbid or that has no inertia; two of them grow by θ² of what is
// left.
SecondOrderStart Search::random_start() {
  const auto n = static_cast<Index>(problem_.M().rows());
  SecondOrderStart start{stillpoint::random_start(n, ++seed_), stillpoint::random_start(n, ++seed_)};
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

// There, or farther out if that is still too near to an eigenvalue.
bool Search::shift_beside(double sigma) {
  for (int tries = 0; tries < 6; ++tries, sigma *= 5) {
    if (shifted_.shift(sigma)) return true;
  }
  return false;
}

template <class Enough>
View Search::look(SecondOrderKrylov& basis, Index wanted, const Enough& is_enough) {
  for (int restart = 0;; ++restart) {
    while (!basis.is_full() && !basis.is_complete()) {
      basis.grow();
      if (basis.size() % check_every != 0) continue;
      View view(basis, shifted_.at());
      if (is_enough(view)) return view;
    }
    View view(basis, shifted_.at());
    if (is_enough(view) || basis.is_complete() || restart == most_restarts) return view;
    const Index least = std::max(2 * wanted, view.converged);
    basis.restart(std::min(basis.size() - 2, least + (basis.size() - least) / 3));
  }
}

// From a shift that is far beyond all that is wanted, these look alike.
std::optional<double> better_shift(const View& view, Index count, bool is_hard) {
  const double sigma = std::abs(view.sigma);
  if (sigma == 0) {
    const bool is_singular = view.ritz.size() > 0 && std::abs(view.s(0)) < like_zero;
    return is_singular ? std::optional(beside_zero) : std::nullopt;
  }
  if (view.is_complete || sigma <= nearest_shift) return {};
  const std::optional<double> wanted = view.size_of(count, is_hard);
  const double nothing = std::max(nearest_shift, (is_hard ? beside_rigid_if_hard : beside_rigid) * sigma);
  if (!wanted || *wanted > 0.3 * sigma || *wanted < nothing) return {};
  return std::max({0.3 * *wanted, beside_rigid * sigma, nearest_shift});
}

// λ: B(σ) [x; λ] + [(2σM + C) δ x + δ² M x; 0] = 0,  δ = s − σ. The x that comes with it has smaller errors, too.
Eigen::VectorXcd Search::with_multipliers(const View& view, Index k, const Eigen::VectorXcd& x) {
  const Complex delta = 1.0 / view.ritz.values[k];
  const Eigen::VectorXcd v = delta * x, w = delta * v;
  Eigen::VectorXcd both(pencil_.size());
  both.real() = solved(v.real(), w.real());
  if (view.s(k).imag() == 0) both.imag().setZero();
  else both.imag() = solved(v.imag(), w.imag());
  return both / both.head(x.size()).norm();
}

void Search::take(const SecondOrderKrylov& basis, const View& view, QuadraticPairs& found) {
  std::vector<Index> inside;
  for (Index k = 0; k < view.converged; ++k) {
    if (view.s(k).imag() >= 0 && std::abs(view.s(k)) < found.radius) inside.push_back(k);
  }
  std::stable_sort(inside.begin(), inside.end(),
                   [&](Index a, Index b) { return std::abs(view.s(a)) < std::abs(view.s(b)); });
  found.s.resize(static_cast<Eigen::Index>(inside.size()));
  found.x.resize(pencil_.size(), found.s.size());
  for (Eigen::Index to = 0; to < found.s.size(); ++to) {
    const Index k = inside[at(to)];
    found.s[to] = view.s(k);
    Eigen::VectorXcd x = basis.vector(view.ritz, k);
    // Of a real eigenvalue the vector is real but for a factor.
    if (found.s[to].imag() == 0) x = Eigen::VectorXcd((x / x[largest(x)]).real().cast<Complex>());
    found.x.col(to) = with_multipliers(view, k, x);
  }
}

std::vector<Complex> known_to(const View& view) {
  std::vector<Complex> known;
  for (Index k = 0; k < view.converged; ++k) known.push_back(view.s(k));
  return known;
}

// Another shift while that promises more.
View Search::look_from_best_shift(std::optional<SecondOrderKrylov>& basis, Index count) {
  bool may_shift = true;
  for (int attempt = 0;; ++attempt) {
    basis.emplace(SecondOrderOperator{[this](const auto& v, const auto& w) { return product(v, w); },
                                      [this](const auto& x) { return shifted_.project(x); }},
                  inner_product_, random_start(), capacity_for(count), 2 * pencil_.freedom());
    std::optional<double> next_shift;
    int full_views = 0;
    View view = look(*basis, count, [&](const View& now) {
      full_views += basis->is_full();
      if (may_shift && attempt < most_shifts) next_shift = better_shift(now, count, full_views > 3);
      return next_shift || now.gap_above_lowest(count);
    });
    if (!next_shift) return view;
    may_shift = shift_beside(*next_shift);
    if (!may_shift && !shifted_.shift(view.sigma)) throw Error("a shift that was regular is singular now");
  }
}

// With another start, beside all that is known, until what is missing has come and everything in the region is sure.
View Search::look_for_missing(SecondOrderKrylov& basis, const View& view, double radius, Index missing) {
  const Index known = view.apart_from_others();
  basis.restart(known, random_start(), capacity_for(missing));
  return look(basis, (known + missing) / 2 + 1, [&](const View& now) {
    return now.converged >= known + std::max<Index>(missing, 1) && now.clear_radius() > (1 + roomy) * radius;
  });
}

// Until as many are known as there are.
void Search::complete(SecondOrderKrylov& basis, const Gap& gap, View& view, QuadraticPairs& found) {
  Stopwatch watch;
  DiscCount count(problem_, pencil_, gap);
  for (int in_vain = 0; in_vain < most_in_vain;) {
    const std::optional<Index> unknown = count.unknown(known_to(view));
    found.missing = unknown.value_or(0);
    found.doubt = unknown ? "" : nothing_to_count;
    found.counting_seconds += watch.lap();
    if (unknown && *unknown <= 0) break;
    const Index before = view.converged;
    view = look_for_missing(basis, view, found.radius, found.missing);
    watch.lap();
    if (view.converged <= before) ++in_vain;
  }
}

QuadraticPairs Search::lowest(Index count, bool counts) {
  QuadraticPairs found;
  found.x.resize(pencil_.size(), 0);
  if (pencil_.freedom() == 0) return found;
  if (!shifted_.shift(0) && !shift_beside(beside_zero)) {
    throw Error("the matrices are singular whatever the shift: a motion has neither mass nor damping nor stiffness");
  }
  std::optional<SecondOrderKrylov> basis;
  View view = look_from_best_shift(basis, count);
  const std::optional<Gap> gap = view.gap_above_lowest(count);
  found.radius = gap ? gap->middle() : std::max(0.0, view.clear_radius());
  if (!gap) found.doubt = fmt::format("the lowest {} modes did not converge: these are those that did", count);
  else if (counts) complete(*basis, *gap, view, found);
  take(*basis, view, found);
  return found;
}

}  // namespace

QuadraticPairs find_lowest(const BorderedProblem& problem, const QuadraticPencil& pencil, Index count, bool counts) {
  return Search(problem, pencil).lowest(count, counts);
}

}  // namespace stillpoint
