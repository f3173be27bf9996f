#include "plants/hidden_modes.h"

#include <fmt/format.h>

#include <Eigen/SVD>
#include <algorithm>
#include <limits>

#include "algebra/dense/complex_lapack.h"
#include "algebra/sparse/chosen_rows.h"
#include "base/at.h"
#include "modes/problem/bordered_problem.h"
#include "plants/staircase.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXcd, Eigen::VectorXcd, Eigen::VectorXd;

constexpr double least_noise = 1e-13;  // of what inputs do to vectors of modes, relative to what they could do
constexpr double of_error = 8;         // an eigenvalue that is wrong by δ has vectors that are wrong by a few δ / gap
constexpr double null_noise = 1e-11;   // the same where an eigenvalue is zero by structure
constexpr double parallel = 1e-6;      // vectors of a defective eigenvalue agree to the square root of rounding
constexpr double same_at_most = 1e-4;  // defective eigenvalues have no error bound, and yet others are not the same
constexpr double unresisted = 1e-10;   // damping of a rigid-body motion, relative to that of other motions of its size

/// Modes with one eigenvalue, within their error bounds.
using Group = std::vector<const Mode*>;

std::vector<Group> groups_of(const std::vector<Mode>& modes) {
  std::vector<Group> groups;
  for (const Mode& mode : modes) {
    const bool is_counted = mode.kind == ModeClass::genuine && !mode.is_infinite() && mode.s.imag() >= 0 &&
                            mode.shape.size() > 0 && mode.left.size() > 0;
    if (!is_counted) continue;
    const auto same = std::find_if(groups.rbegin(), groups.rend(), [&](const Group& group) {
      const double most = same_at_most * std::max(std::abs(group.back()->s), std::abs(mode.s));
      return std::abs(group.back()->s - mode.s) <= std::min(group.back()->error + mode.error, most);
    });
    if (same != groups.rend()) same->push_back(&mode);
    else groups.push_back({&mode});
  }
  return groups;
}

double gap_of(std::size_t chosen, const std::vector<Group>& groups) {
  double gap = std::abs(groups[chosen].front()->s.imag()) > 0 ? 2 * std::abs(groups[chosen].front()->s.imag())
                                                              : std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < groups.size(); ++k) {
    if (k != chosen) gap = std::min(gap, std::abs(groups[k].front()->s - groups[chosen].front()->s));
  }
  return gap;
}

/// An orthonormal basis of the vectors of a group, without unit.
MatrixXcd space_of(const Group& group, ModeVector Mode::*vector, const VectorXd& scale) {
  MatrixXcd columns(scale.size(), std::ssize(group));
  for (Eigen::Index k = 0; k < columns.cols(); ++k)
    columns.col(k) = (group[at(k)]->*vector).cwiseQuotient(scale.cast<Complex>()).normalized();
  if (columns.cols() == 1) return columns;
  const Eigen::JacobiSVD<MatrixXcd> svd(columns, Eigen::ComputeThinU);
  return svd.matrixU().leftCols((svd.singularValues().array() > parallel).count());
}

/// The lengths of the columns of D A.
VectorXd column_sizes(const VectorXd& D, const SparseMatrix& A) {
  return VectorXd(SparseMatrix(D.cwiseAbs2().asDiagonal() * A.cwiseAbs2()).transpose() * VectorXd::Ones(A.rows()))
      .cwiseSqrt();
}

/// What the channels do to vectors: in their units, and for vectors of length one what they could do.
struct Effect {
  MatrixXcd values;  ///< channels × vectors
  MatrixXcd sizes;   ///< the same size
  MatrixXcd relative() const {
    return (sizes.array().abs() > 0).select(values.array() / sizes.array(), Complex(0)).matrix();
  }
};

/// The pair of a small matrix and what channels do to it. The matrix is zero, or the chains of rigid-body motion.
struct SmallPair {
  MatrixXcd T, B;
};

SmallPair semisimple(const MatrixXcd& effect) {
  return {MatrixXcd::Zero(effect.cols(), effect.cols()), effect.transpose()};
}

/// Chains of two vectors each: the first are moved by `first`, the second by `second`, and lead to the first.
SmallPair chains(const MatrixXcd& first, const MatrixXcd& second) {
  const Eigen::Index size = first.cols();
  SmallPair pair{MatrixXcd::Zero(2 * size, 2 * size), MatrixXcd(2 * size, first.rows())};
  pair.T.bottomLeftCorner(size, size).setIdentity();
  pair.B << first.transpose(), second.transpose();
  return pair;
}

VectorXd lengths_of_rows(const MatrixXcd& A) { return A.rowwise().norm(); }

/// What the inputs do to left vectors and what the outputs show of right vectors, each relative to what it could be for
/// vectors of their size in the scales of the problem.
class Examiner {
 public:
  explicit Examiner(const LinearSystem& system)
      : system_(system),
        problem_(system),
        S_(problem_.coordinate_scale()),
        W_(problem_.multiplier_scale()),
        G_(chosen_rows(system.G, system.rows.independent)),
        Hl_transposed_(chosen_rows(system.Hl.transpose(), system.rows.independent)),
        force_sizes_(column_sizes(S_, system.F)),
        position_sizes_(column_sizes(W_, G_)),
        reaction_sizes_(column_sizes(W_, Hl_transposed_)) {}

  /// `gap` is the distance of the eigenvalue from the others.
  ModeReach examine(const Group& group, double gap) const {
    const MatrixXcd Y = space_of(group, &Mode::left, S_), X = space_of(group, &Mode::shape, S_);
    ModeReach reach;
    describe(group, reach);
    const Effect moved = moved_by_inputs(reach.s, Y), shown = shown_by_outputs(reach.s, X);
    reach.inputs = lengths_of_rows(moved.relative());
    reach.outputs = lengths_of_rows(shown.relative());
    const Index size = reach.multiplicity;
    // Chains are shown by their second vectors, too; of chains that are not known no part is known.
    const MatrixXcd rates = rates_shown(reach.s, X, shown);
    if (size == 2 * X.cols() && is_unresisted(X)) reach.outputs = reach.outputs.cwiseMax(lengths_of_rows(rates));
    else if (size != X.cols()) reach.outputs.setConstant(ModeReach::unset);
    if (size != Y.cols() && !(size == 2 * Y.cols() && is_unresisted(Y))) reach.inputs.setConstant(ModeReach::unset);
    const double noise = reach.s == 0.0 ? null_noise : std::max(least_noise, of_error * group.front()->error / gap);
    reach.moved = tested(size, Y, moved.relative(), MatrixXcd::Zero(system_.inputs(), Y.cols()), noise);
    reach.shown = tested(size, X, shown.relative(), rates, noise);
    if (size == 1) add_gains(*group.front(), reach);
    return reach;
  }

 private:
  static void describe(const Group& group, ModeReach& reach) {
    const Mode& first = *group.front();
    for (const Mode* const mode : group) reach.s += mode->s / static_cast<double>(group.size());
    reach.error = 0;
    for (const Mode* const mode : group) reach.error = std::max(reach.error, std::abs(mode->s - reach.s) + mode->error);
    reach.multiplicity = static_cast<Index>(group.size());
    reach.shape = first.shape;
  }

  /// Decides by the staircase. An eigenvalue with fewer vectors than its multiplicity that is no rigid-body motion is
  /// undecided, unless its vectors are moved by themselves.
  HautusTest tested(Index size, const MatrixXcd& vectors, const MatrixXcd& effect, const MatrixXcd& of_rates,
                    double noise) const {
    const Eigen::Index count = vectors.cols();
    const bool is_chain = size == 2 * count && is_unresisted(vectors);
    const SmallPair pair = is_chain ? chains(effect, of_rates) : semisimple(effect);
    HautusTest test = staircase(pair.T, pair.B, {noise, noise}).test;
    if (is_chain || size == count || test.hidden == 0) return test;
    test.hidden = 0;
    test.undecided = true;
    return test;
  }

  bool is_unresisted(const MatrixXcd& vectors) const {
    const SparseMatrix C = problem_.C().copy(), magnitudes = C.cwiseAbs();
    const double largest = magnitudes.nonZeros() > 0 ? (magnitudes * vectors.cwiseAbs()).norm() : 0;
    return (C * vectors).norm() <= unresisted * largest && (C.transpose() * vectors).norm() <= unresisted * largest;
  }

  /// yᴴF + μᴴG for each left vector.
  Effect moved_by_inputs(Complex s, const MatrixXcd& Y) const {
    Effect effect{MatrixXcd(system_.inputs(), Y.cols()), MatrixXcd(system_.inputs(), Y.cols())};
    for (Eigen::Index k = 0; k < Y.cols(); ++k) {
      const VectorXcd y = S_.asDiagonal() * Y.col(k);
      effect.values.col(k) = system_.F.transpose() * y.conjugate();
      VectorXd size = force_sizes_;
      if (G_.nonZeros() > 0) {
        const VectorXcd mu = problem_.with_left_multipliers(s, y).multipliers;
        effect.values.col(k) += G_.transpose() * mu.conjugate();
        size += position_sizes_ * mu.cwiseQuotient(W_.cast<Complex>()).norm();
      }
      effect.sizes.col(k) = size.cast<Complex>();
    }
    return effect;
  }

  /// (H_q + s H_v + s² H_a) x + H_λ λ for each right vector.
  Effect shown_by_outputs(Complex s, const MatrixXcd& X) const {
    const double size_of_s = std::abs(s);
    const SparseMatrix magnitude =
        system_.Hq.cwiseAbs() + size_of_s * system_.Hv.cwiseAbs() + size_of_s * size_of_s * system_.Ha.cwiseAbs();
    const VectorXd sizes = column_sizes(S_, magnitude.transpose());
    Effect effect{MatrixXcd(system_.outputs(), X.cols()), MatrixXcd(system_.outputs(), X.cols())};
    for (Eigen::Index k = 0; k < X.cols(); ++k) {
      const VectorXcd x = S_.asDiagonal() * X.col(k);
      effect.values.col(k) = system_.Hq * x + s * (system_.Hv * x) + s * s * (system_.Ha * x);
      VectorXd size = sizes;
      if (Hl_transposed_.nonZeros() > 0) {
        const VectorXcd lambda = problem_.with_multipliers(s, x).multipliers;
        effect.values.col(k) += Hl_transposed_.transpose() * lambda;
        size += reaction_sizes_ * lambda.cwiseQuotient(W_.cast<Complex>()).norm();
      }
      effect.sizes.col(k) = size.cast<Complex>();
    }
    return effect;
  }

  /// (H_v + 2 s H_a) x, what the outputs show of the second vectors of chains, relative as what they show of the first
  /// or of rates.
  MatrixXcd rates_shown(Complex s, const MatrixXcd& X, const Effect& first) const {
    const double gamma = problem_.frequency_scale();
    const VectorXd sizes = gamma * column_sizes(S_, SparseMatrix(system_.Hv.cwiseAbs()).transpose());
    const MatrixXcd x = S_.asDiagonal() * X;
    Effect rates{gamma * (system_.Hv * x + 2.0 * s * (system_.Ha * x)), first.sizes};
    rates.sizes.colwise() += sizes.cast<Complex>();
    return rates.relative();
  }

  /// With δq = w · shape: ẇ = s w + gains · u.
  void add_gains(const Mode& mode, ModeReach& reach) const {
    const Complex weight = mode.left.dot(problem_.derivative(mode.s, mode.shape));
    const VectorXcd y = mode.left.cwiseQuotient(S_.cast<Complex>()), x = mode.shape.cwiseQuotient(S_.cast<Complex>());
    if (weight == 0.0) return;
    reach.input_gains = moved_by_inputs(mode.s, y).values.col(0) / weight;
    reach.output_gains = shown_by_outputs(mode.s, x).values.col(0);
  }

  const LinearSystem& system_;
  BorderedProblem problem_;
  const VectorXd &S_, &W_;
  SparseMatrix G_, Hl_transposed_;  ///< of the independent rows of J
  VectorXd force_sizes_, position_sizes_, reaction_sizes_;
};

}  // namespace

std::vector<ModeReach> reach_by_vectors(const LinearSystem& system, const std::vector<Mode>& modes) {
  std::vector<ModeReach> reaches;
  const std::vector<Group> groups = groups_of(modes);
  if (groups.empty()) return reaches;
  const Examiner examiner(system);
  for (std::size_t k = 0; k < groups.size(); ++k) reaches.push_back(examiner.examine(groups[k], gap_of(k, groups)));
  return reaches;
}

Plant::HiddenCount hidden_modes(const LinearSystem& system, const std::vector<Mode>& modes) {
  Plant::HiddenCount hidden;
  if (system.singular) return hidden;
  for (const ModeReach& reach : reach_by_vectors(system, modes)) {
    hidden.modes += reach.multiplicity;
    hidden.unmoved += reach.moved.hidden;
    hidden.unshown += reach.shown.hidden;
    if (reach.moved.undecided || reach.shown.undecided) hidden.undecided += reach.multiplicity;
  }
  return hidden;
}

std::string to_words(const Plant::HiddenCount& hidden) {
  std::vector<std::string> parts;
  if (hidden.unmoved > 0)
    parts.push_back(fmt::format("no input moves {} of the {} modes", hidden.unmoved, hidden.modes));
  if (hidden.unshown > 0)
    parts.push_back(fmt::format("no output shows {} of the {} modes", hidden.unshown, hidden.modes));
  return fmt::format("{}", fmt::join(parts, ", and "));
}

}  // namespace stillpoint
