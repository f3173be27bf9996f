#include "stillpoint/sparsity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/at.h"
#include "base/median.h"
#include "base/stopwatch.h"
#include "forms/congruence.h"
#include "forms/partition.h"
#include "report/sparsity_advice.h"
#include "report/sparsity_lu.h"
#include "report/sparsity_prediction.h"
#include "report/spy.h"
#include "stillpoint/error.h"
#include "stillpoint/forms.h"
#include "stillpoint/symmetric_factor.h"

namespace stillpoint {

namespace {

// No factor with more operations than this (some seconds) is made for the sake of a report.
constexpr double most_flops = 1e10;

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

void add_note(MatrixSparsity& matrix, const std::string& note) {
  matrix.note += (matrix.note.empty() ? "" : "; ") + note;
}

void draw(MatrixSparsity& matrix, const SparseMatrix& A, const PatternGraph& graph, const std::vector<Index>& amd,
          const SparsityOptions& options) {
  matrix.picture = spy(A);
  if (matrix.amd.entries > options.largest_drawn) {
    add_note(matrix, fmt::format("a factor of more than {:.2g} entries is not drawn",
                                 static_cast<double>(options.largest_drawn)));
    return;
  }
  matrix.factor_picture = spy_factor(graph, find_elimination_tree(graph, amd));
}

void count(MatrixSparsity& matrix, const SparseMatrix& A, const SparsityOptions& options) {
  const PatternGraph graph = pattern_graph(A);
  matrix.entries = count_entries(A);
  matrix.lower_entries = matrix.size + static_cast<std::int64_t>(graph.neighbours.size() / 2);
  matrix.natural = count_factor(graph, natural_order(graph));
  const std::vector<Index> amd = minimum_degree_order(graph);
  matrix.amd = count_factor(graph, amd);
  if (matrix.size <= options.largest_metis) {
    matrix.metis = count_factor(graph, nested_dissection_order(graph));
  } else {
    add_note(matrix, fmt::format("METIS takes long beyond {} rows and was left out", options.largest_metis));
  }
  if (options.pictures) draw(matrix, A, graph, amd, options);
}

/// The pattern of s²M + sC + K for any s: nothing cancels.
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

/// A real shift of the order of the frequencies.
double usual_shift(const LinearSystem& system) {
  const auto usual_size = [](const SparseMatrix& A) {
    std::vector<double> sizes;
    const Eigen::VectorXd diagonal = A.diagonal();
    for (const double value : diagonal) {
      if (value != 0) sizes.push_back(std::abs(value));
    }
    return median(std::move(sizes));
  };
  const double s = std::sqrt(usual_size(system.K) / usual_size(system.M));
  return std::isfinite(s) ? s : 1;
}

constexpr double bytes_per_entry = 12;  // a double and a row's index

bool is_too_large(const MatrixSparsity& matrix, const SparsityOptions& options) {
  return 2 * bytes_per_entry * static_cast<double>(matrix.best().entries) > options.memory ||
         matrix.best().flops > most_flops;
}

void factor_leading(MatrixSparsity& matrix, const SparseMatrix& A, const SparsityOptions& options) {
  if (is_too_large(matrix, options) || !is_exactly_symmetric(A)) return;
  const SparseMatrix without_zeros = A.pruned(0, 0);
  SymmetricFactor factor(without_zeros);
  factor.factor(without_zeros);
  matrix.regular = factor.signs().zero == 0;
}

void factor_bordered(MatrixSparsity& matrix, const LinearSystem& system, const SparseMatrix& J,
                     const SparsityOptions& options) {
  if (is_too_large(matrix, options)) return add_note(matrix, "an LU would take too much memory or time");
  const double s = usual_shift(system);
  matrix.lu = count_lu(bordered(s * s * system.M + s * system.C + system.K, J));
  if (!matrix.lu.is_known()) add_note(matrix, fmt::format("singular at s = {:.3g}: no LU", s));
}

// ----- forms that can be much larger than the system they are of

/// What all of its entries make.
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
  return fmt::format("not formed: it could take {:.2g} GB with what belongs to it, more than the {:.2g} GB allowed",
                     1e-9 * bytes_per_entry * entries, 1e-9 * options.memory);
}

void count_minimal(SparsityReport& report, const LinearSystem& system, const MinimalOptions& how,
                   const SparsityOptions& options) {
  const MinimalForm form = minimal_form(system, how);
  report.R_entries = count_entries(form.R);
  count(report.M_r, form.M, options);
  factor_leading(report.M_r, form.M, options);
  count(report.mcs, pencil_pattern(form.M, form.C, form.K), options);
}

/// R and M R; M_r, C_r and K_r.
double entries_of(const MinimalSize& size) { return 2 * size.R + size.M_r + 2 * size.pencil; }

void measure_minimal(SparsityReport& report, const LinearSystem& system, const SparseMatrix& J,
                     const SparseMatrix& pencil, const SparsityOptions& options) {
  const double n = system.coordinates(), k = system.freedom();
  MinimalSize size{.R = n * k, .M_r = k * k, .pencil = k * k};  // at most
  std::string why;
  try {
    if (bytes_per_entry * entries_of(size) <= options.memory) return count_minimal(report, system, {}, options);
    MinimalOptions how;
    how.independent = independent_by_mass(scale_constraints(system), system.M);
    size = predict_minimal_size(J, how.independent, system.M, pencil);
    if (bytes_per_entry * entries_of(size) <= options.memory) return count_minimal(report, system, how, options);
    why = too_large(entries_of(size), options);
  } catch (const Error& error) {
    why = fmt::format("not formed ({}), but at most this large", error.what());
  }
  report.R_entries = std::llround(size.R);
  predict(report.M_r, size.M_r, why);
  predict(report.mcs, size.pencil, why);
}

/// Of JᵀΞJ at most: a full block for the coordinates of each constraint.
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
  const PenaltyForm form = penalty_form(system, {.alpha = Eigen::VectorXd::Ones(1)});  // any Ξ makes the same pattern
  count(report.M_p, form.M, options);
  factor_leading(report.M_p, form.M, options);
  count(report.ucs, pencil_pattern(form.M, form.C, form.K), options);
}

SparsityReport titled(const LinearSystem& system) {
  SparsityReport report;
  report.name = system.name;
  report.coordinates = system.coordinates();
  report.constraints = system.constraints();
  report.rank = system.rank();
  report.freedom = system.freedom();
  report.singular = system.singular;
  report.damped = count_entries(system.C) > 0;
  const Index n = report.coordinates, k = report.freedom;
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
  return *best;
}

const char* MatrixSparsity::best_order() const {
  if (!best().is_known()) return "";
  return &best() == &natural ? "natural" : &best() == &amd ? "AMD" : "METIS";
}

double MatrixSparsity::fill() const {
  if (!best().is_known()) return std::numeric_limits<double>::quiet_NaN();
  return lower_entries > 0 ? static_cast<double>(best().entries) / static_cast<double>(lower_entries) : 1;
}

SparsityReport measure_sparsity(const LinearSystem& system, const SparsityOptions& options) {
  const Stopwatch watch;
  SparsityReport report = titled(system);
  const SparseMatrix J = independent_rows(system), pencil = pencil_pattern(system.M, system.C, system.K);
  count(report.M_q, system.M, options);
  factor_leading(report.M_q, system.M, options);
  count(report.rcs, bordered(pencil, J), options);
  factor_bordered(report.rcs, system, J, options);
  measure_minimal(report, system, J, pencil, options);
  measure_penalty(report, system, pencil, options);
  advise(report);
  report.seconds = watch.seconds();
  return report;
}

}  // namespace stillpoint
