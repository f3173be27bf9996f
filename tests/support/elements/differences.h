// Central differences in the tangent space, of everything that the library differentiates exactly.
//
// Differences are taken along the chart of theory (1.5), written out here in full and by means of its own (Eigen's
// quaternions and matrices): a state q, R₀ is displaced along increments of its coordinates, and on the way
//
//   R = R₀ exp[θ]×,   ω = T(θ) θ̇,   α = T(θ) θ̈ + Ṫ θ̇,   generalised force on θ: T(θ)ᵀ τ      (axes of the body)
//   T(θ) = I − (1 − cos φ)/φ² [θ]× + (φ − sin φ)/φ³ [θ]×²,   φ = |θ|
//
// In the plane the increments are simply added.
#pragma once

#include <Eigen/Core>
#include <functional>

#include "stillpoint/assembly.h"

namespace stillpoint {

/// The derivative of g by central differences over h and 2h, extrapolated (Richardson): the error is of the order
/// h⁴ g⁽⁵⁾/30 + ε |g| / h, about 1e-12 for laws whose lengths and data are of the order of one.
constexpr double difference_step = 1e-3;
Eigen::VectorXd central_difference(const std::function<Eigen::VectorXd(double)>& g, double step = difference_step);

/// d/dt ∂T/∂ẋ − ∂T/∂x of a kinetic energy T(x, ẋ), which is quadratic in the rates, along x₀ + v t + ½ a t².
using KineticEnergy = std::function<double(const Eigen::VectorXd& x, const Eigen::VectorXd& rates)>;
Eigen::VectorXd momenta(const KineticEnergy& T, const Eigen::VectorXd& x, const Eigen::VectorXd& rates);
Eigen::VectorXd lagrange(const KineticEnergy& T, const Eigen::VectorXd& x, const Eigen::VectorXd& v,
                         const Eigen::VectorXd& a);

/// The largest difference of two matrices, relative to the largest entry of either. Data here are of the order of one
/// to fifty; a matrix whose largest entry is below 1e-3 contains rounding only, and is compared on that scale.
double relative_difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

// ---------------------------------------------------------------------------------------------------------------------
// The chart

Eigen::Matrix3d right_jacobian(const Eigen::Vector3d& theta);
Eigen::Matrix3d right_jacobian_rate(const Eigen::Vector3d& theta, const Eigen::Vector3d& rate);

/// The state at the increments `along` of a chart about a state, whose rates and accelerations (if it has any) are
/// those of the chart's coordinates.
State in_chart(const Model& model, const State& about, const Eigen::VectorXd& along);

/// Forces on the coordinates of a displaced state, as the chart's coordinates feel them.
Eigen::VectorXd pulled_back(const Model& model, const Eigen::VectorXd& along, Eigen::VectorXd force);

/// The derivative of g(state) by increments of the coordinates, along the chart.
Eigen::MatrixXd chart_derivative(
    const Model& model, const State& state,
    const std::function<Eigen::VectorXd(const State& at, const Eigen::VectorXd& along)>& g);

/// The same by a vector of the state on which nothing else depends: u, v, a or λ.
Eigen::MatrixXd derivative_by(Eigen::VectorXd State::*variable, const State& state,
                              const std::function<Eigen::VectorXd(const State& at)>& g);

// ---------------------------------------------------------------------------------------------------------------------
// All matrices

struct DenseMatrices {
  Eigen::MatrixXd M, C, K, J, F, G;

  const Eigen::MatrixXd& operator[](char letter) const;
};

DenseMatrices exact_matrices(const Matrices& sparse);

/// Central differences of r(q, v, a, u) = inertia + Jᵀλ − f and of Φ(q, u), along the chart.
class CentralDifferences {
 public:
  explicit CentralDifferences(const Model& model) : model_(model), assembly_(model) {}
  DenseMatrices at(const State& state);

 private:
  Eigen::VectorXd r_and_phi(const State& state);

  Model model_;
  Assembly assembly_;
};

}  // namespace stillpoint
