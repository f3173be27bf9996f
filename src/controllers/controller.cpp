#include "stillpoint/controller.h"

#include <fmt/format.h>

#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd one_by_one(double value) { return MatrixXd::Constant(1, 1, value); }

void require_finite_numbers(const char* what, const MatrixXd& numbers) {
  if (!numbers.allFinite()) throw Error(fmt::format("every number of {} must be finite", what));
}

/// Removes leading zeros, of which none belongs to the polynomial.
VectorXd without_leading_zeros(const VectorXd& coefficients) {
  Eigen::Index zeros = 0;
  while (zeros < coefficients.size() && coefficients[zeros] == 0) ++zeros;
  return coefficients.tail(coefficients.size() - zeros);
}

std::vector<std::string> numbered_states(Eigen::Index count) {
  std::vector<std::string> names;
  for (Eigen::Index i = 1; i <= count; ++i) names.push_back(fmt::format("x[{}]", i));
  return names;
}

void require_shape(const char* name, const MatrixXd& matrix, Eigen::Index rows, Eigen::Index columns,
                   const std::string& because) {
  if (matrix.rows() == rows && matrix.cols() == columns) return;
  throw Error(
      fmt::format("{} is {} x {}; it must be {} x {}, {}", name, matrix.rows(), matrix.cols(), rows, columns, because));
}

}  // namespace

Controller gain(const MatrixXd& D) {
  require_finite_numbers("a gain", D);
  Controller made;
  made.A.resize(0, 0);
  made.B.resize(0, D.cols());
  made.C.resize(D.rows(), 0);
  made.D = D;
  return made;
}

// With the filtered error z the derivative is ż = (e − z)/T.
Controller pid(const PidGains& gains) {
  const auto& [kp, ki, kd, T] = gains;
  require_finite_numbers("a PID controller", Eigen::Vector4d(kp, ki, kd, T));
  if (kd != 0 && !(T > 0))
    throw Error(
        fmt::format("a derivative of the error needs a filter: filter_time is {}, it must be positive (a PD controller "
                    "without a filter is a gain from an output and its rate, such as from: position, position')",
                    T));
  const bool integrates = ki != 0, differentiates = kd != 0;
  const Eigen::Index order = (integrates ? 1 : 0) + (differentiates ? 1 : 0);
  Controller made = gain(one_by_one(kp));
  made.A = MatrixXd::Zero(order, order);
  made.B = MatrixXd::Zero(order, 1);
  made.C = MatrixXd::Zero(1, order);
  if (integrates) {
    made.B(0, 0) = 1;
    made.C(0, 0) = ki;
    made.state_names.emplace_back("integral");
  }
  if (differentiates) {
    const Eigen::Index z = order - 1;
    made.A(z, z) = -1 / T;
    made.B(z, 0) = 1 / T;
    made.C(0, z) = -kd / T;
    made.D(0, 0) += kd / T;
    made.state_names.emplace_back("filtered");
  }
  return made;
}

Controller transfer_function(const VectorXd& numerator, const VectorXd& denominator) {
  require_finite_numbers("a transfer function", numerator);
  require_finite_numbers("a transfer function", denominator);
  VectorXd b = without_leading_zeros(numerator), a = without_leading_zeros(denominator);
  if (a.size() == 0) throw Error("the denominator of a transfer function must not be zero");
  if (b.size() > a.size())
    throw Error(
        fmt::format("the transfer function is improper: its numerator has degree {} and its denominator only {}; a "
                    "controller cannot differentiate, so the denominator needs the degree of the numerator at least",
                    b.size() - 1, a.size() - 1));
  const Eigen::Index order = a.size() - 1;
  VectorXd full = VectorXd::Zero(a.size());
  full.tail(b.size()) = b;
  full /= a[0];
  a /= a[0];
  MatrixXd A = MatrixXd::Zero(order, order), B = MatrixXd::Zero(order, 1), C(1, order);
  if (order > 0) {
    A.topRightCorner(order - 1, order - 1).setIdentity();
    A.row(order - 1) = -a.tail(order).reverse().transpose();
    B(order - 1, 0) = 1;
    C = (full.tail(order) - full[0] * a.tail(order)).reverse().transpose();
  }
  return state_space_block(A, B, C, one_by_one(full[0]));
}

Controller state_space_block(const MatrixXd& A, const MatrixXd& B, const MatrixXd& C, const MatrixXd& D,
                             std::vector<std::string> state_names) {
  for (const auto& [name, matrix] : {std::pair{"A", &A}, std::pair{"B", &B}, std::pair{"C", &C}, std::pair{"D", &D}})
    require_finite_numbers(name, *matrix);
  require_shape("A", A, A.rows(), A.rows(), "for it is square");
  require_shape("B", B, A.rows(), D.cols(), "with the states of A and the columns of D");
  require_shape("C", C, D.rows(), A.rows(), "with the rows of D and the states of A");
  if (state_names.empty()) state_names = numbered_states(A.rows());
  if (static_cast<Eigen::Index>(state_names.size()) != A.rows())
    throw Error(fmt::format("there are {} names for {} states", state_names.size(), A.rows()));
  Controller made = gain(D);
  made.A = A;
  made.B = B;
  made.C = C;
  made.state_names = std::move(state_names);
  return made;
}

}  // namespace stillpoint
