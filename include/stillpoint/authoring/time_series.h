// Power series in time whose coefficients are computed one after another, with derivatives in some directions, each of
// them a power series as well [Griewank & Walther 2008], chapter 13:
//
//   x(t) = x_0 + x_1 t + …,     ∂x/∂s_i (t)
//
// A law that is evaluated over them once, at the start of a motion, writes its operations to a tape, with the terms of
// power zero. The tape then computes one coefficient of each result after another, from those of lower powers, which it
// keeps: along a motion whose coefficients become known in the same order. That is what integration by power series
// needs. Series<K> of series.h is faster where a few terms are enough.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace stillpoint {

/// Where coefficients of the power series of variables lie in memory: those of eight series side by side, one power
/// after another, so that what is known of one power for many series fills whole cache lines. (Those of results on a
/// tape follow each other: a result is made of all powers of others.)
struct SeriesPlaces {
  static constexpr std::ptrdiff_t step = 8;  ///< from one coefficient of a series to the next

  /// Of the coefficient of power zero, where each series has so many coefficients.
  static std::ptrdiff_t first(std::ptrdiff_t series, std::ptrdiff_t terms) {
    return series / step * step * terms + series % step;
  }
  /// The numbers that so many series take.
  static std::size_t room(std::ptrdiff_t series, std::ptrdiff_t terms) {
    return static_cast<std::size_t>((series + step - 1) / step * step * terms);
  }
};

/// offset + factor · c(t), for coefficients c of a variable or of a result on the tape; a constant has none.
struct SeriesTerm {
  double offset = 0, factor = 0;
  const double* c = nullptr;  ///< of a variable
  int result = -1;            ///< the number of a result; −1: of none
  bool is_late = false;       ///< whether coefficients become known after others of their power, as accelerations
  double first = 0;           ///< c_0

  bool is_constant() const { return c == nullptr && result < 0; }
  bool is_zero() const { return is_constant() && offset == 0; }
  /// The coefficient of power zero.
  double value() const { return offset + factor * first; }
};

enum class SeriesOperation : unsigned char {
  sum,           ///< a x + b y
  product,       ///< a x y + b x + c y
  quotient,      ///< (b x − a z y) c, with the quotient z
  root,          ///< (b x − z²) c
  cosine,        ///< of a x; its result is followed by that of the sine
  sine,          ///< computed with the cosine
  times_power,   ///< k x_k
  over_power,    ///< x_k / k
  force,         ///< adds a x to a force
  row_of_forces  ///< adds a x and b x as entries of J to the products with rates and multipliers
};

/// Where the coefficients of one power are added. The rates and multipliers are those of a motion (13.9).
struct SeriesTargets {
  double* forces = nullptr;        ///< null: the results are computed, and nothing is added
  double* residual = nullptr;      ///< of the rows
  const double* lambda = nullptr;  ///< the multipliers of the rows, as series
};

/// The operations of laws along a motion, and the coefficients of their results. Of the operations of an element those
/// are kept on which something depends that is added to forces or rows.
class SeriesTape {
 public:
  static constexpr int most_terms = 28;

  /// Forgets everything. Each variable and each result has so many coefficients.
  void begin(int terms);
  /// Whether the operations that were noted serve at another state, too: there are some, with so many coefficients,
  /// and they are sums and products, which no branch of a law has chosen by a value.
  bool serves_again(int terms) const { return is_noted_ && terms == terms_ && is_polynomial_; }
  /// Takes note that a law has looked at a value.
  void depend_on_value() { is_polynomial_ = false; }

  /// Notes an operation, with the coefficient of power zero.
  SeriesTerm note(SeriesOperation operation, const SeriesTerm& x, const SeriesTerm& y, double first, double a,
                  double b = 0, double c = 0);
  /// Adds factor · x to the force on a coordinate, in each power that is computed.
  void add_to_force(int coordinate, const SeriesTerm& x, double factor);
  /// Takes x as the entry of J in a row and the column of a coordinate with these rates, in powers above zero.
  void add_to_row(int row, int coordinate, const SeriesTerm& x, const double* rates);
  /// Ends the operations of an element.
  void finish_element();

  /// Computes the coefficients of a power; those of lower powers are there. Those of power zero of other operations
  /// than sums and products are there from the beginning.
  void compute(int power, const SeriesTargets& to);
  /// Completes the results of a power above zero that were computed while the coefficients of late variables were zero,
  /// now that these are known.
  void complete(int power);

  std::size_t operations() const { return steps_.size(); }

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
  static constexpr int none = -1, of_variable = -2;

  struct Noted {
    SeriesOperation operation{};
    SeriesTerm x, y;
    double first = 0, a = 0, b = 0, c = 0;
    bool is_needed = false;
    int change = none;
    double* z = nullptr;

    bool is_late() const { return x.is_late || y.is_late; }
  };
  struct Added {
    SeriesOperation operation{};
    SeriesTerm x;
    double factor = 0;
    const double* rates = nullptr;
    int coordinate = 0, row = 0;
  };
  struct Step {
    SeriesOperation operation{};
    unsigned char x_step = 1, y_step = 1;  ///< from one coefficient to the next
    int coordinate = 0, other_coordinate = 0, row = 0;
    const double *x = nullptr, *y = nullptr, *other_y = nullptr;
    double *z = nullptr, *sine = nullptr;
    double a = 0, b = 0, c = 0;
  };

  /// A step whose result changes when late variables become known. The numbers are those of changes.
  struct LateStep {
    std::size_t step = 0;
    int x = none, y = none, z = none;
  };

  void mark_needed();
  int change_of(const SeriesTerm& x) const;
  static bool are_of_one_step(const Added& left, const Added& right);
  const double* coefficients(const SeriesTerm& x) const;
  double* new_result();

  std::vector<Noted> noted_;  // of the element in hand
  std::vector<Added> added_;
  std::vector<Step> steps_;
  std::vector<LateStep> late_steps_;
  std::vector<double> changes_;  // of results of the power that is completed
  struct ConstantForce {
    int coordinate = 0;
    double force = 0;
  };
  std::vector<ConstantForce> constant_forces_;  // of power zero
  std::vector<std::vector<double>> pieces_;     // of results, which never move
  std::size_t piece_ = 0;
  std::ptrdiff_t results_in_piece_ = 0;
  int terms_ = 0;
  bool is_noted_ = false, is_polynomial_ = true;
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
  static TimeSeries variable(double value, int direction) { return variable(SeriesTerm{.offset = value}, direction); }
  static TimeSeries variable(const double* coefficients, int direction) {
    return variable(SeriesTerm{.factor = 1, .c = coefficients, .first = coefficients[0]}, direction);
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

/// For laws that branch.
inline double value_of(const TimeSeries& x) {
  SeriesTape::current().depend_on_value();
  return x.value.value();
}

/// Matches the scalar type that follows a motion in time.
template <class T>
concept FollowsMotion = requires(const T& x) {
  x.value.c;
};

}  // namespace stillpoint
