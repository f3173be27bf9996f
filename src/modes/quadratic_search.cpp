#include "modes/quadratic_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "algebra/random_start.h"
#include "algebra/symmetry.h"
#include "base/at.h"
#include "base/stopwatch.h"
#include "modes/disc_count.h"
#include "modes/quadratic_view.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

constexpr double little_mass = 1e-8;  // scaled
constexpr const char* nothing_to_count =
    "the eigenvalues cannot be counted: rounding of the matrices is as large as what tells them apart";
constexpr int most_views_for_sharpness = 4;
constexpr int check_every = 5, most_restarts = 100, most_shifts = 6, most_in_vain = 4;

Index capacity_for(Index wanted) { return std::max<Index>(4 * wanted + 20, 40); }

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
  const SparseMatrix N = symmetric_part(M) + little_mass * identity;
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
  QuadraticView look(SecondOrderKrylov& basis, Index wanted, const Enough& is_enough);
  QuadraticView look_from_best_shift(std::optional<SecondOrderKrylov>& basis, Index count);
  void complete(SecondOrderKrylov& basis, const Gap& gap, QuadraticView& view, QuadraticPairs& found);
  QuadraticView look_for_missing(SecondOrderKrylov& basis, const QuadraticView& view, double radius, Index missing);
  Eigen::VectorXcd with_multipliers(const QuadraticView& view, Index k, const Eigen::VectorXcd& x);
  void take(const SecondOrderKrylov& basis, const QuadraticView& view, QuadraticPairs& found);

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
QuadraticView Search::look(SecondOrderKrylov& basis, Index wanted, const Enough& is_enough) {
  for (int restart = 0;; ++restart) {
    while (!basis.is_full() && !basis.is_complete()) {
      basis.grow();
      if (basis.size() % check_every != 0) continue;
      QuadraticView view(basis, shifted_.at());
      if (is_enough(view)) return view;
    }
    QuadraticView view(basis, shifted_.at());
    if (is_enough(view) || basis.is_complete() || restart == most_restarts) return view;
    const Index least = std::max(2 * wanted, view.converged());
    basis.restart(std::min(basis.size() - 2, least + (basis.size() - least) / 3));
  }
}

// λ: B(σ) [x; λ] + [(2σM + C) δ x + δ² M x; 0] = 0,  δ = s − σ. The x that comes with it has smaller errors, too.
Eigen::VectorXcd Search::with_multipliers(const QuadraticView& view, Index k, const Eigen::VectorXcd& x) {
  const Complex delta = 1.0 / view.theta(k);
  const Eigen::VectorXcd v = delta * x, w = delta * v;
  Eigen::VectorXcd both(pencil_.size());
  both.real() = solved(v.real(), w.real());
  if (view.s(k).imag() == 0) both.imag().setZero();
  else both.imag() = solved(v.imag(), w.imag());
  return both / both.head(x.size()).norm();
}

void Search::take(const SecondOrderKrylov& basis, const QuadraticView& view, QuadraticPairs& found) {
  std::vector<Index> inside;
  for (Index k = 0; k < view.converged(); ++k) {
    if (view.s(k).imag() >= 0 && std::abs(view.s(k)) < found.radius) inside.push_back(k);
  }
  std::stable_sort(inside.begin(), inside.end(),
                   [&](Index a, Index b) { return std::abs(view.s(a)) < std::abs(view.s(b)); });
  found.s.resize(static_cast<Eigen::Index>(inside.size()));
  found.x.resize(pencil_.size(), found.s.size());
  for (Eigen::Index to = 0; to < found.s.size(); ++to) {
    const Index k = inside[at(to)];
    found.s[to] = view.s(k);
    Eigen::VectorXcd x = basis.vector(view.ritz(), k);
    // Of a real eigenvalue the vector is real but for a factor.
    if (found.s[to].imag() == 0) x = Eigen::VectorXcd((x / x[largest(x)]).real().cast<Complex>());
    found.x.col(to) = with_multipliers(view, k, x);
  }
}

std::vector<Complex> known_to(const QuadraticView& view) {
  std::vector<Complex> known;
  for (Index k = 0; k < view.converged(); ++k) known.push_back(view.s(k));
  return known;
}

// Another shift while that promises more.
QuadraticView Search::look_from_best_shift(std::optional<SecondOrderKrylov>& basis, Index count) {
  bool may_shift = true;
  for (int attempt = 0;; ++attempt) {
    basis.emplace(SecondOrderOperator{[this](const auto& v, const auto& w) { return product(v, w); },
                                      [this](const auto& x) { return shifted_.project(x); }},
                  inner_product_, random_start(), capacity_for(count), 2 * pencil_.freedom());
    std::optional<double> next_shift;
    int full_views = 0, views_with_gap = 0;
    QuadraticView view = look(*basis, count, [&](const QuadraticView& now) {
      full_views += basis->is_full();
      if (may_shift && attempt < most_shifts) next_shift = now.better_shift(count, full_views > 3);
      if (next_shift) return true;
      const std::optional<Gap> gap = now.gap_above_lowest(count);
      return gap && (now.is_sharp(gap->middle()) || ++views_with_gap > most_views_for_sharpness);
    });
    if (!next_shift) return view;
    may_shift = shift_beside(*next_shift);
    if (!may_shift && !shifted_.shift(view.shift())) throw Error("a shift that was regular is singular now");
  }
}

// With another start, beside all that is known, until what is missing has come and everything in the region is sure.
QuadraticView Search::look_for_missing(SecondOrderKrylov& basis, const QuadraticView& view, double radius,
                                       Index missing) {
  const Index known = view.apart_from_others();
  basis.restart(known, random_start(), capacity_for(missing));
  return look(basis, (known + missing) / 2 + 1, [&](const QuadraticView& now) {
    return now.converged() >= known + std::max<Index>(missing, 1) && now.clear_radius() > QuadraticView::beyond(radius);
  });
}

// Until as many are known as there are.
void Search::complete(SecondOrderKrylov& basis, const Gap& gap, QuadraticView& view, QuadraticPairs& found) {
  Stopwatch watch;
  DiscCount count(problem_, pencil_, gap);
  for (int in_vain = 0; in_vain < most_in_vain;) {
    const std::optional<Index> unknown = count.unknown(known_to(view));
    found.missing = unknown.value_or(0);
    found.doubt = unknown ? "" : nothing_to_count;
    found.counting_seconds += watch.lap();
    if (unknown && *unknown <= 0) break;
    const Index before = view.converged();
    view = look_for_missing(basis, view, found.radius, found.missing);
    watch.lap();
    if (view.converged() <= before) ++in_vain;
  }
}

QuadraticPairs Search::lowest(Index count, bool counts) {
  QuadraticPairs found;
  found.x.resize(pencil_.size(), 0);
  if (pencil_.freedom() == 0) return found;
  if (!shifted_.shift(0) && !shift_beside(beside_zero_rate)) {
    throw Error("the matrices are singular whatever the shift: a motion has neither mass nor damping nor stiffness");
  }
  std::optional<SecondOrderKrylov> basis;
  QuadraticView view = look_from_best_shift(basis, count);
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
