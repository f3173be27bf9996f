#include "stillpoint/authoring/time_series.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/at.h"

namespace stillpoint {

namespace {

thread_local SeriesTape* tape_in_use = nullptr;

constexpr std::ptrdiff_t of_variables = SeriesPlaces::step;
constexpr std::array<double, SeriesTape::most_terms> zeros{};

/// The coefficients of a series, and the step from one to the next.
struct Coefficients {
  const double* c;
  std::ptrdiff_t step;

  double operator[](std::ptrdiff_t k) const { return c[step * k]; }
  Coefficients from(std::ptrdiff_t k) const { return {c + step * k, step}; }
};

/// Σ x_i y_{count − 1 − i} over i < count. (Two sums, so that one addition need not wait for the other.)
double convolution(const Coefficients& x_from, const Coefficients& y_from, int count) {
  const std::ptrdiff_t by_x = x_from.step, by_y = y_from.step;
  double even = 0, odd = 0;
  int left = count;
  const double *x = x_from.c, *y = y_from.c + by_y * (count - 1);
  for (; left > 1; left -= 2, x += 2 * by_x, y -= 2 * by_y) {
    even += x[0] * y[0];
    odd += x[by_x] * y[-by_y];
  }
  if (left == 1) even += x[0] * y[0];
  return even + odd;
}

/// The products of entries of J with the rates of two coordinates, Σ x_{1+i} y_{k−1−i}, and with the multiplier of
/// their row, Σ x_{1+i} λ_{k−2−i}: the entries are read once for all three.
struct RowProducts {
  double with_rate = 0, with_other_rate = 0, with_lambda = 0;
};
RowProducts products_of_row(const Coefficients& entries, const double* y, const double* other_y, const double* lambda,
                            int k) {
  constexpr std::ptrdiff_t s = of_variables;
  RowProducts sums;
  if (k == 0) return sums;
  const double* x = entries.c + entries.step;
  y += s * (k - 1);
  other_y += s * (k - 1);
  lambda += s * (k - 1);
  for (int left = k - 1; left > 0; --left, x += entries.step, y -= s, other_y -= s) {
    lambda -= s;
    sums.with_rate += x[0] * y[0];
    sums.with_other_rate += x[0] * other_y[0];
    sums.with_lambda += x[0] * lambda[0];
  }
  sums.with_rate += x[0] * y[0];
  sums.with_other_rate += x[0] * other_y[0];
  return sums;
}

bool is_of_power_zero(SeriesOperation operation) {
  return operation == SeriesOperation::sum || operation == SeriesOperation::product ||
         operation == SeriesOperation::force;
}

}  // namespace

SeriesTape& SeriesTape::current() { return *tape_in_use; }

SeriesTape::Use::Use(SeriesTape& tape) : before_(tape_in_use) { tape_in_use = &tape; }
SeriesTape::Use::~Use() { tape_in_use = before_; }

// ----- Operations and their coefficients

void SeriesTape::begin(int terms) {
  if (terms != terms_) pieces_.clear();
  terms_ = terms;
  steps_.clear();
  late_steps_.clear();
  changes_.clear();
  noted_.clear();
  added_.clear();
  constant_forces_.clear();
  piece_ = results_in_piece_ = 0;
  is_noted_ = is_polynomial_ = true;
}

SeriesTerm SeriesTape::note(SeriesOperation operation, const SeriesTerm& x, const SeriesTerm& y, double first, double a,
                            double b, double c) {
  noted_.push_back({operation, x, y, first, a, b, c});
  return {
      .factor = 1, .result = static_cast<int>(noted_.size()) - 1, .is_late = noted_.back().is_late(), .first = first};
}

void SeriesTape::add_to_force(int coordinate, const SeriesTerm& x, double factor) {
  if (x.offset != 0) constant_forces_.push_back({coordinate, factor * x.offset});
  if (!x.is_constant())
    added_.push_back({.operation = SeriesOperation::force, .x = x, .factor = factor, .coordinate = coordinate});
}

void SeriesTape::add_to_row(int row, int coordinate, const SeriesTerm& x, const double* rates) {
  if (x.is_constant()) return;
  added_.push_back({.operation = SeriesOperation::row_of_forces,
                    .x = x,
                    .factor = 1,
                    .rates = rates,
                    .coordinate = coordinate,
                    .row = row});
}

double* SeriesTape::new_result() {
  constexpr std::ptrdiff_t results_each = 1024;
  if (results_in_piece_ == results_each) {
    ++piece_;
    results_in_piece_ = 0;
  }
  if (piece_ == pieces_.size()) pieces_.emplace_back(at(results_each * terms_));
  return pieces_[piece_].data() + terms_ * results_in_piece_++;
}

// From the last one, for each depends on those before it.
void SeriesTape::mark_needed() {
  const auto mark = [&](const SeriesTerm& x) {
    if (x.result < 0) return;
    const std::size_t result = at(x.result);
    noted_[noted_[result].operation == SeriesOperation::sine ? result - 1 : result].is_needed = true;
  };
  for (const Added& added : added_) mark(added.x);
  for (std::size_t i = noted_.size(); i-- > 0;) {
    if (!noted_[i].is_needed) continue;
    mark(noted_[i].x);
    mark(noted_[i].y);
  }
}

namespace {

unsigned char step_of(const SeriesTerm& x) { return x.result < 0 && x.c != nullptr ? SeriesPlaces::step : 1; }

}  // namespace

const double* SeriesTape::coefficients(const SeriesTerm& x) const {
  return x.result >= 0 ? noted_[at(x.result)].z : x.c != nullptr ? x.c : zeros.data();
}

int SeriesTape::change_of(const SeriesTerm& x) const {
  return !x.is_late ? none : x.result >= 0 ? noted_[at(x.result)].change : of_variable;
}

bool SeriesTape::are_of_one_step(const Added& left, const Added& right) {
  return left.operation == SeriesOperation::row_of_forces && right.operation == left.operation &&
         left.row == right.row && left.x.result == right.x.result && left.x.c == right.x.c;
}

void SeriesTape::finish_element() {
  mark_needed();
  for (std::size_t i = 0; i < noted_.size(); ++i) {
    Noted& noted = noted_[i];
    if (!noted.is_needed) continue;
    if (!is_of_power_zero(noted.operation)) is_polynomial_ = false;
    noted.z = new_result();
    noted.z[0] = noted.first;
    if (noted.is_late()) {
      noted.change = static_cast<int>(changes_.size());
      changes_.push_back(0);
      late_steps_.push_back({steps_.size(), change_of(noted.x), change_of(noted.y), noted.change});
    }
    double* sine = nullptr;
    if (noted.operation == SeriesOperation::cosine) {
      sine = noted_[++i].z = new_result();
      sine[0] = noted_[i].first;
      if (noted.is_late()) {
        noted_[i].change = noted.change + 1;
        changes_.push_back(0);
      }
    }
    steps_.push_back({.operation = noted.operation,
                      .x_step = step_of(noted.x),
                      .y_step = step_of(noted.y),
                      .x = coefficients(noted.x),
                      .y = coefficients(noted.y),
                      .z = noted.z,
                      .sine = sine,
                      .a = noted.a,
                      .b = noted.b,
                      .c = noted.c});
  }
  // Entries of J with the same coefficients follow each other, and two of them are one step.
  std::stable_sort(added_.begin(), added_.end(), [](const Added& left, const Added& right) {
    return std::tuple(left.row, left.x.result, left.x.c) < std::tuple(right.row, right.x.result, right.x.c);
  });
  for (std::size_t i = 0; i < added_.size(); ++i) {
    const Added& added = added_[i];
    Step step{.operation = added.operation,
              .x_step = step_of(added.x),
              .coordinate = added.coordinate,
              .other_coordinate = added.coordinate,
              .row = added.row,
              .x = coefficients(added.x),
              .y = added.rates,
              .other_y = added.rates,
              .a = added.factor * added.x.factor};
    if (i + 1 < added_.size() && are_of_one_step(added, added_[i + 1])) {
      const Added& other = added_[++i];
      step.other_coordinate = other.coordinate;
      step.other_y = other.rates;
      step.b = other.factor * other.x.factor;
    }
    steps_.push_back(step);
  }
  noted_.clear();
  added_.clear();
}

// The entries J_i of the rows give
//
//   (Jᵀλ)_k = Σ J_iᵀ λ_{k−i},   (J v)˙_k = (k + 1) (J v)_{k+1} = (k + 1) Σ J_i v_{k+1−i},   i > 0,
//
// where k + 1 is the power that is computed.
void SeriesTape::compute(int power, const SeriesTargets& to) {
  if (power == 0 && to.forces != nullptr) {
    for (const auto& [coordinate, force] : constant_forces_) to.forces[coordinate] += force;
  }
  const int k = power;
  for (const Step& step : steps_) {
    const Coefficients x{step.x, step.x_step}, y{step.y, step.y_step}, z{step.z, 1};
    if (k == 0 && !is_of_power_zero(step.operation)) continue;
    switch (step.operation) {
      case SeriesOperation::sum:
        step.z[k] = step.a * x[k] + step.b * y[k];
        break;
      case SeriesOperation::product:
        step.z[k] = step.a * convolution(x, y, k + 1) + step.b * x[k] + step.c * y[k];
        break;
      case SeriesOperation::quotient:
        step.z[k] = (step.b * x[k] - step.a * convolution(z, y.from(1), k)) * step.c;
        break;
      case SeriesOperation::root:
        step.z[k] = (step.b * x[k] - convolution(z.from(1), z.from(1), k - 1)) * step.c;
        break;
      case SeriesOperation::cosine: {  // (cos x)˙ = −sin x ẋ and (sin x)˙ = cos x ẋ
        double of_cosine = 0, of_sine = 0;
        for (int i = 1; i <= k; ++i) {
          const double part = i * x[i];
          of_cosine -= part * step.sine[k - i];
          of_sine += part * z[k - i];
        }
        step.z[k] = step.a * of_cosine / k;
        step.sine[k] = step.a * of_sine / k;
        break;
      }
      case SeriesOperation::sine:
        break;
      case SeriesOperation::times_power:
        step.z[k] = k * step.a * x[k];
        break;
      case SeriesOperation::over_power:
        step.z[k] = step.a * x[k] / k;
        break;
      case SeriesOperation::force:
        if (to.forces != nullptr) to.forces[step.coordinate] += step.a * x[k];
        break;
      case SeriesOperation::row_of_forces: {
        const RowProducts sums =
            products_of_row(x, step.y, step.other_y, to.lambda + SeriesPlaces::first(step.row, terms_), k);
        to.residual[step.row] += k * (step.a * sums.with_rate + step.b * sums.with_other_rate);
        to.forces[step.coordinate] += step.a * sums.with_lambda;
        to.forces[step.other_coordinate] += step.b * sums.with_lambda;
        break;
      }
    }
  }
}

// Of a power above zero each result is linear in the coefficients of that power.
void SeriesTape::complete(int power) {
  const int k = power;
  for (const LateStep& late : late_steps_) {
    const Step& step = steps_[late.step];
    const Coefficients x{step.x, step.x_step}, y{step.y, step.y_step};
    const auto change = [&](int number, const Coefficients& of) {
      return number == none ? 0 : number == of_variable ? of[k] : changes_[at(number)];
    };
    const double by_x = change(late.x, x), by_y = change(late.y, y);
    double by = 0;
    switch (step.operation) {
      case SeriesOperation::sum:
        by = step.a * by_x + step.b * by_y;
        break;
      case SeriesOperation::product:
        by = (step.a * y[0] + step.b) * by_x + (step.a * x[0] + step.c) * by_y;
        break;
      case SeriesOperation::quotient:
        by = (step.b * by_x - step.a * step.z[0] * by_y) * step.c;
        break;
      case SeriesOperation::root:
        by = step.b * step.c * by_x;
        break;
      case SeriesOperation::cosine: {
        const double of_sine = step.a * step.z[0] * by_x;
        by = -step.a * step.sine[0] * by_x;
        step.sine[k] += of_sine;
        changes_[at(late.z + 1)] = of_sine;
        break;
      }
      case SeriesOperation::times_power:
        by = k * step.a * by_x;
        break;
      case SeriesOperation::over_power:
        by = step.a * by_x / k;
        break;
      case SeriesOperation::sine:  // completed with the cosine
      case SeriesOperation::force:
      case SeriesOperation::row_of_forces:
        continue;
    }
    step.z[k] += by;
    changes_[at(late.z)] = by;
  }
}

// ----- Series without derivatives

namespace {

SeriesTerm constant(double value) { return {.offset = value}; }
SeriesTerm scaled(const SeriesTerm& x, double factor) {
  if (factor == 0) return {};
  SeriesTerm z = x;
  z.offset *= factor;
  z.factor *= factor;
  return z;
}

SeriesTerm sum(const SeriesTerm& x, const SeriesTerm& y, double factor = 1) {
  const double offset = x.offset + factor * y.offset;
  SeriesTerm z;
  if (y.is_constant() || (x.c == y.c && x.result == y.result)) {
    z = x;
    z.factor += factor * y.factor;
    if (z.factor == 0) z = {};
  } else if (x.is_constant()) {
    z = y;
    z.factor *= factor;
  } else {
    const double b = factor * y.factor;
    z = SeriesTape::current().note(SeriesOperation::sum, x, y, x.factor * x.first + b * y.first, x.factor, b);
  }
  z.offset = offset;
  return z;
}

SeriesTerm product(const SeriesTerm& x, const SeriesTerm& y) {
  if (x.is_constant()) return scaled(y, x.offset);
  if (y.is_constant()) return scaled(x, y.offset);
  const double a = x.factor * y.factor, b = y.offset * x.factor, c = x.offset * y.factor;
  SeriesTerm z = SeriesTape::current().note(SeriesOperation::product, x, y,
                                            a * x.first * y.first + b * x.first + c * y.first, a, b, c);
  z.offset = x.offset * y.offset;
  return z;
}

SeriesTerm quotient(const SeriesTerm& x, const SeriesTerm& y) {
  if (y.is_constant()) return scaled(x, 1 / y.offset);
  if (x.is_zero()) return {};
  return SeriesTape::current().note(SeriesOperation::quotient, x, y, x.value() / y.value(), y.factor, x.factor,
                                    1 / y.value());
}

SeriesTerm root(const SeriesTerm& x) {
  const double first = std::sqrt(x.value());
  if (x.is_constant()) return constant(first);
  return SeriesTape::current().note(SeriesOperation::root, x, {}, first, 1, x.factor, 0.5 / first);
}

struct CircleTerms {
  SeriesTerm cosine, sine;
};
CircleTerms circle(const SeriesTerm& x) {
  const double angle = x.value(), cosine = std::cos(angle), sine = std::sin(angle);
  if (x.is_constant()) return {constant(cosine), constant(sine)};
  SeriesTape& tape = SeriesTape::current();
  const SeriesTerm first = tape.note(SeriesOperation::cosine, x, {}, cosine, x.factor);
  return {first, tape.note(SeriesOperation::sine, x, {}, sine, 0)};
}

/// The coefficients k x_k, those of t ẋ.
SeriesTerm times_power(const SeriesTerm& x) {
  if (x.is_constant()) return {};
  return SeriesTape::current().note(SeriesOperation::times_power, x, {}, 0, x.factor);
}

// Its rate r has r (x² + y²) = x ẏ − y ẋ; all rates are taken times t.
SeriesTerm angle_of(const SeriesTerm& y, const SeriesTerm& x, const SeriesTerm& square) {
  const double angle = std::atan2(y.value(), x.value());
  const SeriesTerm turning = sum(product(x, times_power(y)), product(y, times_power(x)), -1);
  const SeriesTerm rate = quotient(turning, square);
  if (rate.is_constant()) return constant(angle);
  SeriesTerm z = SeriesTape::current().note(SeriesOperation::over_power, rate, {}, 0, rate.factor);
  z.offset = angle;
  return z;
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
