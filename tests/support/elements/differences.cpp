#include "support/elements/differences.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "support/as_eigen.h"

namespace stillpoint {

Eigen::VectorXd central_difference(const std::function<Eigen::VectorXd(double)>& g, double h) {
  return (8 * (g(h) - g(-h)) - (g(2 * h) - g(-2 * h))) / (12 * h);
}

Eigen::VectorXd momenta(const KineticEnergy& T, const Eigen::VectorXd& x, const Eigen::VectorXd& rates) {
  Eigen::VectorXd p(rates.size());
  for (Eigen::Index i = 0; i < rates.size(); ++i) {
    // T is quadratic in the rates, so that the plain central difference over any step is exact but for rounding.
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(rates.size(), i);
    p[i] = (T(x, rates + unit) - T(x, rates - unit)) / 2;
  }
  return p;
}

Eigen::VectorXd lagrange(const KineticEnergy& T, const Eigen::VectorXd& x, const Eigen::VectorXd& v,
                         const Eigen::VectorXd& a) {
  constexpr double step = difference_step / 2;  // momenta of beams that are bent far vary fast
  Eigen::VectorXd left =
      central_difference([&](double t) { return momenta(T, x + t * v + 0.5 * t * t * a, v + t * a); }, step);
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    left[i] -= central_difference(
        [&](double h) { return Eigen::VectorXd::Constant(1, T(x + h * Eigen::VectorXd::Unit(x.size(), i), v)).eval(); },
        step)[0];
  }
  return left;
}

double relative_difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  if (a.size() == 0) return 0;
  const double scale = std::max({a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff(), 1e-3});
  return (a - b).cwiseAbs().maxCoeff() / scale;
}

// ---------------------------------------------------------------------------------------------------------------------
// The chart

namespace {

Eigen::Matrix3d skew(const Eigen::Vector3d& a) {
  Eigen::Matrix3d matrix;
  matrix << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return matrix;
}

Eigen::Quaterniond exponential(const Eigen::Vector3d& theta) {
  const double angle = theta.norm();
  if (angle == 0) return Eigen::Quaterniond::Identity();
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, theta / angle));
}

/// (1 − cos φ)/φ², without loss of digits at small φ.
double cosine_term(double phi) {
  const double half = std::sin(phi / 2) / phi;
  return 2 * half * half;
}

template <class F>
void for_each_body(const Model& model, const F& f) {
  for (const Block& block : model.blocks()) {
    if (block.kind == BlockKind::space_body) f(block.first + 3, static_cast<std::size_t>(block.orientation));
  }
}

}  // namespace

Eigen::Matrix3d right_jacobian(const Eigen::Vector3d& theta) {
  const double phi = theta.norm();
  if (phi == 0) return Eigen::Matrix3d::Identity();
  const Eigen::Matrix3d S = skew(theta);
  return Eigen::Matrix3d::Identity() - cosine_term(phi) * S + ((phi - std::sin(phi)) / (phi * phi * phi)) * (S * S);
}

Eigen::Matrix3d right_jacobian_rate(const Eigen::Vector3d& theta, const Eigen::Vector3d& rate) {
  const double phi = theta.norm();
  const Eigen::Matrix3d S = skew(theta), S_rate = skew(rate);
  if (phi == 0) return -0.5 * S_rate;
  const double s = std::sin(phi), c = phi * phi * cosine_term(phi);  // c = 1 − cos φ
  const double phi_rate = theta.dot(rate) / phi;
  const double once = c / (phi * phi), once_rate = (phi * s - 2 * c) / std::pow(phi, 3) * phi_rate;
  const double twice = (phi - s) / std::pow(phi, 3),
               twice_rate = (phi * c - 3 * (phi - s)) / std::pow(phi, 4) * phi_rate;
  return -once_rate * S - once * S_rate + twice_rate * (S * S) + twice * (S_rate * S + S * S_rate);
}

State in_chart(const Model& model, const State& about, const Eigen::VectorXd& along) {
  State at = about;
  at.q += along;
  for_each_body(model, [&](Index first, std::size_t which) {
    const Eigen::Vector3d theta = along.segment<3>(first);
    at.q.segment<3>(first).setZero();
    const Eigen::Quaterniond R = eigen(about.orientations[which]) * exponential(theta);
    at.orientations[which] = {R.w(), R.x(), R.y(), R.z()};
    const Eigen::Matrix3d T = right_jacobian(theta);
    if (about.v.size() > 0) at.v.segment<3>(first) = T * about.v.segment<3>(first);
    if (about.a.size() > 0) at.a.segment<3>(first) = T * about.a.segment<3>(first);
    if (about.a.size() > 0 && about.v.size() > 0) {
      const Eigen::Vector3d rate = about.v.segment<3>(first);
      at.a.segment<3>(first) += right_jacobian_rate(theta, rate) * rate;
    }
  });
  return at;
}

Eigen::VectorXd pulled_back(const Model& model, const Eigen::VectorXd& along, Eigen::VectorXd force) {
  for_each_body(model, [&](Index first, std::size_t) {
    force.segment<3>(first) = (right_jacobian(along.segment<3>(first)).transpose() * force.segment<3>(first)).eval();
  });
  return force;
}

Eigen::MatrixXd chart_derivative(
    const Model& model, const State& state,
    const std::function<Eigen::VectorXd(const State& at, const Eigen::VectorXd& along)>& g) {
  Eigen::MatrixXd derivative(g(state, Eigen::VectorXd::Zero(model.coordinates())).size(), model.coordinates());
  for (Index i = 0; i < model.coordinates(); ++i) {
    derivative.col(i) = central_difference([&](double h) {
      const Eigen::VectorXd along = h * Eigen::VectorXd::Unit(model.coordinates(), i);
      return g(in_chart(model, state, along), along);
    });
  }
  return derivative;
}

Eigen::MatrixXd derivative_by(Eigen::VectorXd State::*variable, const State& state,
                              const std::function<Eigen::VectorXd(const State& at)>& g) {
  State moved = state;
  Eigen::VectorXd& x = moved.*variable;
  Eigen::MatrixXd derivative(g(state).size(), x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const double here = x[i];
    derivative.col(i) = central_difference([&](double h) {
      x[i] = here + h;
      return g(moved);
    });
    x[i] = here;
  }
  return derivative;
}

// ---------------------------------------------------------------------------------------------------------------------
// All matrices

const Eigen::MatrixXd& DenseMatrices::operator[](char letter) const {
  switch (letter) {
    case 'M':
      return M;
    case 'C':
      return C;
    case 'K':
      return K;
    case 'J':
      return J;
    case 'F':
      return F;
    case 'G':
      return G;
    default:
      throw std::invalid_argument("no such matrix");
  }
}

DenseMatrices exact_matrices(const Matrices& sparse) {
  return {sparse.M, sparse.C, sparse.K, sparse.J, sparse.F, sparse.G};
}

// Rates and accelerations do not stand in Jᵀλ and Φ.
Eigen::VectorXd CentralDifferences::r_and_phi(const State& state) {
  const Eigen::Index n = model_.coordinates(), m = model_.constraints();
  Eigen::VectorXd both(n + m);
  both.head(n) = inertia_forces(model_, state) - applied_forces(model_, state);
  if (m > 0) {
    State still = state;
    still.v.resize(0);
    still.a.resize(0);
    both.head(n) += assembly_.at(still).J.transpose() * state.lambda;
    both.tail(m) = constraint_residual(model_, state);
  }
  return both;
}

DenseMatrices CentralDifferences::at(const State& state) {
  const Eigen::Index n = model_.coordinates(), m = model_.constraints();
  State around = state;
  if (around.v.size() == 0) around.v.setZero(n);
  if (around.a.size() == 0) around.a.setZero(n);
  const Eigen::MatrixXd by_q = chart_derivative(model_, around, [&](const State& at, const Eigen::VectorXd& along) {
    Eigen::VectorXd both = r_and_phi(at);
    both.head(n) = pulled_back(model_, along, both.head(n));
    return both;
  });
  const Eigen::MatrixXd by_u = derivative_by(&State::u, around, [&](const State& at) { return r_and_phi(at); });
  const auto r = [&](const State& at) { return (inertia_forces(model_, at) - applied_forces(model_, at)).eval(); };
  return {.M = derivative_by(&State::a, around, r),
          .C = derivative_by(&State::v, around, r),
          .K = by_q.topRows(n),
          .J = by_q.bottomRows(m),
          .F = -by_u.topRows(n),
          .G = -by_u.bottomRows(m)};
}

}  // namespace stillpoint
