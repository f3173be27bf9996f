#include "reduction/hautus.h"

#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>
#include <limits>

#include "base/at.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXcd, Eigen::MatrixXd, Eigen::VectorXcd, Eigen::VectorXd;

// The matrices of a state space and its Schur form are known to about this, relative to the norm of A.
constexpr double state_rounding = 16 * std::numeric_limits<double>::epsilon();

double factor_of(Complex s, int order) { return std::pow(std::abs(s), order); }

/// Returns Σ T^k Qᵀ B_k.
MatrixXcd moved_by(const LeftPair& left, const ChannelColumns& columns) {
  MatrixXcd moved = MatrixXcd::Zero(left.T.rows(), columns.count);
  for (std::size_t c = 0; c < columns.channels.size(); ++c) {
    VectorXcd part = left.Q.transpose() * columns.B.col(static_cast<Eigen::Index>(c));
    for (int order = 0; order < columns.channels[c].order; ++order) part = (left.T * part).eval();
    moved.col(columns.channels[c].input) += part;
  }
  return moved;
}

/// What a unit vector could get of each input at most.
VectorXd sizes_of(const ChannelColumns& columns, Complex s) {
  VectorXd sizes = VectorXd::Zero(columns.count);
  for (std::size_t c = 0; c < columns.channels.size(); ++c)
    sizes[columns.channels[c].input] +=
        factor_of(s, columns.channels[c].order) * columns.B.col(static_cast<Eigen::Index>(c)).norm();
  return sizes;
}

VectorXd quotients(const VectorXd& values, const VectorXd& sizes) {
  return (sizes.array() > 0).select(values.array() / sizes.array(), 0).matrix();
}

MatrixXd triangle_of(const MatrixXd& A) {
  const Eigen::HouseholderQR<MatrixXd> qr(A);
  return qr.matrixQR().topRows(A.cols()).triangularView<Eigen::Upper>();
}

/// The norm of the spectral projector V Wᵀ of the group.
double projector_norm(const ModeGroup& group) {
  return (triangle_of(group.V) * triangle_of(group.W).transpose()).norm();
}

}  // namespace

HautusTester::HautusTester(const std::vector<ModeGroup>& groups, const ChannelColumns& columns, double size)
    : groups_(groups),
      columns_(columns),
      V_(columns.B.rows(), columns.B.rows()),
      coefficients_(columns.B.rows(), columns.B.cols()),
      size_(size) {
  Eigen::Index first = 0;
  for (const ModeGroup& group : groups) {
    V_.middleCols(first, group.A.rows()) = group.V;
    coefficients_.middleRows(first, group.A.rows()) = group.W.transpose() * columns.B;
    first += group.A.rows();
  }
}

/// Returns what rounding does to Qᵀ B(s), for each input.
VectorXd HautusTester::noise_of(std::size_t chosen) const {
  const Complex s = groups_[chosen].s;
  MatrixXcd g = coefficients_.cast<Complex>();
  Eigen::Index first = 0;
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    const MatrixXd& A = groups_[k].A;
    auto own = g.middleRows(first, A.rows());
    if (k == chosen) own.setZero();
    else own = (s * MatrixXcd::Identity(A.rows(), A.rows()) - A.cast<Complex>()).partialPivLu().solve(own).eval();
    first += A.rows();
  }
  const MatrixXd real = V_ * g.real(), imaginary = V_ * g.imag();
  VectorXd noise = VectorXd::Zero(columns_.count);
  for (std::size_t c = 0; c < columns_.channels.size(); ++c) {
    const auto column = static_cast<Eigen::Index>(c);
    const double indirect = size_ * std::hypot(real.col(column).norm(), imaginary.col(column).norm());
    noise[columns_.channels[c].input] +=
        state_rounding * factor_of(s, columns_.channels[c].order) * (indirect + columns_.B.col(column).norm());
  }
  return noise;
}

HautusResult HautusTester::examine(std::size_t chosen, const ModeGroup& part) const {
  HautusResult result;
  const LeftPair left = left_pair(part);
  const Eigen::Index size = left.T.rows();
  result.Q = left.Q;
  result.moved = moved_by(left, columns_);
  const VectorXd sizes = sizes_of(columns_, part.s);
  result.participation = quotients(result.moved.colwise().norm().transpose(), sizes);
  const MatrixXcd relative = result.moved * quotients(VectorXd::Ones(sizes.size()), sizes).cast<Complex>().asDiagonal();
  const double largest = size_ > 0 ? size_ : 1;
  const MatrixXcd T = (left.T - part.s * MatrixXcd::Identity(size, size)) / largest;
  const double of_basis = state_rounding * left.condition;
  const PairNoise noise{quotients(noise_of(chosen), sizes).norm() + of_basis,
                        state_rounding * projector_norm(groups_[chosen]) + of_basis};
  result.stairs = staircase(T, relative, noise);
  result.hidden_rows = result.stairs.hidden.adjoint() * left.from.transpose();
  return result;
}

}  // namespace stillpoint
