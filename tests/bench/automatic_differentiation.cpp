// What the derivatives of one element cost: our own dual numbers against Eigen's AutoDiffScalar, ceres::Jet and
// derivatives written by hand, for the laws that dominate. The decision: docs/automatic-differentiation.md.
//
//   ./dev bench automatic_differentiation          (the column for Ceres appears where libceres-dev is installed)
//
// Second derivatives are nested for Eigen and Ceres, as both need it: T<T<double>>. All kinds evaluate the same
// formula,
// [[gnu::flatten]] makes the compiler inline all of it for each of them, and the derivatives must agree to 1e-12.

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <tuple>
#include <type_traits>
#include <unsupported/Eigen/AutoDiff>
#include <vector>

#include "base/median.h"
#include "base/stopwatch.h"
#include "stillpoint/authoring/dual.h"
#include "stillpoint/authoring/vec2.h"

#if __has_include(<ceres/jet.h>)
#include <ceres/jet.h>
#define HAVE_CERES
#endif

namespace {

using stillpoint::Dual, stillpoint::Dual2, stillpoint::Vec2;

/// Where an element stands (positions, or positions and rates) and its data.
struct Element {
  std::array<double, 8> x{};
  Vec2<double> arm_a, arm_b;
  double length = 0, factor = 0;
};

// ---------------------------------------------------------------------------------------------------------------------
// Kinds of numbers. variable: a number that varies in one direction; scaled: times a constant; moved: plus one

struct Own {
  static constexpr const char* name = "own";
  template <int n>
  using First = Dual<n>;
  template <int n>
  using Second = Dual2<n>;

  template <class T>
  static T variable(double value, int i) {
    return T::variable(value, i);
  }
  template <class T>
  static T scaled(double factor, const T& x) {
    return factor * x;
  }
  template <class T>
  static T moved(double by, const T& x) {
    return x + by;
  }
  template <class T>
  static double gradient(const T& x, int i) {
    return x.gradient[static_cast<std::size_t>(i)];
  }
  template <class T>
  static double hessian(const T& x, int i, int j) {
    return x.hessian(i, j);
  }
};

struct EigenAutoDiff {
  static constexpr const char* name = "Eigen";
  template <class S, int n>
  using Number = Eigen::AutoDiffScalar<Eigen::Matrix<S, n, 1>>;
  template <int n>
  using First = Number<double, n>;
  template <int n>
  using Second = Number<First<n>, n>;

  template <class T>
  static T variable(double value, int i) {
    if constexpr (std::is_same_v<typename T::Scalar, double>) {
      return T(value, T::DerType::SizeAtCompileTime, i);
    } else {
      return T(variable<typename T::Scalar>(value, i), T::DerType::SizeAtCompileTime, i);
    }
  }
  template <class T>
  static T scaled(double factor, const T& x) {
    return x * typename T::Scalar(factor);
  }
  template <class T>
  static T moved(double by, const T& x) {
    return x + typename T::Scalar(by);
  }
  template <class T>
  static double gradient(const T& x, int i) {
    if constexpr (std::is_same_v<typename T::Scalar, double>) return x.derivatives()[i];
    else return x.derivatives()[i].value();
  }
  template <class T>
  static double hessian(const T& x, int i, int j) {
    return x.derivatives()[i].derivatives()[j];
  }
};

#ifdef HAVE_CERES
struct CeresJet {
  static constexpr const char* name = "Ceres";
  template <int n>
  using First = ceres::Jet<double, n>;
  template <int n>
  using Second = ceres::Jet<First<n>, n>;

  template <class T>
  static T variable(double value, int i) {
    if constexpr (std::is_same_v<typename T::Scalar, double>) return T(value, i);
    else return T(variable<typename T::Scalar>(value, i), i);
  }
  template <class T>
  static T scaled(double factor, const T& x) {
    return typename T::Scalar(factor) * x;
  }
  template <class T>
  static T moved(double by, const T& x) {
    return x + typename T::Scalar(by);
  }
  template <class T>
  static double gradient(const T& x, int i) {
    if constexpr (std::is_same_v<typename T::Scalar, double>) return x.v[i];
    else return x.v[i].a;
  }
  template <class T>
  static double hessian(const T& x, int i, int j) {
    return x.v[i].v[j];
  }
};
#endif

struct ByHand {
  static constexpr const char* name = "by hand";
};

// ---------------------------------------------------------------------------------------------------------------------
// Laws. Each gives its value over any kind of number, and all of its derivatives by hand

/// The Hessian's lower triangle by rows, behind the gradient.
template <int n>
double& hessian_of(double* out, int i, int j) {
  return i < j ? hessian_of<n>(out, j, i) : out[n + i * (i + 1) / 2 + j];
}

/// Energy as a function of d = b − a: from its derivatives by d to those by (a, b).
void write_difference(double* out, const Vec2<double>& g, double xx, double xy, double yy) {
  const double h[2][2] = {{xx, xy}, {xy, yy}};
  const double gradient[4] = {-g.x, -g.y, g.x, g.y};
  for (int i = 0; i < 4; ++i) {
    out[i] = gradient[i];
    for (int j = 0; j <= i; ++j) hessian_of<4>(out, i, j) = (i < 2) == (j < 2) ? h[i % 2][j % 2] : -h[i % 2][j % 2];
  }
}

/// λ (|d|² − l²)
struct Rod {
  static constexpr const char* name = "rod constraint, 4 coordinates, second order";
  static constexpr int variables = 4, order = 2, size = 4 + 10;

  template <class Kind, class T>
  static T value(const Element& e, const std::array<T, 4>& q) {
    const T dx = q[2] - q[0], dy = q[3] - q[1];
    const T square = dx * dx + dy * dy;
    return Kind::scaled(e.factor, Kind::moved(-e.length * e.length, square));
  }
  static void by_hand(const Element& e, double* out) {
    const double twice = 2 * e.factor;
    const Vec2<double> d{e.x[2] - e.x[0], e.x[3] - e.x[1]};
    write_difference(out, twice * d, twice, 0, twice);
  }
};

/// ½ k (|d| − l₀)²
template <class Kind, class T>
T spring_energy(const Element& e, const T& dx, const T& dy) {
  using std::sqrt;
  const T square = dx * dx + dy * dy;
  const T root = sqrt(square);
  const T stretch = Kind::moved(-e.length, root);
  return Kind::scaled(0.5 * e.factor, T(stretch * stretch));
}

struct SpringByDifference {
  Vec2<double> gradient;
  double xx, xy, yy;

  SpringByDifference(const Element& e, const Vec2<double>& d) {
    const double inverse = 1 / std::sqrt(d.x * d.x + d.y * d.y);
    const double across = e.factor * (1 - e.length * inverse), bend = e.factor * e.length * inverse * inverse * inverse;
    gradient = across * d;
    xx = across + bend * d.x * d.x;
    xy = bend * d.x * d.y;
    yy = across + bend * d.y * d.y;
  }
};

struct SpringOfPoints {
  static constexpr const char* name = "spring between points, 4 coordinates, second order";
  static constexpr int variables = 4, order = 2, size = 4 + 10;

  template <class Kind, class T>
  static T value(const Element& e, const std::array<T, 4>& q) {
    return spring_energy<Kind, T>(e, q[2] - q[0], q[3] - q[1]);
  }
  static void by_hand(const Element& e, double* out) {
    const SpringByDifference v(e, {e.x[2] - e.x[0], e.x[3] - e.x[1]});
    write_difference(out, v.gradient, v.xx, v.xy, v.yy);
  }
};

struct SpringOfBodies {
  static constexpr const char* name = "spring between bodies, 6 coordinates, second order";
  static constexpr int variables = 6, order = 2, size = 6 + 21;

  template <class Kind, class T>
  static std::array<T, 2> point(const Vec2<double>& arm, const T& x, const T& y, const T& phi) {
    using std::cos, std::sin;
    const T c = cos(phi), s = sin(phi);
    return {x + Kind::scaled(arm.x, c) - Kind::scaled(arm.y, s), y + Kind::scaled(arm.x, s) + Kind::scaled(arm.y, c)};
  }
  template <class Kind, class T>
  static T value(const Element& e, const std::array<T, 6>& q) {
    const std::array<T, 2> a = point<Kind, T>(e.arm_a, q[0], q[1], q[2]), b = point<Kind, T>(e.arm_b, q[3], q[4], q[5]);
    return spring_energy<Kind, T>(e, b[0] - a[0], b[1] - a[1]);
  }
  static void by_hand(const Element& e, double* out) {
    const auto turned = [](double phi, const Vec2<double>& arm) {
      const double c = std::cos(phi), s = std::sin(phi);
      return Vec2<double>{c * arm.x - s * arm.y, s * arm.x + c * arm.y};
    };
    const Vec2<double> a = turned(e.x[2], e.arm_a), b = turned(e.x[5], e.arm_b);
    const SpringByDifference v(e, {e.x[3] + b.x - e.x[0] - a.x, e.x[4] + b.y - e.x[1] - a.y});
    // The columns of ∂d/∂q; only the angles bend d.
    const Vec2<double> along[6] = {{-1, 0}, {0, -1}, {a.y, -a.x}, {1, 0}, {0, 1}, {-b.y, b.x}};
    for (int i = 0; i < 6; ++i) {
      const Vec2<double> row{v.xx * along[i].x + v.xy * along[i].y, v.xy * along[i].x + v.yy * along[i].y};
      out[i] = dot(v.gradient, along[i]);
      for (int j = 0; j <= i; ++j) hessian_of<6>(out, i, j) = dot(row, along[j]);
    }
    hessian_of<6>(out, 2, 2) += dot(v.gradient, a);
    hessian_of<6>(out, 5, 5) -= dot(v.gradient, b);
  }
};

/// The forces c (d·ḋ) d / |d|² on both ends: their Jacobian by positions and rates, row by row
struct Damper {
  static constexpr const char* name = "damper forces, 4 coordinates and 4 rates, first order";
  static constexpr int variables = 8, order = 1, size = 4 * 8;

  template <class Kind, class T>
  static std::array<T, 4> value(const Element& e, const std::array<T, 8>& x) {
    const T dx = x[2] - x[0], dy = x[3] - x[1], wx = x[6] - x[4], wy = x[7] - x[5];
    const T rate = dx * wx + dy * wy, square = dx * dx + dy * dy;
    const T tension = Kind::scaled(e.factor, rate) / square;
    const T fx = tension * dx, fy = tension * dy;
    return {fx, fy, -fx, -fy};
  }
  static void by_hand(const Element& e, double* out) {
    const double d[2] = {e.x[2] - e.x[0], e.x[3] - e.x[1]}, w[2] = {e.x[6] - e.x[4], e.x[7] - e.x[5]};
    const double inverse = 1 / (d[0] * d[0] + d[1] * d[1]), rate = (d[0] * w[0] + d[1] * w[1]) * inverse;
    const double c = e.factor * inverse;
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) {
        const double by_rate = c * d[i] * d[j];
        const double by_place = c * d[i] * w[j] - 2 * rate * by_rate + (i == j ? e.factor * rate : 0);
        double* const row = out + i * 8 + j;
        double* const opposite = row + 2 * 8;
        row[0] = opposite[2] = -by_place;
        row[2] = opposite[0] = by_place;
        row[4] = opposite[6] = -by_rate;
        row[6] = opposite[4] = by_rate;
      }
    }
  }
};

// ---------------------------------------------------------------------------------------------------------------------

template <class Kind, class Law>
void differentiate(const Element& e, double* out) {
  constexpr int n = Law::variables;
  if constexpr (std::is_same_v<Kind, ByHand>) {
    Law::by_hand(e, out);
  } else if constexpr (Law::order == 2) {
    using T = typename Kind::template Second<n>;
    std::array<T, n> q;
    for (int i = 0; i < n; ++i) q[i] = Kind::template variable<T>(e.x[i], i);
    const T f = Law::template value<Kind, T>(e, q);
    for (int i = 0; i < n; ++i) {
      out[i] = Kind::gradient(f, i);
      for (int j = 0; j <= i; ++j) hessian_of<n>(out, i, j) = Kind::hessian(f, i, j);
    }
  } else {
    using T = typename Kind::template First<n>;
    std::array<T, n> x;
    for (int i = 0; i < n; ++i) x[i] = Kind::template variable<T>(e.x[i], i);
    for (const T& f : Law::template value<Kind, T>(e, x)) {
      for (int i = 0; i < n; ++i) *out++ = Kind::gradient(f, i);
    }
  }
}

/// All elements in turn, each with its own numbers and its own place for the results.
template <class Kind, class Law>
[[gnu::noinline, gnu::flatten]] void differentiate_all(const std::vector<Element>& elements, double* out) {
  for (const Element& e : elements) {
    differentiate<Kind, Law>(e, out);
    out += Law::size;
  }
}

std::vector<Element> random_elements() {
  std::mt19937 random(20261120);
  const auto uniform = [&](double from, double to) { return std::uniform_real_distribution(from, to)(random); };
  std::vector<Element> elements(500);
  for (Element& e : elements) {
    for (double& x : e.x) x = uniform(-1, 1);
    e.x[2] += 2;  // the ends never meet
    e.x[3] += 3;
    e.arm_a = {uniform(-0.5, 0.5), uniform(-0.5, 0.5)};
    e.arm_b = {uniform(-0.5, 0.5), uniform(-0.5, 0.5)};
    e.length = uniform(0.5, 2);
    e.factor = uniform(1, 10);
  }
  return elements;
}

/// How far the results are from those of our own, relative to the largest derivative of the element.
double difference(const std::vector<double>& own, const std::vector<double>& other, std::size_t size) {
  double worst = 0;
  for (std::size_t first = 0; first < own.size(); first += size) {
    double scale = 0, apart = 0;
    for (std::size_t i = first; i < first + size; ++i) {
      scale = std::max(scale, std::abs(own[i]));
      apart = std::max(apart, std::abs(own[i] - other[i]));
    }
    worst = std::isfinite(apart / scale) ? std::max(worst, apart / scale) : std::numeric_limits<double>::infinity();
  }
  return worst;
}

/// Measures one law with all kinds, taking turns so that all see the same weather; returns whether they agree.
template <class Law, class... Kinds>
bool measure(const std::vector<Element>& elements, const std::tuple<Kinds...>&) {
  constexpr std::size_t count = sizeof...(Kinds);
  constexpr int rounds = 41, repetitions = 20;
  using Run = void (*)(const std::vector<Element>&, double*);
  const std::array<Run, count> runs{differentiate_all<Kinds, Law>...};
  std::array<std::vector<double>, count> results, times;

  for (int round = 0; round < rounds; ++round) {
    for (std::size_t k = 0; k < count; ++k) {
      results[k].resize(elements.size() * Law::size);
      stillpoint::Stopwatch watch;
      for (int i = 0; i < repetitions; ++i) runs[k](elements, results[k].data());
      times[k].push_back(1e9 * watch.lap() / (repetitions * static_cast<double>(elements.size())));
    }
  }

  fmt::print("{}\n", Law::name);
  const std::array<const char*, count> names{Kinds::name...};
  std::array<double, count> usual{};
  bool good = true;
  for (std::size_t k = 0; k < count; ++k) {
    usual[k] = stillpoint::median(times[k]);
    const double apart = difference(results[0], results[k], Law::size);
    good = good && apart <= 1e-12;
    fmt::print("  {:<8} {:>8.1f} ns {:>7.2f} x own   differs by {:.0e}{}\n", names[k], usual[k], usual[k] / usual[0],
               apart, apart <= 1e-12 ? "" : "  TOO MUCH");
  }
  return good;
}

}  // namespace

int main() {
#ifdef HAVE_CERES
  const std::tuple<Own, EigenAutoDiff, CeresJet, ByHand> kinds;
#else
  const std::tuple<Own, EigenAutoDiff, ByHand> kinds;
#endif
  const std::vector<Element> elements = random_elements();
  bool good = true;
  good = measure<Rod>(elements, kinds) && good;
  good = measure<SpringOfPoints>(elements, kinds) && good;
  good = measure<SpringOfBodies>(elements, kinds) && good;
  good = measure<Damper>(elements, kinds) && good;
  return good ? 0 : 1;
}
