#include "support/equilibrium/campaign.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <stdexcept>

#include "stillpoint/assembly.h"
#include "stillpoint/operating_point.h"
#include "support/sanitized.h"

namespace stillpoint {

namespace {

using Matrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using Vector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

// The singular values of J and the eigenvalues of the reduced K that are zero come out at the rounding of J and K as
// they are given, in double: 1e-16 times their number. What is not zero stays above.
constexpr double zero_of_J = 1e-11, zero_of_K = 1e-12;

Eigen::VectorXd units(const Model& model, double length) {
  Eigen::VectorXd s = Eigen::VectorXd::Ones(model.coordinates());
  for (const Block& block : model.blocks()) {
    if (block.kind == BlockKind::scalar) continue;
    s.segment(block.first, in_space(block.kind) ? 3 : 2).setConstant(length);
  }
  return s;
}

}  // namespace

int campaign_size(int few, int many) { return is_campaign() ? many : few; }

CampaignSeeds campaign_seeds(int few, int many) {
  const char* const asked = std::getenv("STILLPOINT_SEEDS");
  if (asked == nullptr) return {0, campaign_size(few, many)};
  CampaignSeeds seeds{.are_chosen = true};
  int read = 0;
  if (std::sscanf(asked, "%d:%d%n", &seeds.first, &seeds.count, &read) != 2 || asked[read] != '\0' || seeds.count < 1)
    throw std::invalid_argument(fmt::format("STILLPOINT_SEEDS is '{}', and should be FIRST:COUNT", asked));
  return seeds;
}

void note(const std::string& sentence, const std::string& model_text) {
  if (is_campaign()) fmt::print("{}\n{}", sentence, model_text);
}

double value_of(const Model& model, const State& state, const std::string& name) {
  for (Index i = 0; i < model.coordinates(); ++i) {
    if (model.coordinate_name(i) == name) return coordinate_value(model, state, i);
  }
  throw std::invalid_argument("no coordinate " + name);
}

Balance balance_at(const Model& model, const State& state, double length) {
  Assembly assembly(model);
  const Matrices& at = assembly.at(state);
  const Eigen::MatrixXd J = at.J, K = at.K;
  const Eigen::VectorXd s = units(model, length);
  const Eigen::VectorXd f = applied_forces(model, state), phi = constraint_residual(model, state);
  Balance balance;
  if (model.coordinates() > 0) {
    const Eigen::VectorXd r = f - J.transpose() * state.lambda;
    const Eigen::VectorXd sizes = f.cwiseAbs() + J.transpose().cwiseAbs() * state.lambda.cwiseAbs();
    const double stiffest = s.cwiseProduct(K.cwiseAbs() * s).maxCoeff();
    const double largest = std::max(s.cwiseProduct(sizes).maxCoeff(), stiffest);
    if (largest > 0) balance.force = s.cwiseProduct(r).cwiseAbs().maxCoeff() / largest;
  }
  for (Index i = 0; i < model.constraints(); ++i) {
    const double reach = J.row(i).cwiseAbs().cwiseProduct(s.transpose()).maxCoeff();
    balance.gap = std::max(balance.gap, std::abs(phi[i]) / reach);
  }
  return balance;
}

Signs reduced_signs(const Model& model, const State& state, double length) {
  Assembly assembly(model);
  const Matrices& at = assembly.at(state);
  const Vector s = units(model, length).cast<long double>();
  Matrix J = at.J.toDense().cast<long double>() * s.asDiagonal();
  for (Eigen::Index i = 0; i < J.rows(); ++i) J.row(i) /= J.row(i).cwiseAbs().maxCoeff();
  const Matrix K = s.asDiagonal() * at.K.toDense().cast<long double>() * s.asDiagonal();
  Matrix R = Matrix::Identity(J.cols(), J.cols());
  if (J.rows() > 0) {
    const Eigen::JacobiSVD<Matrix> svd(J, Eigen::ComputeFullV);
    const Vector values = svd.singularValues();
    const Eigen::Index rank = (values.array() > static_cast<long double>(zero_of_J) * values[0]).count();
    R = svd.matrixV().rightCols(J.cols() - rank);
  }
  const Matrix reduced = R.transpose() * K * R;
  Signs signs;
  if (reduced.size() == 0) return signs;
  const long double largest = K.cwiseAbs().maxCoeff();
  const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>((reduced + reduced.transpose()) / 2).eigenvalues();
  signs.smallest_counted = std::numeric_limits<double>::infinity();
  for (const long double value : values) {
    const double size = largest > 0 ? static_cast<double>(std::abs(value) / largest) : 0;
    if (size <= zero_of_K) {
      ++signs.zero;
      signs.largest_zero = std::max(signs.largest_zero, size);
    } else {
      ++(value < 0 ? signs.negative : signs.positive);
      signs.smallest_counted = std::min(signs.smallest_counted, size);
    }
  }
  return signs;
}

}  // namespace stillpoint
