#include "equilibrium/configuration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/name_list.h"
#include "equilibrium/assembly_problem.h"
#include "equilibrium/cone.h"

namespace stillpoint {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using SparseVector = Eigen::SparseVector<double, 0, Index>;

// Branches are determined up to these numbers of directions and forms; the work grows with the cube of the former and
// the square of the latter.
constexpr Index most_directions = 200, most_forms = 400;

constexpr double first_step =
    1e-2;  // first step along a branch, in typical lengths and radians; the second is half of it
constexpr double moving_share = 1e-6;  // entries of a tangent above this share of the largest are said to move
constexpr double least_noise = 1e-9;
constexpr double of_null_vectors = 10, most_noise = 1e-3;
constexpr int probes = 3;

/// The second-order form of a left null vector, S ∂(Jᵀν)/∂q S, from a difference of two evaluations of K, which is
/// affine in the multipliers. The multipliers are scaled up until the stiffness of springs, and its rounding, is
/// negligible.
class SecondOrderForm {
 public:
  SecondOrderForm(Statics& statics, const State& state) : statics_(statics), state_(state) {
    state_.lambda = Vector::Zero(statics.m());
    without_ = in_scale();
    const double stiffest = without_.nonZeros() > 0 ? without_.coeffs().abs().maxCoeff() : 0;
    factor_ = std::exp2(std::ceil(std::log2(1 + stiffest)) + 20);
  }

  SparseMatrix operator()(const Vector& nu) {
    state_.lambda = factor_ * nu;
    SparseMatrix form = in_scale();
    form.coeffs() -= without_.coeffs();
    form.coeffs() /= factor_;
    return form;
  }

 private:
  Statics& statics_;
  State state_;
  SparseMatrix without_;
  double factor_ = 1;

  SparseMatrix in_scale() {
    const Vector& s = statics_.scales().s;
    return s.asDiagonal() * statics_.matrices(state_).K * s.asDiagonal();
  }
};

// The relative error of null vectors is rounding divided by the smallest singular value that counts.
double noise_of_null_vectors(const RankDecision& rank) {
  return rank.gap > 0 ? std::min(most_noise, of_null_vectors / rank.gap) : 0;
}

/// Scales left null vectors such that the largest entry of W⁻¹ ν is one.
SparseMatrix scaled(const SparseMatrix& null_vectors, const Vector& w) {
  SparseMatrix vectors = null_vectors;
  for (Index k = 0; k < vectors.cols(); ++k) {
    double largest = 0;
    for (SparseMatrix::InnerIterator entry(vectors, k); entry; ++entry) {
      largest = std::max(largest, std::abs(entry.value()) / w[entry.row()]);
    }
    for (SparseMatrix::InnerIterator entry(vectors, k); entry; ++entry) entry.valueRef() /= largest;
  }
  return vectors;
}

Vector some_vector(Index size, int which) {
  Vector x(size);
  for (Index i = 0; i < size; ++i) x[i] = std::sin(1.0 + which + 1.7 * i + 0.3 * which * i);
  return x;
}

/// Velocities that the constraints allow: orthonormal projections of some vectors. The metric must be factorised.
Matrix allowed_velocities(Statics& statics, Index count) {
  Matrix velocities(statics.n(), count);
  for (Index k = 0; k < count; ++k) {
    velocities.col(k) = statics.solve_for_coordinates(some_vector(statics.n(), k) * statics.energy());
  }
  return velocities.colPivHouseholderQr().householderQ() * Matrix::Identity(statics.n(), count);
}

class ConfigurationSearch {
 public:
  ConfigurationSearch(Statics& statics, const State& state, const RowDependence& dependence, double noise)
      : statics_(statics),
        state_(state),
        dependence_(dependence),
        noise_(std::max({least_noise, 1e3 * noise, 1e2 * std::fmax(0, dependence.rank.largest_dropped),
                         noise_of_null_vectors(dependence.rank)})),
        null_vectors_(scaled(dependence.null_vectors, statics.scales().w)) {}

  ConfigurationReport run() {
    const Index directions = statics_.n() - dependence_.rank.value;
    const auto forms = static_cast<Index>(null_vectors_.cols());
    if (forms == 0) return std::move(report_);
    if (directions == 0) {  // no first-order motion, so no second-order analysis
      all_are_redundant();
    } else if (!has_second_order()) {
      all_are_redundant();
      confirm_redundancy();
    } else if (directions > most_directions || forms > most_forms) {
      report_.kind = ConfigurationType::singular;
      report_.remark = fmt::format(
          "the configuration is singular; branches are determined for at most {} directions and {} dependent "
          "equations, and here there are {} and {}",
          most_directions, most_forms, directions, forms);
    } else {
      split(directions);
    }
    return std::move(report_);
  }

 private:
  // Tells whether some form is nonzero on the allowed velocities. A random sum of forms along a random velocity shows
  // it with probability one.
  bool has_second_order() {
    if (!factor_metric()) return true;
    SecondOrderForm second_order(statics_, state_);
    for (int probe = 0; probe < probes; ++probe) {
      const Vector weights = some_vector(static_cast<Index>(null_vectors_.cols()), probe);
      const SparseMatrix form = second_order(null_vectors_ * weights);
      Vector t = statics_.solve_for_coordinates(some_vector(statics_.n(), probe) * statics_.energy());
      t /= t.lpNorm<Eigen::Infinity>();
      const Vector push = statics_.solve_for_coordinates(form * t * statics_.energy());
      if (push.lpNorm<Eigen::Infinity>() > noise_) return true;
    }
    return false;
  }

  bool factor_metric() { return statics_.factor_metric(statics_.matrices(state_)); }

  void add_dependent_rows(const SparseVector& nu) {
    const Vector& w = statics_.scales().w;
    double largest = 0;
    for (SparseVector::InnerIterator entry(nu); entry; ++entry) {
      largest = std::max(largest, std::abs(entry.value()) / w[entry.index()]);
    }
    std::vector<Index> rows;
    for (SparseVector::InnerIterator entry(nu); entry; ++entry) {
      if (std::abs(entry.value()) / w[entry.index()] > std::max(1e-7, noise_) * largest) rows.push_back(entry.index());
    }
    report_.dependent_rows.push_back(std::move(rows));
  }

  void all_are_redundant() {
    report_.kind = ConfigurationType::redundant;
    report_.redundant = static_cast<Index>(null_vectors_.cols());
    for (Index k = 0; k < null_vectors_.cols(); ++k) add_dependent_rows(null_vectors_.col(k));
  }

  // The constraints are redundant only if the rank nearby is the same.
  void confirm_redundancy() {
    const std::optional<Nearby> nearby = move_along(some_allowed_velocity(), first_step);
    if (!nearby) {
      report_.kind = ConfigurationType::undecided;
      report_.remark = "the constraints depend on each other, but no motion was found along which to confirm it";
    } else if (nearby->rank.value > dependence_.rank.value) {
      report_.kind = ConfigurationType::singular;
      report_.free_multipliers = nearby->rank.value - dependence_.rank.value;
      report_.redundant -= report_.free_multipliers;
      report_.remark = "the configuration is singular to a higher order than the second; its branches are not known";
    }
  }

  Vector some_allowed_velocity() {
    if (!factor_metric()) return Vector::Zero(statics_.n());
    const Vector t = statics_.solve_for_coordinates(some_vector(statics_.n(), probes) * statics_.energy());
    return t / t.lpNorm<Eigen::Infinity>();
  }

  struct Nearby {
    double deviation;  ///< from the straight step
    RankDecision rank;
  };

  // All constraints are used along the motion; their residuals at the state may stay.
  std::optional<Nearby> move_along(const Vector& t, double step) {
    Statics whole(statics_.model(), state_, statics_.scales());
    whole.allow_residual(constraint_residual(statics_.model(), state_));
    const AssemblyResult assembled = assemble_constraints(whole, whole.displaced(state_, step * t));
    if (assembled.constraint_residual() > std::max(1e-9, noise_ * step)) return std::nullopt;
    const Vector moved = whole.difference(state_, assembled.state);
    const RankDecision rank = whole.dependence(whole.matrices(assembled.state), {.noise = noise_ * step}).rank;
    return Nearby{(moved - step * t).lpNorm<Eigen::Infinity>(), rank};
  }

  void split(Index directions) {
    if (!factor_metric()) {
      report_.kind = ConfigurationType::undecided;
      report_.remark = "the independent constraints cannot be distinguished within rounding";
      return;
    }
    const Matrix R = allowed_velocities(statics_, directions);
    const std::vector<Matrix> forms = second_order_forms(R);
    separate_redundant(forms);
    const Cone cone = split_cone(forms, directions, noise_);
    report_.kind = ConfigurationType::singular;
    if (!cone.complete)
      report_.remark = "the tangent cone does not split into linear subspaces; not all branches are known";
    for (const Matrix& piece : cone.pieces) add_branch(R * piece);
    if (cone.pieces.empty() && cone.complete) report_.kind = ConfigurationType::isolated;
    name_branches();
  }

  std::vector<Matrix> second_order_forms(const Matrix& R) {
    std::vector<Matrix> forms;
    SecondOrderForm second_order(statics_, state_);
    for (Index k = 0; k < null_vectors_.cols(); ++k) {
      const SparseMatrix form = second_order(null_vectors_.col(k));
      forms.push_back(R.transpose() * (form * R));
    }
    return forms;
  }

  // Linear combinations of forms that vanish belong to redundant constraints.
  void separate_redundant(const std::vector<Matrix>& forms) {
    const auto count = static_cast<Eigen::Index>(forms.size());
    Matrix stacked(forms.front().size(), count);
    for (Eigen::Index k = 0; k < count; ++k) stacked.col(k) = forms[static_cast<std::size_t>(k)].reshaped();
    const Eigen::JacobiSVD<Matrix> svd(stacked, Eigen::ComputeFullV);
    Index effective = 0;
    for (const double value : svd.singularValues()) effective += value > noise_;
    report_.free_multipliers = effective;
    report_.redundant = static_cast<Index>(count) - effective;
    for (Eigen::Index k = effective; k < count; ++k) {
      const Vector nu = null_vectors_ * svd.matrixV().col(k);
      add_dependent_rows(nu.sparseView());
    }
  }

  void add_branch(const Matrix& tangents) {
    Branch branch;
    branch.tangents = statics_.scales().s.asDiagonal() * tangents;
    branch.confirmed = true;
    for (int probe = 0; probe < (tangents.cols() == 1 ? 1 : probes) && branch.confirmed; ++probe) {
      Vector t = tangents * some_vector(static_cast<Index>(tangents.cols()), probe);
      t /= t.lpNorm<Eigen::Infinity>();
      confirm(t, branch);
    }
    report_.branches.push_back(std::move(branch));
  }

  // The deviation of a motion from its tangent is quadratic in the step.
  void confirm(const Vector& t, Branch& branch) {
    const std::optional<Nearby> far = move_along(t, first_step), near = move_along(t, first_step / 2);
    branch.confirmed = far && near && near->deviation <= 0.35 * far->deviation + 1e-4 * first_step * first_step;
    if (near) branch.rank = std::max(branch.rank, near->rank.value);
  }

  void name_branches() {
    std::vector<std::string> names;
    for (Branch& branch : report_.branches) {
      branch.name = describe_motion(branch.tangents.rowwise().norm());
      names.push_back(branch.name);
    }
    for (std::size_t k = 0; k < names.size(); ++k) {
      if (std::count(names.begin(), names.end(), names[k]) < 2) continue;
      const auto before = std::count(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(k), names[k]);
      report_.branches[k].name += fmt::format(" ({})", before + 1);
    }
  }

  // "B[1], phi move; B[0] stands still"
  std::string describe_motion(const Vector& speeds) const {
    const Model& model = statics_.model();
    std::vector<std::string> movers, still;
    const Vector relative = speeds.cwiseQuotient(statics_.scales().s);
    const double fastest = relative.maxCoeff();
    for (std::size_t b = 0; b < model.blocks().size(); ++b) {
      const Block& block = model.blocks()[b];
      const double speed = relative.segment(block.first, coordinates_of(block.kind)).maxCoeff();
      (speed > moving_share * fastest ? movers : still).push_back(model.block_name(static_cast<Index>(b)));
    }
    std::string text = fmt::format("{} {}", name_list(movers), movers.size() == 1 ? "moves" : "move");
    if (!still.empty()) {
      text += fmt::format("; {} {}", name_list(still), still.size() == 1 ? "stands still" : "stand still");
    }
    return text;
  }

  Statics& statics_;
  const State& state_;
  const RowDependence& dependence_;
  double noise_;
  SparseMatrix null_vectors_;
  ConfigurationReport report_;
};

}  // namespace

ConfigurationReport classify_configuration(Statics& statics, const State& state, const RowDependence& dependence,
                                           double noise) {
  return ConfigurationSearch(statics, state, dependence, noise).run();
}

}  // namespace stillpoint
