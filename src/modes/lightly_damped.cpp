#include "modes/lightly_damped.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/at.h"
#include "base/stopwatch.h"
#include "modes/conservative_search.h"
#include "modes/disc_count.h"
#include "modes/galerkin_space.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

constexpr double settled = 1e-11;   // of what (T49) changes, relative
constexpr double sound = 1e-9;      // of the same, where rounding allows no less
constexpr double negligible = 0.1;  // of that
constexpr double worth_it = 0.5;    // of the change before
constexpr double roomy = 1e-2;      // relative: there is room for the edge of the region between two values
constexpr double little_mass = 1e-8;
constexpr double beside_zero_of_size = 0.1;  // of the largest ones
constexpr int most_rounds = 12;

Index besides(Index wanted) { return std::max<Index>(4, wanted / 4); }

// An inner product also for directions without mass.
SparseMatrix with_little_mass(const SparseMatrix& M) {
  SparseMatrix identity(M.rows(), M.cols());
  identity.setIdentity();
  return M + little_mass * identity;
}

/// So many, and what parts them from the others.
struct Edge {
  Index count = 0;
  Gap gap;
};

class Search {
 public:
  Search(const BorderedProblem& problem, const QuadraticPencil& quadratic, const QuadraticRequest& request)
      : problem_(problem),
        quadratic_(quadratic),
        request_(request),
        pencil_(problem),
        inner_product_(with_little_mass(problem.M())),
        space_(problem, inner_product_, [this](const Eigen::MatrixXd& x) { return projected(x); }) {}

  std::optional<QuadraticPairs> nearest();

 private:
  bool find_undamped();
  bool shift_amid(Index count);
  std::optional<Index> undamped_below(double mu) const;
  Eigen::MatrixXd projected(const Eigen::MatrixXd& x) const;
  Eigen::MatrixXd solved(const Eigen::MatrixXd& forces) const;
  std::optional<Edge> edge_of(const GalerkinValues& values) const;
  void improve(const GalerkinValues& values, Index count);
  Eigen::MatrixXcd next(const Eigen::VectorXcd& s, const Eigen::MatrixXcd& x) const;
  void enlarge();
  std::optional<QuadraticPairs> counted(const Edge& edge) const;

  const BorderedProblem& problem_;
  const QuadraticPencil& quadratic_;
  const QuadraticRequest& request_;
  ConservativePencil pencil_;
  SparseMatrix inner_product_;
  GalerkinSpace space_;
  ConservativePairs undamped_;
  Eigen::VectorXcd s_;
  Eigen::MatrixXcd x_;      ///< coordinates and multipliers
  Eigen::VectorXd change_;  ///< of their coordinates in the last step, relative
  Eigen::MatrixXcd news_;   ///< what that change was, of those that did
};

// With the edge of their region beyond some more than are wanted.
bool Search::find_undamped() {
  Index wanted = request_.count;
  if (request_.distance > 0) {
    if (!pencil_.shift(request_.distance * request_.distance)) return false;
    wanted = std::max<Index>(pencil_.below(), 0);
    if (wanted > request_.most) return false;
  }
  if (wanted + besides(wanted) >= pencil_.freedom()) return false;
  undamped_ = find_lowest(pencil_, wanted + besides(wanted), request_.progress);
  return undamped_.is_settled && undamped_.doubt.empty() && undamped_.size() == undamped_.expected;
}

// Amid them, where there is most room.
bool Search::shift_amid(Index count) {
  std::vector<double> mu(undamped_.mu.begin(), undamped_.mu.end());
  std::sort(mu.begin(), mu.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  mu.resize(at(count));
  std::sort(mu.begin(), mu.end());
  double widest = 0, sigma = 0;
  for (Index k = count / 4; k + 1 < count - count / 4; ++k) {
    if (mu[at(k + 1)] - mu[at(k)] <= widest) continue;
    widest = mu[at(k + 1)] - mu[at(k)];
    sigma = 0.5 * (mu[at(k + 1)] + mu[at(k)]);
  }
  return pencil_.shift(sigma);
}

std::optional<Index> Search::undamped_below(double mu) const {
  if (!undamped_.region.holds(mu)) return {};
  return undamped_.below + static_cast<Index>((undamped_.mu.array() < mu).count());
}

Eigen::MatrixXd Search::projected(const Eigen::MatrixXd& x) const {
  Eigen::MatrixXd z = Eigen::MatrixXd::Zero(pencil_.size(), x.cols());
  z.topRows(x.rows()) = x;
  return pencil_.project(z).topRows(x.rows());
}

Eigen::MatrixXd Search::solved(const Eigen::MatrixXd& forces) const {
  Eigen::MatrixXd both = Eigen::MatrixXd::Zero(pencil_.size(), forces.cols());
  both.topRows(forces.rows()) = forces;
  return pencil_.solve_columns(both);
}

// Beyond the wanted ones, where there is room or else most of it; of what lies beyond the known region nothing is sure.
std::optional<Edge> Search::edge_of(const GalerkinValues& values) const {
  const double known = std::sqrt(undamped_.region.radius);
  std::vector<double> sizes;
  for (Index k = 0; k < values.size() && std::abs(values.s[k]) < known; ++k) sizes.push_back(std::abs(values.s[k]));
  sizes.push_back(known);
  const double reach = request_.distance;
  const auto within = std::upper_bound(sizes.begin(), sizes.end(), reach) - sizes.begin();
  double widest = 0;
  std::optional<Edge> best;
  for (Index k = std::max(request_.distance > 0 ? 0 : request_.count, static_cast<Index>(within));
       k < static_cast<Index>(sizes.size()); ++k) {
    const double last = std::max(k > 0 ? sizes[at(k - 1)] : 0, reach), next = sizes[at(k)], width = 1 - last / next;
    if (width > widest) best = Edge{k, {last, next}};
    if (width > roomy) break;
    widest = std::max(widest, width);
  }
  return best;
}

// Those that still change; all of them, if there are others than before.
void Search::improve(const GalerkinValues& values, Index count) {
  std::vector<Eigen::Index> which;
  for (Eigen::Index k = 0; k < count; ++k) {
    if (change_.size() != count || change_[k] > settled) which.push_back(k);
  }
  s_.conservativeResize(count);
  x_.conservativeResize(pencil_.size(), count);
  change_.conservativeResize(count);
  s_(which) = values.s(which);
  const Eigen::MatrixXcd before = space_.vectors(values.z(Eigen::all, which)), after = next(s_(which), before);
  news_ = after.topRows(before.rows()) - before;
  for (std::size_t k = 0; k < which.size(); ++k) {
    const auto column = static_cast<Eigen::Index>(k);
    const double length = before.col(column).norm();
    news_.col(column) /= length;
    change_[which[k]] = news_.col(column).norm();
    x_.col(which[k]) = after.col(column) / after.col(column).head(before.rows()).norm();
  }
}

// (T49). K does not occur there, so nothing cancels.
Eigen::MatrixXcd Search::next(const Eigen::VectorXcd& s, const Eigen::MatrixXcd& x) const {
  const Eigen::Index count = x.cols();
  Eigen::MatrixXd forces(x.rows(), 2 * count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const Eigen::VectorXcd at_k = x.col(k);
    const Eigen::VectorXcd force = -(s[k] * s[k] + pencil_.at()) * (problem_.M() * at_k) - s[k] * (problem_.C() * at_k);
    forces.col(k) = force.real();
    forces.col(count + k) = force.imag();
  }
  const Eigen::MatrixXd both = solved(forces);
  Eigen::MatrixXcd after(both.rows(), count);
  after.real() = both.leftCols(count);
  after.imag() = both.rightCols(count);
  return after;
}

// Real and imaginary parts, where they are not negligible.
void Search::enlarge() {
  Eigen::MatrixXd both(news_.rows(), 2 * news_.cols());
  both << news_.real(), news_.imag();
  const Eigen::VectorXd lengths = both.colwise().norm();
  std::vector<Eigen::Index> long_ones;
  for (Eigen::Index k = 0; k < both.cols(); ++k) {
    if (lengths[k] > negligible * settled) long_ones.push_back(k);
  }
  space_.add(both(Eigen::all, long_ones));
}

std::optional<QuadraticPairs> Search::counted(const Edge& edge) const {
  const Stopwatch watch;
  QuadraticPairs found{.s = s_, .x = x_, .solver = "sparse Lanczos and Galerkin"};
  found.radius = edge.gap.middle();
  if (!request_.counts) return found;
  if (request_.progress) request_.progress("counting");
  std::vector<Complex> known;
  for (const Complex s : s_) {
    known.push_back(s);
    if (s.imag() != 0) known.push_back(std::conj(s));
  }
  DiscCount count(problem_, quadratic_, 0, edge.gap, [this](double mu) { return undamped_below(mu); });
  if (count.unknown(known) != 0) return {};
  found.counting_seconds = watch.seconds();
  return found;
}

std::optional<QuadraticPairs> Search::nearest() {
  if (!find_undamped() || !shift_amid(undamped_.size())) return {};
  const Eigen::MatrixXd modes = undamped_.z.topRows(problem_.M().rows());
  space_.add(modes);
  space_.add(solved(problem_.C() * modes).topRows(modes.rows()));
  double change = std::numeric_limits<double>::infinity();
  for (int round = 0; round < most_rounds; ++round) {
    const GalerkinValues values = space_.values(beside_zero_of_size * std::sqrt(undamped_.region.radius));
    const std::optional<Edge> edge = edge_of(values);
    if (!edge || edge->count == 0) return {};
    improve(values, edge->count);
    const double before = std::exchange(change, change_.maxCoeff());
    const bool goes_on = change < worth_it * before;
    if (change < settled || (change < sound && !goes_on)) return counted(*edge);
    if (!goes_on) return {};
    enlarge();
  }
  return {};
}

}  // namespace

std::optional<QuadraticPairs> find_lightly_damped(const BorderedProblem& problem, const QuadraticPencil& pencil,
                                                  const QuadraticRequest& request) {
  if (request.centre != 0.0 || !pencil.is_symmetric() || !pencil.is_passive()) return {};
  return Search(problem, pencil, request).nearest();
}

}  // namespace stillpoint
