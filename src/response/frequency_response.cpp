// Frequency response by one sparse LU factorization of the bordered matrix for each frequency, analysed once and with
// iterative refinement.
#include "stillpoint/frequency_response.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "algebra/lu/refined_solution.h"
#include "algebra/sparse/chosen_rows.h"
#include "base/at.h"
#include "base/in_parallel.h"
#include "base/name_list.h"
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

// A response that is no larger than this part of the solution from which it is read is only rounding.
constexpr double only_rounding = 64 * std::numeric_limits<double>::epsilon();

// A backward error above this gives a warning. With good pivots it is a few ε.
constexpr double large_error = 1e-12;

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

/// Sets the responses to zero that are only rounding at all frequencies, and says which these are. `significance` has
/// each response relative to the solution from which it is read.
void clear_rounding(const std::vector<Eigen::MatrixXd>& significance, FrequencyResponse& result) {
  std::vector<std::string> cleared;
  for (std::size_t i = 0; i < result.output_names.size(); ++i) {
    for (std::size_t j = 0; j < result.input_names.size(); ++j) {
      const auto row = static_cast<Eigen::Index>(i), column = static_cast<Eigen::Index>(j);
      double largest = 0;
      bool is_zero = true;
      for (std::size_t k = 0; k < significance.size(); ++k) {
        if (significance[k].size() > 0) largest = std::max(largest, significance[k](row, column));
        is_zero &= result.response[k](row, column) == 0.0;
      }
      if (is_zero || !(largest <= only_rounding)) continue;
      for (MatrixXcd& H : result.response) {
        if (!std::isnan(H(row, column).real())) H(row, column) = 0;
      }
      cleared.push_back(fmt::format("from '{}' to '{}'", result.input_names[j], result.output_names[i]));
    }
  }
  if (cleared.empty()) return;
  result.warnings.push_back(fmt::format(
      "zero at all these frequencies, but for rounding, and given as zero: the response {}", name_list(cleared)));
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
        analysed_(pencil_.complex_lu()) {}

  /// Computes the response at the frequencies from `begin` up to `end`, and relative to the solution from which it is
  /// read.
  void respond(Index begin, Index end, FrequencyResponse& result, std::vector<Eigen::MatrixXd>& significance) const {
    BorderedSystem bordered(problem_, pencil_);
    ComplexLu lu = analysed_.share_analysis();
    for (Index k = begin; k < end; ++k) {
      const ComplexSparseMatrix& matrix = bordered.at(result.omega[k]);
      const MatrixXcd right = bordered.right_side(F_, positions_);
      const auto [x, backward_error] = solved(lu, matrix, right);
      if (std::isnan(backward_error)) continue;
      const MatrixXcd q = bordered.coordinates(x);
      const Complex s(0, result.omega[k]);
      const MatrixXcd lambda = bordered.multipliers(x);
      result.response[at(k)] =
          system_.Hq * q + s * (system_.Hv * q) + s * s * (system_.Ha * q) + Hl_ * lambda + system_.Hu.toDense();
      significance[at(k)] =
          result.response[at(k)].cwiseAbs().cwiseQuotient(magnitude_of_terms(result.omega[k], bordered, x));
      result.backward_error[k] = backward_error;
    }
  }

 private:
  /// Returns for each pair what the output would be if all coordinates and multipliers, in their scales, were as large
  /// as the largest of them: rounding of a solution x is relative to that.
  Eigen::MatrixXd magnitude_of_terms(double omega, const BorderedSystem& bordered, const MatrixXcd& x) const {
    if (x.size() == 0) return system_.Hu.toDense().cwiseAbs();
    const MatrixXcd ones = MatrixXcd::Ones(x.rows(), 1);
    const Eigen::VectorXd S = bordered.coordinates(ones).real(), W = bordered.multipliers(ones).real();
    const SparseMatrix of_motion =
        system_.Hq.cwiseAbs() + omega * system_.Hv.cwiseAbs() + omega * omega * system_.Ha.cwiseAbs();
    const Eigen::VectorXd unit = of_motion * S + Hl_.cwiseAbs() * W;
    const Eigen::RowVectorXd largest = x.cwiseAbs().colwise().maxCoeff();
    return unit * largest + system_.Hu.toDense().cwiseAbs();
  }

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
  std::vector<Eigen::MatrixXd> significance(at(omega.size()));
  std::mutex telling;
  Index done = 0;
  in_parallel_chunks(static_cast<Index>(omega.size()), in_a_row, [&](Index begin, Index end) {
    responder.respond(begin, end, result, significance);
    if (!options.progress) return;
    const std::lock_guard lock(telling);  // several threads compute
    done += end - begin;
    options.progress(fmt::format("{} of {} frequencies", done, omega.size()));
  });
  clear_rounding(significance, result);
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
