#include "stillpoint/shape_rates.h"

#include <cmath>
#include <limits>

#include "algebra/lu/refined_solution.h"
#include "algebra/sparse/chosen_rows.h"
#include "base/at.h"
#include "modes/problem/quadratic_pencil.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using ComplexVector = Eigen::VectorXcd;

Eigen::Index largest_entry(const ComplexVector& x) {
  constexpr double as_large = 1 - 1e-9;  // rounding does not choose among equal ones
  const Eigen::ArrayXd size = x.cwiseAbs();
  const double largest = size.maxCoeff();
  Eigen::Index first = 0;
  while (size[first] < as_large * largest) ++first;
  return first;
}

// B with a column and a row added, each with zero in the corner.
ComplexSparseMatrix with_border(const ComplexSparseMatrix& B, const ComplexVector& column, Eigen::Index held) {
  const auto order = static_cast<Index>(B.rows());
  std::vector<Eigen::Triplet<Complex, Index>> entries;
  entries.reserve(at(B.nonZeros() + column.size()) + 1);
  for (Index j = 0; j < order; ++j) {
    for (ComplexSparseMatrix::InnerIterator entry(B, j); entry; ++entry)
      entries.emplace_back(entry.row(), j, entry.value());
  }
  for (Eigen::Index i = 0; i < column.size(); ++i) {
    if (column[i] != 0.0) entries.emplace_back(static_cast<Index>(i), order, column[i]);
  }
  entries.emplace_back(order, static_cast<Index>(held), 1);
  ComplexSparseMatrix bordered(order + 1, order + 1);
  bordered.setFromTriplets(entries.begin(), entries.end());
  return bordered;
}

std::string refusal(const ModeRate& rate, Complex s) {
  if (s == 0.0)
    return "the eigenvalue is zero by structure, and its motions form chains: no vector of them is distinguished";
  if (rate.kind == ModeRate::Kind::multiple)
    return "the eigenvalue is multiple: its vectors are a space, and the parameter chooses among them";
  if (rate.kind == ModeRate::Kind::defective)
    return "the eigenvalue is defective: its vector changes like the square root of the parameter";
  return {};
}

}  // namespace

/// The bordered matrix of one mode in dimensionless form, x = S x̂, λ = W λ̂, s = γ ŝ, with its factors.
struct ShapeDifferentiator::Bordered {
  Bordered(const LinearSystem& system, const BorderedProblem& problem, const QuadraticPencil& pencil, const Mode& mode);

  ComplexVector right_side(const SparseMatrix& M, const SparseMatrix& C, const SparseMatrix& K,
                           const SparseMatrix& J) const;
  ShapeRate rate(const SystemRates& of_system) const;
  double estimated_condition() const;

  const std::vector<Index>& rows;
  Eigen::VectorXd S, W;
  double gamma = 1, size = 1;  // of x̂
  Complex s;
  ComplexVector x, lambda;
  ComplexSparseMatrix A;
  ComplexLu lu;
  bool is_regular = false;
  double condition = 0;  // of A
};

ShapeDifferentiator::Bordered::Bordered(const LinearSystem& system, const BorderedProblem& problem,
                                        const QuadraticPencil& pencil, const Mode& mode)
    : rows(system.rows.independent),
      S(problem.coordinate_scale()),
      W(problem.multiplier_scale()),
      gamma(problem.frequency_scale()),
      size(mode.shape.cwiseQuotient(S.cast<Complex>()).lpNorm<Eigen::Infinity>()),
      s(mode.s),
      x(mode.shape),
      lambda(problem.with_multipliers(mode.s, mode.shape).multipliers),
      A(with_border(pencil.matrix(s / gamma),
                    ComplexVector(gamma / size * S.cast<Complex>().cwiseProduct(problem.derivative(s, x))),
                    largest_entry(x))),
      lu(A.cwiseAbs()) {
  is_regular = lu.factor(A);
  if (is_regular) condition = estimated_condition();
}

// By a right-hand side that is hardly orthogonal to anything.
double ShapeDifferentiator::Bordered::estimated_condition() const {
  ComplexVector generic(A.rows());
  for (Eigen::Index i = 0; i < generic.size(); ++i) generic[i] = std::cos(1 + 2.4 * static_cast<double>(i));
  return largest_row_sum(A) * solve_refined(lu, A, generic).x.lpNorm<Eigen::Infinity>();
}

ComplexVector ShapeDifferentiator::Bordered::right_side(const SparseMatrix& M, const SparseMatrix& C,
                                                        const SparseMatrix& K, const SparseMatrix& J) const {
  const ComplexVector force = (M * (x * s) + C * x) * s + K * x + J.transpose() * lambda;
  ComplexVector b = ComplexVector::Zero(A.rows());
  b.head(S.size()) = -1 / size * S.cast<Complex>().cwiseProduct(force);
  b.segment(S.size(), W.size()) = -1 / size * W.cast<Complex>().cwiseProduct(J * x);
  return b;
}

ShapeRate ShapeDifferentiator::Bordered::rate(const SystemRates& of_system) const {
  ShapeRate result;
  if (!is_regular) {
    result.refused = "the eigenvalue is so nearly multiple that rounding mixes its vector with others";
    return result;
  }
  const auto part = [&](SparseMatrix MatrixRate::*which) {
    return right_side(of_system.M.*which, of_system.C.*which, of_system.K.*which,
                      chosen_rows(of_system.J.*which, rows));
  };
  const auto solved = [&](const ComplexVector& b) { return ComplexVector(solve_refined(lu, A, b).x); };
  const ComplexVector found = solved(part(&MatrixRate::rate)), wrong = solved(part(&MatrixRate::error));
  result.shape = size * S.cast<Complex>().cwiseProduct(found.head(S.size()));
  result.s = gamma * found[A.rows() - 1];
  constexpr double few = 8;
  const double rounding = few * std::numeric_limits<double>::epsilon() * condition * found.lpNorm<Eigen::Infinity>();
  result.error = size * S.cwiseProduct((wrong.head(S.size()).cwiseAbs().array() + rounding).matrix()).maxCoeff();
  return result;
}

ShapeDifferentiator::ShapeDifferentiator(const LinearSystem& system, const std::vector<Mode>& modes)
    : system_(std::make_unique<LinearSystem>(system)) {
  const BorderedProblem problem(*system_);
  const QuadraticPencil pencil(problem);
  for (const Mode& mode : modes) bordered_.push_back(std::make_unique<Bordered>(*system_, problem, pencil, mode));
}

ShapeDifferentiator::~ShapeDifferentiator() = default;

std::vector<ShapeRate> ShapeDifferentiator::rates(const SystemRates& of_system,
                                                  const std::vector<ModeRate>& of_modes) const {
  std::vector<ShapeRate> result;
  for (std::size_t i = 0; i < bordered_.size(); ++i) {
    std::string refused = refusal(of_modes[i], bordered_[i]->s);
    result.push_back(refused.empty() ? bordered_[i]->rate(of_system)
                                     : ShapeRate{.shape = {}, .s = {}, .refused = refused});
  }
  return result;
}

// With x = z/√(zᴴMz) the rate is z'/√· − z (zᴴMz)'/(2 √·³), and the largest entry of z is one.
UnitEnergyShape with_unit_energy(const LinearSystem& system, const SystemRates& of_system, const Mode& mode,
                                 const ShapeRate& rate) {
  if (!rate.refused.empty()) throw Error("the vector has no derivative: " + rate.refused);
  const Complex largest = mode.shape[largest_entry(mode.shape)];
  const ComplexVector z = mode.shape / largest, z_rate = rate.shape / largest;
  const ComplexVector momentum = system.M * z;
  const double energy = z.dot(momentum).real();
  const double terms = z.cwiseAbs().dot(system.M.cwiseAbs() * z.cwiseAbs());
  constexpr double none = 1e-12;  // relative
  if (!(energy > none * terms)) throw Error("a motion without mass cannot be given a unit of kinetic energy");
  const double energy_rate = (z_rate.dot(momentum) + z.dot(system.M * z_rate) + z.dot(of_system.M.rate * z)).real();
  const double root = std::sqrt(energy);
  return {z / root, z_rate / root - z * (energy_rate / (2 * energy * root))};
}

}  // namespace stillpoint
