#include "engines/engine_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <numeric>

#include "algebra/sparse/bordered_pattern.h"
#include "algebra/sparse/symmetry.h"
#include "base/at.h"
#include "base/sha256.h"
#include "base/whole_file.h"
#include "base/whole_folder.h"
#include "modes/tolerances.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Json = nlohmann::ordered_json;
using RowMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor, Index>;

constexpr double tolerance_of_vectors = 1e-12;  // residual relative to the norm of the matrices

// Each multiplier follows the last coordinate of its constraint, so that rows that belong together are on one rank.
std::vector<Index> rows_beside_coordinates(const SparseMatrix& J) {
  const auto n = static_cast<Index>(J.cols()), r = static_cast<Index>(J.rows());
  std::vector<Index> last(at(r), 0), unknowns(at(n + r)), rows(at(n + r));
  for (Index j = 0; j < n; ++j) {
    for (SparseMatrix::InnerIterator entry(J, j); entry; ++entry) last[at(entry.row())] = j;
  }
  std::iota(unknowns.begin(), unknowns.end(), 0);
  const auto place = [&](Index unknown) {
    return unknown < n ? 2 * std::int64_t{unknown} : 2 * std::int64_t{last[at(unknown - n)]} + 1;
  };
  std::stable_sort(unknowns.begin(), unknowns.end(), [&](Index a, Index b) { return place(a) < place(b); });
  for (Index row = 0; row < n + r; ++row) rows[at(unknowns[at(row)])] = row;
  return rows;
}

RowMatrix reordered(const SparseMatrix& A, const std::vector<Index>& rows) {
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, Index> to(static_cast<Index>(rows.size()));
  std::copy(rows.begin(), rows.end(), to.indices().begin());
  SparseMatrix ordered;
  ordered = A.twistedBy(to);
  return RowMatrix(ordered);
}

SparseMatrix with_empty_border(const SparseMatrix& A, Index size) {
  SparseMatrix larger = A;
  larger.conservativeResize(size, size);
  return larger;
}

// All of A0, A1 and A2 lies in the pattern of A0, and so does the whole diagonal.
SparseMatrix stiffness_matrix(const BorderedProblem& problem, const SparseMatrix& K) {
  const SparseMatrix J = problem.J().copy();
  const auto n = static_cast<Index>(J.cols());
  SparseMatrix A = bordered_pattern({&problem.M().unscaled(), &problem.C().unscaled(), &problem.K().unscaled()}, {&J});
  add_part(A, K, 1);
  add_part(A, J, 1, {.row = n});
  add_transposed_part(A, J, 1, {.column = n});
  return A;
}

const char* word_of(EngineRequest::Kind kind) {
  return kind == EngineRequest::Kind::lowest ? "lowest" : kind == EngineRequest::Kind::band ? "band" : "near";
}

const char* word_of(PetscScalarType scalar) { return scalar == PetscScalarType::real ? "real" : "complex"; }

Json to_json(const EngineRequest& request) {
  Json asked = {{"kind", word_of(request.kind)}};
  if (request.kind == EngineRequest::Kind::band) {
    asked["from"] = request.from;
    asked["to"] = request.to;
  } else {
    asked["count"] = request.count;
    asked["at"] = {request.at.real(), request.at.imag()};
  }
  return {{"schema", "stillpoint.engine.request/1"},
          {"problem", request.is_quadratic ? "quadratic" : "symmetric"},
          {"scalar", word_of(request.scalar)},
          {"symmetric_matrices", request.has_symmetric_matrices},
          {"unknowns", request.unknowns()},
          {"coordinates", request.coordinates},
          {"constraints", request.constraints},
          {"frequency_scale", request.frequency_scale},
          {"asked", asked},
          {"inertia", request.counts},
          {"zero", zero_of_engines()},
          {"tolerance", tolerance_of_vectors}};
}

// A mode of a quadratic problem may be one real value of two.
void take_request(const ModesOptions& options, double gamma, Index dof, EngineRequest& request) {
  using Kind = EngineRequest::Kind;
  if (const auto* band = options.if_asks_for<Band>()) {
    request.kind = Kind::band;
    request.from = 2 * std::numbers::pi * band->from / gamma;
    request.to = 2 * std::numbers::pi * band->to / gamma;
    return;
  }
  const std::optional<Index> count = requested_count(options.which);
  if (!count)
    throw Error("an engine finds the lowest modes, those in a band, or those near a point: not all, nor the unstable");
  request.count = std::min(*count, request.is_quadratic ? 2 * dof : dof);
  if (const auto* nearest = options.if_asks_for<Nearest>()) {
    request.kind = Kind::near;
    request.at = std::complex<double>(nearest->point.real(), std::abs(nearest->point.imag())) / gamma;
  }
}

bool is_undamped_request(const LinearSystem& system, const ModesOptions& options) {
  const auto* const nearest = options.if_asks_for<Nearest>();
  return is_conservative(system) && !(nearest && nearest->point.imag() == 0);
}

const LinearSystem& regular(const LinearSystem& system) {
  if (system.singular)
    throw Error("the configuration is singular: each branch of motion has modes of its own, and no engine knows them");
  if (system.dof() == 0) throw Error("nothing can move: there are no modes to ask an engine for");
  return system;
}

bool is_file_of_engines(const std::string& name) {
  constexpr std::array names{"request.json", "A0.petsc",    "A1.petsc",     "A2.petsc",
                             "order.petsc",  "answer.json", "vectors.petsc"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

double zero_of_engines() { return tolerance::zero_mu; }

EngineProblem::EngineProblem(const LinearSystem& system, const ModesOptions& options)
    : bordered_(regular(system)), rows_(rows_beside_coordinates(bordered_.J().unscaled())) {
  request_.coordinates = static_cast<Index>(bordered_.J().cols());
  request_.constraints = static_cast<Index>(bordered_.J().rows());
  request_.frequency_scale = bordered_.frequency_scale();
  request_.is_quadratic = !is_undamped_request(system, options);
  request_.has_symmetric_matrices = bordered_.is_symmetric();
  request_.counts = options.certify;
  take_request(options, request_.frequency_scale, system.dof(), request_);
  const bool is_off_axis = request_.is_quadratic && request_.at.imag() != 0;
  request_.scalar = is_off_axis ? PetscScalarType::complex : PetscScalarType::real;

  const bool symmetrises = request_.has_symmetric_matrices;
  const auto stated = [&](const SparseMatrix& A) { return symmetrises ? symmetric_part(A) : A; };
  const Index size = request_.unknowns();
  files_.emplace_back("A0.petsc", matrix_bytes(stiffness_matrix(bordered_, stated(bordered_.K().copy()))));
  if (request_.is_quadratic)
    files_.emplace_back("A1.petsc", matrix_bytes(with_empty_border(stated(bordered_.C().copy()), size)));
  files_.emplace_back("A2.petsc", matrix_bytes(with_empty_border(stated(bordered_.M().copy()), size)));
  files_.emplace_back("order.petsc", petsc_index_set(rows_));

  Json json = to_json(request_);
  std::string all = json.dump();
  for (const auto& [name, bytes] : files_) all += name + sha256(bytes);
  json["identity"] = request_.identity = sha256(all);
  files_.emplace_back("request.json", json.dump(2) + "\n");
}

std::string EngineProblem::matrix_bytes(const SparseMatrix& A) const {
  return petsc_matrix(reordered(A, rows_), request_.scalar);
}

void EngineProblem::write(const std::string& folder) const {
  WholeFolder whole(folder, is_file_of_engines);
  for (const auto& [name, bytes] : files_) {
    const std::string& content = bytes;
    whole.write(name, [&](const std::string& path) { write_whole_file(path, content); });
  }
  whole.finish();
}

}  // namespace stillpoint
