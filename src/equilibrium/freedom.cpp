#include "equilibrium/freedom.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/name_list.h"
#include "equilibrium/close.h"
#include "equilibrium/cone.h"

namespace stillpoint {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using SparseVector = Eigen::SparseVector<double, 0, Index>;

// Up to so many directions and forms branches are looked for; the work grows with the cube of the one and the square
// of the other.
constexpr Index most_directions = 200, most_forms = 400;

constexpr double first_step = 1e-2;  // along a branch, in typical lengths and radians; the second is half of it
constexpr double moves = 1e-6;       // a tangent's entry that is more than this share of the largest
constexpr double least_noise = 1e-9;
constexpr double of_null_vectors = 10, most_noise = 1e-3;
constexpr int probes = 3;

/// The second-order form of a left null vector, S ∂(Jᵀν)/∂q S: K is affine in the multipliers. They are taken so large
/// that beside their stiffness that of springs is nothing, and its rounding less.
class Bending {
 public:
  Bending(Statics& statics, const State& state) : statics_(statics), state_(state) {
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

// Null vectors are wrong by rounding over the least that counts in J.
double noise_of_null_vectors(const RankDecision& rank) {
  return rank.gap > 0 ? std::min(most_noise, of_null_vectors / rank.gap) : 0;
}

/// Left null vectors, so scaled that the largest entry of W⁻¹ ν is one.
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

/// Velocities that the constraints allow: projections of some vectors, orthonormal. The metric must be factorised.
Matrix allowed_velocities(Statics& statics, Index count) {
  Matrix velocities(statics.n(), count);
  for (Index k = 0; k < count; ++k) {
    velocities.col(k) = statics.solve_for_coordinates(some_vector(statics.n(), k) * statics.energy());
  }
  return velocities.colPivHouseholderQr().householderQ() * Matrix::Identity(statics.n(), count);
}

class Freedoms {
 public:
  Freedoms(Statics& statics, const State& state, const RowDependence& dependence, double noise)
      : statics_(statics),
        state_(state),
        dependence_(dependence),
        noise_(std::max({least_noise, 1e3 * noise, 1e2 * std::fmax(0, dependence.rank.largest_dropped),
                         noise_of_null_vectors(dependence.rank)})),
        null_vectors_(scaled(dependence.null_vectors, statics.scales().w)) {}

  FreedomReport run() {
    const Index directions = statics_.n() - dependence_.rank.value;
    const auto forms = static_cast<Index>(null_vectors_.cols());
    if (forms == 0) return std::move(report_);
    if (directions == 0) {  // nothing moves, to first order: no second order to look at
      all_are_redundant();
    } else if (!bends()) {
      all_are_redundant();
      confirm_redundancy();
    } else if (directions > most_directions || forms > most_forms) {
      report_.kind = Freedom::singular;
      report_.remark = fmt::format(
          "the configuration is singular; branches are not looked for with more than {} directions or {} dependent "
          "equations, and here are {} and {}",
          most_directions, most_forms, directions, forms);
    } else {
      split(directions);
    }
    return std::move(report_);
  }

 private:
  // Whether some form is not zero on the velocities allowed: seen by almost any sum of forms along almost any velocity.
  bool bends() {
    if (!factor_metric()) return true;
    Bending bending(statics_, state_);
    for (int probe = 0; probe < probes; ++probe) {
      const Vector weights = some_vector(static_cast<Index>(null_vectors_.cols()), probe);
      const SparseMatrix form = bending(null_vectors_ * weights);
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
    report_.kind = Freedom::redundant;
    report_.redundant = static_cast<Index>(null_vectors_.cols());
    for (Index k = 0; k < null_vectors_.cols(); ++k) add_dependent_rows(null_vectors_.col(k));
  }

  // The rank beside the state must be what it is here.
  void confirm_redundancy() {
    const std::optional<Beside> beside = move_along(some_allowed_velocity(), first_step);
    if (!beside) {
      report_.kind = Freedom::undecided;
      report_.remark = "the constraints depend on each other, but no motion was found along which to confirm it";
    } else if (beside->rank.value > dependence_.rank.value) {
      report_.kind = Freedom::singular;
      report_.free_multipliers = beside->rank.value - dependence_.rank.value;
      report_.redundant -= report_.free_multipliers;
      report_.remark = "the configuration is singular to a higher than the second order; its branches are not known";
    }
  }

  Vector some_allowed_velocity() {
    if (!factor_metric()) return Vector::Zero(statics_.n());
    const Vector t = statics_.solve_for_coordinates(some_vector(statics_.n(), probes) * statics_.energy());
    return t / t.lpNorm<Eigen::Infinity>();
  }

  struct Beside {
    double deviation;  ///< from the straight step
    RankDecision rank;
  };

  // All constraints count on the way, and their gaps at the state may stay.
  std::optional<Beside> move_along(const Vector& t, double step) {
    Statics whole(statics_.model(), state_, statics_.scales());
    whole.allow_leftover(constraint_residual(statics_.model(), state_));
    const Closing closing = close_constraints(whole, whole.displaced(state_, step * t));
    if (closing.opening() > std::max(1e-9, noise_ * step)) return std::nullopt;
    const Vector moved = whole.difference(state_, closing.state);
    const RankDecision rank = whole.dependence(whole.matrices(closing.state), {.noise = noise_ * step}).rank;
    return Beside{(moved - step * t).lpNorm<Eigen::Infinity>(), rank};
  }

  void split(Index directions) {
    if (!factor_metric()) {
      report_.kind = Freedom::undecided;
      report_.remark = "the independent constraints cannot be told apart within rounding";
      return;
    }
    const Matrix R = allowed_velocities(statics_, directions);
    const std::vector<Matrix> forms = second_order_forms(R);
    separate_redundant(forms);
    const Cone cone = split_cone(forms, directions, noise_);
    report_.kind = Freedom::singular;
    if (!cone.complete)
      report_.remark = "the cone of possible motions does not split into flat pieces; not all are known";
    for (const Matrix& piece : cone.pieces) add_branch(R * piece);
    if (cone.pieces.empty() && cone.complete) report_.kind = Freedom::isolated;
    name_branches();
  }

  std::vector<Matrix> second_order_forms(const Matrix& R) {
    std::vector<Matrix> forms;
    Bending bending(statics_, state_);
    for (Index k = 0; k < null_vectors_.cols(); ++k) {
      const SparseMatrix form = bending(null_vectors_.col(k));
      forms.push_back(R.transpose() * (form * R));
    }
    return forms;
  }

  // Sums of forms that vanish belong to redundant constraints.
  void separate_redundant(const std::vector<Matrix>& forms) {
    const auto count = static_cast<Eigen::Index>(forms.size());
    Matrix stacked(forms.front().size(), count);
    for (Eigen::Index k = 0; k < count; ++k) stacked.col(k) = forms[static_cast<std::size_t>(k)].reshaped();
    const Eigen::JacobiSVD<Matrix> svd(stacked, Eigen::ComputeFullV);
    Index bending = 0;
    for (const double value : svd.singularValues()) bending += value > noise_;
    report_.free_multipliers = bending;
    report_.redundant = static_cast<Index>(count) - bending;
    for (Eigen::Index k = bending; k < count; ++k) {
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

  // Real motion leaves the tangent with the square of the step.
  void confirm(const Vector& t, Branch& branch) {
    const std::optional<Beside> far = move_along(t, first_step), near = move_along(t, first_step / 2);
    branch.confirmed = far && near && near->deviation <= 0.35 * far->deviation + 1e-4 * first_step * first_step;
    if (near) branch.rank = std::max(branch.rank, near->rank.value);
  }

  void name_branches() {
    std::vector<std::string> names;
    for (Branch& branch : report_.branches) {
      branch.name = what_moves(branch.tangents.rowwise().norm());
      names.push_back(branch.name);
    }
    for (std::size_t k = 0; k < names.size(); ++k) {
      if (std::count(names.begin(), names.end(), names[k]) < 2) continue;
      const auto before = std::count(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(k), names[k]);
      report_.branches[k].name += fmt::format(" ({})", before + 1);
    }
  }

  // "B[1], phi move; B[0] stands still"
  std::string what_moves(const Vector& speeds) const {
    const Model& model = statics_.model();
    std::vector<std::string> movers, still;
    const Vector relative = speeds.cwiseQuotient(statics_.scales().s);
    const double fastest = relative.maxCoeff();
    for (std::size_t b = 0; b < model.blocks().size(); ++b) {
      const Block& block = model.blocks()[b];
      const double speed = relative.segment(block.first, coordinates_of(block.kind)).maxCoeff();
      (speed > moves * fastest ? movers : still).push_back(model.block_name(static_cast<Index>(b)));
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
  FreedomReport report_;
};

}  // namespace

FreedomReport find_freedom(Statics& statics, const State& state, const RowDependence& dependence, double noise) {
  return Freedoms(statics, state, dependence, noise).run();
}

}  // namespace stillpoint
