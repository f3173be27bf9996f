#include "modes/lightly_damped.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/at.h"
#include "base/stopwatch.h"
#include "modes/conservative_search.h"
#include "modes/disc_count.h"
#include "modes/galerkin_space.h"
#include "modes/shift_view.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

constexpr double sound = 1e-7;               // of a vector, where rounding allows no less; of values it is the square
constexpr double negligible = 0.1;           // of what counts as settled
constexpr double beside_others = 0.03;       // of the largest correction: that of the next round will be no smaller
constexpr double mostly = 0.5;               // of the length of a vector
constexpr double worth_it = 0.5;             // of the change before
constexpr double roomy = 1e-2;               // relative: there is room for the edge of the region between two values
constexpr double beside_zero_of_size = 0.1;  // of the largest ones
constexpr int most_rounds = 12;

Index besides(Index wanted) { return std::max<Index>(4, wanted / 4); }

/// Those that are wanted, and what parts them from the others.
struct Part {
  Index first = 0, count = 0;
  std::optional<Gap> inner;  ///< nothing where they begin at zero
  Gap outer;
};

struct Approximation {
  Part part;
  Eigen::VectorXcd s;
  Eigen::MatrixXcd x;      ///< coordinates and multipliers
  Eigen::VectorXd change;  ///< of the coordinates in the last step, relative

  double largest_change() const { return change.size() > 0 ? change.maxCoeff() : 0; }
  /// Of x: it is one step ahead of what was measured.
  double error_after(const std::optional<Approximation>& before) const {
    const double now = largest_change();
    return before ? now * std::min(1.0, now / before->largest_change()) : now;
  }
};

/// Of these gaps the first one with room, or else the widest.
std::optional<std::size_t> roomy_one(const std::vector<Gap>& gaps) {
  double widest = 0;
  std::optional<std::size_t> best;
  for (std::size_t k = 0; k < gaps.size() && widest < roomy; ++k) {
    const double width = 1 - gaps[k].from / gaps[k].to;
    if (width <= widest) continue;
    widest = width;
    best = k;
  }
  return best;
}

class Search {
 public:
  Search(const BorderedProblem& problem, const QuadraticPencil& quadratic, const QuadraticRequest& request)
      : problem_(problem),
        quadratic_(quadratic),
        request_(request),
        pencil_(problem),
        inner_product_(with_little_mass(problem.M())),
        settled_(settled_for(pencil_.size())),
        space_(problem, inner_product_, [this](const Eigen::MatrixXd& x) { return projected(x); }) {}

  std::optional<QuadraticPairs> nearest();

 private:
  std::optional<QuadraticPairs> look();
  bool find_undamped();
  bool find_band();
  bool shift_amid();
  std::optional<Index> undamped_below(double mu) const;
  Eigen::MatrixXd projected(const Eigen::MatrixXd& x) const;
  Eigen::MatrixXd solved(const Eigen::MatrixXd& forces) const;
  GalerkinValues known_values() const;
  std::optional<Part> part_of(const GalerkinValues& values) const;
  Approximation improved(const GalerkinValues& values, const Part& part, const std::optional<Approximation>& before);
  Eigen::MatrixXcd next_to(const Eigen::VectorXcd& s, const Eigen::MatrixXcd& x) const;
  void enlarge();
  std::optional<Index> unknown_in(const Part& part, const std::vector<Complex>& known) const;
  std::optional<QuadraticPairs> counted(Approximation found) const;

  const BorderedProblem& problem_;
  const QuadraticPencil& quadratic_;
  const QuadraticRequest& request_;
  ConservativePencil pencil_;
  SparseMatrix inner_product_;
  double settled_;
  GalerkinSpace space_;
  ConservativePairs undamped_;
  Eigen::MatrixXcd news_;  ///< what has changed in the last step, relative
};

// With the ends of their region beyond some more than are wanted.
bool Search::find_undamped() {
  if (request_.from > 0) return request_.distance > request_.from && find_band();  // of some, no band is known
  Index wanted = request_.count;
  if (request_.distance > 0) {
    if (!pencil_.shift(request_.distance * request_.distance)) return false;
    wanted = std::max<Index>(pencil_.below(), 0);
    if (wanted > request_.most) return false;
  }
  if (wanted + besides(wanted) >= pencil_.freedom()) return false;
  undamped_ = find_lowest(pencil_, wanted + besides(wanted), request_.progress);
  return undamped_.is_sure();
}

bool Search::find_band() {
  const double from = request_.from, to = request_.distance;
  for (double room = 0.25 * (to - from); room < from; room *= 4) {
    undamped_ = find_between(pencil_, std::pow(from - room, 2), std::pow(to + room, 2), request_.progress);
    if (!undamped_.is_sure()) return false;
    const bool has_neighbours =
        undamped_.size() > 0 && undamped_.mu.minCoeff() < from * from && undamped_.mu.maxCoeff() > to * to;
    if (has_neighbours) return true;
  }
  return false;
}

// Amid them, where there is most room.
bool Search::shift_amid() {
  const Eigen::VectorXd& mu = undamped_.mu;
  const Eigen::Index count = mu.size();
  double widest = 0, sigma = 0;
  for (Eigen::Index k = count / 4; k + 1 < count - count / 4; ++k) {
    if (mu[k + 1] - mu[k] <= widest) continue;
    widest = mu[k + 1] - mu[k];
    sigma = 0.5 * (mu[k + 1] + mu[k]);
  }
  return pencil_.shift(sigma);
}

std::optional<Index> Search::undamped_below(double mu) const {
  if (!undamped_.region.holds(mu)) return {};
  return undamped_.before + static_cast<Index>((undamped_.mu.array() < mu).count());
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

// Those that are mostly made of undamped modes: others that lie among them stand for a mixture of modes that lie
// elsewhere.
GalerkinValues Search::known_values() const {
  const double end = std::sqrt(undamped_.region.centre + undamped_.region.radius);
  const GalerkinValues all = space_.values(beside_zero_of_size * end);
  const Eigen::VectorXd shares = space_.share_of_first(undamped_.size(), all.z);
  std::vector<Eigen::Index> known;
  for (Eigen::Index k = 0; k < all.s.size(); ++k) {
    if (shares[k] > mostly && undamped_.region.holds(std::norm(all.s[k]))) known.push_back(k);
  }
  return {all.s(known), all.z(Eigen::all, known)};
}

std::optional<Part> Search::part_of(const GalerkinValues& values) const {
  const Region& region = undamped_.region;
  const Index count = values.size();
  const double from = request_.from, to = request_.distance;
  const auto size = [&](Index k) {
    if (k < 0) return std::sqrt(std::max(0.0, region.centre - region.radius));
    return k < count ? std::abs(values.s[k]) : std::sqrt(region.centre + region.radius);
  };
  const auto below = [&](double end) {
    return static_cast<Index>(
        std::count_if(values.s.begin(), values.s.end(), [&](Complex s) { return std::abs(s) < end; }));
  };
  Part part;
  if (from > 0) {
    std::vector<Gap> before;
    for (Index k = below(from); k >= 0; --k) before.push_back({size(k - 1), std::min(size(k), from)});
    const auto chosen = roomy_one(before);
    if (!chosen) return {};
    part.inner = before[*chosen];
    part.first = below(from) - static_cast<Index>(*chosen);
  }
  const Index least = to > 0 ? below(to) : request_.count;
  std::vector<Gap> beyond;
  for (Index k = least; k <= count; ++k) beyond.push_back({std::max(size(k - 1), to), size(k)});
  const auto chosen = roomy_one(beyond);
  if (!chosen) return {};
  part.outer = beyond[*chosen];
  part.count = least + static_cast<Index>(*chosen) - part.first;
  return part;
}

/// Which do not change any more. Of those that are nearly equal all or none: their vectors may be mixed anew.
std::vector<bool> settled_ones(const std::optional<Approximation>& before, const Eigen::VectorXcd& s, double settled) {
  constexpr double nearly_equal = 1e-6;
  std::vector<bool> settled_ones(at(s.size()), false);
  if (!before || before->s.size() != s.size()) return settled_ones;
  for (Eigen::Index k = 0; k < s.size(); ++k) {
    const Eigen::ArrayXd apart = (before->s.array() - s[k]).abs();
    settled_ones[at(k)] = apart[k] <= nearly_equal * std::abs(s[k]) &&
                          (before->change.array() <= settled || apart > nearly_equal * std::abs(s[k])).all();
  }
  return settled_ones;
}

// Those that are not settled.
Approximation Search::improved(const GalerkinValues& values, const Part& part,
                               const std::optional<Approximation>& before) {
  Approximation now{part, values.s.segment(part.first, part.count), Eigen::MatrixXcd(pencil_.size(), part.count),
                    Eigen::VectorXd(part.count)};
  const std::vector<bool> stays = settled_ones(before, now.s, settled_);
  std::vector<Eigen::Index> which;
  for (Eigen::Index k = 0; k < part.count; ++k) {
    if (!stays[at(k)]) {
      which.push_back(k);
      continue;
    }
    now.s[k] = before->s[k];
    now.x.col(k) = before->x.col(k);
    now.change[k] = before->change[k];
  }
  const Eigen::MatrixXcd z = values.z.middleCols(part.first, part.count)(Eigen::all, which);
  const Eigen::MatrixXcd x = space_.vectors(z), next = next_to(now.s(which), x);
  news_ = next.topRows(x.rows()) - x;
  for (Eigen::Index column = 0; column < x.cols(); ++column) {
    const Eigen::Index k = which[at(column)];
    news_.col(column) /= x.col(column).norm();
    now.change[k] = news_.col(column).norm();
    now.x.col(k) = next.col(column) / next.col(column).head(x.rows()).norm();
  }
  return now;
}

// (T49). K does not occur there, so nothing cancels.
Eigen::MatrixXcd Search::next_to(const Eigen::VectorXcd& s, const Eigen::MatrixXcd& x) const {
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

// Real and imaginary parts, where they are not negligible: with the phase that the eigenvectors have, the former are
// little but rounding.
void Search::enlarge() {
  Eigen::MatrixXd both(news_.rows(), 2 * news_.cols());
  both << news_.real(), news_.imag();
  const Eigen::VectorXd lengths = both.colwise().norm();
  const double least = std::max(negligible * settled_, beside_others * lengths.maxCoeff());
  std::vector<Eigen::Index> long_ones;
  for (Eigen::Index k = 0; k < both.cols(); ++k) {
    if (lengths[k] > least) long_ones.push_back(k);
  }
  space_.add(both(Eigen::all, long_ones));
}

// Between two circles signs only tell.
std::optional<Index> Search::unknown_in(const Part& part, const std::vector<Complex>& known) const {
  const CountBelow undamped = [this](double mu) { return undamped_below(mu); };
  if (!part.inner) return DiscCount(problem_, quadratic_, 0, part.outer, undamped).unknown(known);
  const std::optional<Index> inside = count_weakly_damped(problem_, quadratic_, part.outer, undamped),
                             before = count_weakly_damped(problem_, quadratic_, *part.inner, undamped);
  if (!inside || !before) return {};
  return *inside - *before - static_cast<Index>(known.size());
}

// Of a band far from zero there is no other way: what was found is given, and the doubt.
std::optional<QuadraticPairs> Search::counted(Approximation found) const {
  const Stopwatch watch;
  const Part& part = found.part;
  QuadraticPairs pairs{.s = std::move(found.s), .x = std::move(found.x), .solver = "sparse Lanczos and Galerkin"};
  pairs.inner = part.inner ? part.inner->middle() : 0;
  pairs.radius = part.outer.middle();
  if (!request_.counts) return pairs;
  if (request_.progress) request_.progress("counting");
  const std::vector<Complex> known = with_conjugates(pairs.s);
  const std::optional<Index> unknown = unknown_in(part, known);
  pairs.counting_seconds = watch.seconds();
  if (unknown == 0) return pairs;
  if (!part.inner) return {};
  pairs.missing = std::max<Index>(unknown.value_or(0), 0);
  pairs.doubt =
      unknown ? fmt::format("{} eigenvalues were counted in the band, and {} were found",
                            *unknown + static_cast<Index>(known.size()), known.size())
              : "the damping is too large beside the gaps at the ends of the band for the modes in it to be counted";
  return pairs;
}

std::optional<QuadraticPairs> Search::look() {
  if (!find_undamped() || !shift_amid()) return {};
  const Eigen::MatrixXd modes = undamped_.z.topRows(problem_.M().rows());
  space_.add(modes);
  space_.add(solved(problem_.C() * modes).topRows(modes.rows()));
  std::optional<Approximation> best;
  for (int round = 0; round < most_rounds; ++round) {
    const GalerkinValues values = known_values();
    const std::optional<Part> part = part_of(values);
    if (!part) break;
    Approximation now = improved(values, *part, best);
    if (best && !(now.largest_change() < worth_it * best->largest_change())) break;
    const double error = now.error_after(best);
    best = std::move(now);
    if (error < settled_) break;
    enlarge();
  }
  if (!best || best->largest_change() > sound) return {};
  return counted(*std::move(best));
}

// Of a band beyond more modes than anyone would look through, at least that is said.
std::optional<QuadraticPairs> Search::nearest() {
  std::optional<QuadraticPairs> found = look();
  if (found || request_.from == 0 || undamped_.before <= request_.most) return found;
  QuadraticPairs nothing;
  nothing.x.resize(pencil_.size(), 0);
  nothing.inner = request_.from;
  nothing.radius = request_.distance;
  nothing.doubt = fmt::format(
      "the damping mixes the modes in this band, {} others lie below, and none was found: look near a point in it",
      undamped_.before);
  return nothing;
}

}  // namespace

std::optional<QuadraticPairs> find_lightly_damped(const BorderedProblem& problem, const QuadraticPencil& pencil,
                                                  const QuadraticRequest& request) {
  if (request.centre != 0.0 || !pencil.is_symmetric() || !pencil.is_passive()) return {};
  return Search(problem, pencil, request).nearest();
}

}  // namespace stillpoint
