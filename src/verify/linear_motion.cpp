#include "stillpoint/linear_motion.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <map>
#include <unsupported/Eigen/MatrixFunctions>

#include "base/at.h"
#include "model/displacement.h"
#include "stillpoint/error.h"
#include "stillpoint/make_plant.h"

namespace stillpoint {

namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

constexpr Eigen::Index degree = 5;  // of the channels between two times

/// The channels w of a plant at a time: inputs less those of the operating point, and their derivatives.
class Channels {
 public:
  Channels(const Plant& plant, VectorXd u, InputMotion inputs)
      : plant_(plant), u_(std::move(u)), inputs_(std::move(inputs)) {}

  Eigen::Index count() const { return std::ssize(plant_.channels); }
  bool change() const { return static_cast<bool>(inputs_); }

  VectorXd at(double time) const { return of(sample(time), false); }
  /// Their rates; those of the highest derivatives that inputs have are not known, and zero.
  VectorXd rates_at(double time) const { return of(sample(time), true); }

 private:
  InputSample sample(double time) const {
    if (inputs_) return inputs_(time);
    const VectorXd none = VectorXd::Zero(u_.size());
    return {u_, none, none};
  }

  VectorXd of(const InputSample& now, bool rates) const {
    VectorXd w(count());
    for (Eigen::Index k = 0; k < count(); ++k) {
      const auto& [input, order] = plant_.channels[stillpoint::at(k)];
      const int derivative = order + (rates ? 1 : 0);
      w[k] = derivative == 0   ? now.u[input] - plant_.at.u[k]
             : derivative == 1 ? now.rate[input]
             : derivative == 2 ? now.acceleration[input]
                               : 0;
    }
    return w;
  }

  const Plant& plant_;
  VectorXd u_;
  InputMotion inputs_;
};

/// The coefficients of the polynomials through values at degree + 1 points of [0, 1]: the nodes of Chebyshev.
struct Interpolation {
  Interpolation() : nodes(degree + 1) {
    MatrixXd powers(degree + 1, degree + 1);
    for (Eigen::Index i = 0; i <= degree; ++i) {
      nodes[i] = 0.5 - 0.5 * std::cos(std::acos(-1.0) * (static_cast<double>(i) + 0.5) / (degree + 1.0));
      for (Eigen::Index k = 0; k <= degree; ++k) powers(i, k) = std::pow(nodes[i], static_cast<double>(k));
    }
    to_coefficients = powers.inverse();
  }
  VectorXd nodes;
  MatrixXd to_coefficients;
};

/// Steps of ẋ = A x + B w for one length h: x(h) = P x(0) + Σₖ Qₖ wₖ, with w = Σₖ wₖ (τ/h)ᵏ.
class Propagator {
 public:
  Propagator(const MatrixXd& A, const MatrixXd& B, double h) {
    // The exponential of [A, B, 0; 0, 0, I; 0, 0, 0], of time in units of h, integrates the powers τᵏ/k! one by one.
    const Eigen::Index n = A.rows(), m = B.cols();
    MatrixXd whole = MatrixXd::Zero(n + m * (degree + 1), n + m * (degree + 1));
    whole.topLeftCorner(n, n) = h * A;
    if (m > 0) {
      whole.block(0, n, n, m) = h * B;
      for (Eigen::Index k = 0; k < degree; ++k)
        whole.block(n + k * m, n + (k + 1) * m, m, m) = MatrixXd::Identity(m, m);
    }
    const MatrixXd exponential = whole.exp();
    P_ = exponential.topLeftCorner(n, n);
    double factorial = 1;
    for (Eigen::Index k = 0; k <= degree && m > 0; ++k) {
      if (k > 0) factorial *= static_cast<double>(k);
      Q_.push_back(factorial * exponential.block(0, n + k * m, n, m));
    }
  }

  /// The columns of `coefficients` are the wₖ.
  VectorXd step(const VectorXd& x, const MatrixXd& coefficients) const {
    VectorXd next = P_ * x;
    for (std::size_t k = 0; k < Q_.size(); ++k) next += Q_[k] * coefficients.col(static_cast<Eigen::Index>(k));
    return next;
  }

 private:
  MatrixXd P_;
  std::vector<MatrixXd> Q_;
};

/// The motion of a plant from a time to later ones.
class PlantMotion {
 public:
  PlantMotion(const Plant& plant, const Channels& channels, const LinearMotionOptions& options)
      : A_(plant.first.A), B_(plant.first.B), channels_(channels), tolerance_(options.tolerance) {}

  /// Goes on to a time; intervals are halved until what inputs bring about no longer changes.
  VectorXd moved(const VectorXd& x, double from, double to) {
    if (!(to > from) || x.size() == 0) return x;
    VectorXd coarse = in_parts(x, from, to, 1);
    largest_ = std::max(largest_, coarse.lpNorm<Eigen::Infinity>());
    if (!channels_.change()) return coarse;
    constexpr int most_parts = 1 << 12;
    for (int parts = 2; parts <= most_parts; parts *= 2) {
      const VectorXd fine = in_parts(x, from, to, parts);
      largest_ = std::max(largest_, fine.lpNorm<Eigen::Infinity>());
      if ((fine - coarse).lpNorm<Eigen::Infinity>() <= tolerance_ * largest_) return fine;
      coarse = fine;
    }
    throw Undecided(
        fmt::format("the linear model does not follow its inputs between {:g} and {:g} s: they jump, or change "
                    "too fast for {} parts",
                    from, to, most_parts));
  }

 private:
  VectorXd in_parts(VectorXd x, double from, double to, int parts) {
    const double h = (to - from) / parts;
    for (int k = 0; k < parts; ++k) x = propagator(h).step(x, coefficients(from + k * h, h));
    return x;
  }

  MatrixXd coefficients(double from, double h) const {
    MatrixXd values(channels_.count(), degree + 1);
    for (Eigen::Index i = 0; i <= degree; ++i) values.col(i) = channels_.at(from + interpolation_.nodes[i] * h);
    return values * interpolation_.to_coefficients.transpose();
  }

  // Intervals that differ by rounding share one exponential.
  const Propagator& propagator(double h) {
    const auto near = propagators_.lower_bound(h * (1 - 1e-13));
    if (near != propagators_.end() && near->first <= h * (1 + 1e-13)) return near->second;
    return propagators_.emplace(h, Propagator(A_, B_, h)).first->second;
  }

  MatrixXd A_, B_;
  const Channels& channels_;
  double tolerance_, largest_ = 0;
  Interpolation interpolation_;
  std::map<double, Propagator> propagators_;
};

/// x with δq = T x + S w and δq̇ = T ẋ + S ẇ, which determine it.
VectorXd state_of(const Plant& plant, const Channels& channels, double time, const VectorXd& dq, const VectorXd& dv) {
  const MatrixXd T = plant.T, A = plant.first.A;
  const Eigen::Index n = T.rows(), states = A.rows();
  const VectorXd w = channels.at(time);
  MatrixXd rows(2 * n, states);
  rows << T, T * A;
  VectorXd right(2 * n);
  right << dq - plant.S * w, dv - T * (plant.first.B * w) - plant.S * channels.rates_at(time);
  return rows.completeOrthogonalDecomposition().solve(right);
}

}  // namespace

MatrixXd linear_motion(const Model& model, const Equilibrium& rest, const LinearSystem& system, const State& start,
                       const LinearMotionOptions& options) {
  if (system.outputs() == 0) throw Error("the linear model has no outputs that could be shown: name some in the model");
  if (system.singular)
    throw Error("the equilibrium is a singular configuration, where motions branch: no linear model describes them");
  if (system.dof() > options.largest)
    throw Error(fmt::format("the linear model has {} degrees of freedom; its motion is computed with up to {}",
                            system.dof(), options.largest));
  const Plant plant = state_space(system, {.largest = options.largest, .poles = false});
  const Channels channels(plant, start.u, options.inputs);
  const VectorXd dv = start.v.size() > 0 ? start.v : VectorXd(VectorXd::Zero(model.coordinates()));
  VectorXd x = state_of(plant, channels, options.start_time, displacement_between(model, rest.state, start), dv);
  PlantMotion motion(plant, channels, options);
  MatrixXd outputs(system.outputs(), std::ssize(options.times));
  double time = options.start_time;
  for (std::size_t k = 0; k < options.times.size(); ++k) {
    x = motion.moved(x, time, options.times[k]);
    time = options.times[k];
    outputs.col(static_cast<Eigen::Index>(k)) = system.y + plant.first.C * x + plant.first.D * channels.at(time);
  }
  return outputs;
}

}  // namespace stillpoint
