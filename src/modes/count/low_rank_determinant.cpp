#include "modes/count/low_rank_determinant.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <vector>

#include "algebra/dense/blas.h"
#include "algebra/dense/lapack.h"
#include "algebra/dense/low_rank_factor.h"
#include "base/at.h"
#include "modes/undamped/spectrum_slicing.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Matrix = Eigen::MatrixXd;
using ComplexMatrix = Eigen::MatrixXcd;

constexpr Eigen::Index most_dampers = 250;       // beyond, the dense matrices cost as much as the sparse ones
constexpr Eigen::Index most_coordinates = 1500;  // that C touches: a dense factorisation finds its rank
constexpr double beyond = 2;                     // the known μ reach to this multiple of the square of the radius
constexpr double shift_part = 0.05;              // σ, as a part of that square
constexpr double largest_change = 0.5;           // by E: less than 1 would do
constexpr double negligible = 1e-6;              // of the eigenvalues of R_3: a bound needs no more

/// Returns B of C = B Bᵀ; nothing if its rank is not low.
std::optional<Matrix> factor_of(const SparseMatrix& C) {
  std::vector<Eigen::Index> damped;
  for (Index j = 0; j < C.outerSize(); ++j) {
    bool is_damped = false;
    for (SparseMatrix::InnerIterator entry(C, j); entry; ++entry) is_damped = is_damped || entry.value() != 0;
    if (is_damped) damped.push_back(j);
  }
  if (damped.empty() || static_cast<Eigen::Index>(damped.size()) > most_coordinates) return {};
  const auto count = static_cast<Eigen::Index>(damped.size());
  Matrix dense = Matrix::Zero(count, count);
  for (Eigen::Index k = 0; k < count; ++k) {
    for (SparseMatrix::InnerIterator entry(C, static_cast<Index>(damped[at(k)])); entry; ++entry) {
      const auto place = std::lower_bound(damped.begin(), damped.end(), entry.row());
      if (place != damped.end() && *place == entry.row()) dense(place - damped.begin(), k) = entry.value();
    }
  }
  const std::optional<Matrix> few = low_rank_factor((dense + dense.transpose()) / 2, most_dampers);
  if (!few) return {};
  Matrix B = Matrix::Zero(C.rows(), few->cols());
  for (Eigen::Index k = 0; k < count; ++k) B.row(damped[at(k)]) = few->row(k);
  return B;
}

/// Returns L of R = L Lᵀ without what is negligible.
Matrix square_root(const Matrix& R) {
  const SymmetricEigen found = solve_symmetric((R + R.transpose()) / 2);
  const double largest = std::max(0.0, found.values.maxCoeff());
  std::vector<Eigen::Index> significant;
  for (Eigen::Index k = 0; k < found.values.size(); ++k) {
    if (found.values[k] > negligible * largest) significant.push_back(k);
  }
  return found.vectors(Eigen::all, significant) * found.values(significant).cwiseSqrt().asDiagonal();
}

/// Whether a dense matrix of this order is factored in less work than the pencil. Of a factor with k entries in n
/// columns that takes about k²/n products, twice as many without symmetry.
bool pays(Eigen::Index order, const QuadraticPencil& pencil, double sigma) {
  SymmetricFactor factor(pencil.pattern());
  factor.factor(pencil.combination(sigma, 0, 1));
  const auto entries = static_cast<double>(factor.entries()), n = static_cast<double>(order);
  return n * n * n < 2 * entries * entries / static_cast<double>(pencil.size());
}

/// The matrix I + s G(s²) of theory (11.16) and the bound of what it leaves out.
struct Compliance {
  Eigen::VectorXd mu;         ///< of the known modes
  Matrix b;                   ///< one column for each
  std::vector<Matrix> R;      ///< R_0 … R_3
  Matrix root;                ///< L of R_3 = L Lᵀ
  double sigma = 0, end = 0;  ///< σ and μ₂

  Complex log_determinant(Complex s) const {
    const Complex lambda = s * s, t = lambda - sigma;
    const Eigen::VectorXcd resisted = mu.cast<Complex>().array() + lambda;
    ComplexMatrix A = b * resisted.cwiseInverse().asDiagonal() * b.transpose();
    Complex power = 1;
    for (const Matrix& term : R) {
      A += power * term;
      power *= -t;
    }
    A *= s;
    A.diagonal().array() += 1;
    const Eigen::PartialPivLU<ComplexMatrix> lu(A);
    if (!(change(s, t, lu) < largest_change)) return std::numeric_limits<double>::quiet_NaN();
    Complex sum = lu.permutationP().determinant() < 0 ? Complex(0, std::numbers::pi) : Complex(0);
    for (const Complex pivot : lu.matrixLU().diagonal()) sum += std::log(pivot);
    for (const Complex factor : resisted) sum += std::log(factor);
    return sum;
  }

  // Bounds the norm of s Lᵀ (I + sG)⁻¹ L W, where E = L W Lᵀ.
  double change(Complex s, Complex t, const Eigen::PartialPivLU<ComplexMatrix>& lu) const {
    const double q = std::abs(t) / (end + sigma);
    if (!(q < 1)) return std::numeric_limits<double>::infinity();
    const double of_W = q * std::pow(std::abs(t), 3) / (1 - q);
    return std::abs(s) * of_W * (root.transpose() * lu.solve(root.cast<Complex>())).norm();
  }
};

/// Solutions with K + σM on the motions, without the known modes.
class Rest {
 public:
  Rest(const ConservativePencil& pencil, const ConservativePairs& known, const BorderedProblem& problem)
      : pencil_(pencil), M_(problem.M()), Z_(known.z.topRows(M_.rows())), MZ_(M_ * Z_) {}

  Matrix solved(const Matrix& forces) const {
    Matrix both = Matrix::Zero(pencil_.size(), forces.cols());
    both.topRows(forces.rows()) = forces - product(MZ_, transposed_product(Z_, forces));
    const Matrix x = pencil_.solve_columns(both).topRows(forces.rows());
    return x - product(Z_, transposed_product(MZ_, x));
  }
  Matrix modes_on(const Matrix& B) const { return transposed_product(B, Z_); }

 private:
  const ConservativePencil& pencil_;
  ScaledMatrix M_;
  Matrix Z_, MZ_;
};

}  // namespace

LogDeterminant log_determinant_of_low_rank(const BorderedProblem& problem, const QuadraticPencil& pencil, double radius,
                                           const Supervision& supervision) {
  if (!pencil.is_symmetric() || !pencil.is_passive()) return {};
  const std::optional<Matrix> B = factor_of(problem.C().copy());
  if (!B) return {};
  const double square = radius * radius, sigma = shift_part * square;
  if (!pays(B->cols(), pencil, sigma)) return {};
  ConservativePencil undamped(problem);
  const ConservativePairs known = find_between(undamped, -sigma / 2, beyond * square, {.supervision = supervision});
  if (!known.is_certified() || known.size() != known.expected || known.before != 0 || !undamped.shift(-sigma))
    return {};
  const Rest rest(undamped, known, problem);
  const Matrix X = rest.solved(*B), MX = problem.M() * X, Y = rest.solved(MX), MY = problem.M() * Y;
  auto compliance = std::make_shared<Compliance>();
  compliance->mu = known.mu;
  compliance->b = rest.modes_on(*B);
  compliance->R = {transposed_product(*B, X), transposed_product(X, MX), transposed_product(X, MY),
                   transposed_product(Y, MY)};
  compliance->root = square_root(compliance->R.back());
  compliance->sigma = sigma;
  compliance->end = known.region.centre + known.region.radius;
  return [compliance](Complex s) { return compliance->log_determinant(s); };
}

}  // namespace stillpoint
