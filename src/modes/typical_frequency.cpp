#include "modes/typical_frequency.h"

#include <cmath>

namespace stillpoint {

namespace {

// Of k/m, relative to the largest: what is that soft may be stiffness that cancelled but for rounding.
constexpr double soft = 1e-12;

}  // namespace

double typical_frequency(const Eigen::VectorXd& stiffness, const Eigen::VectorXd& mass) {
  Eigen::VectorXd square = Eigen::VectorXd::Zero(mass.size());
  for (Eigen::Index i = 0; i < mass.size(); ++i) {
    if (mass[i] > 0) square[i] = stiffness[i] / mass[i];
  }
  const double least = square.size() > 0 ? soft * square.maxCoeff() : 0;
  double sum = 0;
  int count = 0;
  for (const double each : square) {
    if (!(each > least)) continue;
    sum += std::log2(each) / 2;
    ++count;
  }
  return count > 0 ? std::exp2(std::round(sum / count)) : 1;
}

}  // namespace stillpoint
