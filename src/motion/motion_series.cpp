#include "motion/motion_series.h"

#include <algorithm>
#include <cmath>

#include "base/at.h"
#include "base/in_parallel.h"

namespace stillpoint {

namespace {

constexpr std::ptrdiff_t step = SeriesPlaces::step;
constexpr Index together = 2048 * step;  // series of a piece of work

/// Σ terms[k] time^k by Horner's scheme.
double polynomial(const double* terms, int count, double time) {
  double sum = 0;
  for (int k = count; k-- > 0;) sum = sum * time + terms[step * k];
  return sum;
}

/// The same, with its first two derivatives.
struct Derivatives {
  double value = 0, first = 0, second = 0;
};
Derivatives polynomial_with_derivatives(const double* terms, int count, double time) {
  double sum = 0, first = 0, half_of_second = 0;
  for (int k = count; k-- > 0;) {
    half_of_second = half_of_second * time + first;
    first = first * time + sum;
    sum = sum * time + terms[step * k];
  }
  return {sum, first, 2 * half_of_second};
}

}  // namespace

MotionSeries::MotionSeries(const Model& model, int order) : model_(model), order_(order), terms_(order + 4) {
  const auto room = [&](Index count) { return std::vector<double>(SeriesPlaces::room(count, terms_), 0.0); };
  q_ = room(model.coordinates());
  v_ = room(model.coordinates());
  a_ = room(model.coordinates());
  orientations_ = room(static_cast<Index>(4 * model.initial_state().orientations.size()));
  lambda_ = room(model.constraints());
  are_forces_.resize(at(order + 1));
  applied_.resize(model.coordinates(), order + 1);
  opposing_.resize(model.coordinates());
  residual_.resize(model.constraints());
  for (const Block& block : model.blocks()) {
    if (block.kind == BlockKind::space_body) bodies_in_space_.push_back(block);
  }
  for (const std::vector<PartOfArray>& round : independent_rounds(model)) {
    std::vector<Part>& parts = rounds_.emplace_back(round.size());
    for (std::size_t i = 0; i < round.size(); ++i) parts[i].elements = round[i];
  }
}

// k R_k = ½ Σ R_i ∘ (0, ω_{k−1−i})
void MotionSeries::turn(int k) {
  for (const Block& block : bodies_in_space_) {
    const Index first = 4 * block.orientation;
    double* const R[] = {terms(orientations_, first), terms(orientations_, first + 1), terms(orientations_, first + 2),
                         terms(orientations_, first + 3)};
    const double* const omega[] = {terms(v_, block.first + 3), terms(v_, block.first + 4), terms(v_, block.first + 5)};
    Rotation<double> sum{0, 0, 0, 0};
    for (std::ptrdiff_t i = 0; i < step * k; i += step) {
      const std::ptrdiff_t j = step * (k - 1) - i;
      const auto part = Rotation<double>{R[0][i], R[1][i], R[2][i], R[3][i]} *
                        Rotation<double>{0, omega[0][j], omega[1][j], omega[2][j]};
      sum = {sum.w + part.w, sum.x + part.x, sum.y + part.y, sum.z + part.z};
    }
    const double factor = 0.5 / k;
    R[0][step * k] = factor * sum.w;
    R[1][step * k] = factor * sum.x;
    R[2][step * k] = factor * sum.y;
    R[3][step * k] = factor * sum.z;
  }
}

// The right-hand side of (13.9).
void MotionSeries::evaluate(int k) {
  const Expansion motion{
      .terms = terms_, .q = q_.data(), .v = v_.data(), .a = a_.data(), .orientations = orientations_.data()};
  Context context = model_.context(start_);
  context.expansion = &motion;
  applied_.col(k).setZero();
  opposing_.setZero();
  residual_.setZero();
  for (std::vector<Part>& round : rounds_) {
    in_parallel(static_cast<Index>(round.size()), [&](Index i) {
      auto& [part, tapes] = round[at(i)];
      part.array->elements->add_series(context, part.range,
                                       {.power = k,
                                        .applied = applied_.col(k).data(),
                                        .opposing = opposing_.data(),
                                        .residual = residual_.data(),
                                        .lambda = lambda_.data(),
                                        .first_row = part.array->first_row},
                                       tapes);
    });
  }
}

void MotionSeries::begin(const State& state) {
  start_ = state;
  start_.a.resize(0);
  start_.lambda.resize(0);
  std::fill(a_.begin(), a_.end(), 0.0);
  for (Index i = 0; i < model_.coordinates(); ++i) {
    double *const q = terms(q_, i), *const v = terms(v_, i);
    q[0] = state.q[i];
    q[step] = v[0] = state.v[i];
  }
  for (std::size_t i = 0; i < state.orientations.size(); ++i) {
    const Rotation<double>& R = state.orientations[i];
    const double components[] = {R.w, R.x, R.y, R.z};
    for (Index k = 0; k < 4; ++k) terms(orientations_, 4 * static_cast<Index>(i) + k)[0] = components[k];
  }
}

void MotionSeries::put(int k, const MotionKkt::Solution& found) {
  in_parallel_chunks(model_.constraints(), together, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) terms(lambda_, i)[step * k] = found.lambda[i];
  });
  in_parallel_chunks(model_.coordinates(), together, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      terms(a_, i)[step * k] = found.x[i];
      terms(v_, i)[step * (k + 1)] = found.x[i] / (k + 1);
      terms(q_, i)[step * (k + 2)] = found.x[i] / ((k + 1.0) * (k + 2.0));
    }
  });
}

// The power of forces f_j t^j at rates v_i t^i. Its own series would have to be cut much later than theirs: forces and
// rates of a vibration have twice its frequency in their product.
void MotionSeries::end_with(int order) {
  last_summed_ = order;
  power_.assign(at(2 * order + 2), 0.0);
  for (Index i = 0; i < model_.coordinates(); ++i) {
    const double* const v = terms(v_, i);
    for (int j = 0; j <= order; ++j) {
      if (!are_forces_[at(j)]) continue;
      for (int k = 0; k <= order + 1; ++k) power_[at(j + k)] += applied_(i, j) * v[step * k];
    }
  }
}

// In place of the opposing forces and of the residual. Returns whether there are applied forces.
bool MotionSeries::take_right_side(int k) {
  in_parallel_chunks(model_.constraints(), together,
                     [&](Index begin, Index end) { residual_.segment(begin, end - begin) *= -1; });
  const auto applied_here = [&](Index begin, Index end) {
    auto opposing = opposing_.segment(begin, end - begin);
    const auto applied = applied_.col(k).segment(begin, end - begin);
    opposing = applied - opposing;
    return applied.isZero(0) ? 0 : 1;
  };
  return joined_chunks(model_.coordinates(), together, 0, applied_here) > 0;
}

bool MotionSeries::expand(Dynamics& dynamics, const State& state, double tolerance,
                          const std::function<bool(int power, const Eigen::VectorXd& a)>& is_enough) {
  if (!dynamics.factor(state)) return false;
  begin(state);
  for (int k = 0; k <= order_; ++k) {
    turn(k + 1);
    evaluate(k);
    constexpr double part = 1e-7;
    // Within a step terms fall from one to the tolerance.
    const double accuracy = part * std::pow(tolerance, 1 - static_cast<double>(k) / order_);
    are_forces_[at(k)] = take_right_side(k);
    const MotionKkt::Solution found = dynamics.solve(opposing_, residual_, tolerance > 0 ? accuracy : 0);
    if (!found.x.allFinite()) return false;
    put(k, found);
    last_power_ = k;
    if (is_enough && is_enough(k, found.x)) break;
  }
  turn(last_power_ + 2);
  return true;
}

// The series of rates and accelerations are the derivatives of that of the coordinates: one is read for all three.
State MotionSeries::at_time(double time) const {
  State state = start_;
  const Index n = model_.coordinates(), m = model_.constraints();
  state.v.resize(n);
  state.a.resize(n);
  state.lambda.resize(m);
  in_parallel_chunks(n, together, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Derivatives of_q = polynomial_with_derivatives(terms(q_, i), last_summed_ + 3, time);
      state.q[i] = of_q.value;
      state.v[i] = of_q.first;
      state.a[i] = of_q.second;
    }
  });
  in_parallel_chunks(m, together, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) state.lambda[i] = polynomial(terms(lambda_, i), last_summed_ + 1, time);
  });
  for (const Block& block : bodies_in_space_) {
    state.q.segment<3>(block.first + 3).setZero();  // orientations are not coordinates
    const auto component = [&](Index k) {
      return polynomial(terms(orientations_, 4 * block.orientation + k), last_summed_ + 3, time);
    };
    state.orientations[at(block.orientation)] =
        normalized(Rotation<double>{component(0), component(1), component(2), component(3)});
  }
  return state;
}

double MotionSeries::power(double time) const {
  double sum = 0;
  for (std::size_t k = power_.size(); k-- > 0;) sum = sum * time + power_[k];
  return sum;
}

double MotionSeries::work(double time) const {
  double sum = 0;
  for (std::size_t k = power_.size(); k-- > 0;) sum = (sum + power_[k] / static_cast<double>(k + 1)) * time;
  return sum;
}

}  // namespace stillpoint
