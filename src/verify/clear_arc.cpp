#include "verify/clear_arc.h"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/at.h"
#include "stillpoint/forms.h"

namespace stillpoint {

namespace {

using Eigen::VectorXcd, Eigen::VectorXd;

constexpr double is_no_value = 1e-6;  // relative to the largest value, or to those along the branch
constexpr double is_away = 0.3;       // of the largest value in the period
constexpr int points = 120;           // of a period

/// A motion of the branch in which all of its directions take part.
VectorXd some_motion(const MotionBranch& branch) {
  VectorXd parts(branch.tangents.cols());
  for (Eigen::Index k = 0; k < parts.size(); ++k) parts[k] = std::sin(1 + 1.7 * static_cast<double>(k));
  return (branch.tangents * parts).normalized();
}

VectorXd at_phase(const VectorXcd& shape, double phase) { return (shape * std::polar(1.0, phase)).real(); }

}  // namespace

BranchRank::BranchRank(const LinearSystem& system, const MotionBranch& branch) {
  const Eigen::MatrixXd R = minimal_form(system).R;
  for (const SparseMatrix& stiffness : system.free_stiffness) forms_.push_back(R.transpose() * stiffness);
  const VectorXd along = values(some_motion(branch));
  while (rank_ < along.size() && along[rank_] > is_no_value * along[0]) ++rank_;
  if (rank_ > 0) typical_ = along[rank_ - 1];
}

// Descending.
VectorXd BranchRank::values(const VectorXd& motion) const {
  if (forms_.empty() || forms_.front().rows() == 0) return {};
  Eigen::MatrixXd P(forms_.front().rows(), std::ssize(forms_));
  for (std::size_t k = 0; k < forms_.size(); ++k) P.col(static_cast<Eigen::Index>(k)) = forms_[k] * motion;
  return Eigen::BDCSVD<Eigen::MatrixXd>(P).singularValues();
}

double BranchRank::least_value(const VectorXd& motion) const { return rank_ > 0 ? values(motion)[rank_ - 1] : 1; }

bool BranchRank::leaves(const VectorXd& shape) const {
  return rank_ == 0 || least_value(shape) > is_no_value * typical_ * shape.norm();
}

std::optional<ClearArc> BranchRank::clear_arc(const VectorXcd& shape) const {
  constexpr double spacing = 2 * std::numbers::pi / points;
  VectorXd least(points);
  for (int k = 0; k < points; ++k) least[k] = least_value(at_phase(shape, k * spacing));
  Eigen::Index best = 0;
  const double largest = least.maxCoeff(&best);
  if (!leaves(at_phase(shape, static_cast<double>(best) * spacing))) return {};
  ClearArc arc;
  int longest = 0;
  for (int first = 0; first < points; ++first) {
    double lowest = largest;
    int count = 0;
    for (; count < points && least[(first + count) % points] >= is_away * largest; ++count)
      lowest = std::min(lowest, least[(first + count) % points]);
    if (count <= longest) continue;
    longest = count;
    arc = {first * spacing, (count == points ? points : count - 1) * spacing, lowest / largest};
  }
  return arc;
}

}  // namespace stillpoint
