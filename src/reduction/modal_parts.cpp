// Block diagonalization for the modal form [Bavely & Stewart 1979].
#include "reduction/modal_parts.h"

#include <fmt/format.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>

#include "algebra/dense/schur.h"
#include "base/at.h"
#include "reduction/splitting.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXd, Eigen::VectorXd;

constexpr double rounding = std::numeric_limits<double>::epsilon();

// A pair with a damping ratio below this lies on the imaginary axis up to rounding.
constexpr double on_axis = 1e-10;

// A computed eigenvalue is identified with a known pole if their relative distance is no more than this.
constexpr double same_pole = 1e-6;

// The same for a pair, relative to the imaginary part.
constexpr double same_pair = 1e-3;

void change_basis(SplitPart& part, const MatrixXd& to, const MatrixXd& from) {
  part.V *= to;
  part.W *= from.transpose();
  part.A = (from * part.A * to).eval();
}

/// Makes the block strictly upper triangular. All its eigenvalues are zero; the basis starts with the null space of A,
/// then continues with the null space of A², and so on (a staircase form).
void make_nilpotent(SplitPart& part) {
  const Eigen::Index size = part.A.rows();
  for (Eigen::Index first = 0; first < size;) {
    const Eigen::Index rest = size - first;
    const Eigen::JacobiSVD<MatrixXd> svd(part.A.bottomRightCorner(rest, rest), Eigen::ComputeFullV);
    const double zero = std::sqrt(rounding) * std::max(part.A.norm(), std::numeric_limits<double>::min());
    const Eigen::Index null = std::max<Eigen::Index>(1, (svd.singularValues().array() <= zero).count());
    MatrixXd rotation = MatrixXd::Identity(size, size);
    rotation.bottomRightCorner(rest, rest) = svd.matrixV().rowwise().reverse();
    change_basis(part, rotation, rotation.transpose());
    part.A.block(first, first, rest, null).setZero();
    first += null;
  }
  part.s.assign(at(size), Complex(0));
}

/// Brings a block of a pair to the form [σ ω; −ω σ].
void make_rotation(SplitPart& part, Complex s) {
  const double b = part.A(0, 1), c = part.A(1, 0), ratio = std::sqrt(std::abs(b / c));
  const double sign = b > 0 ? 1 : -1;
  MatrixXd to = MatrixXd::Identity(2, 2), from = to;
  to(1, 1) = sign / ratio;
  from(1, 1) = sign * ratio;
  change_basis(part, to, from);
  part.A << s.real(), s.imag(), -s.imag(), s.real();
}

/// Returns the known pole nearest to the eigenvalue, or the eigenvalue itself if none is close. A pair that rounding
/// makes of a double real eigenvalue keeps its imaginary part, for its block holds the chain.
Complex improved(Complex s, const std::vector<Plant::Pole>& poles) {
  Complex best = s;
  double nearest = same_pole * std::abs(s);
  if (s.imag() != 0) nearest = std::min(nearest, same_pair * std::abs(s.imag()));
  for (const Plant::Pole& pole : poles) {
    if (pole.s.imag() < 0) continue;
    const double distance = std::abs(pole.s - s);
    if (distance > nearest) continue;
    nearest = distance;
    best = pole.s;
  }
  return best;
}

/// Brings a block of one eigenvalue or one pair to its simplest form.
void simplify(SplitPart& part, const std::vector<Plant::Pole>& poles) {
  if (part.s.size() > 1) return;
  part.s[0] = improved(part.s[0], poles);
  if (part.A.rows() == 2) make_rotation(part, part.s[0]);
  else part.A(0, 0) = part.s[0].real();
}

/// Scales V and W to equal norms.
void equilibrate(SplitPart& part) {
  const double scale = std::exp2(std::round(std::log2(part.W.norm() / part.V.norm()) / 2));
  if (!std::isfinite(scale)) return;
  part.V *= scale;
  part.W /= scale;
}

}  // namespace

double ModalPart::slowest() const {
  return std::abs(
      *std::min_element(s.begin(), s.end(), [](Complex a, Complex b) { return std::abs(a) < std::abs(b); }));
}

double ModalPart::largest_real() const {
  return std::max_element(s.begin(), s.end(), [](Complex a, Complex b) { return a.real() < b.real(); })->real();
}

bool ModalPart::is_stable() const { return largest_real() < -on_axis * slowest(); }

bool ModalPart::is_unstable() const { return largest_real() > on_axis * slowest(); }

ModalParts modal_parts(const MatrixXd& A, const std::vector<Plant::Pole>& poles) {
  const VectorXd scale = balancing_scales(A);
  const MatrixXd balanced = scale.cwiseInverse().asDiagonal() * A * scale.asDiagonal();
  std::vector<SplitPart> found;
  Splitting splitting(balanced);
  // Zeros by structure come first and together. Rounding separates them, by its square root if they are defective.
  const auto zeros = std::count_if(poles.begin(), poles.end(), [](const Plant::Pole& pole) { return pole.s == 0.0; });
  if (zeros > 0) {
    found.push_back(splitting.next_smallest(zeros));
    if (found.back().A.rows() == zeros) make_nilpotent(found.back());
  }
  while (!splitting.is_done()) {
    found.push_back(splitting.next());
    simplify(found.back(), poles);
  }
  for (SplitPart& part : found) equilibrate(part);
  const auto slowest = [](const SplitPart& part) { return ModalPart{0, 0, part.s}.slowest(); };
  std::stable_sort(found.begin(), found.end(), [&](const auto& a, const auto& b) { return slowest(a) < slowest(b); });

  const Eigen::Index n = A.rows();
  ModalParts result{MatrixXd(n, n), MatrixXd(n, n), MatrixXd::Zero(n, n), {}};
  Eigen::Index first = 0;
  for (const SplitPart& part : found) {
    const Eigen::Index size = part.A.rows();
    result.V.middleCols(first, size) = scale.asDiagonal() * part.V;
    result.W.middleCols(first, size) = scale.cwiseInverse().asDiagonal() * part.W;
    result.A.block(first, first, size, size) = part.A;
    result.parts.push_back({first, size, part.s});
    first += size;
  }
  return result;
}

Plant in_coordinates(const Plant& plant, const MatrixXd& V, const MatrixXd& W, const MatrixXd& A,
                     std::vector<std::string> names) {
  Plant result = plant;
  result.first.A = A.sparseView();
  result.first.B = MatrixXd(W.transpose() * plant.first.B).sparseView();
  result.first.C = MatrixXd(plant.first.C * V).sparseView();
  result.T = MatrixXd(plant.T * V).sparseView();
  result.state_names = std::move(names);
  result.state_units.assign(result.state_names.size(), "");
  result.at.x = VectorXd::Zero(V.cols());
  return result;
}

ModalColumns columns_of(const ModalParts& all, const std::vector<ModalPart>& chosen) {
  Eigen::Index size = 0;
  for (const ModalPart& part : chosen) size += part.size;
  ModalColumns columns{MatrixXd(all.V.rows(), size), MatrixXd(all.V.rows(), size), MatrixXd::Zero(size, size)};
  Eigen::Index first = 0;
  for (const ModalPart& part : chosen) {
    columns.V.middleCols(first, part.size) = all.V.middleCols(part.first, part.size);
    columns.W.middleCols(first, part.size) = all.W.middleCols(part.first, part.size);
    columns.A.block(first, first, part.size, part.size) = all.A.block(part.first, part.first, part.size, part.size);
    first += part.size;
  }
  return columns;
}

std::vector<std::string> modal_names(const std::vector<ModalPart>& parts) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    for (Eigen::Index i = 0; i < parts[k].size; ++i) {
      const std::string which = parts[k].size == 1    ? ""
                                : parts[k].size <= 26 ? fmt::format(".{}", static_cast<char>('a' + i))
                                                      : fmt::format(".{}", i + 1);
      names.push_back(fmt::format("mode[{}]{}", k + 1, which));
    }
  }
  return names;
}

Plant modal_plant(const Plant& full, const ModalParts& all) {
  Plant plant = in_coordinates(full, all.V, all.W, all.A, modal_names(all.parts));
  plant.form = PlantForm::modal;
  return plant;
}

}  // namespace stillpoint
