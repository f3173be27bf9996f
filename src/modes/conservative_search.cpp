#include "modes/conservative_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "algebra/random_start.h"
#include "base/at.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

constexpr double good = 1e-9, sound = 1e-4;  // of a residual, relative: more is not taken
constexpr int check_every = 5, most_restarts = 60, most_shifts = 10, most_looks = 4, most_widenings = 20,
              most_products = 4;
constexpr const char* nothing_to_count =
    "the eigenvalues cannot be counted: rounding of the matrices is as large as the stiffness of these modes, or a "
    "motion has neither mass nor stiffness";
constexpr Index widest_block = 8, most_in_slice = 60;

Index capacity_for(Index wanted) { return std::max<Index>(2 * wanted + 12, 30); }

struct Polished {
  Eigen::VectorXd z;
  double theta = 0, residual = 0;
};

class Search {
 public:
  Search(ConservativePencil& pencil, const Progress& progress) : pencil_(pencil), progress_(progress) {}

  ConservativePairs lowest(Index count);
  ConservativePairs between(double from, double to);

 private:
  /// Until the view is enough, nothing is left to be seen, or no restart helps.
  template <class Enough>
  ShiftView look(LanczosBasis& basis, Index wanted, const Enough& is_enough);
  LanczosBasis basis_from(const Eigen::MatrixXd& start, const Eigen::MatrixXd& locked, Index wanted);
  Eigen::MatrixXd random_block(Index columns);

  bool shift_to(double sigma);
  bool shift_beside(double sigma);
  struct Count {
    Index below = 0;
    double at = 0;
  };
  /// Nothing if rounding hides the signs.
  std::optional<Count> count_below(double mu, double outwards);
  struct Content {
    Region region;
    Index below = 0, inside = 0;
  };
  std::optional<Content> content_of(const Region& region);
  std::optional<Content> widened(Region region, Index count);
  void take(const LanczosBasis& basis, const ShiftView& view, ConservativePairs& found);
  Polished polish(Eigen::VectorXd z, const Eigen::MatrixXd& locked);
  void look_for_missing(ConservativePairs& found, double sigma);
  double amid_the_rest(const ConservativePairs& found);
  ConservativePairs in_slice(double from, double to, Index below_from, Index below_to);

  ConservativePencil& pencil_;
  const Progress& progress_;
  double shift_ = 0;
  std::optional<double> nothing_below_;  ///< K − μM is positive definite for all smaller μ, too, as M is semidefinite
  unsigned seed_ = 0;
};

bool Search::shift_to(double sigma) {
  const bool is_regular = pencil_.shift(sigma);
  shift_ = sigma;
  if (is_regular && pencil_.below() == 0) nothing_below_ = std::max(nothing_below_.value_or(sigma), sigma);
  return is_regular;
}

// There, or farther out if that is still too near to an eigenvalue.
bool Search::shift_beside(double sigma) {
  for (int tries = 0; tries < 5; ++tries, sigma *= 10) {
    if (shift_to(sigma)) return true;
  }
  return false;
}

Eigen::MatrixXd Search::random_block(Index columns) {
  Eigen::MatrixXd block(pencil_.size(), columns);
  for (Index j = 0; j < columns; ++j) {
    block.col(j) = pencil_.solve(pencil_.mass() * random_start(pencil_.size(), ++seed_));
  }
  return block;
}

LanczosBasis Search::basis_from(const Eigen::MatrixXd& start, const Eigen::MatrixXd& locked, Index wanted) {
  return {pencil_.mass(),
          {[this](const Eigen::VectorXd& Mx) { return pencil_.solve(Mx); },
           [this](const Eigen::VectorXd& z) { return pencil_.project(z); }},
          start,
          locked,
          capacity_for(wanted),
          pencil_.freedom()};
}

template <class Enough>
ShiftView Search::look(LanczosBasis& basis, Index wanted, const Enough& is_enough) {
  for (int restart = 0;; ++restart) {
    while (!basis.is_full() && !basis.is_complete()) {
      basis.grow();
      if (basis.size() <= wanted || basis.size() % check_every != 0) continue;
      ShiftView view(basis, shift_, pencil_.size());
      if (progress_) progress_(fmt::format("{} of {} eigenvalues", std::min(view.converged(), wanted), wanted));
      if (is_enough(view)) return view;
    }
    ShiftView view(basis, shift_, pencil_.size());
    if (is_enough(view) || basis.is_complete() || restart == most_restarts) return view;
    basis.restart(view.pairs(), std::min(basis.size() - 1, wanted + (basis.size() - wanted) / 3));
  }
}

// The end of a region is a shift, so it must keep off the eigenvalues.
std::optional<Search::Count> Search::count_below(double mu, double outwards) {
  if (nothing_below_ && mu <= *nothing_below_) return Count{0, mu};
  for (int tries = 0; tries < 5; ++tries, mu += outwards, outwards *= 10) {
    if (shift_to(mu)) return Count{pencil_.below(), mu};
  }
  return {};
}

std::optional<Search::Content> Search::content_of(const Region& region) {
  const double off = 1e-9 * region.radius;
  const auto end = count_below(region.centre + region.radius, off);
  const auto beginning = count_below(region.centre - region.radius, -off);
  if (!end || !beginning) return {};
  return Content{region, beginning->below, end->below - beginning->below};
}

double nearest_to_shift(const ShiftView& view, const ConservativePairs& found) {
  double nearest = view.distance(0);
  for (const double mu : found.mu) nearest = std::min(nearest, std::abs(mu - view.shift()));
  return nearest;
}

// Those in the region, but not what is so far from the shift that rounding of the solutions leaves little of it.
void Search::take(const LanczosBasis& basis, const ShiftView& view, ConservativePairs& found) {
  std::vector<Index> inside;
  const double nearest = nearest_to_shift(view, found);
  for (Index k = 0; k < view.converged(); ++k) {
    if (found.region.holds(view.mu(k)) && !view.is_far(k, nearest)) inside.push_back(k);
  }
  const Eigen::MatrixXd locked = found.z;
  Index to = found.size();
  const auto most = to + static_cast<Index>(inside.size());
  found.mu.conservativeResize(most);
  found.error.conservativeResize(most);
  found.z.conservativeResize(pencil_.size(), most);
  for (const Index k : inside) {
    const Polished polished = polish(basis.vector(view.pairs(), k), locked);
    if (polished.residual > sound * std::abs(polished.theta)) continue;
    found.mu[to] = view.shift() + 1 / polished.theta;
    found.error[to] = view.error(k, polished.theta, polished.residual);
    found.z.col(to++) = polished.z;
  }
  found.mu.conservativeResize(to);
  found.error.conservativeResize(to);
  found.z.conservativeResize(pencil_.size(), to);
}

// The first product measures the residual, and makes what the masses do not see fit to the rest. More of them, with
// solutions that are refined, help where the basis suffered from rounding.
Polished Search::polish(Eigen::VectorXd z, const Eigen::MatrixXd& locked) {
  Polished best;
  for (int product = 0; product < most_products; ++product) {
    const Eigen::VectorXd Mz = pencil_.mass() * z;
    const double square = z.dot(Mz);
    Eigen::VectorXd image = product == 0 ? pencil_.solve(Mz) : pencil_.solve_refined(Mz);
    if (locked.cols() > 0) image -= locked * (locked.transpose() * (pencil_.mass() * image));
    const double theta = image.dot(Mz) / square;
    const Eigen::VectorXd left_over = image - theta * z;
    const double residual = std::sqrt(std::max(0.0, left_over.dot(pencil_.mass() * left_over)) / square);
    z = image / (theta * std::sqrt(square));
    if (product > 0 && residual > 0.1 * best.residual) break;
    best = {z, theta, residual};
    if (residual <= good * std::abs(theta)) break;
  }
  return best;
}

// A shift where those may be that were too far from the last one.
double Search::amid_the_rest(const ConservativePairs& found) {
  const Region& region = found.region;
  double reach = 0;
  for (const double mu : found.mu) reach = std::max(reach, std::abs(mu - region.centre));
  return region.centre + std::sqrt(std::max(reach, 1e-3 * region.radius) * region.radius);
}

void Search::look_for_missing(ConservativePairs& found, double sigma) {
  for (int in_vain = 0; in_vain < most_looks && found.size() < found.expected;) {
    const Index missing = found.expected - found.size();
    if (shift_ != sigma && !shift_to(sigma)) break;
    const Eigen::MatrixXd locked = found.z;
    const Index width = found.size() == 0 ? 1 : std::min(missing + 1, widest_block);
    LanczosBasis basis = basis_from(random_block(width), locked, missing);
    if (basis.is_complete()) break;  // there is nothing but what is known
    const ShiftView view = look(basis, missing, [&](const ShiftView& now) {
      Index inside = 0;
      for (Index k = 0; k < now.converged(); ++k) inside += found.region.holds(now.mu(k));
      return inside >= missing || now.clear_radius(found.region.centre) >= found.region.radius;
    });
    take(basis, view, found);
    const bool was_in_vain = found.expected - found.size() == missing;
    in_vain += was_in_vain;
    if (was_in_vain || view.is_far(view.size() - 1, nearest_to_shift(view, found))) sigma = amid_the_rest(found);
  }
  if (found.size() != found.expected) {
    found.doubt = fmt::format("there are {} eigenvalues, counted by the signs of two factorisations, and {} were found",
                              2 * found.expected, 2 * found.size());
  }
}

// As many as are wanted may lie beyond what could be seen from one shift.
std::optional<Search::Content> Search::widened(Region region, Index count) {
  std::optional<Content> best = content_of(region);
  for (int step = 0; best && step < most_widenings && best->inside < count; ++step) {
    region.radius *= 16;
    const std::optional<Content> wider = content_of(region);
    if (!wider) break;
    if (wider->inside > best->inside) best = wider;
  }
  return best;
}

ConservativePairs Search::lowest(Index count) {
  count = std::min(count, pencil_.freedom());
  ConservativePairs found;
  if (count == 0) return found;
  if (!shift_to(0) && !shift_beside(beside_zero)) {
    throw Error("the matrices are singular whatever the shift: a motion has neither mass nor stiffness");
  }
  const Eigen::MatrixXd nothing_locked;
  double sigma = shift_;
  for (int attempt = 0; attempt < most_shifts; ++attempt) {
    LanczosBasis basis = basis_from(random_block(1), nothing_locked, count);
    if (basis.is_complete()) return found;  // nothing has mass
    std::optional<double> next_shift;
    int full_views = 0;
    const ShiftView view = look(basis, count, [&](const ShiftView& now) {
      full_views += now.size() >= capacity_for(count);
      if (attempt + 1 < most_shifts) next_shift = now.better_shift(count, full_views > 3);
      return next_shift || now.region_of_lowest(count);
    });
    if (next_shift && shift_beside(*next_shift)) {
      sigma = shift_;
      continue;
    }
    const std::optional<Region> region = view.region_of_lowest(count);
    if (!region) throw Error(fmt::format("the lowest {} modes do not converge", count));
    found.region = *region;
    take(basis, view, found);
    break;
  }
  if (const auto content = widened(found.region, count)) {
    found.region = content->region;
    found.below = content->below;
    found.expected = content->inside;
    look_for_missing(found, sigma);
  } else {
    found.expected = found.size();
    found.doubt = nothing_to_count;
  }
  return found;
}

ConservativePairs Search::in_slice(double from, double to, Index below_from, Index below_to) {
  const double centre = 0.5 * (from + to), radius = 0.5 * (to - from);
  if (below_to - below_from > most_in_slice) {
    const auto middle = count_below(centre, 1e-6 * radius);
    if (!middle) throw Error(nothing_to_count);
    ConservativePairs found = in_slice(from, middle->at, below_from, middle->below);
    const ConservativePairs upper = in_slice(middle->at, to, middle->below, below_to);
    const auto append = [](auto& a, const auto& b) {
      const Eigen::Index size = a.size();
      a.conservativeResize(size + b.size());
      a.tail(b.size()) = b;
    };
    append(found.mu, upper.mu);
    append(found.error, upper.error);
    Eigen::MatrixXd both(pencil_.size(), found.z.cols() + upper.z.cols());
    both << found.z, upper.z;
    found.z = std::move(both);
    found.expected += upper.expected;
    found.region = {centre, radius};
    if (found.doubt.empty()) found.doubt = upper.doubt;
    return found;
  }
  ConservativePairs found;
  found.region = {centre, radius};
  found.below = below_from;
  found.expected = below_to - below_from;
  found.z.resize(pencil_.size(), 0);
  if (found.expected == 0) return found;
  double sigma = centre;
  for (double off = 1e-3 * radius; !shift_to(sigma) && off < radius; off *= 3) sigma = centre + off;
  look_for_missing(found, sigma);
  return found;
}

ConservativePairs Search::between(double from, double to) {
  const double off = 1e-9 * (to - from);
  const auto end = count_below(to, off), beginning = count_below(from > off ? from : -off, -off);
  const auto before_zero = count_below(-off, -off);
  const auto after_zero = from > off ? count_below(off, off) : before_zero;
  if (!end || !beginning || !before_zero || !after_zero) throw Error(nothing_to_count);
  ConservativePairs found = in_slice(beginning->at, end->at, beginning->below, end->below);
  found.below = before_zero->below;
  found.at_zero = after_zero->below - before_zero->below;
  return found;
}

ConservativePairs sorted(ConservativePairs found) {
  std::vector<Eigen::Index> order(at(found.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Eigen::Index a, Eigen::Index b) { return found.mu[a] < found.mu[b]; });
  found.mu = found.mu(order).eval();
  found.error = found.error(order).eval();
  found.z = found.z(Eigen::all, order).eval();
  return found;
}

}  // namespace

ConservativePairs find_lowest(ConservativePencil& pencil, Index count, const Progress& progress) {
  return sorted(Search(pencil, progress).lowest(count));
}

ConservativePairs find_between(ConservativePencil& pencil, double from, double to, const Progress& progress) {
  return sorted(Search(pencil, progress).between(from, to));
}

}  // namespace stillpoint
