#include "studies/adjoint_of_shift.h"

#include <algorithm>

#include "algebra/lu/refined_solution.h"
#include "algebra/sparse/chosen_rows.h"
#include "base/at.h"
#include "stillpoint/error.h"
#include "studies/differentiator.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Vector = Eigen::VectorXd;

Vector of_all_constraints(const Vector& independent, const std::vector<Index>& rows, Eigen::Index constraints) {
  Vector all = Vector::Zero(constraints);
  for (std::size_t k = 0; k < rows.size(); ++k) all[rows[k]] = independent[static_cast<Eigen::Index>(k)];
  return all;
}

double largest(const Vector& x, const Vector& scale) {
  return x.size() > 0 ? x.cwiseQuotient(scale).lpNorm<Eigen::Infinity>() : 0;
}

Vector added(const Vector& here, double t, const Vector& direction) {
  return here.size() > 0 ? Vector(here + t * direction) : Vector(t * direction);
}

}  // namespace

AdjointOfShift::AdjointOfShift(const Model& model, const Equilibrium& rest, const BorderedProblem& problem)
    : model_(model), rest_(rest), problem_(problem), assembly_(model, Assembly::Motion::moving) {
  if (!rest.state.orientations.empty()) throw Error("bodies turn in space: second derivatives do not commute");
  const QuadraticPencil pencil(problem);
  bordered_ = pencil.matrix(Complex(0));
  lu_.emplace(pencil.complex_lu());
  if (rest.neutral_directions > 0 || !lu_->factor(bordered_))
    throw Error("the equations of the equilibrium are singular: there is no adjoint solution");
}

// The motion is so large that the largest number in it is one unit of the scales.
AdjointOfShift::Slopes AdjointOfShift::real_slopes(const Vector& x, const Vector& v, const Vector& a,
                                                   const Vector& lambda) {
  const double gamma = problem_.frequency_scale();
  const Vector& scale = problem_.coordinate_scale();
  const double size = std::max({largest(x, scale), largest(v, gamma * scale), largest(a, gamma * gamma * scale),
                                largest(lambda, problem_.multiplier_scale())});
  const auto n = static_cast<Eigen::Index>(model_.coordinates()), m = static_cast<Eigen::Index>(model_.constraints());
  if (size == 0) return {ComplexSparseMatrix(n, n), ComplexSparseMatrix(m, n), SparseMatrix(n, n)};
  const Variation along{.name = "the motion of a mode", .value = 0, .model_at = {}, .scale = 1};
  const auto at = [&](double t) {
    State state = model_.displaced(rest_.state, t / size * x);
    state.v = t / size * v;
    state.a = t / size * a;
    state.lambda = added(rest_.state.lambda, t / size, of_all_constraints(lambda, rest_.independent_rows, m));
    const Matrices& there = assembly_.at(state);
    return Sample{{}, {there.K, there.J}};
  };
  Derivative found = Differentiator(along, RatesDigits::all).derivative(at, at(0));
  return {(size * found.rate.matrices[0]).cast<Complex>(), (size * found.rate.matrices[1]).cast<Complex>(),
          size * found.error.matrices[0].cwiseAbs()};
}

AdjointOfShift::Slopes AdjointOfShift::along(Complex s, const BorderedVector& x) {
  const Eigen::VectorXcd v = s * x.coordinates, a = s * v;
  Slopes real = real_slopes(x.coordinates.real(), v.real(), a.real(), x.multipliers.real());
  const Slopes imaginary = real_slopes(x.coordinates.imag(), v.imag(), a.imag(), x.multipliers.imag());
  real.K += Complex(0, 1) * imaginary.K;
  real.J += Complex(0, 1) * imaginary.J;
  real.K_error += imaginary.K_error;
  return real;
}

AdjointOfShift::Adjoint AdjointOfShift::adjoint(const Slopes& slopes, const BorderedVector& y) const {
  const Eigen::VectorXcd left = y.coordinates.conjugate();
  const auto rows = static_cast<Eigen::Index>(rest_.independent_rows.size());
  Eigen::VectorXcd forces = slopes.K.transpose() * left, of_constraints(rows);
  Eigen::VectorXcd multipliers = Eigen::VectorXcd::Zero(slopes.J.rows());
  const Eigen::VectorXcd closing = slopes.J * left;
  for (Eigen::Index k = 0; k < rows; ++k) {
    const Index row = rest_.independent_rows[at(static_cast<Index>(k))];
    multipliers[row] = std::conj(y.multipliers[k]);
    of_constraints[k] = closing[row];
  }
  if (rows > 0) forces += slopes.J.transpose() * multipliers;
  Eigen::VectorXcd gradient(forces.size() + rows);
  gradient << problem_.coordinate_scale().cwiseProduct(forces),
      problem_.multiplier_scale().cwiseProduct(of_constraints);
  Eigen::VectorXcd solution = lu_->solve_adjoint(gradient);
  solution += lu_->solve_adjoint(gradient - bordered_.adjoint() * solution);
  return {problem_.unscaled(solution), slopes.K_error.transpose() * y.coordinates.cwiseAbs()};
}

}  // namespace stillpoint
