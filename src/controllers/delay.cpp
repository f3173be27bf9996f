// Delays by the diagonal Padé approximation [Golub & Van Loan 2013, section 9.3, for the matrix exponential]:
//
//   e^{−z} ≈ p(−z)/p(z),   p(z) = Σ c_k z^k,   c_k = (2N − k)! N! / ((2N)! k! (N − k)!),   z = s T

#include <fmt/format.h>

#include <cmath>

#include "stillpoint/controller.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Returns c_0, …, c_N, of which c_0 = 1.
VectorXd pade_coefficients(int order) {
  VectorXd c(order + 1);
  c[0] = 1;
  for (int k = 1; k <= order; ++k) c[k] = c[k - 1] * (order - k + 1) / ((2.0 * order - k + 1) * k);
  return c;
}

/// Returns the block for each of so many signals, one after the other.
Controller repeated(const Controller& one, Eigen::Index signals) {
  const Eigen::Index order = one.A.rows();
  Controller all;
  all.A = MatrixXd::Zero(order * signals, order * signals);
  all.B = MatrixXd::Zero(order * signals, signals);
  all.C = MatrixXd::Zero(signals, order * signals);
  all.D = MatrixXd::Zero(signals, signals);
  for (Eigen::Index k = 0; k < signals; ++k) {
    all.A.block(k * order, k * order, order, order) = one.A;
    all.B.block(k * order, k, order, 1) = one.B;
    all.C.block(k, k * order, 1, order) = one.C;
    all.D(k, k) = one.D(0, 0);
    for (Eigen::Index i = 1; i <= order; ++i)
      all.state_names.push_back(signals == 1 ? fmt::format("delay[{}]", i) : fmt::format("delay[{},{}]", k + 1, i));
  }
  return all;
}

}  // namespace

// The time is measured in units in which the coefficients of the highest and the lowest power are both 1: the entries
// of the companion matrix are of one size then.
Controller pade_delay(double time, int order) {
  if (!(time > 0 && std::isfinite(time))) throw Error(fmt::format("a delay is {} s; it must be a positive time", time));
  if (order < 1 || order > highest_delay_order)
    throw Error(
        fmt::format("the order of the approximation of a delay is {}; it must be 1 to {}", order, highest_delay_order));
  const VectorXd c = pade_coefficients(order);
  const double unit = time * std::pow(c[order], 1.0 / order);
  VectorXd numerator(order + 1), denominator(order + 1);
  for (int k = 0; k <= order; ++k) {
    denominator[order - k] = c[k] * std::pow(time / unit, k);
    numerator[order - k] = (k % 2 == 0 ? 1 : -1) * denominator[order - k];
  }
  Controller made = transfer_function(numerator, denominator);
  made.A /= unit;
  made.B /= unit;
  return repeated(made, 1);
}

Controller with_delay(const Controller& block, double time, int order) {
  const Controller delay = repeated(pade_delay(time, order), block.D.rows());
  const Eigen::Index n = block.A.rows(), d = delay.A.rows();
  Controller made = block;
  made.A = MatrixXd::Zero(n + d, n + d);
  made.A.topLeftCorner(n, n) = block.A;
  made.A.bottomLeftCorner(d, n) = delay.B * block.C;
  made.A.bottomRightCorner(d, d) = delay.A;
  made.B.resize(n + d, block.B.cols());
  made.B << block.B, delay.B * block.D;
  made.C.resize(block.C.rows(), n + d);
  made.C << delay.D * block.C, delay.C;
  made.D = delay.D * block.D;
  made.state_names.insert(made.state_names.end(), delay.state_names.begin(), delay.state_names.end());
  return made;
}

}  // namespace stillpoint
