#include "response/plant_dynamics.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "algebra/dense/lapack.h"
#include "algebra/dense/schur.h"
#include "base/at.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Eigen::MatrixXd, Eigen::VectorXd;
using Complex = std::complex<double>;

// Shares of poles that do not decay, relative to the largest possible one: smaller ones are rounding.
constexpr double shown = 1e-10;

// Poles so close to the imaginary axis, relative to their magnitude, are those of a motion without damping.
constexpr double on_axis = 1e-9;

void require_explicit_plant(const Plant& plant, Index largest) {
  const bool is_explicit = plant.form == PlantForm::state_space || plant.form == PlantForm::modal;
  if (!is_explicit || plant.first.E.size() > 0 || plant.sampling)
    throw Error("the answer in time is that of a state space in continuous time: choose form 'state-space' or 'modal'");
  if (plant.first.A.rows() > largest)
    throw Error(
        fmt::format("'{}' has {} states; its answer in time is computed with up to {}, because matrix exponentials are "
                    "dense: reduce the plant, or leave out inputs and outputs that add no states",
                    plant.name, plant.first.A.rows(), largest));
}

/// The channels; of a plant that does not name their inputs each is one of its own.
std::vector<Plant::Channel> channels_of(const Plant& plant) {
  std::vector<Plant::Channel> channels = plant.channels;
  for (std::size_t k = channels.size(); plant.channels.empty() && k < plant.input_names.size(); ++k)
    channels.push_back({static_cast<Index>(k), 0});
  return channels;
}

/// Adds the matrices of the derivatives of inputs: s (sI − A)⁻¹ B = B + (sI − A)⁻¹ A B.
void add_channel(const MatrixXd& A, const MatrixXd& C, const VectorXd& B, const VectorXd& D, int order,
                 Eigen::Index input, PlantDynamics& dynamics) {
  VectorXd b = B;
  dynamics.d[at(order)].col(input) += D;
  for (int k = order; k > 0; --k) {
    dynamics.d[at(k - 1)].col(input) += C * b;
    b = A * b;
  }
  dynamics.b.col(input) += b;
}

/// How many poles are zero within their error bounds; −1 if the plant does not know all its poles.
Eigen::Index known_zeros(const PlantDynamics& dynamics) {
  if (std::ssize(dynamics.given_poles) != dynamics.A.rows()) return -1;
  return std::count(dynamics.given_poles.begin(), dynamics.given_poles.end(), Complex(0));
}

/// The spectral projector Z (Yᵀ Z)⁻¹ Yᵀ of the smallest eigenvalues, from bases of their two invariant subspaces.
MatrixXd projector_of_smallest(const MatrixXd& A, Eigen::Index count) {
  const auto smallest = [count](const Eigen::VectorXcd& values) {
    std::vector<Eigen::Index> order(at(values.size()));
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](Eigen::Index i, Eigen::Index j) { return std::abs(values[i]) < std::abs(values[j]); });
    std::vector<bool> chosen(at(values.size()), false);
    for (Eigen::Index i = 0; i < count; ++i) chosen[at(order[at(i)])] = true;
    return chosen;
  };
  const MatrixXd Z = leading_schur(A, smallest).Z, Y = leading_schur(A.transpose(), smallest).Z;
  if (Z.cols() != Y.cols()) throw Undecided("the poles at zero cannot be told from the others");
  const Eigen::PartialPivLU<MatrixXd> product(Y.transpose() * Z);
  return Z * product.solve(Y.transpose());
}

/// Zeros among eigenvalues whose errors are not known: a double one comes back as ±√ε of the norm.
Eigen::Index apparent_zeros(const MatrixXd& A) {
  const double limit = std::sqrt(std::numeric_limits<double>::epsilon()) * A.norm();
  return (solve_unsymmetric(A).values.array().abs() <= limit).count();
}

}  // namespace

PlantDynamics dynamics_of(const Plant& plant, Index largest) {
  require_explicit_plant(plant, largest);
  const MatrixXd A = plant.first.A, B = plant.first.B, C = plant.first.C, D = plant.first.D;
  PlantDynamics dynamics;
  const std::vector<Plant::Channel> channels = channels_of(plant);
  Index inputs = 0;
  for (const Plant::Channel& channel : channels) inputs = std::max(inputs, channel.input + 1);
  dynamics.b = MatrixXd::Zero(A.rows(), inputs);
  dynamics.d.assign(3, MatrixXd::Zero(C.rows(), inputs));
  dynamics.input_names.resize(at(inputs));
  dynamics.input_units.resize(at(inputs));
  for (std::size_t k = 0; k < channels.size(); ++k) {
    const auto [input, order] = channels[k];
    const auto column = static_cast<Eigen::Index>(k);
    if (order < 0 || order > 2) throw Error("a plant depends on inputs and their first two derivatives only");
    add_channel(A, C, B.col(column), D.col(column), order, input, dynamics);
    if (order > 0) continue;
    dynamics.input_names[at(input)] = plant.input_names[k];
    if (k < plant.input_units.size()) dynamics.input_units[at(input)] = plant.input_units[k];
  }
  const VectorXd scales = A.rows() > 0 ? balancing_scales(A) : VectorXd();
  dynamics.A = scales.cwiseInverse().asDiagonal() * A * scales.asDiagonal();
  dynamics.b = scales.cwiseInverse().asDiagonal() * dynamics.b;
  dynamics.C = C * scales.asDiagonal();
  for (const Plant::Pole& pole : plant.poles) {
    const bool is_zero = std::abs(pole.s) <= pole.error;
    dynamics.given_poles.push_back(is_zero ? 0 : pole.s);
  }
  return dynamics;
}

// The part at zero is moved to a place far from all other poles, where it does no harm: a defective zero has no basis
// of eigenvectors.
VisiblePoles::VisiblePoles(const PlantDynamics& dynamics) : dynamics_(dynamics) {
  const Eigen::Index n = dynamics.A.rows();
  gain_ = dynamics.d[0];
  if (n == 0) return;
  const Eigen::Index known = known_zeros(dynamics), zeros = known >= 0 ? known : apparent_zeros(dynamics.A);
  const MatrixXd identity = MatrixXd::Identity(n, n);
  P0_ = zeros > 0 ? projector_of_smallest(dynamics.A, zeros) : MatrixXd::Zero(n, n);
  const double norm = std::max(dynamics.A.norm(), std::numeric_limits<double>::min());
  const double moved = 4 * norm;
  const MatrixXd moved_A = dynamics.A * (identity - P0_) + moved * P0_;
  const GeneralEigen eigen = solve_unsymmetric(moved_A);
  const MatrixXd rest = (identity - P0_) * dynamics.b;
  left_ = eigen.vectors.partialPivLu().solve(rest.cast<Complex>());
  right_ = dynamics.C.cast<Complex>() * eigen.vectors;
  values_ = eigen.values;
  for (Eigen::Index i = 0; i < n; ++i) {
    if (std::abs(values_[i] - moved) < norm) values_[i] = 0;
  }
  axis_ = 16 * std::numeric_limits<double>::epsilon() * norm;
  gain_ -= dynamics.C * moved_A.partialPivLu().solve(rest);
}

bool VisiblePoles::shows_zero(Eigen::Index output, Eigen::Index input) const {
  if (P0_.size() == 0 || P0_.isZero(0)) return false;
  const auto row = dynamics_.C.row(output);
  const VectorXd pushed = P0_ * dynamics_.b.col(input);
  const double scale = row.norm() * dynamics_.b.col(input).norm();
  const VectorXd next = dynamics_.A * pushed;
  return std::abs(row.dot(pushed)) > shown * scale || std::abs(row.dot(next)) > shown * scale * dynamics_.A.norm();
}

VisiblePoles::Channel VisiblePoles::channel(Eigen::Index output, Eigen::Index input, TimeInput kind) const {
  Channel channel;
  double largest = 0;
  for (Eigen::Index i = 0; i < values_.size(); ++i) {
    if (values_[i] == 0.0) continue;
    const double residue = std::abs(right_(output, i) * left_(i, input));
    const double part = kind == TimeInput::step ? residue / std::abs(values_[i]) : residue;
    largest = std::max(largest, part);
    channel.poles.push_back({values_[i], part});
  }
  const double possible =
      dynamics_.A.rows() > 0 ? dynamics_.C.row(output).norm() * dynamics_.b.col(input).norm() * shown : 0;
  bool oscillates = false, grows = false;
  for (Pole& pole : channel.poles) {
    const double residue = kind == TimeInput::step ? pole.part * std::abs(pole.s) : pole.part;
    if (largest > 0) pole.part /= largest;
    const double axis = std::max(axis_, on_axis * std::abs(pole.s));
    const bool decays = pole.s.real() < -axis;
    if (!(pole.part > shown) || (!decays && !(residue > possible))) {
      pole.part = 0;
      continue;
    }
    oscillates |= std::abs(pole.s.real()) <= axis;
    grows |= pole.s.real() > axis;
  }
  channel.has_zero = shows_zero(output, input);
  channel.behaviour = grows              ? Behaviour::unstable
                      : channel.has_zero ? Behaviour::integrates
                      : oscillates       ? Behaviour::oscillates
                                         : Behaviour::settles;
  if (!channel.has_zero) channel.gain = gain_(output, input);
  return channel;
}

}  // namespace stillpoint
