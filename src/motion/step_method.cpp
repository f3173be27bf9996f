#include "motion/step_method.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/at.h"
#include "base/in_parallel.h"
#include "model/displacement.h"

namespace stillpoint {

ErrorScales::ErrorScales(const Model& model, const State& start, double whole_time, double tolerance)
    : is_length_(at(model.coordinates()), false),
      tolerance_(tolerance),
      length_(size_of_configuration(model, start.q)) {
  // Rounding of positions in some hundred steps must be less than the tolerance.
  const double least = std::clamp(1e-10 / tolerance, 1e-3, 1.0);
  for (const Block& block : model.blocks()) {
    for (Index k = 0; k < lengths_of(block.kind); ++k) is_length_[at(block.first + k)] = true;
  }
  const double most_length_rate = length_ / whole_time, most_angle_rate = 1 / whole_time;
  length_rate_ = least * most_length_rate;
  angle_rate_ = least * most_angle_rate;
  if (start.a.size() > 0) see(start.v.cwiseAbs() + whole_time * start.a.cwiseAbs());
  length_rate_ = std::min(length_rate_, most_length_rate);
  angle_rate_ = std::min(angle_rate_, most_angle_rate);
}

void ErrorScales::see(const Eigen::VectorXd& v, double energy) {
  energy_ = std::max(energy_, energy);
  for (Eigen::Index i = 0; i < v.size(); ++i) {
    double& rate = is_length_[at(i)] ? length_rate_ : angle_rate_;
    rate = std::max(rate, std::abs(v[i]));
  }
}

double ErrorScales::size_of(const Eigen::VectorXd& error) const {
  constexpr Index together = 50'000;  // coordinates
  struct Largest {
    double size = 0;
    void operator+=(const Largest& other) { size = std::max(size, other.size); }
  };
  const auto n = static_cast<Index>(is_length_.size());
  const auto of = [&](Index begin, Index end) {
    Largest largest;
    for (Index i = begin; i < end; ++i) {
      const bool is_length = is_length_[at(i)];
      const double change = std::abs(error[i]) / (is_length ? length_ : 1),
                   of_rate = std::abs(error[n + i]) / (is_length ? length_rate_ : angle_rate_);
      if (!std::isfinite(change + of_rate)) return Largest{std::numeric_limits<double>::infinity()};
      largest.size = std::max({largest.size, change, of_rate});
    }
    return largest;
  };
  return joined_chunks(n, together, Largest(), of).size;
}

double ErrorScales::size_of(const Eigen::VectorXd& error, double energy, int order, double allowed) const {
  constexpr double that_counts = 10;  // of the tolerance: errors of large motions have less anyway
  const double size = size_of(error);
  if (allowed > tolerance_ || !(energy_ > 0)) return size;
  return std::max(size, std::min(std::abs(energy) / (that_counts * energy_), std::exp2(order) * size));
}

double ErrorScales::time_of_rounding() const {
  const bool has_lengths = std::find(is_length_.begin(), is_length_.end(), true) != is_length_.end(),
             has_angles = std::find(is_length_.begin(), is_length_.end(), false) != is_length_.end();
  return std::numeric_limits<double>::epsilon() *
         std::max(has_lengths ? length_ / length_rate_ : 0, has_angles ? 1 / angle_rate_ : 0);
}

namespace {

bool take(const std::optional<Dynamics::Answer>& found, MotionPoint& point) {
  if (!found) return false;
  point.state.a = found->solution.a;
  point.state.lambda = found->solution.lambda;
  point.power = found->power;
  return true;
}

}  // namespace

bool accelerate(Dynamics& dynamics, MotionPoint& point) {
  return take(dynamics.accelerations(point.time, point.state), point);
}

bool accelerate_here(Dynamics& dynamics, MotionPoint& point) {
  return take(dynamics.accelerations_here(point.time, point.state), point);
}

}  // namespace stillpoint
