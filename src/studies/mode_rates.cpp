#include "stillpoint/mode_rates.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "algebra/sparse/chosen_rows.h"
#include "base/at.h"
#include "modes/problem/bordered_problem.h"
#include "studies/adjoint_of_shift.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

/// The derivatives of the matrices that an eigenvalue feels.
struct Change {
  const SparseMatrix &M, &C, &K;
  SparseMatrix J;                            ///< independent rows
  const Eigen::VectorXd *g = {}, *phi = {};  ///< ∂g/∂p and ∂Φ/∂p, if the matrices are without the shift they cause
};

}  // namespace

bool are_copies(const Mode& a, const Mode& b) {
  constexpr double mixed = 1e-7;
  const double apart = std::abs(a.s - b.s);
  return apart <= a.error + b.error || apart <= mixed * std::abs(a.s);
}

double frequency_rate(const Mode& mode, Complex rate) {
  const double sign = mode.s.imag() < 0 ? -1 : 1;
  return mode.s.imag() == 0 ? 0 : sign * rate.imag() / (2 * std::numbers::pi);
}

// ζ = −σ/|s|, so ζ' = (−σ'|s|² + σ (σσ' + ωω')) / |s|³.
double damping_ratio_rate(const Mode& mode, Complex rate) {
  const double size = std::abs(mode.s), sigma = mode.s.real();
  if (size == 0) return 0;
  const double along = sigma * rate.real() + mode.s.imag() * rate.imag();
  return (sigma * along / (size * size) - rate.real()) / size;
}

struct ModeDifferentiator::Vectors {
  std::vector<Mode> modes;
  std::vector<BorderedVector> x, y;
  std::vector<Eigen::VectorXcd> derivative;  // P'(s) x
  std::vector<Index> rows;
  std::vector<std::vector<std::size_t>> groups;  // of equal eigenvalues
  std::map<std::pair<std::size_t, std::size_t>, AdjointOfShift::Adjoint>
      adjoints;  // of left and right vectors of one group

  // yᴴ P' x with the derivative of P with respect to the parameter.
  Complex change(std::size_t i, std::size_t j, const Change& by) const {
    const Complex s = modes[j].s;
    const Eigen::VectorXcd force =
        (by.M * (x[j].coordinates * s) + by.C * x[j].coordinates) * s + by.K * x[j].coordinates;
    Complex sum = y[i].coordinates.dot(force);
    if (by.J.nonZeros() > 0) {
      sum += y[i].coordinates.dot(by.J.transpose() * x[j].multipliers);
      sum += y[i].multipliers.dot(by.J * x[j].coordinates);
    }
    return by.g ? sum - through_shift(i, j, by) : sum;
  }
  // vᵀ∂g/∂p + νᵀ∂Φ/∂p.
  Complex through_shift(std::size_t i, std::size_t j, const Change& by) const {
    const BorderedVector& adjoint = adjoints.at({i, j}).solution;
    return adjoint.coordinates.cwiseProduct(*by.g).sum() + adjoint.multipliers.cwiseProduct((*by.phi)(rows)).sum();
  }
  // Of the change above by that of the adjoint solution.
  double error_through_shift(const std::vector<std::size_t>& group, const Eigen::VectorXd& q) const {
    double error = 0;
    for (const std::size_t i : group) {
      for (const std::size_t j : group) error = std::max(error, adjoints.at({i, j}).uncertain.dot(q.cwiseAbs()));
    }
    return error;
  }
  std::vector<Complex> rates_of(const std::vector<std::size_t>& group, const Change& by) const;
  // yᴴ P'(s) x, by which the change is divided.
  Complex slope(std::size_t i) const { return y[i].coordinates.dot(derivative[i]); }
  bool is_defective(const std::vector<std::size_t>& group) const;
  bool stays_zero(std::size_t i, const Change& by) const;
};

namespace {

std::vector<std::vector<std::size_t>> groups_of(const std::vector<Mode>& modes) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const std::vector<std::size_t>& group) {
      return std::any_of(group.begin(), group.end(), [&](std::size_t k) { return are_copies(modes[k], modes[i]); });
    });
    if (same == groups.end()) groups.push_back({i});
    else same->push_back(i);
  }
  return groups;
}

}  // namespace

namespace {

bool are_conjugate(const Mode& a, const Mode& b) {
  return a.s == std::conj(b.s) && a.shape == b.shape.conjugate() && a.left == b.left.conjugate();
}

BorderedVector conjugate(const BorderedVector& vector) {
  return {vector.coordinates.conjugate(), vector.multipliers.conjugate()};
}

}  // namespace

ModeDifferentiator::ModeDifferentiator(const LinearSystem& system, const std::vector<Mode>& modes)
    : ModeDifferentiator(system, modes, BorderedProblem(system)) {}

ModeDifferentiator::ModeDifferentiator(const LinearSystem& system, const std::vector<Mode>& modes,
                                       const BorderedProblem& problem)
    : vectors_(std::make_unique<Vectors>()) {
  vectors_->modes = modes;
  vectors_->rows = system.rows.independent;
  vectors_->groups = groups_of(modes);
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const Mode& mode = modes[k];
    if (k > 0 && are_conjugate(mode, modes[k - 1])) {
      vectors_->x.push_back(conjugate(vectors_->x[k - 1]));
      vectors_->y.push_back(conjugate(vectors_->y[k - 1]));
      vectors_->derivative.emplace_back(vectors_->derivative[k - 1].conjugate());
      continue;
    }
    vectors_->x.push_back(problem.with_multipliers(mode.s, mode.shape));
    vectors_->y.push_back(problem.with_left_multipliers(mode.s, mode.left, vectors_->x.back()));
    vectors_->derivative.push_back(problem.derivative(mode.s, mode.shape));
  }
}

ModeDifferentiator::~ModeDifferentiator() = default;

bool ModeDifferentiator::Vectors::is_defective(const std::vector<std::size_t>& group) const {
  const auto k = static_cast<Eigen::Index>(group.size());
  Eigen::MatrixXcd W(k, k);
  double size = 0;
  for (Eigen::Index i = 0; i < k; ++i) {
    for (Eigen::Index j = 0; j < k; ++j) W(i, j) = y[group[at(i)]].coordinates.dot(derivative[group[at(j)]]);
    const Eigen::VectorXd left = y[group[at(i)]].coordinates.cwiseAbs();
    size = std::max(size, left.dot(derivative[group[at(i)]].cwiseAbs()));
  }
  constexpr double right_angle = 1e-6;
  return !(W.fullPivLu().matrixLU().diagonal().cwiseAbs().minCoeff() > right_angle * size);
}

// The k equal values separate with the eigenvalues of −(yᴴP'(s)x)⁻¹ (yᴴ ∂P/∂p x).
std::vector<Complex> ModeDifferentiator::Vectors::rates_of(const std::vector<std::size_t>& group,
                                                           const Change& by) const {
  const auto k = static_cast<Eigen::Index>(group.size());
  Eigen::MatrixXcd W(k, k), G(k, k);
  for (Eigen::Index i = 0; i < k; ++i) {
    for (Eigen::Index j = 0; j < k; ++j) {
      W(i, j) = y[group[at(i)]].coordinates.dot(derivative[group[at(j)]]);
      G(i, j) = -change(group[at(i)], group[at(j)], by);
    }
  }
  if (k == 1) return {G(0, 0) / W(0, 0)};
  const Eigen::VectorXcd values =
      Eigen::ComplexEigenSolver<Eigen::MatrixXcd>(W.fullPivLu().solve(G), false).eigenvalues();
  std::vector<Complex> rates(values.begin(), values.end());
  std::sort(rates.begin(), rates.end(),
            [](Complex a, Complex b) { return a.imag() != b.imag() ? a.imag() < b.imag() : a.real() < b.real(); });
  return rates;
}

// A motion that is free remains so if the parameter gives it no stiffness.
bool ModeDifferentiator::Vectors::stays_zero(std::size_t i, const Change& by) const {
  constexpr double negligible = 1e-9;
  const Complex felt = change(i, i, by);
  const Eigen::VectorXd left = y[i].coordinates.cwiseAbs(), right = x[i].coordinates.cwiseAbs();
  const double terms = left.dot(by.K.cwiseAbs() * right);
  return std::abs(felt) <= negligible * terms;
}

void ModeDifferentiator::find_adjoints(const Model& model, const Equilibrium& rest, const BorderedProblem& problem) {
  Vectors& all = *vectors_;
  AdjointOfShift shift(model, rest, problem);
  for (const std::vector<std::size_t>& group : all.groups) {
    for (const std::size_t j : group) {
      const AdjointOfShift::Slopes slopes = shift.along(all.modes[j].s, all.x[j]);
      for (const std::size_t i : group) all.adjoints.emplace(std::pair(i, j), shift.adjoint(slopes, all.y[i]));
    }
  }
}

std::vector<ModeRate> ModeDifferentiator::rates(const SystemRates& of_system) const {
  const Vectors& all = *vectors_;
  if (!of_system.with_shift && all.adjoints.empty() && !all.modes.empty())
    throw std::logic_error("rates without the shift of the equilibrium need adjoint solutions");
  Change total{of_system.M.rate, of_system.C.rate, of_system.K.rate, chosen_rows(of_system.J.rate, all.rows)};
  if (!of_system.with_shift) {
    total.g = &of_system.g;
    total.phi = &of_system.phi;
  }
  const Change error{of_system.M.error, of_system.C.error, of_system.K.error, chosen_rows(of_system.J.error, all.rows)};
  std::vector<ModeRate> result(all.modes.size());
  for (const std::vector<std::size_t>& group : all.groups) {
    if (all.modes[group.front()].s == 0.0) {
      for (const std::size_t i : group) {
        if (!all.stays_zero(i, total)) result[i].kind = ModeRate::Kind::defective;
        result[i].frozen = 0;
        result[i].copies = static_cast<Eigen::Index>(group.size());
      }
      continue;
    }
    if (all.is_defective(group)) {
      for (const std::size_t i : group) result[i].kind = ModeRate::Kind::defective;
      continue;
    }
    const std::vector<Complex> rates = all.rates_of(group, total), errors = all.rates_of(group, error);
    std::vector<Complex> frozen;
    if (of_system.frozen_K)
      frozen = all.rates_of(group, {*of_system.frozen_M, *of_system.frozen_C, *of_system.frozen_K,
                                    chosen_rows(*of_system.frozen_J, all.rows)});
    for (std::size_t k = 0; k < group.size(); ++k) {
      ModeRate& rate = result[group[k]];
      rate.kind = group.size() > 1 ? ModeRate::Kind::multiple : ModeRate::Kind::single;
      rate.s = rates[k];
      rate.copies = static_cast<Eigen::Index>(group.size());
      if (!frozen.empty()) rate.frozen = frozen[k];
      for (const Complex part : errors) rate.error = std::max(rate.error, std::abs(part));
      if (!of_system.with_shift)
        rate.error += all.error_through_shift(group, of_system.q) / std::abs(all.slope(group.front()));
    }
  }
  return result;
}

}  // namespace stillpoint
