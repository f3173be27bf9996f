#include "stillpoint/sparsity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "algebra/ordering/pattern_graph.h"
#include "base/at.h"
#include "base/median.h"
#include "base/stopwatch.h"
#include "forms/congruence.h"
#include "forms/partition.h"
#include "sparsity/cholesky.h"
#include "sparsity/sparsity_advice.h"
#include "sparsity/sparsity_ldlt.h"
#include "sparsity/sparsity_lu.h"
#include "sparsity/sparsity_prediction.h"
#include "sparsity/spy.h"
#include "sparsity/symmetric_pattern.h"
#include "stillpoint/error.h"
#include "stillpoint/forms.h"

namespace stillpoint {

namespace {

// A factorisation with more operations than this, which takes some seconds, is not carried out for a report; one that
// is only timed must be shorter.
constexpr double most_flops = 1e10, most_timed_flops = 1e9;

MatrixSparsity titled(const std::string& name, const std::string& formula, Index size) {
  MatrixSparsity matrix;
  matrix.name = name;
  matrix.formula = formula;
  matrix.size = size;
  return matrix;
}

std::int64_t count_entries(const SparseMatrix& A) {
  std::int64_t entries = 0;
  for (Index k = 0; k < A.nonZeros(); ++k) entries += A.valuePtr()[k] != 0;
  return entries;
}

void say(const SparsityOptions& options, const MatrixSparsity& matrix, const char* what) {
  if (options.progress) options.progress(fmt::format("{}: {}", matrix.name, what));
}

void add_note(MatrixSparsity& matrix, const std::string& note) {
  matrix.note += (matrix.note.empty() ? "" : "; ") + note;
}

/// Draws the matrix, and L in the order of AMD; `pattern` is that of A + Aᵀ.
void draw(MatrixSparsity& matrix, const SparseMatrix& A, const SparseMatrix& pattern, const SparsityOptions& options) {
  matrix.picture = spy(A);
  const PatternGraph graph = pattern_graph(pattern);
  const EliminationTree tree = find_elimination_tree(graph, minimum_degree_order(graph));
  if (std::accumulate(tree.count.begin(), tree.count.end(), std::int64_t{0}) > options.largest_drawn) {
    add_note(matrix, fmt::format("a factor of more than {:.2g} entries is not drawn",
                                 static_cast<double>(options.largest_drawn)));
    return;
  }
  matrix.factor_picture = spy_factor(graph, tree);
}

/// Counts, and times on request, the Cholesky factors. The pattern is that of A + Aᵀ; the values lie within it.
void count_cholesky(MatrixSparsity& matrix, const SparseMatrix& pattern, const SparseMatrix& values,
                    const SparsityOptions& options) {
  if (cholesky_library().empty()) return;
  const bool timed = options.times && is_exactly_symmetric(values);
  const SparseMatrix without_zeros = timed ? values.pruned(0, 0) : SparseMatrix();
  const TimedCholesky how{.matrix = timed ? &without_zeros : nullptr, .memory = options.memory};
  say(options, matrix, "Cholesky factor in the natural order");
  matrix.natural = measure_cholesky(pattern, CholeskyOrder::natural, how);
  say(options, matrix, "Cholesky factor in the order of AMD");
  matrix.amd = measure_cholesky(pattern, CholeskyOrder::amd, how);
  if (matrix.size > options.largest_metis) {
    add_note(matrix, fmt::format("METIS was not used, because it takes long beyond {} rows", options.largest_metis));
  } else {
    say(options, matrix, "Cholesky factor in the order of METIS");
    matrix.metis = measure_cholesky(pattern, CholeskyOrder::metis, how);
  }
}

/// Measures a matrix that depends on a shift: A has its entries at a generic shift, `values` its values at one.
void count(MatrixSparsity& matrix, const SparseMatrix& A, const SparseMatrix& values, const SparsityOptions& options) {
  say(options, matrix, "pattern");
  const SparseMatrix pattern = symmetric_pattern(A);
  std::int64_t diagonal = 0;
  for (Index j = 0; j < pattern.cols(); ++j) diagonal += pattern.coeff(j, j) != 0;
  matrix.entries = count_entries(A);
  matrix.lower_entries = matrix.size + (pattern.nonZeros() - diagonal) / 2;
  matrix.ldlt = count_ldlt(pattern);
  count_cholesky(matrix, pattern, values, options);
  if (options.pictures) say(options, matrix, "picture");
  if (options.pictures) draw(matrix, A, pattern, options);
}

/// Returns the pattern of s²M + sC + K for a generic s, for which no entries cancel.
SparseMatrix pencil_pattern(const SparseMatrix& M, const SparseMatrix& C, const SparseMatrix& K) {
  return SparseMatrix(M.cwiseAbs()) + SparseMatrix(C.cwiseAbs()) + SparseMatrix(K.cwiseAbs());
}

SparseMatrix bordered(const SparseMatrix& A, const SparseMatrix& J) {
  std::vector<Eigen::Triplet<double, Index>> entries;
  entries.reserve(at(A.nonZeros()) + 2 * at(J.nonZeros()));
  const auto n = static_cast<Index>(A.cols()), r = static_cast<Index>(J.rows());
  for (Index j = 0; j < n; ++j) {
    for (SparseMatrix::InnerIterator e(A, j); e; ++e) entries.emplace_back(static_cast<Index>(e.row()), j, e.value());
    for (SparseMatrix::InnerIterator e(J, j); e; ++e) {
      const auto row = static_cast<Index>(n + e.row());
      entries.emplace_back(row, j, e.value());
      entries.emplace_back(j, row, e.value());
    }
  }
  SparseMatrix matrix(n + r, n + r);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

SparseMatrix pencil_at(double s, const SparseMatrix& M, const SparseMatrix& C, const SparseMatrix& K) {
  return s * s * M + s * C + K;
}

/// Returns a real shift of the order of the natural frequencies.
double usual_shift(const LinearSystem& system) {
  const auto usual_magnitude = [](const SparseMatrix& A) {
    std::vector<double> magnitudes;
    const Eigen::VectorXd diagonal = A.diagonal();
    for (const double value : diagonal) {
      if (value != 0) magnitudes.push_back(std::abs(value));
    }
    return median(std::move(magnitudes));
  };
  const double s = std::sqrt(usual_magnitude(system.K) / usual_magnitude(system.M));
  return std::isfinite(s) ? s : 1;
}

constexpr double bytes_per_entry = 12;  // a double and a row index

bool is_too_large(const MatrixSparsity& matrix, const SparsityOptions& options) {
  return 2 * bytes_per_entry * static_cast<double>(matrix.best().entries) > options.memory ||
         matrix.best().flops > most_flops;
}

bool is_timed(const MatrixSparsity& matrix, const SparsityOptions& options) {
  return options.times && !is_too_large(matrix, options) && matrix.best().flops <= most_timed_flops;
}

/// Returns whether the matrix is regular, by LDLᵀ; unknown if it is not symmetric.
std::optional<bool> factor_symmetric(MatrixSparsity& matrix, const SparseMatrix& A, const SparsityOptions& options) {
  if (!is_exactly_symmetric(A)) return {};
  say(options, matrix, "LDLᵀ");
  const LdltFactor factor = factor_ldlt(A, is_timed(matrix, options));
  matrix.ldlt.seconds = factor.seconds;
  return factor.regular;
}

void count_leading(MatrixSparsity& matrix, const SparseMatrix& A, const SparsityOptions& options) {
  count(matrix, A, A, options);
  if (!is_too_large(matrix, options)) matrix.regular = factor_symmetric(matrix, A, options);
  if (!is_timed(matrix, options)) return;
  say(options, matrix, "LU");
  matrix.lu = count_lu(A, true);
}

void count_pencil(MatrixSparsity& matrix, double s, const SparseMatrix& M, const SparseMatrix& C, const SparseMatrix& K,
                  const SparsityOptions& options) {
  const SparseMatrix values = pencil_at(s, M, C, K);
  count(matrix, pencil_pattern(M, C, K), values, options);
  if (!is_timed(matrix, options)) return;
  factor_symmetric(matrix, values, options);
  say(options, matrix, "LU");
  matrix.lu = count_lu(values, true);
}

void count_bordered(MatrixSparsity& matrix, double s, const LinearSystem& system, const SparseMatrix& J,
                    const SparsityOptions& options) {
  const SparseMatrix values = bordered(pencil_at(s, system.M, system.C, system.K), J);
  count(matrix, bordered(pencil_pattern(system.M, system.C, system.K), J), values, options);
  if (is_too_large(matrix, options)) return add_note(matrix, "an LU factorisation would take too much memory or time");
  if (is_timed(matrix, options)) factor_symmetric(matrix, values, options);
  say(options, matrix, "LU");
  matrix.lu = count_lu(values, is_timed(matrix, options));
  if (!matrix.lu.is_known())
    add_note(matrix, fmt::format("the matrix is singular at s = {:.3g}, so that it has no LU factorisation", s));
}

// ----- forms that can be much larger than the system

/// The factor of a full matrix.
FactorCount full_factor(double size) {
  return {.entries = std::llround(size * (size + 1) / 2), .flops = size * (size + 1) * (2 * size + 1) / 6};
}

void predict(MatrixSparsity& matrix, double entries, const std::string& why) {
  const double size = matrix.size, most = size * size;
  matrix.predicted = true;
  matrix.entries = std::llround(std::min(entries, most));
  add_note(matrix, why);
  if (entries < most) return;
  matrix.natural = full_factor(size);
  matrix.lower_entries = matrix.natural.entries;
}

std::string too_large(double entries, const SparsityOptions& options) {
  return fmt::format(
      "not formed: together with the matrices that belong to it, it could take {:.2g} GB, more than the {:.2g} GB "
      "allowed",
      1e-9 * bytes_per_entry * entries, 1e-9 * options.memory);
}

void count_minimal(SparsityReport& report, const LinearSystem& system, const MinimalOptions& how,
                   const SparsityOptions& options) {
  say(options, report.M_r, "minimal form");
  const MinimalForm form = minimal_form(system, how);
  report.R_entries = count_entries(form.R);
  count_leading(report.M_r, form.M, options);
  count_pencil(report.mcs, usual_shift(system), form.M, form.C, form.K, options);
}

/// Counts the entries of R, M R, M_r, C_r and K_r.
double entries_of(const MinimalSize& size) { return 2 * size.R + size.M_r + 2 * size.pencil; }

void measure_minimal(SparsityReport& report, const LinearSystem& system, const SparseMatrix& J,
                     const SparseMatrix& pencil, const SparsityOptions& options) {
  const double n = system.coordinates(), k = system.dof();
  MinimalSize size{.R = n * k, .M_r = k * k, .pencil = k * k};  // upper bounds
  std::string why;
  try {
    if (bytes_per_entry * entries_of(size) <= options.memory) return count_minimal(report, system, {}, options);
    MinimalOptions how;
    how.independent = independent_by_mass(scale_constraints(system), system.M);
    size = predict_minimal_size(J, how.independent, system.M, pencil);
    if (bytes_per_entry * entries_of(size) <= options.memory) return count_minimal(report, system, how, options);
    why = too_large(entries_of(size), options);
  } catch (const Error& error) {
    why = fmt::format("not formed ({}); the size is an upper bound", error.what());
  }
  report.R_entries = std::llround(size.R);
  predict(report.M_r, size.M_r, why);
  predict(report.mcs, size.pencil, why);
}

/// Returns an upper bound of the entries of JᵀΞJ: a full block for the coordinates of each constraint.
double penalty_entries(const SparseMatrix& J) {
  Eigen::VectorXd length = Eigen::VectorXd::Zero(J.rows());
  for (Index k = 0; k < J.nonZeros(); ++k) length[J.innerIndexPtr()[k]] += J.valuePtr()[k] != 0;
  return length.squaredNorm();
}

void measure_penalty(SparsityReport& report, const LinearSystem& system, const SparseMatrix& pencil,
                     const SparsityOptions& options) {
  const double coupled = penalty_entries(system.J);
  const double M_p = coupled + static_cast<double>(count_entries(system.M));
  const double ucs = coupled + static_cast<double>(count_entries(pencil));
  const double all = M_p + 2 * ucs;  // M_p, C_p and K_p
  if (bytes_per_entry * all > options.memory) {
    predict(report.M_p, M_p, too_large(all, options));
    return predict(report.ucs, ucs, too_large(all, options));
  }
  say(options, report.M_p, "penalty form");
  const PenaltyForm form =
      penalty_form(system, {.alpha = Eigen::VectorXd::Ones(1)});  // the pattern does not depend on Ξ
  count_leading(report.M_p, form.M, options);
  count_pencil(report.ucs, usual_shift(system), form.M, form.C, form.K, options);
}

SparsityReport titled(const LinearSystem& system) {
  SparsityReport report;
  report.name = system.name;
  report.cholesky = cholesky_library();
  report.coordinates = system.coordinates();
  report.constraints = system.constraints();
  report.rank = system.rank();
  report.dof = system.dof();
  report.singular = system.singular;
  report.damped = count_entries(system.C) > 0;
  const Index n = report.coordinates, k = report.dof;
  report.M_r = titled("M_r", "Rᵀ M R", k);
  report.M_q = titled("M_q", "M", n);
  report.M_p = titled("M_p", "M + Jᵀ Ξ J", n);
  report.mcs = titled("MCS", "s² M_r + s C_r + K_r", k);
  report.rcs = titled("RCS", "[s² M + s C + K, Jᵀ; J, 0]", n + report.rank);
  report.ucs = titled("UCS", "s² M_p + s C_p + K_p", n);
  return report;
}

}  // namespace

double MatrixSparsity::density() const {
  return size > 0 ? static_cast<double>(entries) / (static_cast<double>(size) * size) : 0;
}

const FactorCount& MatrixSparsity::best() const {
  const FactorCount* best = &natural;
  for (const FactorCount* other : {&amd, &metis}) {
    if (other->is_known() && !(best->flops <= other->flops)) best = other;
  }
  return best->is_known() ? *best : ldlt;
}

const char* MatrixSparsity::best_order() const {
  if (!best().is_known()) return "";
  const FactorCount* const order = &best();
  return order == &natural ? "natural" : order == &amd ? "AMD" : order == &metis ? "METIS" : "LDLᵀ";
}

double MatrixSparsity::fill() const {
  if (!best().is_known()) return std::numeric_limits<double>::quiet_NaN();
  return lower_entries > 0 ? static_cast<double>(best().entries) / static_cast<double>(lower_entries) : 1;
}

SparsityReport measure_sparsity(const LinearSystem& system, const SparsityOptions& options) {
  const Stopwatch watch;
  SparsityReport report = titled(system);
  const SparseMatrix J = independent_rows(system), pencil = pencil_pattern(system.M, system.C, system.K);
  count_leading(report.M_q, system.M, options);
  count_bordered(report.rcs, usual_shift(system), system, J, options);
  measure_minimal(report, system, J, pencil, options);
  measure_penalty(report, system, pencil, options);
  advise(report);
  report.seconds = watch.seconds();
  return report;
}

}  // namespace stillpoint
