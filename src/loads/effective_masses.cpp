// Effective modal masses from the undamped modes, and the part of the mass that the constraints let move from one
// factorization, theory (16.1) to (16.3).
#include "stillpoint/effective_masses.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algebra/lu/sparse_lu.h"
#include "base/at.h"
#include "base/name_list.h"
#include "base/power_of_two.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Modes whose frequencies differ by less than this, relative to the larger, are made orthogonal to each other: solvers
// give any basis of them. Others are orthogonal already, by the symmetry of M and K.
constexpr double same_frequency = 1e-6;

// What is left of a mode that depends on the ones before it, relative to the mode itself, is rounding: a motion that is
// listed twice, as those with s = 0 are.
constexpr double dependent = 1e-6;

// The sum over all modes must agree with (16.3) so well, relative to the total: it is the error of an eigenvector that
// is accurate to half of its digits.
constexpr double same_sum = 1e-7;

// Directions without mass have this one in the scaled matrix of (16.3). Its effect is removed by iteration.
constexpr double small_mass = 1e-9;
constexpr int most_iterations = 50;
constexpr double converged = 1e-13;  // change of `moving`, relative to the total

/// M and J in scales in which the mass of each coordinate, and each row of J, is near one.
class ScaledMass {
 public:
  explicit ScaledMass(const LinearSystem& system) : J_(independent_rows(system)) {
    const VectorXd mass = system.M.diagonal();
    S_ = VectorXd::Ones(mass.size());
    for (Eigen::Index i = 0; i < mass.size(); ++i) {
      if (mass[i] > 0) S_[i] = nearest_power_of_two(1 / std::sqrt(mass[i]));
    }
    M_ = S_.asDiagonal() * system.M * S_.asDiagonal();
    J_ = J_ * S_.asDiagonal();
    VectorXd rows = VectorXd::Zero(J_.rows());
    for (Index j = 0; j < J_.outerSize(); ++j) {
      for (SparseMatrix::InnerIterator entry(J_, j); entry; ++entry)
        rows[entry.row()] = std::max(rows[entry.row()], std::abs(entry.value()));
    }
    J_ = rows.unaryExpr([](double size) { return size > 0 ? nearest_power_of_two(1 / size) : 1; }).asDiagonal() * J_;
  }

  const SparseMatrix& M() const { return M_; }
  const VectorXd& scale() const { return S_; }

  /// [M + δ, Jᵀ; J, 0]
  SparseMatrix bordered(double delta) const {
    const Index n = static_cast<Index>(M_.rows()), m = static_cast<Index>(J_.rows());
    std::vector<Eigen::Triplet<double, Index>> entries;
    for (Index j = 0; j < n; ++j) {
      entries.emplace_back(j, j, delta);
      for (SparseMatrix::InnerIterator entry(M_, j); entry; ++entry)
        entries.emplace_back(entry.row(), j, entry.value());
      for (SparseMatrix::InnerIterator entry(J_, j); entry; ++entry) {
        entries.emplace_back(n + entry.row(), j, entry.value());
        entries.emplace_back(j, n + entry.row(), entry.value());
      }
    }
    SparseMatrix A(n + m, n + m);
    A.setFromTriplets(entries.begin(), entries.end());
    return A;
  }

 private:
  SparseMatrix M_, J_;
  VectorXd S_;
};

/// Solves (16.3) by the proximal point method [Rockafellar 1976], x ← x + (M + δ)⁻¹ (p − M x) on the motions that J
/// allows: it converges also where M is singular there, since p lies in the range of M.
VectorXd moving_mass(const LinearSystem& system, const BaseMotions& base, std::vector<std::string>& warnings) {
  const ScaledMass scaled(system);
  const SparseMatrix A = scaled.bordered(small_mass);
  SparseLu lu(A);
  if (!lu.factor(A)) throw Error("effective masses: the constraints do not determine which mass can move");
  const Eigen::Index n = base.momenta.rows();
  const VectorXd& total = base.total;
  VectorXd moving(total.size());
  for (Eigen::Index d = 0; d < total.size(); ++d) {
    const VectorXd momentum = scaled.scale().cwiseProduct(base.momenta.col(d));
    VectorXd x = VectorXd::Zero(n), right = VectorXd::Zero(A.rows());
    double change = 1;
    moving[d] = 0;
    for (int k = 0; k < most_iterations && change > converged * total[d]; ++k) {
      right.head(n) = momentum - scaled.M() * x;
      x += lu.solve(right).head(n);
      change = std::abs(x.dot(momentum) - moving[d]);
      moving[d] = x.dot(momentum);
    }
    if (change > same_sum * total[d])
      warnings.push_back(fmt::format("the mass that can move is known to a part of {:.1e} only", change / total[d]));
  }
  return moving;
}

void require_sizes(const LinearSystem& system, const BaseMotions& base) {
  const auto directions = static_cast<Eigen::Index>(base.names.size());
  if (base.momenta.rows() == system.coordinates() && base.momenta.cols() == directions &&
      base.total.size() == directions && base.units.size() == base.names.size())
    return;
  throw Error(
      fmt::format("effective masses: {} names, {} units and {} totals for momenta of {} rows and {} columns; '{}' has "
                  "{} coordinates",
                  base.names.size(), base.units.size(), base.total.size(), base.momenta.rows(), base.momenta.cols(),
                  system.name, system.coordinates()));
}

void require_modes(const LinearSystem& system, const SystemStructure& structure, const ModesOptions& which) {
  if (system.singular)
    throw Error(
        "effective masses: the configuration is singular, motions branch here, and there is no one set of modes");
  if (!structure.symmetric_stiffness)
    throw Error(
        "effective masses: the stiffness is not symmetric (follower forces, or closed loops of controllers), so that "
        "modes are not orthogonal and the mass is not a sum over modes");
  if (which.asks_for<Unstable>())
    throw Error("effective masses: ask for modes by number or by band, not for unstable ones");
}

void warn_of_what_is_left_out(const SystemStructure& structure, EffectiveMasses& result) {
  if (structure.undamped) return;
  result.warnings.emplace_back(
      structure.symmetric_damping
          ? "effective masses are those of the undamped modes: damping is left out"
          : "effective masses are those of the undamped modes: damping and gyroscopic terms are left out");
}

/// Scalar coordinates may have a mass or a moment of inertia, but the model does not say where it is.
void warn_of_mass_without_place(const LinearSystem& system, const MatrixXd& momenta, EffectiveMasses& result) {
  const VectorXd mass = system.M.diagonal();
  std::vector<std::string> names;
  for (Index i = 0; i < system.coordinates(); ++i) {
    if (mass[i] > 0 && momenta.row(i).isZero(0)) names.push_back(system.coordinate_name(i));
  }
  if (names.empty()) return;
  result.warnings.push_back(
      fmt::format("no motion of the base needs a force on the inertia of {}: it has no place or no direction in the "
                  "model, and counts neither in the total nor in a mode",
                  name_list(names)));
}

LinearSystem without_damping(const LinearSystem& system) {
  LinearSystem undamped = system;
  undamped.C = SparseMatrix(system.M.rows(), system.M.cols());
  for (LinearSystem::Difference& one : undamped.perturbed) one.C = undamped.C;
  return undamped;
}

/// One of each pair of eigenvalues ±s: the one in the upper half plane, or the positive one.
bool is_taken(const Mode& mode) {
  if (mode.kind == ModeClass::spurious || mode.is_infinite()) return false;
  return mode.s.imag() > 0 || (mode.s.imag() == 0 && mode.s.real() >= 0);
}

/// Real shapes with their eigenvalues, orthogonal to each other in M where their frequencies are equal.
struct OrthogonalModes {
  std::vector<std::complex<double>> s;
  std::vector<VectorXd> shapes;
};

void append_orthogonal(const SparseMatrix& M, const Mode& mode, OrthogonalModes& modes) {
  VectorXd v = mode.shape.real();
  const double before = std::sqrt(v.dot(M * v));
  if (!(before > 0)) return;
  for (int twice = 0; twice < 2; ++twice) {
    for (std::size_t k = modes.s.size(); k-- > 0;) {
      const double larger = std::max(std::abs(modes.s[k]), std::abs(mode.s));
      if (std::abs(modes.s[k] - mode.s) > same_frequency * larger) break;
      const VectorXd momentum = M * modes.shapes[k];
      v -= v.dot(momentum) / modes.shapes[k].dot(momentum) * modes.shapes[k];
    }
  }
  if (std::sqrt(v.dot(M * v)) <= dependent * before) return;
  Eigen::Index largest = 0;
  v.cwiseAbs().maxCoeff(&largest);
  modes.s.push_back(mode.s);
  modes.shapes.push_back(v / v[largest]);
}

OrthogonalModes orthogonal_modes(const LinearSystem& system, const Spectrum& spectrum) {
  OrthogonalModes modes;
  for (const Mode& mode : spectrum.modes) {
    if (is_taken(mode)) append_orthogonal(system.M, mode, modes);
  }
  return modes;
}

void add_modes(const LinearSystem& system, const MatrixXd& momenta, const OrthogonalModes& modes,
               EffectiveMasses& result) {
  result.sum = VectorXd::Zero(momenta.cols());
  for (std::size_t k = 0; k < modes.s.size(); ++k) {
    const VectorXd& v = modes.shapes[k];
    const double m = v.dot(system.M * v);
    const VectorXd L = momenta.transpose() * v;
    result.modes.push_back({modes.s[k], m, L / m, L.cwiseAbs2() / m});
    result.sum += result.modes.back().mass;
  }
}

void compare_sum(EffectiveMasses& result) {
  for (Eigen::Index d = 0; d < result.sum.size(); ++d) {
    const double difference = result.sum[d] - result.moving[d], bound = same_sum * result.total()[d];
    if (!result.all_modes ? difference <= bound : std::abs(difference) <= bound) continue;
    result.certified = false;
    result.warnings.push_back(fmt::format(
        "the effective masses in the direction {} add up to {:.9g} {}, but {:.9g} {} can move",
        result.base.names[at(d)], result.sum[d], result.base.units[at(d)], result.moving[d], result.base.units[at(d)]));
  }
}

}  // namespace

EffectiveMasses effective_masses(const LinearSystem& system, const BaseMotions& base, const ModesOptions& which) {
  require_sizes(system, base);
  const SystemStructure structure = structure_of(system);
  require_modes(system, structure, which);
  EffectiveMasses result;
  result.base = base;
  warn_of_what_is_left_out(structure, result);
  warn_of_mass_without_place(system, base.momenta, result);
  result.moving = moving_mass(system, base, result.warnings);

  ModesOptions how = which;
  how.least_damped = 0;
  how.spurious = false;
  const LinearSystem undamped = without_damping(system);
  const FoundModes found = find_modes(undamped, Method::mcs, {.modes = how});
  if (!found.computed) throw Error("effective masses: " + found.why_not);
  result.all_modes = how.asks_for<All>() && found.spectrum.region.empty() && found.spectrum.kept.empty();
  result.certified = found.spectrum.certified;
  for (const Uncertified reason : found.spectrum.reasons)
    result.warnings.push_back(fmt::format("the undamped modes are not certified: {}", to_words(reason)));
  add_modes(undamped, base.momenta, orthogonal_modes(undamped, found.spectrum), result);
  compare_sum(result);
  return result;
}

EffectiveMasses effective_masses(const Model& model, const State& state, const LinearSystem& system,
                                 const Vec3<double>& about, const ModesOptions& which) {
  if (system.coordinates() != model.coordinates())
    throw Error(
        fmt::format("effective masses: the system has {} coordinates and the model {}; states of controllers are no "
                    "coordinates of the mechanism, so leave their loops open",
                    system.coordinates(), model.coordinates()));
  EffectiveMasses result = effective_masses(system, base_motions(model, state, about), which);
  const Vec3<double>& spin = model.angular_velocity();
  if (spin.x != 0 || spin.y != 0 || spin.z != 0)
    result.warnings.emplace_back(
        "the ground rotates: effective masses are those for a base that moves relative to the rotating frame");
  return result;
}

}  // namespace stillpoint
