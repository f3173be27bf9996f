// Seeded Jacobians as linkages of the plane have them, with a rank that is known by construction.
//
// A chain of couplers, each carried by the one before (or the ground) on two or more parallel links of equal length;
// every link after the second is redundant. Some couplers carry a further body on a hinge.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

struct Linkage {
  SparseMatrix J;
  Index rank = 0;
};

struct LinkageOptions {
  int couplers = 6;
  int redundant = 0;            ///< links
  int digits = 0;               ///< of all lengths and positions (m); 0: all of them
  bool along_the_axes = false;  ///< links are parallel to an axis, with what rounding leaves of a zero
  bool mixed_units = false;     ///< every coordinate has a unit of its own; constraints always have
};

class RandomLinkage {
 public:
  explicit RandomLinkage(std::uint64_t seed) : engine_(seed) {}

  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1.0p-53;
  }
  int whole(int low, int high) { return static_cast<int>(std::floor(between(low, high + 1))); }

  Linkage make(const LinkageOptions& options) {
    options_ = options;
    entries_.clear();
    rows_ = columns_ = 0;
    Linkage linkage;
    int left = options.redundant;
    Body base;
    for (int part = 0; part < options.couplers; ++part) {
      const bool last = part + 1 == options.couplers;
      const int extra = last ? left : whole(0, left < 3 ? left : 3);
      left -= extra;
      base = add_coupler(base, 2 + extra);
      linkage.rank += 2;
      if (whole(0, 1) == 1) {
        add_hinged_body(base);
        linkage.rank += 2;
      }
    }
    linkage.J = in_units_and_shuffled();
    return linkage;
  }

 private:
  struct Body {
    int column = -1;  // of x; y and φ follow. −1: the ground
    double x = 0, y = 0;
  };

  double rounded(double x) const {
    if (options_.digits == 0) return x;
    const double scale = std::pow(10.0, options_.digits);
    return std::round(x * scale) / scale;
  }

  void add(int column, double value) { entries_.emplace_back(rows_, column, value); }

  /// A constraint on the velocity of a place on a body, in direction (dx, dy).
  void add_place(const Body& body, double x, double y, double dx, double dy) {
    if (body.column < 0) return;
    add(body.column, dx);
    add(body.column + 1, dy);
    add(body.column + 2, dy * (x - body.x) - dx * (y - body.y));
  }

  Body add_body(double x, double y) {
    const Body body{columns_, rounded(x), rounded(y)};
    columns_ += 3;
    return body;
  }

  Body add_coupler(const Body& base, int links) {
    const double right = std::acos(0.0);
    const double angle = options_.along_the_axes ? right * whole(-4, 4) : between(-3, 3), length = between(0.3, 2);
    const double dx = length * std::cos(angle), dy = length * std::sin(angle);
    const Body coupler = add_body(base.x + dx + between(-1, 1), base.y + dy + between(-1, 1));
    for (int link = 0; link < links; ++link) {
      // The first two are well apart, across the links: the coupler does turn with less.
      const double across = link == 0 ? 0.5 : link == 1 ? -0.5 : between(-2, 2), along = between(-1, 1);
      const double x = rounded(base.x + across * dy / length + along * dx / length);
      const double y = rounded(base.y - across * dx / length + along * dy / length);
      const double end_x = rounded(x + dx), end_y = rounded(y + dy);
      add_place(coupler, end_x, end_y, end_x - x, end_y - y);
      add_place(base, x, y, x - end_x, y - end_y);
      ++rows_;
    }
    return coupler;
  }

  void add_hinged_body(const Body& on) {
    const double x = rounded(on.x + between(-1, 1)), y = rounded(on.y + between(-1, 1));
    const Body body = add_body(x + between(-1, 1), y + between(-1, 1));
    for (const double direction : {1.0, 0.0}) {
      add_place(on, x, y, direction, 1 - direction);
      add_place(body, x, y, -direction, direction - 1);
      ++rows_;
    }
  }

  std::vector<int> shuffled(int size) {
    std::vector<int> order(static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i) order[i] = i;
    for (int i = size - 1; i > 0; --i) std::swap(order[i], order[whole(0, i)]);
    return order;
  }

  std::vector<double> units(int size, bool mixed) {
    constexpr double m = 1, mm = 1e-3, um = 1e-6, km = 1e3;
    std::vector<double> result;
    for (int i = 0; i < size; ++i) result.push_back(mixed ? std::vector{m, mm, um, km}[whole(0, 3)] : m);
    return result;
  }

  SparseMatrix in_units_and_shuffled() {
    const std::vector<double> row_units = units(rows_, true), column_units = units(columns_, options_.mixed_units);
    const std::vector<int> row = shuffled(rows_), column = shuffled(columns_);
    std::vector<Eigen::Triplet<double, Index>> triplets;
    for (const auto& entry : entries_) {
      triplets.emplace_back(row[entry.row()], column[entry.col()],
                            entry.value() * row_units[entry.row()] * column_units[entry.col()]);
    }
    SparseMatrix J(rows_, columns_);
    J.setFromTriplets(triplets.begin(), triplets.end());
    return J;
  }

  std::mt19937_64 engine_;
  LinkageOptions options_;
  std::vector<Eigen::Triplet<double, Index>> entries_;
  int rows_ = 0, columns_ = 0;
};

}  // namespace stillpoint
