#include "equilibrium/stability.h"

#include <algorithm>
#include <cmath>

namespace stillpoint {

namespace {

constexpr double symmetric_to = 1e-12;              // rounding of sums of a few entries
constexpr double narrowest = 1e-13, widest = 1e-4;  // limits of the band around zero

struct Counts {
  Index negative;  // number of negative eigenvalues beyond the m of the constraints
  bool zero;       // some pivot is zero
  double error;    // backward error of the factorisation

  // Every sign is certain.
  bool sharper_than(double band) const { return !zero && error <= band; }
};

Counts negative_beyond(Statics& statics, const Matrices& at, SymmetricFactor& factor, double shift) {
  factor.factor(statics.bordered(at, {shift, 0}));
  const SignCount signs = factor.signs();
  return {signs.negative - statics.m(), signs.zero > 0, factor.backward_error()};
}

}  // namespace

bool is_symmetric(const SparseMatrix& K, const Eigen::VectorXd& s) {
  const SparseMatrix transposed = K.transpose();
  double largest = 0, difference = 0;
  for (Index j = 0; j < K.cols(); ++j) {
    SparseMatrix::InnerIterator a(K, j), b(transposed, j);
    while (a || b) {
      const Eigen::Index row = !b || (a && a.row() < b.row()) ? a.row() : b.row();
      const double x = a && a.row() == row ? a.value() : 0, y = b && b.row() == row ? b.value() : 0;
      largest = std::max(largest, std::abs(x) * s[row] * s[j]);
      difference = std::max(difference, std::abs(x - y) * s[row] * s[j]);
      if (a && a.row() == row) ++a;
      if (b && b.row() == row) ++b;
    }
  }
  return difference <= symmetric_to * largest;
}

StiffnessSigns count_signs(Statics& statics, const Matrices& at, double uncertainty) {
  StiffnessSigns signs;
  signs.band = std::max(narrowest, uncertainty);
  if (statics.n() == 0) return signs;
  SymmetricFactor& factor = statics.symmetric_factor(at);
  const auto counts_at = [&](double shift) { return negative_beyond(statics, at, factor, shift); };
  Counts below{}, above{};
  signs.sharp = false;
  for (double next = signs.band; next < widest && !signs.sharp;) {
    signs.band = next;
    above = counts_at(-signs.band);
    signs.sharp = above.sharper_than(signs.band);
    if (signs.sharp && above.negative == 0) {  // then none is below the band, either
      below = above;
      break;
    }
    below = counts_at(signs.band);
    next = std::max(4 * signs.band, 2 * below.error);
    signs.sharp = signs.sharp && below.sharper_than(signs.band);
  }
  signs.negative = below.negative;
  signs.zero = above.negative - below.negative;
  if (signs.negative > 0) {
    signs.shift_beyond = 1e-6;
    while (signs.shift_beyond < 1e3 && counts_at(signs.shift_beyond).negative > 0) {
      signs.shift_beyond *= 4;
    }
  }
  return signs;
}

namespace {

// The direction of the lowest curvature, by inverse iteration with a shift just beyond it.
Eigen::VectorXd lowest_direction(Statics& statics, const Matrices& at, double shift) {
  // A generic, reproducible start vector.
  Eigen::VectorXd x = Eigen::VectorXd::Zero(statics.n());
  for (Index i = 0; i < x.size(); ++i) x[i] = std::sin(1.0 + 1.7 * i);
  if (!statics.factor(at, {shift, 0})) return {};
  for (int k = 0; k < 8; ++k) x = statics.solve_for_coordinates(x * (statics.energy() / x.norm()));
  return x / x.lpNorm<Eigen::Infinity>();
}

}  // namespace

std::optional<State> leave_saddle(Statics& statics, Point saddle, const StiffnessSigns& signs) {
  const Matrices& at = statics.linearize(saddle);
  const Eigen::VectorXd x = lowest_direction(statics, at, signs.shift_beyond);
  if (x.size() == 0 || !x.allFinite()) return std::nullopt;
  const double curvature = x.dot(statics.scales().s.cwiseProduct(at.K * statics.scales().s.cwiseProduct(x)));
  if (!(curvature < 0) || !statics.factor_metric(at)) return std::nullopt;
  const bool knows_energy = statics.has_potential(saddle.state);
  const double energy = knows_energy ? statics.lagrangian(saddle) : 0;
  std::optional<State> best;
  double lowest = energy;
  for (double size = 0.3; size > 1e-4 && !best; size /= 4) {
    for (const double sign : {1.0, -1.0}) {
      Point there = statics.at(statics.displaced(saddle.state, sign * size * x));
      for (int k = 0; k < 10 && there.constraint_residual() > statics.constraint_noise(there.state); ++k) {
        there = statics.at(statics.displaced(there.state, statics.solve_for_constraints(there.phi)));
      }
      if (!(there.constraint_residual() <= 1e-3 * size * size)) continue;
      there.state.lambda = saddle.state.lambda;
      const double value = knows_energy ? statics.lagrangian(there) : -1;
      if (value >= lowest) continue;
      lowest = value;
      best = there.state;
    }
  }
  return best;
}

}  // namespace stillpoint
