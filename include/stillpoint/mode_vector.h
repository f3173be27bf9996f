// The vector of a mode: a multiple of entries that are kept once, however many modes have multiples of them.
//
//   x = c b  or  x = c conj(b)
//
// An undamped mode, its conjugate and the left vectors of both are multiples of one real vector; so are, with the
// conjugate of the entries, those of a damped mode of symmetric matrices. Of a million coordinates that is an eighth
// or a quarter of the memory of four complex vectors.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <memory>
#include <utility>

namespace stillpoint {
class ModeVector;
}

template <>
struct Eigen::internal::traits<stillpoint::ModeVector> : Eigen::internal::traits<Eigen::VectorXcd> {
  enum { Flags = LinearAccessBit };
};

namespace stillpoint {

/// An Eigen expression: it can be read wherever a complex column can be, and becomes an `Eigen::VectorXcd` by itself.
/// Its entries do not change; a copy shares them.
class ModeVector : public Eigen::MatrixBase<ModeVector> {
 public:
  using Scalar = std::complex<double>;
  using Nested = ModeVector;  // an expression keeps a copy, which costs nothing

  ModeVector() = default;
  /// Keeps the entries of x, the real parts alone if all others are zero.
  template <class Derived>
  ModeVector(const Eigen::MatrixBase<Derived>& x) : ModeVector(x.derived().real(), x.derived().imag()) {}
  ModeVector(const ModeVector&) = default;
  ModeVector(ModeVector&&) noexcept = default;
  ModeVector& operator=(ModeVector other) noexcept {
    entries_ = std::move(other.entries_);
    factor_ = other.factor_;
    is_conjugate_ = other.is_conjugate_;
    return *this;
  }
  ~ModeVector() = default;

  Eigen::Index rows() const { return entries_ ? entries_->real.size() : 0; }
  Eigen::Index cols() const { return 1; }
  Scalar entry(Eigen::Index i) const {
    const double a = entries_->real[i];
    if (entries_->imag.size() == 0) return {factor_.real() * a, factor_.imag() * a};
    const double b = is_conjugate_ ? -entries_->imag[i] : entries_->imag[i];
    return {factor_.real() * a - factor_.imag() * b, factor_.real() * b + factor_.imag() * a};
  }

  /// The conjugate vector, with the same entries.
  ModeVector conjugate() const {
    ModeVector other = *this;
    other.factor_ = std::conj(factor_);
    other.is_conjugate_ = !is_conjugate_;
    return other;
  }
  /// Whether this is the conjugate of the other vector, with the same entries.
  bool is_kept_as_conjugate_of(const ModeVector& other) const {
    return entries_ && entries_ == other.entries_ && factor_ == std::conj(other.factor_) &&
           (entries_->imag.size() == 0 || is_conjugate_ != other.is_conjugate_);
  }
  ModeVector& operator*=(Scalar c) {
    factor_ *= c;
    return *this;
  }
  ModeVector& operator/=(Scalar c) { return *this *= 1.0 / c; }
  void resize(Eigen::Index) = delete;  // Eigen's does nothing here, or ends the program where assertions are on

 private:
  struct Entries {
    Eigen::VectorXd real, imag;  ///< imag: none if all are zero
  };
  ModeVector(Eigen::VectorXd real, Eigen::VectorXd imag) {
    if (imag.isZero(0)) imag.resize(0);
    entries_ = std::make_shared<const Entries>(Entries{std::move(real), std::move(imag)});
  }

  std::shared_ptr<const Entries> entries_;
  Scalar factor_ = 1;
  bool is_conjugate_ = false;
};

}  // namespace stillpoint

template <>
struct Eigen::internal::evaluator<stillpoint::ModeVector> : Eigen::internal::evaluator_base<stillpoint::ModeVector> {
  using XprType = stillpoint::ModeVector;
  enum { CoeffReadCost = 4 * NumTraits<double>::MulCost, Flags = LinearAccessBit, Alignment = 0 };

  explicit evaluator(const stillpoint::ModeVector& x) : x_(x) {}
  std::complex<double> coeff(Eigen::Index i) const { return x_.entry(i); }
  std::complex<double> coeff(Eigen::Index i, Eigen::Index) const { return x_.entry(i); }

 private:
  const stillpoint::ModeVector& x_;
};
