#include "modes/dense/quadratic_modes.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "algebra/dense/lapack.h"
#include "base/at.h"
#include "modes/dense/graded_symmetric.h"
#include "modes/dense/scaled_quadratic.h"
#include "modes/tolerances.h"

namespace stillpoint {

namespace {

using Matrix = Eigen::MatrixXd;
using Complex = std::complex<double>;

// QZ may return infinity for an eigenvalue whose mass is rounding only.
bool is_finite(Complex s) { return std::isfinite(s.real()) && std::isfinite(s.imag()); }

// Adds both roots of s² = −μ.
void add_both(Complex mu, const Eigen::VectorXcd& x, const Eigen::VectorXcd& y, double gamma,
              std::vector<Eigenpair>& pairs) {
  if (!is_finite(mu)) return;
  // A real μ > 0 gives a purely imaginary s, a real μ < 0 a real one, without rounding in the other part.
  const Complex root = mu.imag() != 0   ? std::sqrt(-mu)
                       : mu.real() >= 0 ? Complex(0, std::sqrt(mu.real()))
                                        : Complex(std::sqrt(-mu.real()), 0);
  pairs.push_back({gamma * root, x, y});
  pairs.push_back({-gamma * root, x, y});
}

bool solve_definite(const ScaledQuadratic& P, const ZeroRoots& zero, QuadraticSpectrum& spectrum) {
  const Matrix free =
      zero.undamped.cols() > 0 ? Matrix(P.d.cwiseInverse().asDiagonal() * zero.undamped) : Matrix(P.K.rows(), 0);
  const auto found = solve_graded((P.K + P.K.transpose()) / 2, (P.M + P.M.transpose()) / 2, free);
  if (!found) return false;
  for (Eigen::Index i = 0; i < P.K.rows(); ++i) {
    const Eigen::VectorXcd x = (P.d.asDiagonal() * found->vectors.col(i)).cast<Complex>();
    add_both(found->values[i], x, x, P.gamma, spectrum.pairs);
  }
  spectrum.solver = "dense generalized symmetric";
  return true;
}

void solve_undamped(const ScaledQuadratic& P, QuadraticSpectrum& spectrum) {
  const PencilEigen found = solve_pencil(P.K, P.M);
  for (Eigen::Index i = 0; i < found.size(); ++i) {
    add_both(found.value(i), P.d.asDiagonal() * found.right.col(i), P.d.asDiagonal() * found.left.col(i), P.gamma,
             spectrum.pairs);
  }
  spectrum.solver = "dense QZ of K and M";
}

// The unknowns are y = (p, n, w): p with mass, n without, w = ṗ.
void solve_damped(const ScaledQuadratic& P, Eigen::Index a, QuadraticSpectrum& spectrum) {
  const Eigen::Index k = P.K.rows(), b = k - a, order = k + a;
  Matrix A = Matrix::Zero(order, order), E = A;
  A.topRightCorner(a, a).setIdentity();
  E.topLeftCorner(a, a).setIdentity();
  const auto rows = [&](Eigen::Index to, Eigen::Index from, Eigen::Index count) {
    A.block(to, 0, count, k) = -P.K.middleRows(from, count);
    A.block(to, k, count, a) = -P.C.block(from, 0, count, a);
    E.block(to, a, count, b) = P.C.block(from, a, count, b);
    E.block(to, k, count, a) = P.M.block(from, 0, count, a);
  };
  rows(a, a, b);
  rows(k, 0, a);
  const PencilEigen found = solve_pencil(A, E);
  for (Eigen::Index i = 0; i < found.size(); ++i) {
    const Complex s = found.value(i);
    if (!is_finite(s)) continue;
    Eigen::VectorXcd x = found.right.col(i).head(k), y(k);
    if (std::abs(s) > 1) x.head(a) = found.right.col(i).tail(a) / s;
    y << found.left.col(i).tail(a), found.left.col(i).segment(a, b);
    spectrum.pairs.push_back({P.gamma * s, P.d.asDiagonal() * x, P.d.asDiagonal() * y});
  }
  spectrum.solver = "dense QZ";
}

bool solve_low_rank_damping(const ScaledQuadratic& P, QuadraticSpectrum& spectrum) {
  auto found = LowRankDamping::solve(P);
  if (!found) return false;
  spectrum.low_rank_damping = std::make_shared<LowRankDamping>(std::move(*found));
  const std::vector<ModalRoot>& roots = spectrum.low_rank_damping->roots();
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const Complex s = P.gamma * roots[i].s;
    const Eigen::VectorXcd x =
        P.d.asDiagonal() * spectrum.low_rank_damping->vectors().col(static_cast<Eigen::Index>(i));
    spectrum.pairs.push_back({s, x, x.conjugate()});
    if (s.imag() != 0) spectrum.pairs.push_back({std::conj(s), x.conjugate(), x});
  }
  spectrum.solver = "dense generalized symmetric, low-rank damping";
  return true;
}

// Returns the left null vector on which inertia and damping of a right one act most.
Eigen::VectorXd left_of(const Eigen::VectorXd& x, const Matrix& left, const Quadratic& P, double gamma) {
  const Eigen::VectorXd felt = left.transpose() * (gamma * (gamma * (P.M.value * x) + P.C.value * x));
  return felt.norm() > 0 ? Eigen::VectorXd(left * felt.normalized()) : left.col(0);
}

// Puts the eigenvalue 0 in as often as the ranks say; the computed values near it are rounding.
void put_zeros(const ZeroRoots& zero, const Quadratic& P, double gamma, std::vector<Eigenpair>& pairs) {
  if (zero.multiplicity == 0) return;
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Eigenpair& a, const Eigenpair& b) { return std::abs(a.s) < std::abs(b.s); });
  pairs.resize(std::max(pairs.size(), at(zero.multiplicity)));
  const Eigen::Index twice = zero.undamped.cols();
  for (Eigen::Index i = 0; i < zero.multiplicity; ++i) {
    const bool is_undamped = i < 2 * twice;
    const Eigen::VectorXd x = is_undamped ? zero.undamped.col(i % twice) : zero.damped.col(i - 2 * twice);
    const Eigen::VectorXd y = left_of(x, zero.of_K.null_left.value, P, gamma);
    const double coupling = is_undamped ? zero.coupling_of_undamped[i % twice] : zero.coupling_of_damped[i - 2 * twice];
    pairs[at(i)] = {0, x.cast<Complex>(), y.cast<Complex>(), true, is_undamped, std::abs(pairs[at(i)].s), coupling};
  }
}

}  // namespace

QuadraticSpectrum solve_quadratic(const Condensed& condensed, const ZeroRoots& zero) {
  QuadraticSpectrum spectrum;
  if (condensed.P.order() == 0) {
    spectrum.solver = "none: nothing can move";
    return spectrum;
  }
  const ScaledQuadratic P = scaled(condensed.P);
  const bool is_regular = condensed.inertial == condensed.P.order(), is_undamped = condensed.is_undamped;
  const bool by_symmetry = is_regular && condensed.is_symmetric &&
                           (is_undamped ? solve_definite(P, zero, spectrum) : solve_low_rank_damping(P, spectrum));
  if (!by_symmetry) {
    if (is_regular && is_undamped) solve_undamped(P, spectrum);
    else solve_damped(P, condensed.inertial, spectrum);
  }
  put_zeros(zero, condensed.P, P.gamma, spectrum.pairs);
  if (condensed.massless > 0) {         // otherwise X and Y are identities
    spectrum.low_rank_damping.reset();  // it does not include condensed directions
    for (Eigenpair& pair : spectrum.pairs) {
      pair.x = condensed.X * pair.x;
      pair.y = condensed.Y * pair.y;
    }
  }
  return spectrum;
}

namespace {

// Returns groups of nearly equal eigenvalues.
std::vector<std::vector<std::size_t>> groups(const std::vector<Eigenpair>& pairs) {
  std::vector<std::vector<std::size_t>> result;
  std::vector<char> taken(pairs.size(), 0);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (taken[i] || pairs[i].at_zero) continue;
    std::vector<std::size_t> group{i};
    const double radius = tolerance::shared_eigenspace * std::abs(pairs[i].s);
    for (std::size_t j = i + 1; j < pairs.size(); ++j) {
      if (!taken[j] && !pairs[j].at_zero && std::norm(pairs[i].s - pairs[j].s) <= radius * radius) {
        group.push_back(j);
        taken[j] = 1;
      }
    }
    result.push_back(group);
  }
  return result;
}

}  // namespace

void pair_up(const PencilDerivative& derivative, std::vector<Eigenpair>& pairs) {
  for (const std::vector<std::size_t>& group : groups(pairs)) {
    if (group.size() < 2) continue;
    const auto c = static_cast<Eigen::Index>(group.size());
    const Eigen::Index n = pairs[group[0]].x.size();
    Eigen::MatrixXcd X(n, c), Y(n, c), derivatives(n, c);
    for (Eigen::Index i = 0; i < c; ++i) {
      const Eigenpair& pair = pairs[group[at(i)]];
      X.col(i) = pair.x.normalized();
      Y.col(i) = pair.y.normalized();
      derivatives.col(i) = derivative(pair.s, X.col(i));
    }
    const Eigen::MatrixXcd G = Y.adjoint() * derivatives;
    const Eigen::PartialPivLU<Eigen::MatrixXcd> solver(G);
    const Eigen::VectorXd pivots = solver.matrixLU().diagonal().cwiseAbs();
    if (!(pivots.minCoeff() > tolerance::defective_pivot * pivots.maxCoeff())) continue;
    Y = Y * solver.inverse().adjoint();
    for (Eigen::Index i = 0; i < c; ++i) {
      pairs[group[at(i)]].x = X.col(i);
      pairs[group[at(i)]].y = Y.col(i);
    }
  }
}

void pair_up(const Quadratic& P, std::vector<Eigenpair>& pairs) {
  pair_up([&](Complex s,
              const Eigen::VectorXcd& x) -> Eigen::VectorXcd { return 2.0 * s * (P.M.value * x) + P.C.value * x; },
          pairs);
  for (std::size_t i = 1; i < pairs.size(); ++i) {
    const Eigenpair &a = pairs[i], &b = pairs[i - 1];
    pairs[i].is_conjugate_copy =
        a.s.imag() != 0 && a.s == std::conj(b.s) && a.x == b.x.conjugate() && a.y == b.y.conjugate();
  }
}

std::vector<const Eigenpair*> without_conjugate_copies(const std::vector<Eigenpair>& pairs) {
  std::vector<const Eigenpair*> result;
  for (const Eigenpair& pair : pairs) {
    if (!pair.is_conjugate_copy) result.push_back(&pair);
  }
  return result;
}

}  // namespace stillpoint
