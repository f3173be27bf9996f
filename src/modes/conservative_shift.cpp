#include "modes/conservative_shift.h"

#include <fmt/format.h>

#include <cmath>

#include "algebra/random_start.h"

namespace stillpoint {

namespace {

constexpr double good = 1e-9;  // of a residual, relative: it need not be better
constexpr int check_every = 5, most_restarts = 60, most_products = 4;

}  // namespace

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

LanczosBasis ConservativeShift::basis(Index columns, const Eigen::MatrixXd& locked, Index wanted) {
  Eigen::MatrixXd start(pencil_.size(), columns);
  for (Index j = 0; j < columns; ++j) {
    start.col(j) = pencil_.solve(pencil_.mass() * random_start(pencil_.size(), ++seed_));
  }
  return {pencil_.mass(),
          {[this](const Eigen::VectorXd& Mx) { return pencil_.solve(Mx); },
           [this](const Eigen::VectorXd& z) { return pencil_.project(z); }},
          start,
          locked,
          capacity_for(wanted),
          pencil_.freedom()};
}

ShiftView ConservativeShift::look(LanczosBasis& basis, Index wanted, int patience,
                                  const std::function<bool(const ShiftView&)>& is_enough) {
  Index most_converged = 0;
  for (int restart = 0, in_vain = 0;; ++restart) {
    while (!basis.is_full() && !basis.is_complete()) {
      basis.grow();
      if (basis.size() <= wanted || basis.size() % check_every != 0) continue;
      ShiftView view(basis, shift_, pencil_.size());
      if (progress_) progress_(fmt::format("{} of {} eigenvalues", std::min(view.converged(), wanted), wanted));
      if (is_enough(view)) return view;
    }
    ShiftView view(basis, shift_, pencil_.size());
    in_vain = view.converged() > most_converged ? 0 : in_vain + 1;
    most_converged = std::max(most_converged, view.converged());
    if (is_enough(view) || basis.is_complete() || restart == most_restarts || in_vain > patience) return view;
    basis.restart(view.pairs(), std::min(basis.size() - 1, wanted + (basis.size() - wanted) / 3));
  }
}

double nearest_to_shift(const ShiftView& view, const ConservativePairs& found) {
  double nearest = view.distance(0);
  for (const double mu : found.mu) nearest = std::min(nearest, std::abs(mu - view.shift()));
  return nearest;
}

void ConservativeShift::take(const LanczosBasis& basis, const ShiftView& view, const Region& region,
                             const Eigen::MatrixXd& locked, double most_residual, ConservativePairs& found) {
  std::vector<Index> inside;
  const double nearest = nearest_to_shift(view, found);
  for (Index k = 0; k < view.converged(); ++k) {
    if (region.holds(view.mu(k)) && !view.is_far(k, nearest)) inside.push_back(k);
  }
  Index to = found.size();
  const auto most = to + static_cast<Index>(inside.size());
  found.mu.conservativeResize(most);
  found.error.conservativeResize(most);
  found.z.conservativeResize(pencil_.size(), most);
  const Eigen::MatrixXd z = basis.vectors(view.pairs(), inside), images = images_of(z);
  for (Eigen::Index j = 0; j < z.cols(); ++j) {
    const Index k = inside[static_cast<std::size_t>(j)];
    const Polished polished = polish(z.col(j), images.col(j), locked);
    if (polished.residual > most_residual * std::abs(polished.theta)) continue;
    found.mu[to] = view.shift() + 1 / polished.theta;
    found.error[to] = view.error(k, polished.theta, polished.residual);
    found.z.col(to++) = polished.z;
  }
  found.mu.conservativeResize(to);
  found.error.conservativeResize(to);
  found.z.conservativeResize(pencil_.size(), to);
}

// Strains want solutions that are refined.
Eigen::MatrixXd ConservativeShift::images_of(const Eigen::MatrixXd& z) const {
  Eigen::MatrixXd forces = pencil_.mass() * z;
  if (!pencil_.has_strains()) return pencil_.solve_columns(forces);
  for (auto&& column : forces.colwise()) column = pencil_.solve_refined(column);
  return forces;
}

// The first product measures the residual, and makes what the masses do not see fit to the rest. More of them, with
// solutions that are refined, help where the basis suffered from rounding.
ConservativeShift::Polished ConservativeShift::polish(Eigen::VectorXd z, Eigen::VectorXd image,
                                                      const Eigen::MatrixXd& locked) {
  Polished best;
  for (int product = 0; product < most_products; ++product) {
    const Eigen::VectorXd Mz = pencil_.mass() * z;
    const double square = z.dot(Mz);
    if (product > 0) image = pencil_.solve_refined(Mz);
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

}  // namespace stillpoint
