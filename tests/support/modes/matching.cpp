#include "support/modes/matching.h"

#include <algorithm>
#include <cmath>

namespace stillpoint {

using Complex = std::complex<double>;

double distance_of(Complex s, Complex centre) { return std::abs(Complex(s.real(), std::abs(s.imag())) - centre); }

Match match(const std::vector<Mode>& modes, std::vector<Complex> values, Complex centre) {
  double largest = 0, last = 0;
  for (const Complex& value : values) largest = std::max(largest, std::abs(value));
  const double same = 1e-6 * largest;
  Match result;
  for (const Mode& mode : modes) {
    const auto nearest = std::min_element(values.begin(), values.end(), [&](const Complex& a, const Complex& b) {
      return std::abs(a - mode.s) < std::abs(b - mode.s);
    });
    last = std::max(last, distance_of(mode.s, centre));
    if (nearest == values.end() || std::abs(*nearest - mode.s) > same) result.invented = true;
    else values.erase(nearest);
  }
  for (const Complex& left : values) result.missed = result.missed || distance_of(left, centre) < last - 2 * same;
  return result;
}

std::vector<Complex> values_of(const Spectrum& spectrum, Index copies) {
  std::vector<Complex> values;
  for (const Mode& mode : spectrum.modes) {
    if (!mode.is_infinite()) values.insert(values.end(), static_cast<std::size_t>(copies), mode.s);
  }
  return values;
}

}  // namespace stillpoint
