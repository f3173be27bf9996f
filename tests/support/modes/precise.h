// Floating-point numbers of a chosen number of digits, for references that must not share the rounding of what they
// judge: sums and products, rounded towards zero, and nothing else.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>

namespace stillpoint::testing {

/// ± mantissa · 2^exponent with 32 · limbs binary digits; the first digit of a mantissa that is not zero is 1.
template <int limbs>
class Precise {
 public:
  Precise() = default;
  Precise(double x) {  // NOLINT(google-explicit-constructor): numbers mix with double in formulas
    if (x == 0) return;
    int exponent = 0;
    const double mantissa = std::frexp(std::abs(x), &exponent);
    const auto digits = static_cast<std::uint64_t>(std::ldexp(mantissa, 64));
    digits_[limbs - 1] = static_cast<std::uint32_t>(digits >> 32);
    digits_[limbs - 2] = static_cast<std::uint32_t>(digits);
    exponent_ = exponent - 32 * limbs;
    sign_ = x < 0 ? -1 : 1;
  }

  /// From fewer digits.
  template <int fewer>
  explicit Precise(const Precise<fewer>& other)
      : exponent_(other.exponent_ - 32 * (limbs - fewer)), sign_(other.sign_) {
    static_assert(fewer < limbs);
    std::copy(other.digits_.begin(), other.digits_.end(), digits_.begin() + (limbs - fewer));
  }

  int sign() const { return sign_; }
  /// The nearest number of fewer digits; zero or infinite beyond the range of long double.
  long double rounded() const {
    long double sum = 0;
    for (int i = limbs - 1; i >= limbs - 3; --i) sum = sum * 0x1p32L + static_cast<long double>(digits_[at(i)]);
    const std::int64_t exponent = exponent_ + 32 * (limbs - 3);
    return sign_ * std::ldexp(sum, static_cast<int>(
                                       std::min<std::int64_t>(std::max<std::int64_t>(exponent, -100'000), 100'000)));
  }

  Precise operator-() const {
    Precise result = *this;
    result.sign_ = -sign_;
    return result;
  }

  friend Precise operator+(const Precise& a, const Precise& b) {
    if (a.sign_ == 0) return b;
    if (b.sign_ == 0) return a;
    if (a.exponent_ < b.exponent_ || (a.exponent_ == b.exponent_ && is_less(a, b))) return sum(b, a);
    return sum(a, b);
  }
  friend Precise operator-(const Precise& a, const Precise& b) { return a + -b; }

  friend Precise operator*(const Precise& a, const Precise& b) {
    Precise result;
    if (a.sign_ == 0 || b.sign_ == 0) return result;
    std::array<std::uint32_t, 2 * limbs> product{};
    for (int i = 0; i < limbs; ++i) {
      std::uint64_t carry = 0;
      for (int j = 0; j < limbs; ++j) {
        const std::uint64_t term = std::uint64_t{a.digits_[at(i)]} * b.digits_[at(j)] + product[at(i + j)] + carry;
        product[at(i + j)] = static_cast<std::uint32_t>(term);
        carry = term >> 32;
      }
      product[at(i + limbs)] = static_cast<std::uint32_t>(carry);
    }
    const int shift = (product[2 * limbs - 1] >> 31) == 0 ? 1 : 0;  // the product of two mantissas lies in [1/4, 1)
    for (int i = 0; i < limbs; ++i) {
      result.digits_[at(i)] = product[at(i + limbs)] << shift;
      if (shift > 0) result.digits_[at(i)] |= product[at(i + limbs - 1)] >> 31;
    }
    result.exponent_ = a.exponent_ + b.exponent_ + 32 * limbs - shift;
    result.sign_ = a.sign_ * b.sign_;
    return result;
  }

 private:
  template <int>
  friend class Precise;

  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static bool is_less(const Precise& a, const Precise& b) {
    for (int i = limbs - 1; i >= 0; --i) {
      if (a.digits_[at(i)] != b.digits_[at(i)]) return a.digits_[at(i)] < b.digits_[at(i)];
    }
    return false;
  }

  // |a| ≥ |b|, both not zero.
  static Precise sum(const Precise& a, const Precise& b) {
    const std::int64_t shift = a.exponent_ - b.exponent_;
    if (shift >= 32 * limbs) return a;
    const int words = static_cast<int>(shift / 32), bits = static_cast<int>(shift % 32);
    const auto shifted = [&](int i) -> std::uint64_t {
      const int from = i + words;
      std::uint64_t word = from < limbs ? std::uint64_t{b.digits_[at(from)]} >> bits : 0;
      if (bits > 0 && from + 1 < limbs) word |= (std::uint64_t{b.digits_[at(from + 1)]} << (32 - bits)) & 0xffffffffU;
      return word;
    };
    Precise result = a;
    if (a.sign_ == b.sign_) {
      std::uint64_t carry = 0;
      for (int i = 0; i < limbs; ++i) {
        carry += a.digits_[at(i)] + shifted(i);
        result.digits_[at(i)] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
      }
      if (carry > 0) {
        for (int i = 0; i + 1 < limbs; ++i)
          result.digits_[at(i)] = (result.digits_[at(i)] >> 1) | (result.digits_[at(i + 1)] << 31);
        result.digits_[limbs - 1] = (result.digits_[limbs - 1] >> 1) | 0x80000000U;
        ++result.exponent_;
      }
      return result;
    }
    std::int64_t borrow = 0;
    for (int i = 0; i < limbs; ++i) {
      std::int64_t difference =
          static_cast<std::int64_t>(a.digits_[at(i)]) - static_cast<std::int64_t>(shifted(i)) - borrow;
      borrow = difference < 0 ? 1 : 0;
      difference += borrow << 32;
      result.digits_[at(i)] = static_cast<std::uint32_t>(difference);
    }
    result.normalise();
    return result;
  }

  void normalise() {
    int top = limbs - 1;
    while (top >= 0 && digits_[at(top)] == 0) --top;
    if (top < 0) {
      *this = Precise();
      return;
    }
    const int words = limbs - 1 - top;
    int bits = 0;
    while (((digits_[at(top)] << bits) & 0x80000000U) == 0) ++bits;
    for (int i = limbs - 1; i >= 0; --i) {
      const int from = i - words;
      std::uint32_t word = from >= 0 ? digits_[at(from)] << bits : 0;
      if (bits > 0 && from >= 1) word |= digits_[at(from - 1)] >> (32 - bits);
      digits_[at(i)] = word;
    }
    exponent_ -= 32 * words + bits;
  }

  std::array<std::uint32_t, limbs> digits_{};
  std::int64_t exponent_ = 0;
  int sign_ = 0;
};

template <int limbs>
struct PreciseComplex {
  Precise<limbs> real, imag;

  std::complex<long double> rounded() const { return {real.rounded(), imag.rounded()}; }

  friend PreciseComplex operator+(const PreciseComplex& a, const PreciseComplex& b) {
    return {a.real + b.real, a.imag + b.imag};
  }
  friend PreciseComplex operator-(const PreciseComplex& a, const PreciseComplex& b) {
    return {a.real - b.real, a.imag - b.imag};
  }
  friend PreciseComplex operator*(const PreciseComplex& a, const PreciseComplex& b) {
    return {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
  }
  friend PreciseComplex operator*(double a, const PreciseComplex& b) {
    return {Precise<limbs>(a) * b.real, Precise<limbs>(a) * b.imag};
  }
};

}  // namespace stillpoint::testing
