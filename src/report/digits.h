// Numbers with as many digits as their error bounds allow, and cells of a table padded by characters, not bytes.
#pragma once

#include <complex>
#include <string>

namespace stillpoint {

/// Returns the number of decimals that the error bound allows: at least 5 significant digits of `size`, at most 10.
int decimals_for(double size, double error);

/// Returns the number with so many decimals, or in scientific notation with as many significant digits if it is very
/// large or small. It never returns "-0".
std::string rounded(double value, double size, double error);

/// Re s and Im s, both with the decimals that |s| and its error bound allow. A part that is exactly zero is "0".
struct EigenvalueText {
  std::string real, imaginary;
};
EigenvalueText eigenvalue_text(std::complex<double> s, double error);

/// Returns "-0.2312 ± 1.3554i" for a pair, "-3.1" for a real root, "±2.1477i" where the real part is exactly zero.
std::string eigenvalue_in_line(std::complex<double> s, double error, bool is_pair);

/// Returns "3.1e-15", "0", or "-" for NaN.
std::string magnitude(double value);

/// Returns a time as "0.23 s" or "12 ms".
std::string duration(double seconds);

/// Returns the text aligned left or right by blanks, with a width that is counted in characters, not bytes.
std::string left(const std::string& text, int width);
std::string right(const std::string& text, int width);

}  // namespace stillpoint
