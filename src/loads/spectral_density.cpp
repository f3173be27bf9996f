// Spectral densities: white noise, and tables with their interpolation.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "base/read_text.h"
#include "stillpoint/error.h"
#include "stillpoint/random_response.h"

namespace stillpoint {

namespace {

constexpr std::size_t largest_table = 100'000'000;  // bytes

void require_density(double value) {
  if (!(value >= 0) || !std::isfinite(value))
    throw Error(fmt::format("a spectral density of {:g}: it must be a number, and not negative", value));
}

/// The numbers of a line; none if it does not begin with a number.
std::vector<double> numbers_in(const std::string& line) {
  std::vector<double> numbers;
  const char* next = line.c_str();
  while (true) {
    while (*next == ' ' || *next == '\t' || *next == ',' || *next == ';' || *next == '\r') ++next;
    char* end = nullptr;
    const double value = std::strtod(next, &end);
    if (end == next) return *next == '\0' ? numbers : std::vector<double>{};
    numbers.push_back(value);
    next = end;
  }
}

}  // namespace

double SpectralDensity::at(double hertz) const {
  if (is_white) return value.front();
  if (frequency.empty() || !(hertz >= frequency.front()) || !(hertz <= frequency.back())) return 0;
  const auto above = std::upper_bound(frequency.begin(), frequency.end(), hertz);
  const auto k = static_cast<std::size_t>(std::min(above, frequency.end() - 1) - frequency.begin());
  const double f0 = frequency[k - 1], f1 = frequency[k], S0 = value[k - 1], S1 = value[k];
  if (S0 == S1) return S0;
  if (!(f0 > 0 && S0 > 0 && S1 > 0)) return S0 + (S1 - S0) * (hertz - f0) / (f1 - f0);
  return S0 * std::exp(std::log(S1 / S0) * std::log(hertz / f0) / std::log(f1 / f0));
}

SpectralDensity white_noise(double value) {
  require_density(value);
  return {{}, {value}, true};
}

SpectralDensity white_noise(double value, double from, double to) {
  require_density(value);
  if (!(from >= 0) || !(from < to) || !std::isfinite(to))
    throw Error(fmt::format(
        "a band from {:g} to {:g} Hz: the first frequency must be below the second, and not negative", from, to));
  return {{from, to}, {value, value}, false};
}

SpectralDensity read_spectral_density(const std::string& path) {
  std::istringstream text(read_text(path, largest_table));
  SpectralDensity density;
  int number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    const std::vector<double> numbers = numbers_in(line);
    const bool is_heading = numbers.empty() && density.frequency.empty();
    const bool is_comment = line.find_first_not_of(" \t\r") == std::string::npos || line.starts_with('#');
    if (is_heading || is_comment) continue;
    if (numbers.size() != 2)
      throw Error(fmt::format("{}:{}: a line of a spectral density has a frequency (Hz) and a value", path, number));
    if (!(numbers[0] >= 0) || !std::isfinite(numbers[0]) || !(numbers[1] >= 0) || !std::isfinite(numbers[1]))
      throw Error(fmt::format("{}:{}: frequency and value must be finite and not negative, not {:g} and {:g}", path,
                              number, numbers[0], numbers[1]));
    if (!density.frequency.empty() && !(numbers[0] > density.frequency.back()))
      throw Error(fmt::format("{}:{}: the frequencies must ascend: {:g} follows {:g}", path, number, numbers[0],
                              density.frequency.back()));
    density.frequency.push_back(numbers[0]);
    density.value.push_back(numbers[1]);
  }
  if (density.frequency.size() < 2)
    throw Error(fmt::format("{}: a spectral density needs two frequencies at least, in Hz, with their values", path));
  return density;
}

}  // namespace stillpoint
