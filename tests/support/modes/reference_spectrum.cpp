#include "support/modes/reference_spectrum.h"

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "support/modes/wide_spectrum.h"

namespace stillpoint::testing {

namespace {

using Real = long double;
using Value = WideValue;

struct Reduced {
  Wide M, C, K;
};

/// Units in which all coordinates weigh alike; those without mass as constraints tie them to others, or as K has it.
WideVector units_of(const Wide& M, const Wide& K, const Wide& J) {
  const Eigen::Index n = M.rows();
  const Real mass = M.diagonal().cwiseAbs().maxCoeff(), heaviest = mass > 0 ? mass : 1;
  const Real stiffest = K.diagonal().cwiseAbs().maxCoeff();
  WideVector units = WideVector::Zero(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    if (M(i, i) != 0) units[i] = 1 / std::sqrt(std::abs(M(i, i)));
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index row = 0; row < J.rows() && units[i] == 0; ++row) {
      const Real others = (J.row(row).transpose().cwiseProduct(units)).cwiseAbs().maxCoeff();
      if (J(row, i) != 0 && others > 0) units[i] = others / std::abs(J(row, i));
    }
    if (units[i] == 0) units[i] = K(i, i) != 0 ? std::sqrt(stiffest / (heaviest * std::abs(K(i, i)))) : 1;
  }
  return units;
}

/// `spread`: between units that are not quite those, for another R.
Reduced reduce(const LinearSystem& system, Real spread) {
  Wide M = wide(system.M), C = wide(system.C), K = wide(system.K), J = wide(independent_rows(system));
  WideVector units = units_of(M, K, J);
  const Eigen::Index n = M.rows();
  for (Eigen::Index i = 0; i < n; ++i) units[i] *= 1 + static_cast<Real>(i % 3) * spread;
  const Wide R = units.asDiagonal() * wide_null_space(J * units.asDiagonal());
  return {R.transpose() * M * R, R.transpose() * C * R, R.transpose() * K * R};
}

/// All 2k, the infinite ones last; `per_second` is the unit of s.
std::vector<Value> eigenvalues(const Reduced& P, Real per_second, Real shift) {
  const Wide M = per_second * per_second * P.M, C = per_second * P.C;
  std::vector<Value> mu = inverted_eigenvalues(M, C, P.K, shift), s;
  std::sort(mu.begin(), mu.end(), [](const Value& a, const Value& b) { return std::abs(a) > std::abs(b); });
  for (const Value& value : mu) s.push_back(per_second * (shift + Real(1) / value));
  return s;
}

std::vector<Value> finite(std::vector<Value> values, Index count, Index at_zero) {
  values.resize(static_cast<std::size_t>(count));
  std::sort(values.begin(), values.end(), [](const Value& a, const Value& b) { return std::abs(a) < std::abs(b); });
  std::fill_n(values.begin(), at_zero, Value(0));
  return values;
}

/// The middle of the sizes of those that are not zero; they are in order.
Real typical(const std::vector<Value>& values, Index at_zero) {
  const auto zeros = static_cast<std::size_t>(at_zero);
  return zeros < values.size() ? std::abs(values[(zeros + values.size()) / 2]) : Real(1);
}

/// `masses`: of the system. What moves may have none but for rounding.
Real first_guess(const Reduced& P, Real masses) {
  const Real mass = P.M.norm();
  return mass > Real(1e-15) * masses ? std::sqrt(P.K.norm() / mass) : P.K.norm() / P.C.norm();
}

using Pencil = Eigen::Matrix<Value, Eigen::Dynamic, Eigen::Dynamic>;
using Vector = Eigen::Matrix<Value, Eigen::Dynamic, 1>;

/// [s²M + sC + K, Jᵀ; J, 0], in units in which all coordinates weigh alike.
class Bordered {
 public:
  explicit Bordered(const LinearSystem& system)
      : M_(wide(system.M)), C_(wide(system.C)), K_(wide(system.K)), J_(wide(independent_rows(system))) {
    const WideVector units = units_of(M_, K_, J_);
    for (Wide* part : {&M_, &C_, &K_}) *part = units.asDiagonal() * *part * units.asDiagonal();
    J_ = J_ * units.asDiagonal();
    J_.rowwise().normalize();
  }

  Eigen::Index size() const { return M_.rows() + J_.rows(); }

  Vector solved(const Value& s, const Vector& right) const {
    const Eigen::Index n = M_.rows();
    Pencil P = Pencil::Zero(size(), size());
    P.topLeftCorner(n, n) = s * s * M_.cast<Value>() + s * C_.cast<Value>() + K_.cast<Value>();
    P.bottomLeftCorner(J_.rows(), n) = J_.cast<Value>();
    P.topRightCorner(n, J_.rows()) = J_.transpose().cast<Value>();
    return P.partialPivLu().solve(right);
  }

  Vector slope(const Value& s, const Vector& x) const {
    const Eigen::Index n = M_.rows();
    Vector image = Vector::Zero(size());
    image.head(n) = Value(2) * s * (M_.cast<Value>() * x.head(n)) + C_.cast<Value>() * x.head(n);
    return image;
  }

 private:
  Wide M_, C_, K_, J_;
};

}  // namespace

std::optional<ReferenceValue> settled(const LinearSystem& system, const ReferenceValue& value) {
  constexpr Real nearby = 1e-9L, converging = 1e-12L, resolved = 1e-17L;  // relative to s
  constexpr int most_steps = 8;
  const Bordered pencil(system);
  Value s = value.s * (1 + nearby);
  Vector x = pencil.solved(s, Vector::Ones(pencil.size()));
  Real before = std::numeric_limits<Real>::infinity();
  for (int step = 0; step < most_steps; ++step) {
    Eigen::Index largest = 0;
    x.cwiseAbs().maxCoeff(&largest);
    x /= x[largest];
    const Vector next = pencil.solved(s, pencil.slope(s, x));
    const Value change = Real(1) / next[largest];
    const Real size = std::abs(change) / std::abs(s);
    s -= change;
    x = next;
    const bool is_rounding = size <= resolved || (before <= converging && size > before / 2);
    if (is_rounding && std::abs(s - value.s) > nearby * std::abs(s)) return std::nullopt;  // another eigenvalue
    if (is_rounding) return ReferenceValue{s, static_cast<double>(10 * (size + resolved) * std::abs(s))};
    before = size;
  }
  return std::nullopt;
}

std::vector<ReferenceValue> reference_spectrum(const LinearSystem& system, Index count, Index at_zero) {
  const Reduced P = reduce(system, 0), Q = reduce(system, 0.7L);
  if (count == 0) return {};
  const Real unit =
      typical(finite(eigenvalues(P, first_guess(P, wide(system.M).norm()), 0.87L), count, at_zero), at_zero);
  const std::vector<Value> values = finite(eigenvalues(P, unit, 0.7312L), count, at_zero);
  std::vector<Value> others = finite(eigenvalues(Q, 1.7L * unit, 0.9445L), count, at_zero);
  std::vector<ReferenceValue> reference;
  for (const Value& s : values) {
    const auto same = std::min_element(others.begin(), others.end(), [&](const Value& a, const Value& b) {
      return std::abs(a - s) < std::abs(b - s);
    });
    reference.push_back({s, static_cast<double>(10 * std::abs(*same - s))});
    others.erase(same);
  }
  return reference;
}

}  // namespace stillpoint::testing
