#include "reduction/mode_groups.h"

#include <Eigen/QR>
#include <algorithm>
#include <numeric>

#include "algebra/dense/complex_lapack.h"
#include "base/at.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXcd, Eigen::MatrixXd;

// Vectors of eigenvalues nearer than this are known to 1e-8 of themselves only; as a subspace they are known well.
constexpr double coinciding = 1e-8;

// Rounding splits a double real eigenvalue into a pair with an imaginary part of 1e-8 of its size.
constexpr double real_to_rounding = 1e-6;

bool is_real(Complex s) { return std::abs(s.imag()) <= real_to_rounding * std::abs(s); }

ModeGroup group_of(const ModalParts& all, const ModalPart& part) {
  const ModalColumns columns = columns_of(all, {part});
  ModeGroup group{columns.V, columns.W, columns.A, part.s, {}, false};
  group.is_pair = std::none_of(part.s.begin(), part.s.end(), is_real);
  return group;
}

Complex mean_of(const ModeGroup& group) {
  const Complex sum = std::accumulate(group.values.begin(), group.values.end(), Complex(0));
  const Complex mean = sum / static_cast<double>(group.values.size());
  return group.is_pair ? mean : Complex(group.A.trace() / static_cast<double>(group.A.rows()), 0);
}

bool coincide(const ModeGroup& a, const ModeGroup& b) {
  return a.is_pair == b.is_pair && std::abs(a.s - b.s) <= coinciding * std::max(std::abs(a.s), std::abs(b.s));
}

MatrixXd side_by_side(const MatrixXd& A, const MatrixXd& B) {
  MatrixXd both(A.rows(), A.cols() + B.cols());
  both << A, B;
  return both;
}

void join(ModeGroup& group, const ModeGroup& other) {
  group.V = side_by_side(group.V, other.V);
  group.W = side_by_side(group.W, other.W);
  const Eigen::Index own = group.A.rows(), more = other.A.rows();
  group.A.conservativeResizeLike(MatrixXd::Zero(own + more, own + more));
  group.A.bottomRightCorner(more, more) = other.A;
  group.values.insert(group.values.end(), other.values.begin(), other.values.end());
  group.s = mean_of(group);
}

double condition_of(const MatrixXcd& R) {
  if (R.cols() < 2) return 1;
  const Eigen::VectorXd values = decompose(R).values;
  return values[0] / values[values.size() - 1];
}

/// The invariant subspace of the eigenvalues with Im > 0 of a pair, or all: A Z = Z T.
ComplexLeadingSchur upper_half(const MatrixXd& A, bool is_pair) {
  if (!is_pair) return {MatrixXcd::Identity(A.rows(), A.rows()), A.cast<Complex>()};
  return leading_schur(MatrixXcd(A.cast<Complex>()), [](const Eigen::VectorXcd& values) {
    std::vector<bool> chosen;
    for (const Complex value : values) chosen.push_back(value.imag() > 0);
    return chosen;
  });
}

}  // namespace

std::vector<ModeGroup> groups_of(const ModalParts& all) {
  std::vector<ModeGroup> groups;
  for (const ModalPart& part : all.parts) {
    ModeGroup group = group_of(all, part);
    group.s = mean_of(group);
    const auto same =
        std::find_if(groups.rbegin(), groups.rend(), [&](const ModeGroup& other) { return coincide(group, other); });
    if (same == groups.rend()) groups.push_back(std::move(group));
    else join(*same, group);
  }
  return groups;
}

ModeGroup transposed(const ModeGroup& group) {
  ModeGroup other = group;
  other.V = group.W;
  other.W = group.V;
  other.A = group.A.transpose();
  return other;
}

LeftPair left_pair(const ModeGroup& group) {
  const ComplexLeadingSchur half = upper_half(group.A.transpose(), group.is_pair);
  const Eigen::Index size = half.Z.cols();
  const Eigen::VectorXd lengths = (group.W * half.Z).colwise().norm();
  const MatrixXcd Z = half.Z * lengths.cwiseInverse().cast<Complex>().asDiagonal(), L = group.W * Z;
  const Eigen::HouseholderQR<MatrixXcd> qr(L);
  const MatrixXcd R = qr.matrixQR().topRows(size).triangularView<Eigen::Upper>();
  const MatrixXcd inverse = R.triangularView<Eigen::Upper>().solve(MatrixXcd::Identity(size, size));
  const MatrixXcd T =
      lengths.cast<Complex>().asDiagonal() * half.T * lengths.cwiseInverse().cast<Complex>().asDiagonal();
  return {qr.householderQ() * MatrixXcd::Identity(L.rows(), size), (R * T * inverse).transpose(), Z * inverse,
          condition_of(R)};
}

ModeGroup without(const ModeGroup& group, const MatrixXcd& rows) {
  if (rows.rows() == 0) return group;
  const Eigen::Index size = group.A.rows(), hidden = group.is_pair ? 2 * rows.rows() : rows.rows();
  MatrixXd both(2 * rows.rows(), size);
  both << rows.real(), rows.imag();
  const MatrixXd kept = decompose(both).V.rightCols(size - hidden);
  ModeGroup rest = group;
  rest.V = group.V * kept;
  rest.W = group.W * kept;
  rest.A = kept.transpose() * group.A * kept;
  return rest;
}

}  // namespace stillpoint
