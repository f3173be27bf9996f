// The explicit state space, theory (12.2). The velocities of degrees of freedom without mass follow from positions,
// C_dd ż_d = ...; the positions of those without mass and damping follow algebraically, K_ss z_s = ...
#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>
#include <optional>

#include "algebra/dense/lapack.h"
#include "base/at.h"
#include "base/name_list.h"
#include "plants/plant_parts.h"
#include "plants/second_order_parts.h"
#include "plants/signal.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Eigen::MatrixXd;

// A matrix whose reciprocal condition number is below this is singular to working precision.
constexpr double singular = 1e-14;

// Relative to the largest component of a motion: smaller components are not named in a message.
constexpr double moves = 1e-6;

std::string names_of(const SecondOrderParts& parts, const std::vector<Index>& places) {
  std::vector<std::string> names;
  for (const Index i : places) names.push_back("'" + parts.names[at(i)] + "'");
  return name_list(names);
}

/// Throws Error with the names of the degrees of freedom in the null vector of A.
[[noreturn]] void refuse(const SecondOrderParts& parts, const std::vector<Index>& places, const MatrixXd& A,
                         const char* what) {
  const Eigen::VectorXd motion = decompose(A).V.rightCols(1).cwiseAbs();
  std::vector<Index> moving;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (motion[static_cast<Eigen::Index>(i)] > moves * motion.maxCoeff()) moving.push_back(places[i]);
  }
  throw Error(
      fmt::format("there is a motion of {} without {}, which cannot be eliminated coordinate by coordinate: choose "
                  "other independent coordinates (option 'independent'), or form 'descriptor'",
                  names_of(parts, moving), what));
}

/// Returns A⁻¹ B, by Cholesky factorization if possible, with A scaled so that its diagonal is about one. Returns
/// nothing if A is singular to working precision.
std::optional<MatrixXd> solved(const MatrixXd& A, const MatrixXd& B) {
  const Eigen::VectorXd d = A.diagonal().unaryExpr(
      [](double a) { return a == 0 ? 1.0 : std::exp2(-std::round(std::log2(std::abs(a)) / 2)); });
  const MatrixXd scaled = d.asDiagonal() * A * d.asDiagonal(), right = d.asDiagonal() * B;
  if (scaled == scaled.transpose()) {
    const Eigen::LLT<MatrixXd> cholesky(scaled);
    if (cholesky.info() == Eigen::Success && cholesky.rcond() > singular) return d.asDiagonal() * cholesky.solve(right);
  }
  const Eigen::PartialPivLU<MatrixXd> lu(scaled);
  if (!(lu.rcond() > singular)) return std::nullopt;
  return d.asDiagonal() * lu.solve(right);
}

/// Solves the diagonal block of A at `places` for the rows `places` of the right-hand side.
MatrixXd solved_rows(const SecondOrderParts& parts, const std::vector<Index>& places, const MatrixXd& A,
                     const MatrixXd& right, const char* what) {
  if (places.empty() || right.cols() == 0) return right(places, Eigen::all);
  const MatrixXd own = A(places, places);
  const auto solution = solved(own, right(places, Eigen::all));
  if (!solution) refuse(parts, places, own, what);
  return *solution;
}

/// The motion of each degree of freedom as signals.
struct Motion {
  Signals signals;
  MatrixXd z, v, a, rates;  ///< positions, velocities, accelerations, ẋ
};

Motion motion_of(const SecondOrderParts& parts, const DofKinds& kinds) {
  const auto k = static_cast<Eigen::Index>(parts.dofs());
  const auto moving = static_cast<Eigen::Index>(kinds.moving.size());
  const auto massive = static_cast<Eigen::Index>(kinds.massive.size());
  Motion motion{{moving + massive, parts.B[0].cols()}, {}, {}, {}, {}};
  const Signals& signals = motion.signals;
  MatrixXd forces = signals.zero(k);
  for (int order = 0; order < 3; ++order) signals.of_order(forces, order) = parts.B[at(order)];

  MatrixXd v = signals.zero(k);  // zero until known for degrees of freedom without a velocity among the states
  v(kinds.massive, Eigen::all) = signals.unit(moving, massive);
  motion.z = signals.zero(k);
  motion.z(kinds.moving, Eigen::all) = signals.unit(0, moving);
  const auto balance = [&] { return MatrixXd(forces - parts.C * v - parts.K * motion.z); };
  motion.z(kinds.algebraic, Eigen::all) =
      solved_rows(parts, kinds.algebraic, parts.K, balance(), "mass, damping and stiffness");
  v(kinds.damped, Eigen::all) = solved_rows(parts, kinds.damped, parts.C, balance(), "mass and damping");

  motion.rates = signals.zero(signals.states);
  motion.rates.topRows(moving) = v(kinds.moving, Eigen::all);
  motion.rates.bottomRows(massive) = solved_rows(parts, kinds.massive, parts.M, balance(), "mass");
  motion.v = signals.derivative(motion.z, motion.rates);
  motion.a = signals.derivative(motion.v, motion.rates);
  return motion;
}

MatrixXd outputs_of(const SecondOrderParts& parts, const Motion& motion) {
  MatrixXd y = parts.Hq * motion.z + parts.Hv * motion.v + parts.Ha * motion.a;
  for (int order = 0; order < 3; ++order) motion.signals.of_order(y, order) += parts.D[at(order)];
  return y;
}

void require_two_derivatives(const LinearSystem& system, const Signals& signals, const MatrixXd& y) {
  for (int order = 3; order < Signals::orders; ++order) {
    const MatrixXd part = signals.of_order(y, order);
    for (Index i = 0; i < part.rows(); ++i) {
      for (Index j = 0; j < part.cols(); ++j) {
        if (part(i, j) == 0) continue;
        throw Error(
            fmt::format("output '{}' depends on the {} derivative of the input '{}', because it follows prescribed "
                        "motion without mass: choose form 'descriptor'",
                        system.output_name(i), order == 3 ? "third" : "fourth", system.input_name(j)));
      }
    }
  }
}

std::vector<MatrixXd> by_order(const Signals& signals, const MatrixXd& signal) {
  std::vector<MatrixXd> orders;
  for (int order = 0; order < 3; ++order) orders.push_back(signals.of_order(signal, order));
  return orders;
}

void name_states(const SecondOrderParts& parts, const DofKinds& kinds, Plant& plant) {
  for (const Index i : kinds.moving) plant.state_names.push_back(parts.names[at(i)]);
  for (const Index i : kinds.massive) plant.state_names.push_back(rate_name(parts.names[at(i)], 1));
  plant.state_units.resize(plant.state_names.size());
  plant.at.x = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(plant.state_names.size()));
  for (std::size_t i = 0; i < kinds.moving.size(); ++i)
    plant.at.x[static_cast<Eigen::Index>(i)] = parts.values[kinds.moving[i]];
  if (!kinds.damped.empty()) {
    plant.notes.push_back("without mass, so that their rates are not states: " + names_of(parts, kinds.damped));
  }
  if (!kinds.algebraic.empty()) {
    plant.notes.push_back("without mass and damping, so that they are not states: " + names_of(parts, kinds.algebraic));
  }
}

}  // namespace

void make_explicit(const LinearSystem& system, const SecondOrderParts& parts, const DofKinds& kinds, Plant& plant) {
  const Motion motion = motion_of(parts, kinds);
  const Signals& signals = motion.signals;
  const MatrixXd y = outputs_of(parts, motion), all = parts.T * motion.z;
  require_two_derivatives(system, signals, y);
  std::vector<MatrixXd> B = by_order(signals, motion.rates), D = by_order(signals, y), S = by_order(signals, all);
  S[0] += parts.S;
  choose_channels(system, {B, D, S}, plant);
  plant.first.A = MatrixXd(signals.of_states(motion.rates)).sparseView();
  plant.first.C = MatrixXd(signals.of_states(y)).sparseView();
  plant.first.B = by_channels(plant, B);
  plant.first.D = by_channels(plant, D);
  plant.T = MatrixXd(signals.of_states(all)).sparseView();
  plant.S = by_channels(plant, S);
  plant.notes.insert(plant.notes.end(), parts.notes.begin(), parts.notes.end());
  name_states(parts, kinds, plant);
  set_operating_point(system, plant);
}

}  // namespace stillpoint
