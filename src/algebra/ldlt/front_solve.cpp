#include "algebra/ldlt/front_solve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "algebra/ldlt/front_blocks.h"
#include "algebra/ldlt/front_walk.h"

namespace stillpoint {

namespace {

void divide_by_D(const FrontFactor& front, double* x) {
  for_each_block(
      front, [&](Index k, double d) { x[k] = d == 0 ? 0 : x[k] / d; },
      [&](Index k, double a, double b, double c) {
        std::tie(x[k], x[k + 1]) = divided_by_pair(x[k], x[k + 1], a, b, c);
      });
}

using Column = Eigen::Map<const Eigen::VectorXd>;

/// Forward substitution with one front, x ← D⁻¹ L⁻¹ x; w has room for its rows.
void eliminate(const FrontFactor& front, double* w, Eigen::VectorXd& x) {
  for (Index i = 0; i < front.size; ++i) w[i] = x[front.place[i]];
  const double* l = front.L;
  for (Index j = 0; j < front.count; ++j) {
    const double x_j = w[j];
    for (Index i = j + 1; i < front.size; ++i) w[i] -= *l++ * x_j;
  }
  divide_by_D(front, w);
  for (Index i = 0; i < front.size; ++i) x[front.place[i]] = w[i];
}

/// Backward substitution with one front, x ← L⁻ᵀ x.
void substitute_back(const FrontFactor& front, double* w, Eigen::VectorXd& x) {
  for (Index i = 0; i < front.size; ++i) w[i] = x[front.place[i]];
  const std::int64_t count = front.count;
  const double* l = front.L + count * front.size - count * (count + 1) / 2;
  for (Index j = front.count - 1; j >= 0; --j) {
    l -= front.size - 1 - j;
    const Column below_l(l, front.size - 1 - j), below_w(w + j + 1, below_l.size());
    w[j] -= below_l.dot(below_w);  // 0 − 0 for a zero pivot, whose column of L is zero
  }
  for (Index i = 0; i < front.count; ++i) x[front.place[i]] = w[i];
}

/// Substitution for a single right-hand side.
struct Solution {
  Eigen::VectorXd& x;
  std::vector<double> w;

  void eliminate(const FrontFactor& front) { stillpoint::eliminate(front, w.data(), x); }
  void substitute_back(const FrontFactor& front) { stillpoint::substitute_back(front, w.data(), x); }
  void apply_transposed(const FrontRotation& rotation) { stillpoint::apply_transposed(rotation, x.data()); }
  void apply(const FrontRotation& rotation) { stillpoint::apply(rotation, x.data()); }
  void add(Index to, Index from) { x[to] += x[from]; }
  void copy(Index to, Index from) { x[to] = x[from]; }
};

template <class Visit>
void for_each_front(const FrontFactors& factors, const Visit& visit) {
  for (const BranchFactors& branch : factors.of_branches) {
    for (const FrontFactor& front : branch.fronts) visit(front);
  }
}

/// Adds |L| |D| |L|ᵀ x of one front to y; rows and values have room for its rows.
void add_magnitudes(const FrontFactor& front, const Eigen::VectorXd& x, double* rows, double* values,
                    Eigen::VectorXd& y) {
  for (Index i = 0; i < front.size; ++i) rows[i] = x[front.place[i]];
  const double* l = front.L;
  for (Index j = 0; j < front.count; ++j) {
    values[j] = rows[j];
    for (Index i = j + 1; i < front.size; ++i) values[j] += std::abs(*l++) * rows[i];
  }
  for_each_block(
      front, [&](Index k, double d) { values[k] *= std::abs(d); },
      [&](Index k, double a, double b, double c) {
        const double y_a = values[k], y_b = values[k + 1];
        values[k] = std::abs(a) * y_a + std::abs(b) * y_b;
        values[k + 1] = std::abs(b) * y_a + std::abs(c) * y_b;
      });
  for (Index i = 0; i < front.size; ++i) rows[i] = 0;
  l = front.L;
  for (Index j = 0; j < front.count; ++j) {
    rows[j] += values[j];
    for (Index i = j + 1; i < front.size; ++i) rows[i] += std::abs(*l++) * values[j];
  }
  for (Index i = 0; i < front.size; ++i) y[front.place[i]] += rows[i];
}

}  // namespace

void solve_in_place(const FrontFactors& factors, Eigen::VectorXd& x) {
  walk(factors, [&](const BranchFactors& branch) {
    return Solution{x, std::vector<double>(static_cast<std::size_t>(largest_front(branch)))};
  });
}

SignCount count_signs(const FrontFactors& factors) {
  SignCount signs;
  for_each_front(factors, [&](const FrontFactor& front) {
    for_each_block(
        front, [&](Index, double d) { ++(d > 0   ? signs.positive
                                         : d < 0 ? signs.negative
                                                 : signs.zero); },
        [&](Index, double, double, double) {
          ++signs.positive;
          ++signs.negative;
        });
  });
  return signs;
}

double smallest_pivot(const FrontFactors& factors) {
  double smallest = std::numeric_limits<double>::infinity();
  for_each_front(factors, [&](const FrontFactor& front) {
    for_each_block(
        front, [&](Index, double d) { smallest = std::min(smallest, std::abs(d)); },
        [&](Index, double a, double b, double c) {  // the determinant divided by the larger eigenvalue
          const double p = a / b, q = c / b;
          const double larger = (std::abs(p + q) + std::hypot(p - q, 2.0)) / 2;
          smallest = std::min(smallest, std::abs(b) * std::abs(p * q - 1) / larger);
        });
  });
  return smallest;
}

// Copies take part as originals do: values are read from them, and products are added to them.
Eigen::VectorXd apply_magnitudes(const FrontFactors& factors, const Eigen::VectorXd& x) {
  Eigen::VectorXd all = Eigen::VectorXd::Zero(factors.branches->places), product = all;
  all.head(x.size()) = x;
  for_branches_downwards(factors, [&](const FrontBranch& branch, const BranchFactors&) {
    for_copies_below(factors, branch, [&](Index original, Index copy) { all[copy] = all[original]; });
  });
  for_branches_upwards(factors, [&](const FrontBranch& branch, const BranchFactors& own) {
    for_copies_below(factors, branch, [&](Index original, Index copy) { product[original] += product[copy]; });
    std::vector<double> rows(static_cast<std::size_t>(largest_front(own))), values(rows.size());
    for (const FrontFactor& front : own.fronts) add_magnitudes(front, all, rows.data(), values.data(), product);
  });
  product.conservativeResize(x.size());
  return product;
}

}  // namespace stillpoint
