#include "motion/motion_series.h"

#include <algorithm>
#include <cmath>

#include "base/at.h"

namespace stillpoint {

namespace {

/// Σ terms[k] time^k by Horner's scheme.
double polynomial(const double* terms, int count, double time) {
  double sum = 0;
  for (int k = count; k-- > 0;) sum = sum * time + terms[k];
  return sum;
}

}  // namespace

MotionSeries::MotionSeries(const Model& model, int order) : model_(model), order_(order), stride_(order + 4) {
  const auto room = [&](Index count) { return std::vector<double>(at(count) * at(stride_), 0.0); };
  q_ = room(model.coordinates());
  v_ = room(model.coordinates());
  a_ = room(model.coordinates());
  orientations_ = room(static_cast<Index>(4 * model.initial_state().orientations.size()));
  lambda_ = room(model.constraints());
  power_.resize(at(order + 1));
  are_forces_.resize(at(order + 1));
  applied_.resize(model.coordinates(), order + 1);
  opposing_.resize(model.coordinates());
  residual_.resize(model.constraints());
  tapes_.resize(model.arrays().size());
}

// k R_k = ½ Σ R_i ∘ (0, ω_{k−1−i})
void MotionSeries::turn(int k) {
  for (const Block& block : model_.blocks()) {
    if (block.kind != BlockKind::space_body) continue;
    const Index first = 4 * block.orientation;
    double* const R[] = {terms(orientations_, first), terms(orientations_, first + 1), terms(orientations_, first + 2),
                         terms(orientations_, first + 3)};
    const double* const omega[] = {terms(v_, block.first + 3), terms(v_, block.first + 4), terms(v_, block.first + 5)};
    Rotation<double> sum{0, 0, 0, 0};
    for (int i = 0; i < k; ++i) {
      const int j = k - 1 - i;
      const auto part = Rotation<double>{R[0][i], R[1][i], R[2][i], R[3][i]} *
                        Rotation<double>{0, omega[0][j], omega[1][j], omega[2][j]};
      sum = {sum.w + part.w, sum.x + part.x, sum.y + part.y, sum.z + part.z};
    }
    const double factor = 0.5 / k;
    R[0][k] = factor * sum.w;
    R[1][k] = factor * sum.x;
    R[2][k] = factor * sum.y;
    R[3][k] = factor * sum.z;
  }
}

// The right-hand side of (13.9).
void MotionSeries::evaluate(int k) {
  const Expansion motion{
      .stride = stride_, .q = q_.data(), .v = v_.data(), .a = a_.data(), .orientations = orientations_.data()};
  Context context = model_.context(start_);
  context.expansion = &motion;
  applied_.col(k).setZero();
  opposing_.setZero();
  residual_.setZero();
  for (std::size_t i = 0; i < model_.arrays().size(); ++i) {
    const ModelArray& array = model_.arrays()[i];
    array.elements->add_series(context,
                               {.power = k,
                                .applied = applied_.col(k).data(),
                                .opposing = opposing_.data(),
                                .residual = residual_.data() + array.first_row,
                                .lambda = terms(lambda_, array.first_row)},
                               tapes_[i]);
  }
}

bool MotionSeries::expand(Dynamics& dynamics, const State& state, double tolerance,
                          const std::function<bool(int power)>& is_enough) {
  if (!dynamics.factor(state)) return false;
  start_ = state;
  start_.a.resize(0);
  start_.lambda.resize(0);
  std::fill(a_.begin(), a_.end(), 0.0);
  const Index n = model_.coordinates();
  for (Index i = 0; i < n; ++i) {
    terms(q_, i)[0] = state.q[i];
    terms(q_, i)[1] = terms(v_, i)[0] = state.v[i];
  }
  for (std::size_t i = 0; i < state.orientations.size(); ++i) {
    const Rotation<double>& R = state.orientations[i];
    const double components[] = {R.w, R.x, R.y, R.z};
    for (Index k = 0; k < 4; ++k) terms(orientations_, 4 * static_cast<Index>(i) + k)[0] = components[k];
  }
  for (int k = 0; k <= order_; ++k) {
    turn(k + 1);
    evaluate(k);
    constexpr double part = 1e-7;
    // Within a step terms fall from one to the tolerance.
    const double accuracy = part * std::pow(tolerance, 1 - static_cast<double>(k) / order_);
    const MotionKkt::Solution found =
        dynamics.solve(applied_.col(k) - opposing_, -residual_, tolerance > 0 ? accuracy : 0);
    if (!found.x.allFinite()) return false;
    for (Index i = 0; i < model_.constraints(); ++i) terms(lambda_, i)[k] = found.lambda[i];
    are_forces_[at(k)] = !applied_.col(k).isZero(0);
    power_[at(k)] = 0;
    for (Index i = 0; i < n; ++i) {
      double* const v = terms(v_, i);
      terms(a_, i)[k] = found.x[i];
      v[k + 1] = found.x[i] / (k + 1);
      terms(q_, i)[k + 2] = found.x[i] / ((k + 1.0) * (k + 2.0));
      for (int j = 0; j <= k; ++j) {
        if (are_forces_[at(j)]) power_[at(k)] += applied_(i, j) * v[k - j];
      }
    }
    last_power_ = k;
    if (is_enough && is_enough(k)) break;
  }
  turn(last_power_ + 2);
  return true;
}

State MotionSeries::at_time(double time, int order) const {
  State state = start_;
  const Index n = model_.coordinates(), m = model_.constraints();
  state.v.resize(n);
  state.a.resize(n);
  state.lambda.resize(m);
  for (Index i = 0; i < n; ++i) {
    state.q[i] = polynomial(terms(q_, i), order + 3, time);
    state.v[i] = polynomial(terms(v_, i), order + 2, time);
    state.a[i] = polynomial(terms(a_, i), order + 1, time);
  }
  for (Index i = 0; i < m; ++i) state.lambda[i] = polynomial(terms(lambda_, i), order + 1, time);
  for (const Block& block : model_.blocks()) {
    if (block.kind != BlockKind::space_body) continue;
    state.q.segment<3>(block.first + 3).setZero();  // orientations are not coordinates
    const auto component = [&](Index k) {
      return polynomial(terms(orientations_, 4 * block.orientation + k), order + 3, time);
    };
    state.orientations[at(block.orientation)] =
        normalized(Rotation<double>{component(0), component(1), component(2), component(3)});
  }
  return state;
}

double MotionSeries::power(double time, int order) const { return polynomial(power_.data(), order + 1, time); }

double MotionSeries::work(double time, int order) const {
  double sum = 0;
  for (int k = order; k >= 0; --k) sum = (sum + power_[at(k)] / (k + 1)) * time;
  return sum;
}

Eigen::VectorXd MotionSeries::terms_by(int k) const {
  const Index n = model_.coordinates();
  Eigen::VectorXd both(2 * n);
  for (Index i = 0; i < n; ++i) {
    both[i] = terms(q_, i)[k + 2];
    both[n + i] = terms(v_, i)[k + 1];
  }
  return both;
}

}  // namespace stillpoint
