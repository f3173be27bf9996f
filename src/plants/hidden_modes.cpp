#include "plants/hidden_modes.h"

#include <fmt/format.h>

#include <Eigen/SVD>
#include <algorithm>

#include "modes/problem/bordered_problem.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

constexpr double invisible = 1e-10;  // of what vectors of this size could do
constexpr double parallel = 1e-6;    // vectors of a defective eigenvalue agree to the square root of rounding

/// Modes with one eigenvalue, within their error bounds.
using Group = std::vector<const Mode*>;

std::vector<Group> groups_of(const std::vector<Mode>& modes) {
  std::vector<Group> groups;
  for (const Mode& mode : modes) {
    const bool is_counted = mode.kind == ModeClass::genuine && !mode.is_infinite() && mode.s.imag() >= 0 &&
                            mode.shape.size() > 0 && mode.left.size() > 0;
    if (!is_counted) continue;
    const Mode* const last = groups.empty() ? nullptr : groups.back().back();
    const bool is_same = last && std::abs(last->s - mode.s) <= last->error + mode.error;
    if (is_same) groups.back().push_back(&mode);
    else groups.push_back({&mode});
  }
  return groups;
}

Index rank_of(const MatrixXcd& A, double zero) {
  if (A.size() == 0) return 0;
  return static_cast<Index>((Eigen::JacobiSVD<MatrixXcd>(A).singularValues().array() > zero).count());
}

MatrixXcd columns_of(const Group& group, VectorXcd Mode::*vector, const VectorXd& scale) {
  MatrixXcd columns(scale.size(), static_cast<Eigen::Index>(group.size()));
  for (Eigen::Index k = 0; k < columns.cols(); ++k)
    columns.col(k) = (group[static_cast<std::size_t>(k)]->*vector).cwiseQuotient(scale.cast<Complex>()).normalized();
  return columns;
}

/// The lengths of the columns of D A.
VectorXd column_sizes(const VectorXd& D, const SparseMatrix& A) {
  return VectorXd(SparseMatrix(D.cwiseAbs2().asDiagonal() * A.cwiseAbs2()).transpose() * VectorXd::Ones(A.rows()))
      .cwiseSqrt();
}

SparseMatrix rows_in_use(const LinearSystem& system, const SparseMatrix& A) {
  SparseMatrix choose(system.rank(), system.constraints());
  for (Index i = 0; i < system.rank(); ++i) choose.insert(i, system.rows.independent[static_cast<std::size_t>(i)]) = 1;
  return choose * A;
}

/// What the inputs do to left vectors and what the outputs show of right vectors, each relative to what it could be for
/// vectors of their size in the scales of the problem.
class Examiner {
 public:
  explicit Examiner(const LinearSystem& system)
      : system_(system),
        problem_(system),
        S_(problem_.coordinate_scale()),
        W_(problem_.multiplier_scale()),
        G_(rows_in_use(system, system.G)),
        Hl_transposed_(rows_in_use(system, system.Hl.transpose())),
        force_sizes_(column_sizes(S_, system.F)),
        position_sizes_(column_sizes(W_, G_)),
        reaction_sizes_(column_sizes(W_, Hl_transposed_)) {}

  void examine(const Group& group, HiddenModes& hidden) const {
    const MatrixXcd Y = columns_of(group, &Mode::left, S_), X = columns_of(group, &Mode::shape, S_);
    const Complex s = group.front()->s;
    hidden.modes += static_cast<Index>(group.size());
    hidden.unmoved += rank_of(Y, parallel) - rank_of(moved(s, Y), invisible);
    hidden.unshown += rank_of(X, parallel) - rank_of(shown(s, X), invisible);
  }

 private:
  /// Returns yᴴF + μᴴG for each left vector, relative.
  MatrixXcd moved(Complex s, const MatrixXcd& Y) const {
    MatrixXcd all(Y.cols(), system_.inputs());
    for (Eigen::Index k = 0; k < Y.cols(); ++k) {
      const VectorXcd y = S_.asDiagonal() * Y.col(k);
      VectorXcd forces = system_.F.transpose() * y.conjugate();
      VectorXd size = force_sizes_;
      if (G_.nonZeros() > 0) {
        const VectorXcd mu = problem_.with_left_multipliers(s, y).multipliers;
        forces += G_.transpose() * mu.conjugate();
        size += position_sizes_ * mu.cwiseQuotient(W_.cast<Complex>()).norm();
      }
      all.row(k) = relative(forces, size).transpose();
    }
    return all;
  }

  /// Returns (H_q + s H_v + s² H_a) x + H_λ λ for each right vector, relative.
  MatrixXcd shown(Complex s, const MatrixXcd& X) const {
    const double size_of_s = std::abs(s);
    const SparseMatrix magnitude =
        system_.Hq.cwiseAbs() + size_of_s * system_.Hv.cwiseAbs() + size_of_s * size_of_s * system_.Ha.cwiseAbs();
    const VectorXd sizes = column_sizes(S_, magnitude.transpose());
    MatrixXcd all(X.cols(), system_.outputs());
    for (Eigen::Index k = 0; k < X.cols(); ++k) {
      const VectorXcd x = S_.asDiagonal() * X.col(k);
      VectorXcd outputs = system_.Hq * x + s * (system_.Hv * x) + s * s * (system_.Ha * x);
      VectorXd size = sizes;
      if (Hl_transposed_.nonZeros() > 0) {
        const VectorXcd lambda = problem_.with_multipliers(s, x).multipliers;
        outputs += Hl_transposed_.transpose() * lambda;
        size += reaction_sizes_ * lambda.cwiseQuotient(W_.cast<Complex>()).norm();
      }
      all.row(k) = relative(outputs, size).transpose();
    }
    return all;
  }

  static VectorXcd relative(const VectorXcd& values, const VectorXd& sizes) {
    return (sizes.array() > 0).select(values.array() / sizes.array().cast<Complex>(), Complex(0)).matrix();
  }

  const LinearSystem& system_;
  BorderedProblem problem_;
  const VectorXd &S_, &W_;
  SparseMatrix G_, Hl_transposed_;  ///< of the independent rows of J
  VectorXd force_sizes_, position_sizes_, reaction_sizes_;
};

}  // namespace

HiddenModes hidden_modes(const LinearSystem& system, const std::vector<Mode>& modes) {
  HiddenModes hidden;
  const std::vector<Group> groups = groups_of(modes);
  if (groups.empty() || system.singular) return hidden;
  const Examiner examiner(system);
  for (const Group& group : groups) examiner.examine(group, hidden);
  return hidden;
}

std::string to_words(const HiddenModes& hidden) {
  std::vector<std::string> parts;
  if (hidden.unmoved > 0)
    parts.push_back(fmt::format("no input moves {} of the {} modes", hidden.unmoved, hidden.modes));
  if (hidden.unshown > 0)
    parts.push_back(fmt::format("no output shows {} of the {} modes", hidden.unshown, hidden.modes));
  return fmt::format("{}", fmt::join(parts, ", and "));
}

}  // namespace stillpoint
