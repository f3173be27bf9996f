#include "support/modes/random_systems.h"

#include <Eigen/Core>
#include <cmath>
#include <limits>

#include "support/modes/wide_spectrum.h"

namespace stillpoint::testing {

namespace {

using Matrix = Eigen::MatrixXd;

class Draw {
 public:
  explicit Draw(std::mt19937& random) : random_(random) {}
  double normal() { return normal_(random_); }
  // Sizes of things spread over two decades.
  double size() { return std::pow(10, std::uniform_real_distribution<double>(-1, 1)(random_)); }
  Index below(Index n) { return n <= 1 ? 0 : static_cast<Index>(random_() % static_cast<unsigned>(n)); }
  Eigen::VectorXd direction(Index n, Index entries) {
    Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
    for (Index k = 0; k < entries; ++k) x[below(n)] += normal();
    if (x.isZero()) x[below(n)] = 1;
    return x;
  }

 private:
  std::mt19937& random_;
  std::normal_distribution<double> normal_;
};

}  // namespace

LinearSystem system_of(const Matrix& M, const Matrix& C, const Matrix& K, const Matrix& J) {
  LinearSystem system;
  system.M = M.sparseView();
  system.C = C.sparseView();
  system.K = K.sparseView();
  if (J.size() > 0) system.J = J.sparseView();
  return checked(std::move(system));
}

LinearSystem random_system(const SystemKind& kind, std::mt19937& random) {
  Draw draw(random);
  const Index n = kind.coordinates;
  Matrix M = Matrix::Zero(n, n), C = M, K = M;
  for (Index i = 0; i < n; ++i) M(i, i) = draw.size();
  for (Index k = 0; k < n; ++k) {
    const Eigen::VectorXd x = draw.direction(n, 2);
    M += 0.1 * draw.size() * x * x.transpose();
  }
  for (Index i = 0; i < n; ++i) K(i, i) = draw.size();
  for (Index k = 0; k < n; ++k) {
    const Eigen::VectorXd x = draw.direction(n, 3);
    K += (k % 4 == 0 ? -0.05 : 1) * draw.size() * x * x.transpose();  // some of it negative, as weights and multipliers
  }
  for (Index k = 0; k < kind.dampers; ++k) {
    const Eigen::VectorXd x = draw.direction(n, 3);
    C += 0.3 * draw.size() * x * x.transpose();
  }
  if (kind.follower_forces) {
    for (Index k = 0; k < n; ++k) K(draw.below(n), draw.below(n)) += 0.3 * draw.normal();
  }
  // What stands last has no mass, or no stiffness.
  for (Index k = 0; k < kind.massless; ++k) {
    const Index i = n - 1 - k;
    M.row(i).setZero();
    M.col(i).setZero();
  }
  for (Index k = 0; k < kind.free_motions; ++k) {
    K.row(k).setZero();
    K.col(k).setZero();
    C.row(k).setZero();
    C.col(k).setZero();
  }
  const Index independent = kind.constraints;
  Matrix J = Matrix::Zero(independent + kind.redundant, n);
  const Index held = n - kind.free_motions;
  for (Index i = 0; i < independent; ++i) J.row(i).tail(held) = draw.size() * draw.direction(held, 4).transpose();
  for (Index i = 0; i < kind.redundant; ++i) {
    for (Index k = 0; k < 3 && independent > 0; ++k)
      J.row(independent + i) += draw.normal() * J.row(draw.below(independent));
  }
  return system_of(M, C, K, J);
}

SystemKind random_kind(std::mt19937& random) {
  Draw draw(random);
  SystemKind kind;
  const Index dof = 1 + draw.below(30);
  kind.constraints = draw.below(20);
  kind.coordinates = dof + kind.constraints;
  kind.redundant = kind.constraints > 0 ? draw.below(11) : 0;
  kind.dampers = draw.below(2) * draw.below(6);
  kind.follower_forces = draw.below(4) == 0;
  if (dof > 3 && draw.below(3) == 0) kind.massless = 1 + draw.below(2);
  if (dof > 3 && kind.massless == 0 && draw.below(5) == 0) kind.free_motions = 1 + draw.below(2);
  return kind;
}

std::vector<std::complex<double>> reference_eigenvalues(const LinearSystem& system) {
  const Wide R = wide_null_space(wide(independent_rows(system)));
  const auto reduced = [&](const SparseMatrix& A) -> Wide { return R.transpose() * wide(A) * R; };
  const long double sigma = 0.8712345L;  // P(σ) is regular for almost every σ
  std::vector<std::complex<double>> values;
  for (const WideValue mu : inverted_eigenvalues(reduced(system.M), reduced(system.C), reduced(system.K), sigma)) {
    const WideValue s = sigma + 1.0L / mu;
    values.emplace_back(static_cast<double>(s.real()), static_cast<double>(s.imag()));
  }
  return values;
}

std::vector<Match> match(const std::vector<std::complex<double>>& found,
                         const std::vector<std::complex<double>>& expected) {
  std::vector<Match> matches;
  std::vector<char> taken(expected.size(), 0);
  for (const std::complex<double>& s : found) {
    Match best{std::numeric_limits<double>::infinity()};
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (taken[i] || !(std::abs(expected[i] - s) < best.distance)) continue;
      best = {std::abs(expected[i] - s), i};
    }
    if (std::isfinite(best.distance)) taken[best.expected] = 1;
    matches.push_back(best);
  }
  return matches;
}

}  // namespace stillpoint::testing
