#include "algebra/scaling/typical_frequency.h"

#include <cmath>

namespace stillpoint {

namespace {

constexpr double slowest = 1e-6, fastest = 1e12;  // rad/s

}  // namespace

double typical_frequency(const Eigen::VectorXd& stiffness, const Eigen::VectorXd& mass) {
  double sum = 0;
  int count = 0;
  for (Eigen::Index i = 0; i < mass.size(); ++i) {
    const double omega = std::sqrt(stiffness[i] / mass[i]);  // NaN if both are zero
    if (!(omega > slowest && omega < fastest)) continue;
    sum += std::log2(omega);
    ++count;
  }
  return count > 0 ? std::exp2(std::round(sum / count)) : 1;
}

}  // namespace stillpoint
