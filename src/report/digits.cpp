#include "report/digits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace stillpoint {

namespace {

constexpr int fewest_digits = 5, most_digits = 10;  // published tables have 5; more than 10 are hard to read
constexpr double longest = 1e7, shortest = 1e-4;    // beyond these, scientific notation is easier to read

int exponent_of(double size) { return static_cast<int>(std::floor(std::log10(size))); }

int significant_digits(double size, double error) {
  const int most = most_digits - 1 - exponent_of(size), fewest = fewest_digits - 1 - exponent_of(size);
  if (std::isnan(error)) return fewest_digits;
  const int known = error > 0 ? static_cast<int>(std::floor(-std::log10(error))) : most;
  return std::clamp(known, fewest, most) + 1 + exponent_of(size);
}

int width_of(const std::string& text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

/// Returns the number of digits of a part that its error bound leaves, at most those of published tables.
int known_digits(double part, double error) {
  if (!(error > 0)) return fewest_digits;
  return std::min(fewest_digits, static_cast<int>(std::floor(std::log10(std::abs(part) / error))) + 1);
}

/// Returns a part of an eigenvalue with the decimals of its magnitude, or in scientific notation where these decimals
/// would hide a small part, of which the error bound leaves more: a verdict may rest on it.
std::string part_text(double part, double size, double error) {
  const std::string text = rounded(part, size, error);
  if (!(std::abs(part) > error) || part == 0 || !std::isfinite(size)) return text;
  const int shown = decimals_for(size, error) + exponent_of(std::abs(part)) + 1;
  const int known = known_digits(part, error);
  if (shown >= std::min(known, 3)) return text;
  return fmt::format("{:.{}e}", part, known - 1);
}

std::string blanks(const std::string& text, int width) {
  return std::string(static_cast<std::size_t>(std::max(0, width - width_of(text))), ' ');
}

}  // namespace

int decimals_for(double size, double error) {
  return std::max(0, significant_digits(size, error) - 1 - exponent_of(size));
}

std::string rounded(double value, double size, double error) {
  if (value == 0) return "0";
  if (!std::isfinite(value)) return std::isnan(value) ? "-" : value > 0 ? "∞" : "-∞";
  if (size <= error) return fmt::format("{:.0e}", value);  // only the magnitude is known
  if (size >= longest || size < shortest) return fmt::format("{:.{}e}", value, significant_digits(size, error) - 1);
  const std::string text = fmt::format("{:.{}f}", value, decimals_for(size, error));
  const bool is_zero = text.find_first_not_of("-0.") == std::string::npos;
  return is_zero && text.front() == '-' ? text.substr(1) : text;
}

EigenvalueText eigenvalue_text(std::complex<double> s, double error) {
  const double size = std::abs(s);
  return {part_text(s.real(), size, error), part_text(s.imag(), size, error)};
}

std::string eigenvalue_in_line(std::complex<double> s, double error, bool is_pair) {
  if (std::isnan(s.real())) return "-";
  if (std::isinf(std::abs(s))) return "∞";
  const EigenvalueText text = eigenvalue_text(is_pair ? std::complex(s.real(), std::abs(s.imag())) : s, error);
  if (s.imag() == 0) return text.real;
  if (is_pair) return s.real() == 0 ? "±" + text.imaginary + "i" : text.real + " ± " + text.imaginary + "i";
  if (s.real() == 0) return text.imaginary + "i";
  const bool is_below = text.imaginary.front() == '-';
  return text.real + (is_below ? " - " + text.imaginary.substr(1) : " + " + text.imaginary) + "i";
}

std::string magnitude(double value) {
  if (std::isnan(value)) return "-";
  if (value == 0) return "0";
  return std::isinf(value) ? "∞" : fmt::format("{:.1e}", value);
}

std::string duration(double seconds) {
  if (std::isnan(seconds)) return "-";
  if (seconds >= 0.9995) return fmt::format("{:.3g} s", seconds);
  if (seconds >= 0.9995e-3) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} µs", seconds * 1e6);
}

std::string left(const std::string& text, int width) { return text + blanks(text, width); }

std::string right(const std::string& text, int width) { return blanks(text, width) + text; }

}  // namespace stillpoint
