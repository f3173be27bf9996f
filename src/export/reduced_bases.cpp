#include "export/reduced_bases.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "algebra/refined_solution.h"
#include "base/at.h"
#include "base/name_list.h"
#include "export/bordered_system.h"
#include "forms/congruence.h"
#include "forms/prescribed_motion.h"
#include "stillpoint/error.h"
#include "stillpoint/frequency_response.h"
#include "stillpoint/modes.h"
#include "stillpoint/pseudoinverse.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXcd, Eigen::MatrixXd, Eigen::VectorXd;

/// The equations of motion in the basis.
MinimalForm form_of(const LinearSystem& system, const MatrixXd& V, const MatrixXd& S, std::vector<std::string> names) {
  MinimalForm form;
  form.R = V.sparseView();
  form.S = S.sparseView();
  form.M = congruence(form.R, system.M);
  form.C = congruence(form.R, system.C);
  form.K = congruence(form.R, system.K);
  const SparseMatrix Rt = form.R.transpose();
  form.F = Rt * SparseMatrix(system.F - SparseMatrix(system.K * form.S));
  form.Fv = -(Rt * SparseMatrix(system.C * form.S));
  form.Fa = -(Rt * SparseMatrix(system.M * form.S));
  form.names = std::move(names);
  return form;
}

/// Rows of J that do not depend on others, and below them the unit vectors of some coordinates.
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

// ----- Craig and Bampton

std::vector<Index> coordinates_called(const LinearSystem& system, const std::vector<std::string>& names) {
  std::map<std::string, Index> known;
  for (Index i = 0; i < system.coordinates(); ++i) known.emplace(system.coordinate_name(i), i);
  std::vector<Index> found;
  for (const std::string& name : names) {
    const auto coordinate = known.find(name);
    if (coordinate == known.end()) {
      std::vector<std::string> words;
      for (const auto& [word, place] : known) words.push_back(word);
      throw Error(fmt::format("boundary: there is no coordinate '{}'{}", name, did_you_mean(name, words)));
    }
    found.push_back(coordinate->second);
  }
  return found;
}

/// Coordinates that inputs act on or outputs look at.
std::vector<Index> seen_coordinates(const LinearSystem& system) {
  std::vector<char> is_seen(at(system.coordinates()), 0);
  for (Index j = 0; j < system.F.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(system.F, j); entry; ++entry) is_seen[at(entry.row())] = 1;
  }
  for (const SparseMatrix* H : {&system.Hq, &system.Hv, &system.Ha}) {
    for (Index j = 0; j < H->outerSize(); ++j) {
      if (H->col(j).nonZeros() > 0) is_seen[at(j)] = 1;
    }
  }
  std::vector<Index> seen;
  for (Index i = 0; i < system.coordinates(); ++i) {
    if (is_seen[at(i)]) seen.push_back(i);
  }
  return seen;
}

/// How held coordinates depend on each other by the constraints: their part of each null vector, a row for each.
MatrixXd dependence_of(const LinearSystem& system, const std::vector<Index>& coordinates) {
  const RowDependence rows = find_dependent_rows(with_held(system, coordinates));
  return MatrixXd(rows.null_vectors).bottomRows(static_cast<Eigen::Index>(coordinates.size()));
}

/// Without as many as depend on the others.
std::vector<Index> free_ones(const std::vector<Index>& coordinates, const MatrixXd& dependence) {
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
  const std::vector<Index> wanted = is_given ? coordinates_called(system, names) : seen_coordinates(system);
  const MatrixXd dependence = dependence_of(system, wanted);
  if (is_given && dependence.cols() > 0) {
    std::vector<std::string> tied;
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      if (!dependence.row(static_cast<Eigen::Index>(k)).isZero(0)) tied.push_back("'" + names[k] + "'");
    }
    throw Error(fmt::format("boundary: {} cannot be chosen freely, because the constraints tie {}", name_list(tied),
                            tied.size() == 1 ? "it down" : "them together or down"));
  }
  return free_ones(wanted, dependence);
}

/// The system with the boundary held: prescribed by inputs of its own, undamped.
LinearSystem held_system(const LinearSystem& system, const std::vector<Index>& boundary) {
  LinearSystem held = system;
  const Index r = system.rank(), b = static_cast<Index>(boundary.size());
  held.J = with_held(system, boundary);
  held.C = SparseMatrix(system.C.rows(), system.C.cols());
  held.rows = RowDependence();
  for (Index i = 0; i < r + b; ++i) held.rows.independent.push_back(i);
  held.rows.rank.value = r + b;
  held.rows.null_vectors.resize(r + b, 0);
  held.singular = false;
  held.constraint_name = [](Index i) { return fmt::format("row[{}]", i + 1); };
  return held;
}

/// Solutions of [K, Jᵀ; J, 0] for given positions of the held rows.
MatrixXd static_motions(const LinearSystem& held, const MatrixXd& positions) {
  if (positions.cols() == 0) return MatrixXd(held.coordinates(), 0);
  const BorderedProblem problem(held);
  BorderedSystem bordered(problem);
  const ComplexSparseMatrix& matrix = bordered.at(0);
  ComplexLu lu(bordered.pattern());
  if (!lu.factor(matrix)) {
    throw Error(
        "with the boundary held something can still move without any stiffness: add coordinates to the boundary "
        "(--boundary), or reduce in another way");
  }
  const MatrixXcd none = MatrixXcd::Zero(held.coordinates(), positions.cols());
  return bordered.coordinates(solve_refined(lu, matrix, bordered.right_side(none, positions.cast<Complex>())).x).real();
}

MatrixXd held_modes(const LinearSystem& held, Index count) {
  if (count == 0 || held.freedom() == 0) return MatrixXd(held.coordinates(), 0);
  const Spectrum spectrum = solve_conservative(held, {.all = count >= held.freedom(), .count = count});
  std::vector<VectorXd> shapes;
  for (const Mode& mode : spectrum.modes) {
    if (mode.s.imag() > 0 && static_cast<Index>(shapes.size()) < count) shapes.push_back(mode.shape.real());
  }
  MatrixXd modes(held.coordinates(), static_cast<Eigen::Index>(shapes.size()));
  for (std::size_t k = 0; k < shapes.size(); ++k) modes.col(static_cast<Eigen::Index>(k)) = shapes[k];
  return modes;
}

// ----- Krylov

// What is left of a vector that the others nearly make up is mostly rounding.
constexpr double all_but = 1e-8;

/// Vectors made orthonormal one after the other, in coordinates without units.
class Orthonormal {
 public:
  Orthonormal(const VectorXd& scale, Index most) : scale_(scale), vectors_(scale.size(), most) {}

  bool is_full() const { return size_ == vectors_.cols(); }
  void add(const VectorXd& motion) {
    if (is_full()) return;
    VectorXd v = motion.cwiseQuotient(scale_);
    const double before = v.norm();
    for (int pass = 0; pass < 2; ++pass) v -= vectors_.leftCols(size_) * (vectors_.leftCols(size_).transpose() * v);
    if (v.norm() > all_but * before) vectors_.col(size_++) = v.normalized();
  }
  MatrixXd motions() const { return scale_.asDiagonal() * vectors_.leftCols(size_); }
  Index size() const { return size_; }

 private:
  VectorXd scale_;
  MatrixXd vectors_;
  Index size_ = 0;
};

/// The terms of the series at one frequency, one after the other.
class Series {
 public:
  Series(const LinearSystem& system, const BorderedProblem& problem, double omega, const MatrixXd& S)
      : system_(system),
        s_(0, omega),
        S_(S.cast<Complex>()),
        bordered_(problem),
        matrix_(bordered_.at(omega)),
        lu_(bordered_.pattern()) {
    if (!lu_.factor(matrix_))
      throw Error(fmt::format(
          "there is a pole at {:.6g} rad/s, where a response was asked for: choose another frequency", omega));
  }

  MatrixXcd next() {
    const MatrixXcd force = j_ == 0   ? MatrixXcd(system_.F.toDense().cast<Complex>() - applied(S_))
                            : j_ == 1 ? MatrixXcd(-slope(S_) - slope(last_))
                            : j_ == 2 ? MatrixXcd(-(system_.M * S_) - slope(last_) - system_.M * before_)
                                      : MatrixXcd(-slope(last_) - system_.M * before_);
    const MatrixXcd none = MatrixXcd::Zero(system_.rank(), force.cols());
    before_ = std::move(last_);
    last_ = bordered_.coordinates(solve_refined(lu_, matrix_, bordered_.right_side(force, none)).x);
    ++j_;
    return last_;
  }

 private:
  MatrixXcd applied(const MatrixXcd& x) const {
    return s_ * s_ * (system_.M * x) + s_ * (system_.C * x) + system_.K * x;
  }
  MatrixXcd slope(const MatrixXcd& x) const { return 2.0 * s_ * (system_.M * x) + system_.C * x; }

  const LinearSystem& system_;
  Complex s_;
  MatrixXcd S_, last_, before_;
  BorderedSystem bordered_;
  const ComplexSparseMatrix& matrix_;
  ComplexLu lu_;
  int j_ = 0;
};

/// Any S with J S = G.
MatrixXd prescribed(const LinearSystem& system) {
  MatrixXd S = MatrixXd::Zero(system.coordinates(), system.inputs());
  if (system.G.nonZeros() == 0) return S;
  const LeastNorm solver(system.J, system.rows);
  for (Index j = 0; j < system.inputs(); ++j) S.col(j) = solver.solve(system.G.col(j));
  return S;
}

VectorXd usual_frequencies(const LinearSystem& system) {
  constexpr Index few = 4;
  const ResponseRange range = range_of_modes(system);
  return log_spaced(range.from, range.to / 10, few);
}

}  // namespace

MinimalForm craig_bampton_basis(const LinearSystem& system, const std::vector<std::string>& boundary, Index count) {
  require_consistent_motion(system);
  const std::vector<Index> coordinates = boundary_of(system, boundary);
  const Index b = static_cast<Index>(coordinates.size()), r = system.rank();
  if (b > count) {
    throw Error(
        fmt::format("the boundary has {} coordinates, which alone make {} states; allowed are {}: name fewer "
                    "(--boundary), or allow more (--order)",
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
  const bool is_shaken = system.G.nonZeros() > 0;
  const MatrixXd S = is_shaken ? static_motions(held, given) : MatrixXd::Zero(system.coordinates(), system.inputs());
  return form_of(system, V, S, std::move(names));
}

MinimalForm krylov_basis(const LinearSystem& system, const VectorXd& frequencies, Index count) {
  require_consistent_motion(system);
  const BorderedProblem problem(system);
  const MatrixXd S = prescribed(system);
  const VectorXd omega = frequencies.size() > 0 ? frequencies : usual_frequencies(system);
  std::vector<std::unique_ptr<Series>> series;
  for (const double value : omega) series.push_back(std::make_unique<Series>(system, problem, value, S));
  Orthonormal basis(problem.coordinate_scale(), std::min(count, system.freedom()));
  for (Index before = -1; !basis.is_full() && basis.size() > before;) {
    before = basis.size();
    for (const auto& at_frequency : series) {
      const MatrixXcd x = at_frequency->next();
      for (Eigen::Index j = 0; j < x.cols(); ++j) {
        basis.add(x.col(j).real());
        if (!x.col(j).imag().isZero(0)) basis.add(x.col(j).imag());
      }
    }
  }
  std::vector<std::string> names;
  for (Index i = 0; i < basis.size(); ++i) names.push_back(fmt::format("krylov[{}]", i + 1));
  return form_of(system, basis.motions(), S, std::move(names));
}

}  // namespace stillpoint
