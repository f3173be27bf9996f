#include "forms/motion_outputs.h"

#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <cmath>

#include "base/at.h"
#include "base/name_list.h"
#include "stillpoint/error.h"
#include "stillpoint/pseudoinverse.h"

namespace stillpoint {

namespace {

// Null vectors are accurate to about the root of the rounding unit if the geometry is rounded; an undetermined reaction
// has a component as large as its own row.
constexpr double determined_part = 1e-6;

/// Returns the rows of H_λ that have a component along a null vector.
std::vector<Index> undetermined_rows(const LinearSystem& system) {
  const SparseMatrix& nu = system.rows.null_vectors;
  std::vector<Index> rows;
  if (nu.cols() == 0 || system.Hl.nonZeros() == 0) return rows;
  const Eigen::MatrixXd along = SparseMatrix(system.Hl * nu);
  const SparseMatrix Hl_magnitudes = system.Hl.cwiseAbs(), nu_magnitudes = nu.cwiseAbs();
  const Eigen::MatrixXd magnitudes = SparseMatrix(Hl_magnitudes * nu_magnitudes);
  for (Index i = 0; i < system.outputs(); ++i) {
    if ((along.row(i).cwiseAbs().array() > determined_part * magnitudes.row(i).array()).any()) rows.push_back(i);
  }
  return rows;
}

/// Returns the names of the constraints among which the reaction may be shifted.
std::string sharing(const LinearSystem& system, Index output) {
  const SparseMatrix& nu = system.rows.null_vectors;
  const Eigen::VectorXd along = (system.Hl * nu).row(output).transpose();
  Eigen::Index most = 0;
  along.cwiseAbs().maxCoeff(&most);
  std::vector<std::string> names;
  for (SparseMatrix::InnerIterator entry(nu, static_cast<Index>(most)); entry; ++entry) {
    names.push_back("'" + system.constraint_name(static_cast<Index>(entry.row())) + "'");
  }
  return name_list(names);
}

[[noreturn]] void refuse(const LinearSystem& system, Index output) {
  throw Error(
      fmt::format("output '{}' is a reaction that is not determined: the constraints {} depend on each other and may "
                  "share their load in any way; leave it out, or ask for the reactions of least norm",
                  system.output_name(output), sharing(system, output)));
}

/// Removes the components along null vectors from the rows: h (I − N (NᵀN)⁻¹ Nᵀ).
SparseMatrix projected(const LinearSystem& system, const std::vector<Index>& rows) {
  const SparseMatrix &N = system.rows.null_vectors, Nt = N.transpose();
  const SparseMatrix normal = Nt * N;
  const Eigen::SimplicialLDLT<SparseMatrix> solver(normal);
  SparseMatrix H = system.Hl.transpose();  // one column for each output
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (Index j = 0; j < H.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(H, j); entry; ++entry) {
      entries.emplace_back(j, static_cast<Index>(entry.row()), entry.value());
    }
  }
  for (const Index row : rows) {
    const Eigen::VectorXd h = H.col(row), part = N * solver.solve(Nt * h);
    for (Index i = 0; i < part.size(); ++i) {
      if (part[i] != 0) entries.emplace_back(row, i, -part[i]);
    }
  }
  SparseMatrix result(system.Hl.rows(), system.Hl.cols());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

/// Returns Pᵀ, outputs × n, whose rows are the p of those outputs that are reactions.
SparseMatrix forces_to_reactions(const LinearSystem& system, const SparseMatrix& determined) {
  std::vector<Eigen::Triplet<double, Index>> entries;
  if (determined.nonZeros() > 0) {
    const LeastNorm solver(system.J, system.rows);
    const SparseMatrix H = determined.transpose();
    for (Index output = 0; output < H.outerSize(); ++output) {
      const Eigen::VectorXd h = H.col(output);
      if (h.isZero(0)) continue;
      const Eigen::VectorXd p = solver.solve(h);
      for (Index i = 0; i < p.size(); ++i) {
        if (p[i] != 0) entries.emplace_back(output, i, p[i]);
      }
    }
  }
  SparseMatrix P(determined.rows(), system.coordinates());
  P.setFromTriplets(entries.begin(), entries.end());
  return P;
}

}  // namespace

SparseMatrix determined_reactions(const LinearSystem& system, bool minimum_norm, std::vector<std::string>& notes) {
  const std::vector<Index> rows = undetermined_rows(system);
  if (rows.empty()) return system.Hl;
  if (!minimum_norm) refuse(system, rows.front());
  std::vector<std::string> names;
  for (const Index row : rows) names.push_back("'" + system.output_name(row) + "'");
  notes.push_back(
      fmt::format("redundant constraints leave undetermined the reaction{} {}; the multipliers of least norm are "
                  "shown, one of many possibilities",
                  names.size() == 1 ? "" : "s", name_list(names)));
  return projected(system, rows);
}

MotionOutputs motion_outputs(const LinearSystem& system, const SparseMatrix& determined) {
  if (determined.nonZeros() == 0) return {system.Hq, system.Hv, system.Ha, system.Hu};
  const SparseMatrix P = forces_to_reactions(system, determined);
  return {SparseMatrix(system.Hq - SparseMatrix(P * system.K)), SparseMatrix(system.Hv - SparseMatrix(P * system.C)),
          SparseMatrix(system.Ha - SparseMatrix(P * system.M)), SparseMatrix(system.Hu + SparseMatrix(P * system.F))};
}

}  // namespace stillpoint
