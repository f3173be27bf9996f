// Frequency response by one sparse LU factorization of the bordered matrix for each frequency, analysed once and with
// iterative refinement.
#include "stillpoint/frequency_response.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algebra/lu/refined_solution.h"
#include "base/at.h"
#include "base/in_parallel.h"
#include "forms/motion_outputs.h"
#include "forms/prescribed_motion.h"
#include "response/bordered_system.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXcd;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// Number of consecutive frequencies that reuse the pivots of the first.
constexpr Index in_a_row = 10;

// A backward error above this gives a warning. With good pivots it is a few ε.
constexpr double large_error = 1e-12;

SparseMatrix chosen_rows(const SparseMatrix& A, const std::vector<Index>& rows) {
  SparseMatrix choose(static_cast<Index>(rows.size()), A.rows());
  choose.reserve(static_cast<Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) choose.insert(static_cast<Index>(i), rows[i]) = 1;
  return choose * A;
}

void require_frequencies(const Eigen::VectorXd& omega) {
  for (const double value : omega) {
    if (!(value >= 0) || !std::isfinite(value))
      throw Error(fmt::format("a frequency of {} rad/s: it must be a number, and not negative", value));
  }
}

void warn_of_poles(FrequencyResponse& result) {
  std::vector<double> poles;
  for (Eigen::Index k = 0; k < result.omega.size(); ++k) {
    if (std::isnan(result.backward_error[k])) poles.push_back(result.omega[k]);
  }
  if (poles.empty()) return;
  result.warnings.push_back(
      fmt::format("there is a pole at {:.6g}i{}, where the response has no value", poles[0],
                  poles.size() > 1 ? fmt::format(" and at {} more of the frequencies", poles.size() - 1) : ""));
}

void warn_of_errors(FrequencyResponse& result) {
  Eigen::Index worst = -1;
  for (Eigen::Index k = 0; k < result.omega.size(); ++k) {
    if (result.backward_error[k] > large_error &&
        (worst < 0 || result.backward_error[k] > result.backward_error[worst]))
      worst = k;
  }
  if (worst < 0) return;
  result.warnings.push_back(fmt::format("the equations are solved with a backward error of {:.1e} at {:.6g} rad/s",
                                        result.backward_error[worst], result.omega[worst]));
}

/// Solves with the pivots of the previous frequency, and with new ones if the error is too large. The error is NaN if
/// the matrix is singular.
RefinedSolution solved(ComplexLu& lu, const ComplexSparseMatrix& A, const MatrixXcd& b) {
  if (!lu.refactor(A)) return {{}, not_a_number};
  RefinedSolution solution = solve_refined(lu, A, b);
  if (!(solution.backward_error > rounding_of_solutions)) return solution;
  if (!lu.factor(A)) return {{}, not_a_number};
  return solve_refined(lu, A, b);
}

/// The matrices and the symbolic analysis that all frequencies share.
class Responder {
 public:
  /// `reactions` is Hλ with a column for each row of J.
  Responder(const LinearSystem& system, const SparseMatrix& reactions)
      : system_(system),
        Hl_(SparseMatrix(chosen_rows(reactions.transpose(), system.rows.independent)).transpose()),
        F_(system.F.toDense().cast<Complex>()),
        positions_(chosen_rows(system.G, system.rows.independent).toDense().cast<Complex>()),
        problem_(system),
        pencil_(problem_),
        analysed_(pencil_.pattern()) {}

  /// Computes the response at the frequencies from `begin` up to `end`.
  void respond(Index begin, Index end, FrequencyResponse& result) const {
    BorderedSystem bordered(problem_, pencil_);
    ComplexLu lu = analysed_.share_analysis();
    for (Index k = begin; k < end; ++k) {
      const ComplexSparseMatrix& matrix = bordered.at(result.omega[k]);
      const MatrixXcd right = bordered.right_side(F_, positions_);
      const auto [x, backward_error] = solved(lu, matrix, right);
      if (std::isnan(backward_error)) continue;
      const MatrixXcd q = bordered.coordinates(x);
      const Complex s(0, result.omega[k]);
      result.response[at(k)] = system_.Hq * q + s * (system_.Hv * q) + s * s * (system_.Ha * q) +
                               Hl_ * bordered.multipliers(x) + system_.Hu.toDense();
      result.backward_error[k] = backward_error;
    }
  }

 private:
  const LinearSystem& system_;
  SparseMatrix Hl_;
  MatrixXcd F_, positions_;
  BorderedProblem problem_;
  QuadraticPencil pencil_;
  ComplexLu analysed_;
};

}  // namespace

FrequencyResponse frequency_response(const LinearSystem& system, const Eigen::VectorXd& omega,
                                     const ResponseOptions& options) {
  require_frequencies(omega);
  require_consistent_motion(system);
  FrequencyResponse result;
  result.omega = omega;
  result.backward_error = Eigen::VectorXd::Constant(omega.size(), not_a_number);
  for (Index j = 0; j < system.inputs(); ++j) result.input_names.push_back(system.input_name(j));
  for (Index i = 0; i < system.outputs(); ++i) result.output_names.push_back(system.output_name(i));
  if (system.singular) {
    result.warnings.emplace_back(
        "the configuration is singular: motions branch here, the stiffness depends on the scaling of the constraints, "
        "and this response belongs to none of the branches");
  }
  const Responder responder(system, determined_reactions(system, options.minimum_norm_reactions, result.warnings));
  const MatrixXcd no_value = MatrixXcd::Constant(system.outputs(), system.inputs(), {not_a_number, not_a_number});
  result.response.assign(at(omega.size()), no_value);
  in_parallel_chunks(static_cast<Index>(omega.size()), in_a_row,
                     [&](Index begin, Index end) { responder.respond(begin, end, result); });
  warn_of_poles(result);
  warn_of_errors(result);
  return result;
}

Eigen::VectorXd log_spaced(double from, double to, Index points) {
  if (points < 2) return Eigen::VectorXd::Constant(points, from);
  Eigen::VectorXd omega(points);
  const double step = std::log(to / from) / (points - 1);
  for (Index k = 0; k < points; ++k) omega[k] = from * std::exp(step * k);
  omega[points - 1] = to;
  return omega;
}

}  // namespace stillpoint
