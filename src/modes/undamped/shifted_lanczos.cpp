#include "modes/undamped/shifted_lanczos.h"

#include <fmt/format.h>

#include <cmath>

#include "algebra/sparse/random_start.h"
#include "modes/tolerances.h"
#include "modes/undamped/spectra_lanczos.h"

namespace stillpoint {

namespace {

constexpr int check_every = 5, most_restarts = 60, most_products = 4;
constexpr Eigen::Index images_at_once = 8;

/// The search with our own basis, which may begin with a block of start vectors.
class BlockLanczosSearch : public LanczosSearch {
 public:
  BlockLanczosSearch(const ConservativePencil& pencil, const Supervision& supervision, const Eigen::MatrixXd& start,
                     const Eigen::MatrixXd& locked, Index capacity)
      : pencil_(pencil),
        supervision_(supervision),
        basis_(pencil.mass(),
               {[&pencil](const Eigen::VectorXd& Mx) { return pencil.solve(Mx); },
                [&pencil](const Eigen::VectorXd& z) { return pencil.project(z); }},
               start, locked, capacity, pencil.dof()) {}

  bool is_complete() const override { return basis_.is_complete(); }
  LanczosView run(Index wanted, int patience, const std::function<bool(const LanczosView&)>& is_enough) override;
  Eigen::MatrixXd take_vectors(const RitzPairs& pairs, const std::vector<Index>& which) override {
    return basis_.take_vectors(pairs, which);
  }

 private:
  LanczosView view() const { return {basis_.ritz(), basis_.is_complete(), pencil_.at(), pencil_.size()}; }

  const ConservativePencil& pencil_;
  const Supervision& supervision_;
  LanczosBasis basis_;
};

LanczosView BlockLanczosSearch::run(Index wanted, int patience,
                                    const std::function<bool(const LanczosView&)>& is_enough) {
  Index most_converged = 0;
  for (int restart = 0, without_gain = 0;; ++restart) {
    while (!basis_.is_full() && !basis_.is_complete()) {
      basis_.grow();
      if (basis_.size() % check_every != 0) continue;
      if (basis_.size() <= wanted) {
        report_basis(supervision_, basis_.size());
        continue;
      }
      LanczosView now = view();
      report(supervision_, now, wanted);
      if (is_enough(now) || supervision_.is_time_over()) return now;
    }
    LanczosView now = view();
    without_gain = now.converged() > most_converged ? 0 : without_gain + 1;
    most_converged = std::max(most_converged, now.converged());
    if (is_enough(now) || basis_.is_complete() || restart == most_restarts || without_gain > patience ||
        supervision_.is_time_over())
      return now;
    basis_.restart(now.pairs(), std::min(basis_.size() - 1, wanted + (basis_.size() - wanted) / 3));
  }
}

}  // namespace

void report_basis(const Supervision& supervision, Index size) {
  if (supervision.progress) supervision.say(fmt::format("{} vectors of a Krylov basis", size));
}

void report(const Supervision& supervision, const LanczosView& view, Index wanted) {
  supervision.say(fmt::format("{} of {} eigenvalues", std::min(view.converged(), wanted), wanted));
}

Eigen::MatrixXd ConservativePairs::vectors_in(const Region& part) const {
  std::vector<Eigen::Index> inside;
  for (Eigen::Index k = 0; k < mu.size(); ++k) {
    if (part.holds(mu[k])) inside.push_back(k);
  }
  return z(Eigen::all, inside);
}

Index ConservativePairs::count_in(const Region& part) const {
  return static_cast<Index>(std::count_if(mu.begin(), mu.end(), [&](double value) { return part.holds(value); }));
}

void ConservativePairs::keep(const std::vector<Eigen::Index>& which) {
  mu = mu(which).eval();
  error = error(which).eval();
  z = z(Eigen::all, which).eval();
}

bool ConservativeShift::move_to(double sigma) {
  const bool is_regular = pencil_.shift(sigma);
  shift_ = sigma;
  if (is_regular && pencil_.below() == 0) nothing_below_ = std::max(nothing_below_.value_or(sigma), sigma);
  return is_regular;
}

bool ConservativeShift::move_beside(double sigma) {
  for (int tries = 0; tries < 5; ++tries, sigma *= 10) {
    if (move_to(sigma)) return true;
  }
  return false;
}

// The end of a region is a shift, so it must keep off the eigenvalues.
std::optional<ConservativeShift::Count> ConservativeShift::count_below(double mu, double outwards) {
  if (nothing_below_ && mu <= *nothing_below_) return Count{0, mu};
  for (int tries = 0; tries < 7; ++tries, mu += outwards, outwards *= 10) {
    if (move_to(mu)) return Count{pencil_.below(), mu};
  }
  return {};
}

Eigen::VectorXd ConservativeShift::random() { return random_start(pencil_.size(), ++seed_); }

// The start vectors lie in the subspace of the operator. Spectra multiplies its own by the operator once more.
std::unique_ptr<LanczosSearch> ConservativeShift::lanczos(Index columns, const Eigen::MatrixXd& locked, Index wanted) {
  if (options_.spectra && has_room_for_spectra(pencil_, locked)) {
    const auto start = [this]() -> Eigen::VectorXd { return pencil_.project(random()); };
    return spectra_search(pencil_, start, locked, options_.supervision);
  }
  Eigen::MatrixXd block(pencil_.size(), columns);
  for (auto&& column : block.colwise()) column = pencil_.solve(pencil_.mass() * random());
  return std::make_unique<BlockLanczosSearch>(pencil_, options_.supervision, block, locked, lanczos_capacity(wanted));
}

double nearest_to_shift(const LanczosView& view, const ConservativePairs& found) {
  double nearest = view.distance(0);
  for (const double mu : found.mu) nearest = std::min(nearest, std::abs(mu - view.shift()));
  return nearest;
}

void ConservativeShift::take(LanczosSearch& search, const LanczosView& view, const Region& region,
                             const Eigen::MatrixXd& locked, double most_residual, ConservativePairs& found) {
  std::vector<Index> inside;
  const double nearest = nearest_to_shift(view, found);
  for (Index k = 0; k < view.converged(); ++k) {
    if (region.holds(view.mu(k)) && !view.is_distant(k, nearest)) inside.push_back(k);
  }
  const Index before = found.size();
  const auto most = before + static_cast<Index>(inside.size());
  found.mu.conservativeResize(most);
  found.error.conservativeResize(most);
  Eigen::MatrixXd z = search.take_vectors(view.pairs(), inside);
  Index taken = 0;
  for (Eigen::Index first = 0; first < z.cols(); first += images_at_once) {
    const Eigen::MatrixXd images = images_of(z.middleCols(first, std::min(images_at_once, z.cols() - first)));
    for (Eigen::Index j = 0; j < images.cols(); ++j) {
      const Index k = inside[static_cast<std::size_t>(first + j)];
      const Polished polished = polish(z.col(first + j), images.col(j), locked);
      if (polished.residual > most_residual * std::abs(polished.theta)) continue;
      found.mu[before + taken] = view.shift() + 1 / polished.theta;
      found.error[before + taken] = view.error(k, polished.theta, polished.residual);
      z.col(taken++) = polished.z;
    }
  }
  found.mu.conservativeResize(before + taken);
  found.error.conservativeResize(before + taken);
  z.conservativeResize(Eigen::NoChange, taken);
  if (before == 0) {
    found.z = std::move(z);
    return;
  }
  found.z.conservativeResize(Eigen::NoChange, before + taken);
  found.z.rightCols(taken) = z;
}

// A factored stiffness needs refined solutions.
Eigen::MatrixXd ConservativeShift::images_of(const Eigen::MatrixXd& z) const {
  Eigen::MatrixXd forces = pencil_.mass() * z;
  if (!pencil_.has_strains()) return pencil_.solve_columns(std::move(forces));
  for (auto&& column : forces.colwise()) column = pencil_.solve_refined(column);
  return forces;
}

// The first product measures the residual and determines the components that the mass does not see. Further products
// with refined solutions help if the basis has suffered from rounding.
ConservativeShift::Polished ConservativeShift::polish(Eigen::VectorXd z, Eigen::VectorXd image,
                                                      const Eigen::MatrixXd& locked) {
  Polished best;
  for (int product = 0; product < most_products; ++product) {
    const Eigen::VectorXd Mz = pencil_.mass() * z;
    const double square = z.dot(Mz);
    if (product > 0) image = pencil_.solve_refined(Mz);
    if (locked.cols() > 0) image -= locked * (locked.transpose() * (pencil_.mass() * image));
    const double theta = image.dot(Mz) / square;
    const Eigen::VectorXd unbalanced = image - theta * z;
    const double residual = std::sqrt(std::max(0.0, unbalanced.dot(pencil_.mass() * unbalanced)) / square);
    z = image / (theta * std::sqrt(square));
    if (product > 0 && residual > 0.1 * best.residual) break;
    best = {z, theta, residual};
    if (residual <= tolerance::sufficient_lanczos_residual * std::abs(theta)) break;
  }
  return best;
}

}  // namespace stillpoint
