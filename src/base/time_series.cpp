#include "stillpoint/authoring/time_series.h"

#include <algorithm>
#include <cmath>

#include "base/at.h"

namespace stillpoint {

namespace {

thread_local SeriesTape* tape_in_use = nullptr;

}  // namespace

double* SeriesTape::next() {
  const std::size_t piece = place_ / results_each, in_piece = place_ % results_each;
  if (piece == pieces_.size()) pieces_.emplace_back(results_each * at(most_terms));
  ++place_;
  return pieces_[piece].data() + in_piece * at(most_terms);
}

SeriesTape& SeriesTape::current() { return *tape_in_use; }

SeriesTape::Use::Use(SeriesTape& tape) : before_(tape_in_use) { tape_in_use = &tape; }
SeriesTape::Use::~Use() { tape_in_use = before_; }

// ----- Series without derivatives: each function computes the coefficient of the current power

namespace {

bool is_constant(const SeriesTerm& x) { return x.c == nullptr; }
SeriesTerm constant(double value) { return {value, 0, nullptr}; }
SeriesTerm scaled(const SeriesTerm& x, double factor) {
  if (factor == 0) return {};
  return {factor * x.offset, factor * x.factor, x.c};
}

SeriesTerm sum(const SeriesTerm& x, const SeriesTerm& y, double factor = 1) {
  const double offset = x.offset + factor * y.offset;
  if (is_constant(y)) return {offset, x.factor, x.c};
  if (is_constant(x)) return {offset, factor * y.factor, y.c};
  if (x.c == y.c) return {offset, x.factor + factor * y.factor, x.c};
  SeriesTape& tape = SeriesTape::current();
  const int k = tape.power();
  double* const z = tape.next();
  z[k] = x.factor * x.c[k] + factor * y.factor * y.c[k];
  return {offset, 1, z};
}

SeriesTerm product(const SeriesTerm& x, const SeriesTerm& y) {
  if (is_constant(x)) return scaled(y, x.offset);
  if (is_constant(y)) return scaled(x, y.offset);
  SeriesTape& tape = SeriesTape::current();
  const int k = tape.power();
  double* const z = tape.next();
  double both = 0;
  for (int i = 0; i <= k; ++i) both += x.c[i] * y.c[k - i];
  z[k] = x.factor * y.factor * both + x.offset * y.factor * y.c[k] + y.offset * x.factor * x.c[k];
  return {x.offset * y.offset, 1, z};
}

SeriesTerm quotient(const SeriesTerm& x, const SeriesTerm& y) {
  if (is_constant(y)) return scaled(x, 1 / y.offset);
  if (x.is_zero()) return {};
  SeriesTape& tape = SeriesTape::current();
  const int k = tape.power();
  double* const z = tape.next();
  double rest = x[k];
  for (int i = 0; i < k; ++i) rest -= z[i] * y.factor * y.c[k - i];
  z[k] = rest / y[0];
  return {0, 1, z};
}

SeriesTerm root(const SeriesTerm& x) {
  if (is_constant(x)) return constant(std::sqrt(x.offset));
  SeriesTape& tape = SeriesTape::current();
  const int k = tape.power();
  double* const z = tape.next();
  if (k == 0) {
    z[0] = std::sqrt(x[0]);
  } else {
    double rest = x[k];
    for (int i = 1; i < k; ++i) rest -= z[i] * z[k - i];
    z[k] = rest / (2 * z[0]);
  }
  return {0, 1, z};
}

struct CircleTerms {
  SeriesTerm cosine, sine;
};
// From (cos x)˙ = −sin x ẋ and (sin x)˙ = cos x ẋ.
CircleTerms circle(const SeriesTerm& x) {
  if (is_constant(x)) return {constant(std::cos(x.offset)), constant(std::sin(x.offset))};
  SeriesTape& tape = SeriesTape::current();
  const int k = tape.power();
  double* const cosine = tape.next();
  double* const sine = tape.next();
  cosine[k] = k == 0 ? std::cos(x[0]) : 0;
  sine[k] = k == 0 ? std::sin(x[0]) : 0;
  for (int i = 1; i <= k; ++i) {
    const double part = i * x.factor * x.c[i] / k;
    cosine[k] -= part * sine[k - i];
    sine[k] += part * cosine[k - i];
  }
  return {{0, 1, cosine}, {0, 1, sine}};
}

// Its rate r has r (x² + y²) = x ẏ − y ẋ.
SeriesTerm angle_of(const SeriesTerm& y, const SeriesTerm& x, const SeriesTerm& square) {
  if (is_constant(x) && is_constant(y)) return constant(std::atan2(y.offset, x.offset));
  SeriesTape& tape = SeriesTape::current();
  const int k = tape.power();
  double* const z = tape.next();
  if (k == 0) {
    z[0] = std::atan2(y[0], x[0]);
  } else {
    double above = 0;
    for (int i = 1; i <= k; ++i) above += i * (y[i] * x[k - i] - x[i] * y[k - i]);
    for (int i = 1; i < k; ++i) above -= i * z[i] * square[k - i];
    z[k] = above / (k * square[0]);
  }
  return {0, 1, z};
}

/// A function of x with the given series, and its derivatives by the chain rule.
TimeSeries function_of(const TimeSeries& x, const SeriesTerm& f, const SeriesTerm& slope) {
  TimeSeries z;
  z.value = f;
  z.varied = x.varied;
  for (int i = 0; i < x.varied; ++i) z.gradient[at(i)] = product(slope, x.gradient[at(i)]);
  return z;
}

SeriesTerm derivative(const TimeSeries& x, int direction) {
  return direction < x.varied ? x.gradient[at(direction)] : SeriesTerm{};
}

TimeSeries& add(TimeSeries& x, const TimeSeries& y, double factor) {
  x.value = sum(x.value, y.value, factor);
  const int varied = std::max(x.varied, y.varied);
  for (int i = 0; i < varied; ++i) x.gradient[at(i)] = sum(derivative(x, i), derivative(y, i), factor);
  x.varied = varied;
  return x;
}

}  // namespace

// ----- With derivatives

TimeSeries& TimeSeries::operator=(const TimeSeries& other) {
  value = other.value;
  varied = other.varied;
  std::copy_n(other.gradient.begin(), varied, gradient.begin());
  return *this;
}

TimeSeries TimeSeries::variable(const SeriesTerm& value, int direction) {
  TimeSeries x;
  x.value = value;
  if (direction < 0 || direction >= directions) return x;
  x.varied = direction + 1;
  std::fill_n(x.gradient.begin(), direction, SeriesTerm{});
  x.gradient[at(direction)] = constant(1);
  return x;
}

TimeSeries& TimeSeries::operator+=(const TimeSeries& other) { return add(*this, other, 1); }
TimeSeries& TimeSeries::operator-=(const TimeSeries& other) { return add(*this, other, -1); }

TimeSeries& TimeSeries::operator*=(double factor) {
  value = scaled(value, factor);
  for (int i = 0; i < varied; ++i) gradient[at(i)] = scaled(gradient[at(i)], factor);
  return *this;
}

TimeSeries operator*(const TimeSeries& x, const TimeSeries& y) {
  TimeSeries z;
  z.value = product(x.value, y.value);
  z.varied = std::max(x.varied, y.varied);
  for (int i = 0; i < z.varied; ++i)
    z.gradient[at(i)] = sum(product(derivative(x, i), y.value), product(x.value, derivative(y, i)));
  return z;
}

// z' = (x' − z y') / y
TimeSeries operator/(const TimeSeries& x, const TimeSeries& y) {
  TimeSeries z;
  z.value = quotient(x.value, y.value);
  z.varied = std::max(x.varied, y.varied);
  for (int i = 0; i < z.varied; ++i)
    z.gradient[at(i)] = quotient(sum(derivative(x, i), product(z.value, derivative(y, i)), -1), y.value);
  return z;
}

TimeSeries sqrt(const TimeSeries& x) {
  const SeriesTerm f = root(x.value);
  return function_of(x, f, x.varied > 0 ? quotient(constant(0.5), f) : SeriesTerm{});
}

TimeSeries sin(const TimeSeries& x) {
  const CircleTerms z = circle(x.value);
  return function_of(x, z.sine, z.cosine);
}

TimeSeries cos(const TimeSeries& x) {
  const CircleTerms z = circle(x.value);
  return function_of(x, z.cosine, scaled(z.sine, -1));
}

TimeSeries atan(const TimeSeries& x) { return atan2(x, TimeSeries(1)); }

// Its derivatives are (x y' − y x') / (x² + y²).
TimeSeries atan2(const TimeSeries& y, const TimeSeries& x) {
  TimeSeries z;
  const SeriesTerm square = sum(product(x.value, x.value), product(y.value, y.value));
  z.value = angle_of(y.value, x.value, square);
  z.varied = std::max(x.varied, y.varied);
  for (int i = 0; i < z.varied; ++i) {
    z.gradient[at(i)] =
        quotient(sum(product(x.value, derivative(y, i)), product(y.value, derivative(x, i)), -1), square);
  }
  return z;
}

}  // namespace stillpoint
