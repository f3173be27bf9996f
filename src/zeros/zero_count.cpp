#include "zeros/zero_count.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

constexpr Index least_points = 16, points_per_zero = 8;
constexpr int deepest_halving = 12;
constexpr double largest_turn = std::numbers::pi / 3;  // of the determinant between two points that are trusted

/// The direction of det P, a number of length one; zero where P is singular.
Complex direction_of_determinant(const SystemPencil& pencil, Complex s) {
  const Eigen::PartialPivLU<Eigen::MatrixXcd> lu(pencil.at(s));
  Complex direction = static_cast<double>(lu.permutationP().determinant());
  for (const Complex pivot : lu.matrixLU().diagonal()) {
    if (std::abs(pivot) == 0) return 0;
    direction *= pivot / std::abs(pivot);
  }
  return direction;
}

/// Follows the argument along an arc, halved until it turns by little.
class ArgumentOnCircle {
 public:
  ArgumentOnCircle(const SystemPencil& pencil, Complex centre, double radius)
      : pencil_(pencil), centre_(centre), radius_(radius) {}

  Complex at(double angle) const { return direction_of_determinant(pencil_, centre_ + std::polar(radius_, angle)); }

  std::optional<double> turn(double from, double to, Complex before, Complex after, int depth) const {
    if (before == 0.0 || after == 0.0) return std::nullopt;
    const double middle = (from + to) / 2;
    const Complex between = at(middle);
    if (between == 0.0) return std::nullopt;
    const double first = std::arg(between / before), second = std::arg(after / between);
    if (std::abs(first) < largest_turn && std::abs(second) < largest_turn) return first + second;
    if (depth == 0) return std::nullopt;
    const auto one = turn(from, middle, before, between, depth - 1), two = turn(middle, to, between, after, depth - 1);
    if (!one || !two) return std::nullopt;
    return *one + *two;
  }

 private:
  const SystemPencil& pencil_;
  Complex centre_;
  double radius_;
};

}  // namespace

std::optional<Index> zeros_in_disc(const SystemPencil& pencil, Complex centre, double radius, Index expected) {
  if (pencil.rows() == 0) return 0;
  const ArgumentOnCircle circle(pencil, centre, radius);
  const Index points = std::max(least_points, points_per_zero * expected);
  const double step = 2 * std::numbers::pi / points;
  double total = 0;
  Complex before = circle.at(0);
  for (Index k = 0; k < points; ++k) {
    const Complex after = circle.at((k + 1) * step);
    const auto turn = circle.turn(k * step, (k + 1) * step, before, after, deepest_halving);
    if (!turn) return std::nullopt;
    total += *turn;
    before = after;
  }
  return static_cast<Index>(std::lround(total / (2 * std::numbers::pi)));
}

}  // namespace stillpoint
