#include "modes/problem/bordered_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "algebra/scaling/congruence_scaling.h"
#include "algebra/scaling/typical_frequency.h"
#include "algebra/sparse/bordered_pattern.h"
#include "algebra/sparse/symmetry.h"
#include "base/at.h"
#include "modes/tolerances.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Vector = Eigen::VectorXcd;

// Adds |A| to a matrix of which only the lower triangle is read; entries above the diagonal are added below it.
void add_magnitudes(SparseMatrix& to, const SparseMatrix& A, double factor) {
  const SparseMatrix magnitudes = A.cwiseAbs(), upper = magnitudes.triangularView<Eigen::StrictlyUpper>();
  add_part(to, magnitudes, factor);
  add_transposed_part(to, upper, factor);
}

// Frobenius norm, also of a matrix without rows.
double frobenius(const SparseMatrix& A) { return A.nonZeros() > 0 ? A.coeffs().matrix().norm() : 0; }

// Returns the Frobenius norm of |K| + |cancellation|.
double norm_with_cancellation(const SparseMatrix& K, const SparseMatrix& cancellation) {
  if (cancellation.nonZeros() == 0) return frobenius(K);
  return std::hypot(std::hypot(frobenius(K), frobenius(cancellation)),
                    std::sqrt(2 * K.cwiseAbs().cwiseProduct(cancellation.cwiseAbs()).sum()));
}

// Returns xᵀ |A| y.
double magnitude_of_product(const Eigen::VectorXd& x, const ScaledMatrix& A, const Eigen::VectorXd& y) {
  double sum = 0;
  for (Index j = 0; j < A.unscaled().outerSize(); ++j) {
    double column = 0;
    for (SparseMatrix::InnerIterator entry(A.unscaled(), j); entry; ++entry)
      column += x[entry.row()] * std::abs(A.row_factor(entry.row()) * entry.value());
    sum += column * (A.column_scale(j) * y[j]);
  }
  return sum;
}
double magnitude_of_product(const Eigen::VectorXd& x, const SparseMatrix& A, const Eigen::VectorXd& y) {
  double sum = 0;
  for (Index j = 0; j < A.outerSize(); ++j) {
    double column = 0;
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) column += x[entry.row()] * std::abs(entry.value());
    sum += column * y[j];
  }
  return sum;
}

// Returns the rows of J that the problem uses: those of the system, where all are independent.
std::shared_ptr<const SparseMatrix> rows_of(const LinearSystem& system) {
  if (static_cast<Index>(system.rows.independent.size()) == system.constraints())
    return {std::shared_ptr<const SparseMatrix>(), &system.J};
  return std::make_shared<const SparseMatrix>(independent_rows(system));
}

// Returns aᴴ b, summed in extended precision: the rounding of millions of additions in double would exceed that of the
// terms.
Complex product(const Eigen::Ref<const Vector>& a, const Eigen::Ref<const Vector>& b) {
  long double real = 0, imaginary = 0;
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    const Complex term = std::conj(a[i]) * b[i];
    real += static_cast<long double>(term.real());
    imaginary += static_cast<long double>(term.imag());
  }
  return {static_cast<double>(real), static_cast<double>(imaginary)};
}

}  // namespace

void BorderedProblem::scale(SparseMatrix& A, const Eigen::VectorXd& rows, double factor) const {
  for (Index j = 0; j < A.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry)
      entry.valueRef() *= factor * rows[entry.row()] * S_[j];
  }
}

BorderedProblem::BorderedProblem(const LinearSystem& system, Stiffness stiffness)
    : BorderedProblem(system, rows_of(system)) {
  if (stiffness == Stiffness::summed || system.strains.empty()) return;
  strains_ = system.strains;
  scale(strains_.rest, S_, 1);
  scale(strains_.B, Eigen::VectorXd::Ones(strains_.D.size()), 1);
}

BorderedProblem::BorderedProblem(const LinearSystem& system, const SparseMatrix& J)
    : BorderedProblem(system, std::shared_ptr<const SparseMatrix>(std::shared_ptr<const SparseMatrix>(), &J)) {}

BorderedProblem::BorderedProblem(const LinearSystem& system, std::shared_ptr<const SparseMatrix> J)
    : system_(&system),
      J_(std::move(J)),
      cancellation_(system.cancellation.nonZeros() > 0 ? system.cancellation
                                                       : SparseMatrix(system.M.rows(), system.M.cols())) {
  const SparseMatrix &of_M = system.M, &of_C = system.C, &of_K = system.K;
  const Eigen::VectorXd K_magnitudes =
      Eigen::VectorXd(of_K.diagonal()).cwiseAbs() + Eigen::VectorXd(cancellation_.diagonal());
  gamma_ = typical_frequency(K_magnitudes, Eigen::VectorXd(of_M.diagonal()));
  const Index n = static_cast<Index>(of_M.rows()), r = static_cast<Index>(J_->rows());
  SparseMatrix bordered = bordered_pattern({&of_M, &of_C, &of_K, &cancellation_}, {J_.get()});
  add_magnitudes(bordered, of_M, gamma_ * gamma_);
  add_magnitudes(bordered, of_C, gamma_);
  add_magnitudes(bordered, of_K, 1);
  add_magnitudes(bordered, cancellation_, 1);
  add_part(bordered, *J_, 1, {.row = n});
  const std::vector<double> scales = congruence_scaling(std::exchange(bordered, {}));
  const Eigen::Map<const Eigen::VectorXd> both(scales.data(), n + r);
  S_ = both.head(n);
  W_ = both.tail(r);
  from_S_ = S_.cwiseInverse();
  from_W_ = W_.cwiseInverse();
  scale(cancellation_, S_, 1);
  M_norm_ = frobenius(M().copy());
  C_norm_ = frobenius(C().copy());
  K_norm_ = norm_with_cancellation(K().copy(), cancellation_);
  J_norm_ = frobenius(this->J().copy());
}

double BorderedProblem::norm(Complex s) const {
  const double size = std::abs(s) / gamma_;
  return (size * M_norm_ + C_norm_) * size + K_norm_;
}

Vector BorderedProblem::times_K(const Vector& q) const {
  if (strains_.empty()) return K() * q;
  const Vector stress = strains_.D.asDiagonal() * (strains_.B * q);
  return strains_.rest * q + strains_.B.transpose() * stress;
}

// A computed strain e is wrong by ε b, where b is the sum of the magnitudes of its terms, so the magnitude of the
// strain energy is (e_p + ε b_p) D (e_q + ε b_q), theory (11.4).
void BorderedProblem::add_stiffness(const Entries& p, const Entries& q, ModalCoefficients& at) const {
  const Eigen::VectorXd p_magnitude = p.cwiseAbs(), q_magnitude = q.cwiseAbs();
  if (strains_.empty()) {
    at.k += product(p, K() * q);
    at.k_magnitude += magnitude_of_product(p_magnitude, K(), q_magnitude) +
                      magnitude_of_product(p_magnitude, cancellation_, q_magnitude);
    return;
  }
  const SparseMatrix B_magnitude = strains_.B.cwiseAbs();
  const Vector of_p = strains_.B * p, of_q = strains_.B * q;
  const Eigen::ArrayXd e_p = of_p.cwiseAbs(), e_q = of_q.cwiseAbs(), b_p = B_magnitude * p_magnitude,
                       b_q = B_magnitude * q_magnitude;
  at.k += product(p, strains_.rest * q) + product(of_p, strains_.D.asDiagonal() * of_q);
  at.k_magnitude +=
      magnitude_of_product(p_magnitude, strains_.rest, q_magnitude) +
      (strains_.D.array() * (e_p * e_q + e_p * b_q + b_p * e_q + tolerance::rounding_of_sums * b_p * b_q)).sum();
}

BorderedVector BorderedProblem::completed(const Vector& x, const Vector& forces) const {
  const auto r = static_cast<Index>(J_->rows());
  if (r == 0) return {x, Vector(0)};
  if (!least_norm_) {
    RowDependence all;
    all.rank.value = r;
    for (Index i = 0; i < r; ++i) all.independent.push_back(i);
    all.null_vectors.resize(r, 0);
    least_norm_ = std::make_unique<LeastNorm>(J().copy(), all);
  }
  Vector lambda(r);
  lambda.real() = -least_norm_->solve_transposed(forces.real());
  lambda.imag() = forces.imag().isZero(0) ? Eigen::VectorXd(Eigen::VectorXd::Zero(r))
                                          : Eigen::VectorXd(-least_norm_->solve_transposed(forces.imag()));
  return {x, W_.cwiseProduct(lambda)};
}

BorderedVector BorderedProblem::with_multipliers(Complex s, const Vector& x) const {
  const Complex value = s / gamma_;
  const Vector q = x.cwiseProduct(from_S_);
  return completed(x, value * (value * (M() * q) + C() * q) + times_K(q));
}

BorderedVector BorderedProblem::with_left_multipliers(Complex s, const Vector& y) const {
  const Complex value = std::conj(s) / gamma_;
  const Vector p = y.cwiseProduct(from_S_);
  return completed(y, value * (value * M().transposed_times(p) + C().transposed_times(p)) + K().transposed_times(p));
}

bool BorderedProblem::is_symmetric() const {
  if (!is_symmetric_)
    is_symmetric_ = stillpoint::is_symmetric(M().copy()) && stillpoint::is_symmetric(C().copy()) &&
                    stillpoint::is_symmetric(K().copy());
  return *is_symmetric_;
}

BorderedVector BorderedProblem::with_left_multipliers(Complex s, const Vector& y, const BorderedVector& right) const {
  const Vector& x = right.coordinates;
  Eigen::Index largest = 0;
  if (x.size() == 0 || !(x.cwiseAbs().maxCoeff(&largest) > 0) || !is_symmetric()) return with_left_multipliers(s, y);
  const Complex multiple = y[largest] / std::conj(x[largest]);
  const bool is_conjugate =
      ((y - multiple * x.conjugate()).cwiseAbs().array() <= tolerance::rounding_of_conjugates * y.cwiseAbs().array())
          .all();
  if (!is_conjugate) return with_left_multipliers(s, y);
  return {y, multiple * right.multipliers.conjugate()};
}

double BorderedProblem::violation(const Vector& x) const {
  if (J_->rows() == 0) return 0;
  const Vector scaled = x.cwiseProduct(from_S_);
  return (J() * scaled).norm() / (J_norm_ * scaled.norm());
}

Vector BorderedProblem::scaled_residual(Complex s, const Vector& x, const Vector& forces) const {
  const Complex value = s / gamma_;
  const Vector q = x.cwiseProduct(from_S_);
  return value * (value * (M() * q) + C() * q) + times_K(q) + S_.cwiseProduct(forces);
}

double BorderedProblem::residual(Complex s, const Vector& x, const Vector& forces) const {
  const double size = norm(s) * x.cwiseProduct(from_S_).norm() + S_.cwiseProduct(forces).norm();
  return std::max(violation(x), scaled_residual(s, x, forces).norm() / size);
}

Vector BorderedProblem::forces(const Vector& lambda) const {
  const Vector scaled = J().transposed_times(lambda.cwiseProduct(from_W_));
  return scaled.cwiseProduct(from_S_);
}

Vector BorderedProblem::derivative(Complex s, const Vector& x) const {
  const Vector q = x.cwiseProduct(from_S_);
  Vector force = M() * q;
  force *= 2.0 * (s / gamma_);
  if (C_norm_ > 0) force += C() * q;
  force.array() *= from_S_.array() / gamma_;
  return force;
}

Vector BorderedProblem::scaled_derivative(Complex s, const Vector& x) const {
  const Vector q = x.cwiseProduct(from_S_);
  Vector both = Vector::Zero(S_.size() + W_.size());
  both.head(S_.size()) = 2.0 * (s / gamma_) * (M() * q) + C() * q;
  return both;
}

Vector BorderedProblem::scaled_left_derivative(Complex s, const Vector& y) const {
  const Vector p = y.cwiseProduct(from_S_);
  Vector both = Vector::Zero(S_.size() + W_.size());
  both.head(S_.size()) = 2.0 * (std::conj(s) / gamma_) * M().transposed_times(p) + C().transposed_times(p);
  return both;
}

BorderedVector BorderedProblem::unscaled(const Vector& both) const {
  return {S_.cwiseProduct(both.head(S_.size())), W_.cwiseProduct(both.tail(W_.size()))};
}

ModalCoefficients BorderedProblem::modal_coefficients(const BorderedVector& x, const BorderedVector& y) const {
  const Vector q = x.coordinates.cwiseProduct(from_S_), p = y.coordinates.cwiseProduct(from_S_);
  ModalCoefficients at = of_matrices(q, p);
  at.k += of_constraints(p, x.multipliers.cwiseProduct(from_W_), at.k_magnitude) +
          std::conj(of_constraints(q, y.multipliers.cwiseProduct(from_W_), at.k_magnitude));
  return at;
}

ModalCoefficients BorderedProblem::scaled_modal_coefficients(const Vector& z, const Vector& left) const {
  const Eigen::Index n = S_.size(), r = W_.size();
  ModalCoefficients at = of_matrices(z.head(n), left.head(n));
  at.k += of_constraints(left.head(n), z.tail(r), at.k_magnitude) +
          std::conj(of_constraints(z.head(n), left.tail(r), at.k_magnitude));
  return at;
}

ModalCoefficients BorderedProblem::of_matrices(const Entries& q, const Entries& p) const {
  ModalCoefficients at;
  at.m = product(p, M() * q) / (gamma_ * gamma_);
  at.c = C_norm_ > 0 ? product(p, C() * q) / gamma_ : 0;
  add_stiffness(p, q, at);
  const Eigen::VectorXd q_magnitude = q.cwiseAbs(), p_magnitude = p.cwiseAbs();
  at.m_magnitude = magnitude_of_product(p_magnitude, M(), q_magnitude) / (gamma_ * gamma_);
  at.c_magnitude = magnitude_of_product(p_magnitude, C(), q_magnitude) / gamma_;
  return at;
}

// Returns (J p)ᴴ λ and adds the sum of the magnitudes of its terms.
Complex BorderedProblem::of_constraints(const Entries& p, const Entries& lambda, double& magnitude) const {
  magnitude += magnitude_of_product(lambda.cwiseAbs(), J(), p.cwiseAbs());
  return product(J() * p, lambda);
}

double BorderedProblem::magnitude_of_constraints(const BorderedVector& x, const BorderedVector& y) const {
  const Eigen::VectorXd q = x.coordinates.cwiseAbs().cwiseProduct(from_S_),
                        p = y.coordinates.cwiseAbs().cwiseProduct(from_S_);
  return magnitude_of_product(x.multipliers.cwiseAbs().cwiseProduct(from_W_), J(), p) +
         magnitude_of_product(y.multipliers.cwiseAbs().cwiseProduct(from_W_), J(), q);
}

double BorderedProblem::condition(Complex s, const Vector& x, const Vector& y) const {
  const Complex value = s / gamma_;
  const Vector q = x.cwiseProduct(from_S_), p = y.cwiseProduct(from_S_);
  const double divisor = std::abs(value) * std::abs(p.dot(2.0 * value * (M() * q) + C() * q));
  return divisor > 0 ? norm(s) * q.norm() * p.norm() / divisor : std::numeric_limits<double>::infinity();
}

}  // namespace stillpoint
