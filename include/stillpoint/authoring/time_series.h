// Power series in time whose coefficients are computed one after another, with derivatives in some directions, each of
// them a power series as well [Griewank & Walther 2008], chapter 13:
//
//   x(t) = x_0 + x_1 t + …,     ∂x/∂s_i (t)
//
// A law that is evaluated over them computes one coefficient of each intermediate result, from those of lower powers,
// which are kept on a tape: evaluated again for every power, in ascending order, it gives the coefficients of forces
// and constraints along a motion whose coefficients become known in the same order. That is what integration by power
// series needs. Series<K> of series.h is faster where a few terms are enough.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace stillpoint {

/// The coefficients of all intermediate results of many evaluations, in the order in which they are made.
class SeriesTape {
 public:
  static constexpr int most_terms = 28;

  /// Goes to the beginning; the coefficients of this power are computed next.
  void begin(int power) {
    power_ = power;
    place_ = 0;
  }
  int power() const { return power_; }
  /// Room for the coefficients of the next result.
  double* next();
  /// Evaluations after this place are forgotten.
  std::size_t place() const { return place_; }
  void go_back(std::size_t place) { place_ = place; }

  /// The tape of the evaluations that are made in this thread.
  static SeriesTape& current();
  class Use {
   public:
    explicit Use(SeriesTape& tape);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    SeriesTape* before_;
  };

 private:
  static constexpr std::size_t results_each = 4096;  // in a piece of memory
  std::vector<std::vector<double>> pieces_;          // which never move
  std::size_t place_ = 0;
  int power_ = 0;
};

/// offset + factor · c(t), for coefficients c that are stored elsewhere; a constant has none.
struct SeriesTerm {
  double offset = 0, factor = 0;
  const double* c = nullptr;

  bool is_zero() const { return c == nullptr && offset == 0; }
  double operator[](int k) const { return (k == 0 ? offset : 0) + (c != nullptr ? factor * c[k] : 0); }
};

struct TimeSeries {
  static constexpr int directions = 18;

  SeriesTerm value;
  std::array<SeriesTerm, directions> gradient;
  int varied = 0;  ///< further directions have no derivatives

  TimeSeries() {}                                           // NOLINT: derivatives that are not counted have no value
  TimeSeries(double constant) { value.offset = constant; }  // NOLINT: constants mix freely with variables
  TimeSeries(const TimeSeries& other) { *this = other; }
  TimeSeries& operator=(const TimeSeries& other);

  /// A variable with the derivative one in its direction; a direction that does not exist gives none.
  static TimeSeries variable(double value, int direction) { return variable(SeriesTerm{value, 0, nullptr}, direction); }
  static TimeSeries variable(const double* coefficients, int direction) {
    return variable(SeriesTerm{0, 1, coefficients}, direction);
  }
  static TimeSeries variable(const SeriesTerm& value, int direction);

  TimeSeries& operator+=(const TimeSeries& other);
  TimeSeries& operator-=(const TimeSeries& other);
  TimeSeries& operator*=(double factor);
  TimeSeries& operator+=(double constant) {
    value.offset += constant;
    return *this;
  }
};

TimeSeries operator*(const TimeSeries& x, const TimeSeries& y);
TimeSeries operator/(const TimeSeries& x, const TimeSeries& y);
TimeSeries sqrt(const TimeSeries& x);
TimeSeries sin(const TimeSeries& x);
TimeSeries cos(const TimeSeries& x);
TimeSeries atan(const TimeSeries& x);
/// The angle of the direction (x, y).
TimeSeries atan2(const TimeSeries& y, const TimeSeries& x);

inline TimeSeries operator+(TimeSeries x, const TimeSeries& y) { return x += y; }
inline TimeSeries operator-(TimeSeries x, const TimeSeries& y) { return x -= y; }
inline TimeSeries operator*(TimeSeries x, double factor) { return x *= factor; }
inline TimeSeries operator*(double factor, TimeSeries x) { return x *= factor; }
inline TimeSeries operator-(TimeSeries x) { return x *= -1.0; }
inline TimeSeries operator+(TimeSeries x, double constant) { return x += constant; }
inline TimeSeries operator+(double constant, TimeSeries x) { return x += constant; }
inline TimeSeries operator-(TimeSeries x, double constant) { return x += -constant; }
inline TimeSeries operator-(double constant, TimeSeries x) { return (x *= -1.0) += constant; }
inline TimeSeries operator/(TimeSeries x, double y) { return x *= 1 / y; }
inline TimeSeries operator/(double x, const TimeSeries& y) { return TimeSeries(x) / y; }

inline double value_of(const TimeSeries& x) { return x.value[0]; }

/// Matches the scalar type that follows a motion in time.
template <class T>
concept FollowsMotion = requires(const T& x) {
  x.value.c;
};

}  // namespace stillpoint
