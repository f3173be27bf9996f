// Numbers with as many digits as are known, and columns that line up whatever alphabet a cell is in.
#pragma once

#include <complex>
#include <string>

namespace stillpoint {

/// Decimals at which a number is rounded to its error bar: at least 5 significant digits of `size`, at most 10.
int decimals_for(double size, double error);

/// A number with so many decimals; in powers of ten, with as many significant digits, where that is shorter to read.
/// Never "-0".
std::string rounded(double value, double size, double error);

/// Re s and Im s, both to the decimals that |s| and its error bar allow. A part that is exactly zero is "0".
struct EigenvalueText {
  std::string real, imaginary;
};
EigenvalueText eigenvalue_text(std::complex<double> s, double error);

/// "-0.2312 ± 1.3554i" for a pair, "-3.1" for a real root, "±2.1477i" where the real part is exactly zero.
std::string eigenvalue_in_line(std::complex<double> s, double error, bool is_pair);

/// "3.1e-15", "0", or "-" for a number that is not set.
std::string magnitude(double value);

/// "0.23 s", "12 ms".
std::string duration(double seconds);

/// Filled with blanks to a width that is counted in characters, not bytes.
std::string left(const std::string& text, int width);
std::string right(const std::string& text, int width);

}  // namespace stillpoint
