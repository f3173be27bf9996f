#include "modes/dense/low_rank_damping.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "algebra/dense/blas.h"
#include "algebra/dense/lapack.h"
#include "algebra/dense/low_rank_factor.h"
#include "base/at.h"
#include "base/disjoint_sets.h"
#include "modes/tolerances.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Matrix = Eigen::MatrixXd;
using Vectors = Eigen::MatrixXcd;

constexpr double rounding = std::numeric_limits<double>::epsilon();

// Below this order, and above these parts of it, QZ is as fast.
constexpr Eigen::Index least_order = 40;
constexpr Eigen::Index orders_per_damper = 6, orders_per_group = 6;

}  // namespace

ModalProblem::ModalProblem(Eigen::VectorXd lambda_, Matrix L_, Eigen::VectorXd compliance_)
    : lambda(std::move(lambda_)), L(std::move(L_)), compliance(std::move(compliance_)) {
  const Eigen::Index r = columns();
  products.resize(r * (r + 1) / 2, order());
  for (Eigen::Index j = 0; j < order(); ++j) {
    Eigen::Index k = 0;
    for (Eigen::Index a = 0; a < r; ++a) {
      for (Eigen::Index b = a; b < r; ++b) products(k++, j) = L(j, a) * L(j, b);
    }
  }
}

namespace {

// Returns both roots of m s² + c s + k without cancellation.
std::pair<Complex, Complex> roots_of(Complex m, Complex c, Complex k) {
  Complex root = std::sqrt(c * c - 4.0 * m * k);
  if (std::real(std::conj(c) * root) < 0) root = -root;
  const Complex q = -0.5 * (c + root);
  if (q == 0.0) return {0, 0};
  return {q / m, k / q};
}

using Group = std::vector<Eigen::Index>;

// Modes belong to one group if, taken alone, one has more than this part in a vector of the other.
constexpr double coupling_threshold = 0.05;

// Returns the groups of modes connected by coupling.
std::vector<Group> groups_of(const ModalProblem& P) {
  const Eigen::Index n = P.order();
  DisjointSets<Eigen::Index> connected(at(n));
  const Matrix C = product(P.L, Matrix(P.L.transpose()));
  for (Eigen::Index j = 0; j < n; ++j) {
    const auto [first, second] = roots_of(1, C(j, j), P.lambda[j]);
    for (const Complex s : {first, second}) {
      for (Eigen::Index i = 0; i < n; ++i) {
        if (i == j) continue;
        const double forced = std::norm(s) * C(i, j) * C(i, j), resisted = std::norm(s * (s + C(i, i)) + P.lambda[i]);
        if (forced > coupling_threshold * coupling_threshold * resisted) connected.tie(i, j);
      }
    }
  }
  std::vector<Group> all(at(n)), groups;
  for (Eigen::Index i = 0; i < n; ++i) all[at(connected.find(i))].push_back(i);
  for (Group& group : all) {
    if (!group.empty()) groups.push_back(std::move(group));
  }
  return groups;
}

// Adds the roots of the group taken alone.
void add_roots(const ModalProblem& P, const Group& group, std::vector<ModalRoot>& roots) {
  const auto add = [&](Complex s, const Eigen::VectorXcd& x) {
    if (s.imag() >= 0) roots.push_back({s, group, x});
  };
  const auto g = static_cast<Eigen::Index>(group.size());
  const Matrix L = P.L(group, Eigen::all), C = L * L.transpose();
  if (g == 1) {
    const auto [first, second] = roots_of(1, C(0, 0), P.lambda[group[0]]);
    for (const Complex s : {first, second}) add(s, Eigen::VectorXcd::Ones(1));
    return;
  }
  Matrix A(2 * g, 2 * g);
  A << Matrix::Zero(g, g), Matrix::Identity(g, g), Matrix((-P.lambda(group)).asDiagonal()), -C;
  const GeneralEigen found = solve_unsymmetric(A);
  for (Eigen::Index k = 0; k < 2 * g; ++k) add(found.values[k], found.vectors.col(k).head(g).normalized());
}

// Returns 1/(s² + λ) of all modes outside the group, zero for those inside.
Eigen::VectorXcd weights_of_others(const ModalProblem& P, const ModalRoot& root) {
  Eigen::VectorXcd weights = (root.s * root.s + P.lambda.cast<Complex>().array()).inverse();
  for (const Eigen::Index i : root.group) weights[i] = 0;
  return weights;
}

// Returns the compliance of dampers and constraints with all modes outside the group: compliance + s Σ l lᵀ / (s² + λ),
// from sums of the products with these weights.
Vectors compliance_with_others(const ModalProblem& P, Complex s, const Eigen::VectorXcd& sums) {
  Vectors S = P.compliance.cast<Complex>().asDiagonal();
  Eigen::Index k = 0;
  for (Eigen::Index a = 0; a < P.columns(); ++a) {
    for (Eigen::Index b = a; b < P.columns(); ++b, ++k) {
      S(a, b) += s * sums[k];
      if (a != b) S(b, a) += s * sums[k];
    }
  }
  return S;
}

// Returns N(s), the matrix of the group after elimination of the others; Z is the inverse of the compliance times Lᵀ.
Vectors matrix_of_group(const ModalProblem& P, const ModalRoot& root, const Matrix& L, const Vectors& Z) {
  Vectors N = root.s * (L * Z);
  N.diagonal() += (root.s * root.s + P.lambda(root.group).array().cast<Complex>()).matrix();
  return N;
}

// Returns ρᵀ x' for N x' = ρ with x' orthogonal to the null vector x.
Complex work_beside(const Vectors& N, const Eigen::VectorXcd& x, const Eigen::VectorXcd& forces) {
  const Eigen::Index g = x.size();
  if (g == 1) return 0;
  Vectors bordered = Vectors::Zero(g + 1, g + 1);
  bordered.topLeftCorner(g, g) = N;
  bordered.topRightCorner(g, 1) = x.conjugate();
  bordered.bottomLeftCorner(1, g) = x.adjoint();
  Eigen::VectorXcd both = Eigen::VectorXcd::Zero(g + 1);
  both.head(g) = forces;
  return (forces.transpose() * bordered.partialPivLu().solve(both).head(g)).value();
}

/// Improves several roots at once, each on its group with all others eliminated.
class Improvement {
 public:
  Improvement(const ModalProblem& P, std::vector<ModalRoot>& roots)
      : P_(P), roots_(roots), found_(P.order(), static_cast<Eigen::Index>(roots.size())) {}

  /// Returns the vectors in all modes.
  Vectors vectors() {
    constexpr int most_steps = 12;
    for (int step = 0; step < most_steps && !are_converged(roots_); ++step) improve();
    return std::move(found_);
  }

  static bool are_converged(const std::vector<ModalRoot>& roots) {
    return std::all_of(roots.begin(), roots.end(), [](const ModalRoot& root) { return root.is_converged; });
  }

 private:
  // Improves the roots that have not converged.
  void improve() {
    std::vector<Eigen::Index> remaining;
    for (std::size_t k = 0; k < roots_.size(); ++k) {
      if (!roots_[k].is_converged) remaining.push_back(static_cast<Eigen::Index>(k));
    }
    const auto count = static_cast<Eigen::Index>(remaining.size());
    Vectors weights(P_.order(), count), z(P_.columns(), count);
    for (Eigen::Index i = 0; i < count; ++i) weights.col(i) = weights_of_others(P_, roots_[at(remaining[at(i)])]);
    const Vectors sums = product(P_.products, weights);
    for (Eigen::Index i = 0; i < count; ++i) z.col(i) = on_group(roots_[at(remaining[at(i)])], sums.col(i));
    Vectors x = product(P_.L, z);
    for (Eigen::Index i = 0; i < count; ++i) {
      ModalRoot& root = roots_[at(remaining[at(i)])];
      x.col(i).array() *= -root.s * weights.col(i).array();
      x(root.group, i) = root.x;
      update(root, x.col(i), z.col(i));
      found_.col(remaining[at(i)]) = x.col(i);
    }
  }

  // Updates the group's part of x for this s; returns the forces of dampers and constraints for all of x.
  Eigen::VectorXcd on_group(ModalRoot& root, const Eigen::VectorXcd& sums) const {
    const Matrix L = P_.L(root.group, Eigen::all);
    const Vectors Z = compliance_with_others(P_, root.s, sums).partialPivLu().solve(L.transpose().cast<Complex>());
    if (root.x.size() > 1) {
      const Eigen::VectorXcd better = matrix_of_group(P_, root, L, Z).partialPivLu().solve(root.x);
      if (better.allFinite()) root.x = better.normalized();
    }
    return Z * root.x;
  }

  // Updates s by the Rayleigh quotient of x and its conjugate. It has converged if it changes by rounding only.
  void update(ModalRoot& root, const Eigen::VectorXcd& x, const Eigen::VectorXcd& z) const {
    const Eigen::ArrayXcd x_squared = x.array().square(), z_squared = P_.compliance.array() * z.array().square();
    const Complex m = x_squared.sum(), c = z_squared.sum(), k = (P_.lambda.array() * x_squared).sum();
    const auto [first, second] = roots_of(m, c, k);
    const Complex next = std::abs(first - root.s) < std::abs(second - root.s) ? first : second;
    const double s = std::abs(next), m_magnitude = x_squared.abs().sum(), c_magnitude = z_squared.abs().sum(),
                 k_magnitude = (P_.lambda.array() * x_squared).abs().sum();
    const double size = (s * m_magnitude + c_magnitude) * s + k_magnitude, derivative = std::abs(2.0 * next * m + c);
    root.is_converged = std::abs(next - root.s) * derivative <= 4 * rounding * size;
    root.s = next;
  }

  const ModalProblem& P_;
  std::vector<ModalRoot>& roots_;
  Vectors found_;
};

using Column = Vectors::ConstColXpr;

bool are_equal(Complex s, Complex t) { return std::abs(s - t) <= tolerance::copies * std::abs(s); }
bool are_parallel(double product, const Column& x, const Column& y) { return product > 0.999 * x.norm() * y.norm(); }

// Tells whether there are as many roots as must exist, each of them once.
bool are_all(const std::vector<ModalRoot>& roots, const Vectors& x) {
  Eigen::Index count = 0;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const Complex s = roots[i].s;
    if (!std::isfinite(s.real()) || !std::isfinite(s.imag()) || s.imag() < 0) return false;
    count += s.imag() > 0 ? 2 : 1;
    const Column own = x.col(static_cast<Eigen::Index>(i));
    const double with_conjugate = std::abs((own.transpose() * own).value());
    if (s.imag() > 0 && are_equal(s, std::conj(s)) && are_parallel(with_conjugate, own, own)) return false;
    for (std::size_t j = 0; j < i; ++j) {
      const Column other = x.col(static_cast<Eigen::Index>(j));
      if (are_equal(s, roots[j].s) && are_parallel(std::abs(own.dot(other)), own, other)) return false;
    }
  }
  return count == 2 * x.rows();
}

}  // namespace

std::optional<LowRankDamping> LowRankDamping::solve(const ScaledQuadratic& P) {
  const Eigen::Index n = P.M.rows();
  if (n < least_order) return {};
  const std::optional<Matrix> B = low_rank_factor(P.C, n / orders_per_damper);
  if (!B) return {};
  auto undamped = solve_symmetric((P.K + P.K.transpose()) / 2, (P.M + P.M.transpose()) / 2);
  if (!undamped) return {};
  const ModalProblem modal(undamped->values, transposed_product(undamped->vectors, *B),
                           Eigen::VectorXd::Ones(B->cols()));
  LowRankDamping found;
  for (const Group& group : groups_of(modal)) {
    if (static_cast<Eigen::Index>(group.size()) > n / orders_per_group) return {};
    add_roots(modal, group, found.roots_);
  }
  const Vectors x = Improvement(modal, found.roots_).vectors();
  if (!Improvement::are_converged(found.roots_) || !are_all(found.roots_, x)) return {};
  found.vectors_ = product(undamped->vectors, x);
  found.modes_ = std::move(undamped->vectors);
  found.lambda_ = std::move(undamped->values);
  return found;
}

std::optional<LowRankDamping::Constrained> LowRankDamping::constrained(const Matrix& C, const Matrix& J,
                                                                       const std::vector<std::size_t>& which) const {
  const Eigen::Index n = lambda_.size();
  const std::optional<Matrix> B = low_rank_factor(C, n / orders_per_damper);
  if (!B) return {};
  Matrix columns(n, B->cols() + J.rows());
  columns << *B, J.transpose();
  Eigen::VectorXd compliance = Eigen::VectorXd::Ones(columns.cols());
  compliance.tail(J.rows()).setZero();
  Constrained result{{}, {}, {lambda_, transposed_product(modes_, columns), compliance}, modes_};
  for (const std::size_t i : which) {
    result.roots.push_back(roots_[i]);
    result.roots.back().is_converged = false;
  }
  result.vectors = product(modes_, Improvement(result.problem, result.roots).vectors());
  return result;
}

Eigen::VectorXcd LowRankDamping::Constrained::work(const Vectors& forces) const {
  const Vectors on_modes = product(Matrix(modes.transpose()), forces);
  Vectors weights(problem.order(), forces.cols());
  for (Eigen::Index k = 0; k < forces.cols(); ++k) weights.col(k) = weights_of_others(problem, roots[at(k)]);
  const Vectors sums = product(problem.products, weights), moved = weights.cwiseProduct(on_modes),
                felt = product(Matrix(problem.L.transpose()), moved);
  Eigen::VectorXcd result(forces.cols());
  for (Eigen::Index k = 0; k < forces.cols(); ++k) {
    const ModalRoot& root = roots[at(k)];
    const Eigen::PartialPivLU<Vectors> S(compliance_with_others(problem, root.s, sums.col(k)));
    const Eigen::VectorXcd held = S.solve(felt.col(k));
    const Matrix L = problem.L(root.group, Eigen::all);
    const Vectors N = matrix_of_group(problem, root, L, S.solve(L.transpose().cast<Complex>()));
    const Eigen::VectorXcd own = on_modes.col(k)(root.group) - root.s * (L * held);
    result[k] = (on_modes.col(k).transpose() * moved.col(k) - root.s * felt.col(k).transpose() * held).value() +
                work_beside(N, root.x, own);
  }
  return result;
}

}  // namespace stillpoint
