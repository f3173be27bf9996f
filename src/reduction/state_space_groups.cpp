#include "reduction/state_space_groups.h"

#include <cmath>

#include "algebra/dense/schur.h"
#include "base/at.h"
#include "modes/problem/bordered_problem.h"

namespace stillpoint {

namespace {

/// An upper bound of ‖A‖₂.
double norm_of(const Eigen::MatrixXd& A) {
  if (A.size() == 0) return 0;
  const Eigen::MatrixXd magnitudes = A.cwiseAbs();
  return std::sqrt(magnitudes.rowwise().sum().maxCoeff() * magnitudes.colwise().sum().maxCoeff());
}

std::vector<Plant::Channel> separate(Eigen::Index count) {
  std::vector<Plant::Channel> channels;
  for (Eigen::Index i = 0; i < count; ++i) channels.push_back({static_cast<Index>(i), 0});
  return channels;
}

Index inputs_of(const std::vector<Plant::Channel>& channels) {
  Index count = 0;
  for (const Plant::Channel& channel : channels) count = std::max(count, channel.input + 1);
  return count;
}

constexpr double silence = 1e-12;  // a constraint solved for its motions leaves rounding of about 1e-14

/// Tells for each row of H whether it is rounding on every motion R, both in units without size.
std::vector<bool> silent_rows(const SparseMatrix& H, const SparseMatrix& R) {
  const SparseMatrix product = H * R;
  const Eigen::VectorXd rows = SparseMatrix(H.cwiseAbs2()) * Eigen::VectorXd::Ones(H.cols()),
                        motions = SparseMatrix(R.cwiseAbs2()).transpose() * Eigen::VectorXd::Ones(R.rows());
  std::vector<bool> silent(at(H.rows()), true);
  for (Index j = 0; j < product.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(product, j); entry; ++entry) {
      const bool is_rounding = std::abs(entry.value()) <= silence * std::sqrt(rows[entry.row()] * motions[j]);
      silent[at(entry.row())] = silent[at(entry.row())] && is_rounding;
    }
  }
  return silent;
}

/// Takes those out that have an entry in their row of A.
void keep_rows_of(const SparseMatrix& A, std::vector<bool>& silent) {
  for (Index j = 0; j < A.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      if (entry.value() != 0) silent[at(entry.row())] = false;
    }
  }
}

}  // namespace

SilentChannels silent_channels(const LinearSystem& system, const MinimalForm& form) {
  const Eigen::VectorXd S = BorderedProblem(system).coordinate_scale();
  const SparseMatrix motions = S.cwiseInverse().asDiagonal() * form.R;
  SilentChannels silent;
  silent.inputs = silent_rows(SparseMatrix(system.F.transpose()) * S.asDiagonal(), motions);
  keep_rows_of(system.G.transpose(), silent.inputs);
  silent.outputs = std::vector<bool>(at(system.outputs()), true);
  for (const SparseMatrix* const H : {&system.Hq, &system.Hv, &system.Ha}) {
    const std::vector<bool> rows = silent_rows(*H * S.asDiagonal(), motions);
    for (std::size_t i = 0; i < rows.size(); ++i) silent.outputs[i] = silent.outputs[i] && rows[i];
  }
  keep_rows_of(system.Hl, silent.outputs);
  return silent;
}

StateSpaceGroups groups_of(const Plant& plant, Derivatives derivatives, const SilentChannels& silent) {
  StateSpaceGroups result;
  const Eigen::MatrixXd A = plant.first.A;
  Eigen::MatrixXd B = plant.first.B, C = plant.first.C;
  for (std::size_t c = 0; c < plant.channels.size(); ++c) {
    if (silent.inputs[at(plant.channels[c].input)]) B.col(static_cast<Eigen::Index>(c)).setZero();
  }
  for (std::size_t i = 0; i < silent.outputs.size(); ++i) {
    if (silent.outputs[i]) C.row(static_cast<Eigen::Index>(i)).setZero();
  }
  result.scale = balancing_scales(A);
  const auto inverse = result.scale.cwiseInverse();
  result.A = inverse.asDiagonal() * A * result.scale.asDiagonal();
  result.size = norm_of(result.A);
  result.all = modal_parts(result.A, plant.poles);
  result.groups = groups_of(result.all);
  for (const ModeGroup& group : result.groups) result.duals.push_back(transposed(group));
  result.inputs.B = inverse.asDiagonal() * B;
  result.inputs.channels = derivatives == Derivatives::of_inputs ? plant.channels : separate(B.cols());
  result.inputs.count = inputs_of(result.inputs.channels);
  result.outputs.B = result.scale.asDiagonal() * C.transpose();
  result.outputs.channels = separate(C.rows());
  result.outputs.count = static_cast<Index>(C.rows());
  return result;
}

}  // namespace stillpoint
