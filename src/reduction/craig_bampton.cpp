// The Craig-Bampton basis [Craig & Bampton 1968]: constraint modes, which are static motions with one boundary
// coordinate moved, and the lowest fixed-interface modes, with all boundary coordinates held.
#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <map>

#include "algebra/lu/refined_solution.h"
#include "base/at.h"
#include "base/name_list.h"
#include "forms/prescribed_motion.h"
#include "reduction/reduced_bases.h"
#include "response/bordered_system.h"
#include "stillpoint/error.h"
#include "stillpoint/modes.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXcd, Eigen::MatrixXd, Eigen::VectorXd;

/// Returns the independent rows of J, and below them the unit vectors of the coordinates.
SparseMatrix with_held(const LinearSystem& system, const std::vector<Index>& coordinates) {
  const SparseMatrix J = independent_rows(system);
  const auto r = static_cast<Index>(J.rows());
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (Index j = 0; j < J.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(J, j); entry; ++entry) {
      entries.emplace_back(static_cast<Index>(entry.row()), j, entry.value());
    }
  }
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    entries.emplace_back(r + static_cast<Index>(k), coordinates[k], 1.0);
  }
  SparseMatrix held(r + static_cast<Index>(coordinates.size()), system.coordinates());
  held.setFromTriplets(entries.begin(), entries.end());
  return held;
}

std::vector<Index> coordinates_called(const LinearSystem& system, const std::vector<std::string>& names) {
  std::map<std::string, Index> known;
  for (Index i = 0; i < system.coordinates(); ++i) known.emplace(system.coordinate_name(i), i);
  std::vector<Index> found;
  for (const std::string& name : names) {
    const auto coordinate = known.find(name);
    if (coordinate == known.end()) {
      std::vector<std::string> words;
      for (const auto& [word, place] : known) words.push_back(word);
      throw Error(fmt::format("option 'boundary': there is no coordinate '{}'{}", name, did_you_mean(name, words)));
    }
    if (std::count(names.begin(), names.end(), name) > 1)
      throw Error(fmt::format("option 'boundary': '{}' is named twice", name));
    found.push_back(coordinate->second);
  }
  return found;
}

/// Returns the coordinates on which inputs act or on which outputs depend.
std::vector<Index> channel_coordinates(const LinearSystem& system) {
  std::vector<char> is_used(at(system.coordinates()), 0);
  for (Index j = 0; j < system.F.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(system.F, j); entry; ++entry) is_used[at(entry.row())] = 1;
  }
  for (const SparseMatrix* H : {&system.Hq, &system.Hv, &system.Ha}) {
    for (Index j = 0; j < H->outerSize(); ++j) {
      if (H->col(j).nonZeros() > 0) is_used[at(j)] = 1;
    }
  }
  std::vector<Index> used;
  for (Index i = 0; i < system.coordinates(); ++i) {
    if (is_used[at(i)]) used.push_back(i);
  }
  return used;
}

/// Returns how the constraints make held coordinates depend on each other: the rows of the null vectors for them.
MatrixXd dependence_of(const LinearSystem& system, const std::vector<Index>& coordinates) {
  const RowDependence rows = find_dependent_rows(with_held(system, coordinates));
  return MatrixXd(rows.null_vectors).bottomRows(static_cast<Eigen::Index>(coordinates.size()));
}

/// Returns a largest set of coordinates that do not depend on each other.
std::vector<Index> independent_ones(const std::vector<Index>& coordinates, const MatrixXd& dependence) {
  if (dependence.cols() == 0) return coordinates;
  const Eigen::ColPivHouseholderQR<MatrixXd> pivots(dependence.transpose());
  std::vector<char> is_free(coordinates.size(), 1);
  for (Eigen::Index k = 0; k < dependence.cols(); ++k) is_free[at(pivots.colsPermutation().indices()[k])] = 0;
  std::vector<Index> free;
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    if (is_free[k]) free.push_back(coordinates[k]);
  }
  return free;
}

std::vector<Index> boundary_of(const LinearSystem& system, const std::vector<std::string>& names) {
  const bool is_given = !names.empty();
  const std::vector<Index> wanted = is_given ? coordinates_called(system, names) : channel_coordinates(system);
  const MatrixXd dependence = dependence_of(system, wanted);
  if (is_given && dependence.cols() > 0) {
    std::vector<std::string> tied;
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      if (!dependence.row(static_cast<Eigen::Index>(k)).isZero(0)) tied.push_back("'" + names[k] + "'");
    }
    throw Error(fmt::format("option 'boundary': {} cannot be chosen freely, because the constraints {}",
                            name_list(tied),
                            tied.size() == 1 ? "fix it" : "fix them or make them depend on each other"));
  }
  return independent_ones(wanted, dependence);
}

/// Returns the undamped system with the boundary coordinates held by additional constraints.
LinearSystem held_system(const LinearSystem& system, const std::vector<Index>& boundary) {
  LinearSystem held = system;
  const Index r = system.rank(), b = static_cast<Index>(boundary.size());
  held.J = with_held(system, boundary);
  held.perturbed.clear();
  held.C = SparseMatrix(system.C.rows(), system.C.cols());
  held.rows = RowDependence();
  for (Index i = 0; i < r + b; ++i) held.rows.independent.push_back(i);
  held.rows.rank.value = r + b;
  held.rows.null_vectors.resize(r + b, 0);
  held.singular = false;
  held.constraint_name = [](Index i) { return fmt::format("row[{}]", i + 1); };
  return held;
}

/// Returns the static solutions of [K, Jᵀ; J, 0] for given positions of the held rows.
MatrixXd static_motions(const LinearSystem& held, const MatrixXd& positions) {
  if (positions.cols() == 0) return MatrixXd(held.coordinates(), 0);
  const BorderedProblem problem(held);
  const QuadraticPencil pencil(problem);
  BorderedSystem bordered(problem, pencil);
  const ComplexSparseMatrix& matrix = bordered.at(0);
  ComplexLu lu = pencil.complex_lu();
  if (!lu.factor(matrix)) {
    throw Error(
        "with the boundary held, a motion without stiffness remains: add coordinates to option 'boundary', or choose "
        "another reduction");
  }
  const MatrixXcd none = MatrixXcd::Zero(held.coordinates(), positions.cols());
  return bordered.coordinates(solve_refined(lu, matrix, bordered.right_side(none, positions.cast<Complex>())).x).real();
}

MatrixXd held_modes(const LinearSystem& held, Index count) {
  if (count == 0 || held.dof() == 0) return MatrixXd(held.coordinates(), 0);
  const Spectrum spectrum =
      solve_conservative(held, {.which = count >= held.dof() ? Which(All{}) : Which(Lowest{count})});
  std::vector<VectorXd> shapes;
  for (const Mode& mode : spectrum.modes) {
    if (mode.s.imag() > 0 && static_cast<Index>(shapes.size()) < count) shapes.push_back(mode.shape.real());
  }
  MatrixXd modes(held.coordinates(), static_cast<Eigen::Index>(shapes.size()));
  for (std::size_t k = 0; k < shapes.size(); ++k) modes.col(static_cast<Eigen::Index>(k)) = shapes[k];
  return modes;
}

}  // namespace

MinimalForm craig_bampton_basis(const LinearSystem& system, const std::vector<std::string>& boundary, Index count) {
  require_consistent_motion(system);
  const std::vector<Index> coordinates = boundary_of(system, boundary);
  const Index b = static_cast<Index>(coordinates.size()), r = system.rank();
  if (b > count) {
    throw Error(
        fmt::format("the boundary has {} coordinates, which alone make {} states; allowed are {}: name fewer in option "
                    "'boundary', or allow more states by option 'order'",
                    b, 2 * b, 2 * count));
  }
  const LinearSystem held = held_system(system, coordinates);
  MatrixXd unit = MatrixXd::Zero(r + b, b), given = MatrixXd::Zero(r + b, system.inputs());
  unit.bottomRows(b).setIdentity();
  for (Index i = 0; i < r; ++i) given.row(i) = system.G.toDense().row(system.rows.independent[at(i)]);
  const MatrixXd modes = held_modes(held, count - b);
  MatrixXd V(system.coordinates(), b + modes.cols());
  V << static_motions(held, unit), modes;
  std::vector<std::string> names;
  for (const Index i : coordinates) names.push_back(system.coordinate_name(i));
  for (Index i = 0; i < modes.cols(); ++i) names.push_back(fmt::format("held[{}]", i + 1));
  const bool has_prescribed_motion = system.G.nonZeros() > 0;
  const MatrixXd S =
      has_prescribed_motion ? static_motions(held, given) : MatrixXd::Zero(system.coordinates(), system.inputs());
  return form_in_basis(system, V, S, std::move(names));
}

}  // namespace stillpoint
