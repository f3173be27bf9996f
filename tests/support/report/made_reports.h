// Reports whose numbers are made up, so that what is printed can be foreseen.
#pragma once

#include <limits>
#include <sstream>

#include "stillpoint/report.h"

namespace stillpoint::made {

inline AnalysisCase two_masses() {
  LinearSystem system;
  system.name = "two masses";
  for (SparseMatrix* const A : {&system.M, &system.K}) {
    A->resize(2, 2);
    A->setIdentity();
  }
  system.J.resize(1, 2);
  system.J.insert(0, 1) = 1;
  system.coordinate_name = [](Index i) { return i == 0 ? "left.x" : "right.x"; };
  return {checked(std::move(system))};
}

inline Mode mode(std::complex<double> s, ModeClass kind = ModeClass::genuine) {
  Mode mode;
  mode.s = s;
  mode.kind = kind;
  mode.shape = Eigen::Vector2cd(1., 0.);
  mode.residual = mode.backward_error = 1e-16;
  mode.violation = kind == ModeClass::spurious ? 0.7 : 1e-17;
  mode.condition = 2;
  mode.error = 3e-15;
  return mode;
}

inline Mode infinite() {
  Mode mode;
  mode.s = {std::numeric_limits<double>::infinity(), 0};
  mode.kind = ModeClass::spurious;
  return mode;
}

inline MethodReport method(Method which, const AnalysisCase& analysis, std::vector<Mode> modes) {
  MethodReport report;
  report.method = which;
  report.computed = true;
  report.form_seconds = 1e-4;
  Spectrum& spectrum = report.spectrum;
  spectrum.solver = "by hand";
  spectrum.size = static_cast<Index>(modes.size());
  for (const Mode& each : modes) {
    if (each.kind == ModeClass::genuine) ++spectrum.found;
    if (each.kind == ModeClass::spurious) ++spectrum.spurious;
  }
  spectrum.expected = spectrum.found;
  spectrum.seconds = 2e-3;
  spectrum.modes = std::move(modes);
  report.accounts = account_for(analysis, spectrum.modes);
  return report;
}

inline Verdict stable() {
  return {.stability = Stability::asymptotically_stable,
          .basis = "spectrum",
          .reason = "all roots lie to the left",
          .unstable_roots = 0,
          .largest_real = -0.2424};
}

/// A damped pair, a real root, one that is spurious and two that are infinite.
inline ModesReport some_modes(const AnalysisCase& analysis) {
  ModesReport report;
  report.result = method(Method::rcs, analysis,
                         {mode({-0.24241234567, 2.13398765432}), mode({-0.24241234567, -2.13398765432}), mode({-3, 0}),
                          mode({-10, 0}, ModeClass::spurious), infinite(), infinite()});
  report.verdict = stable();
  return report;
}

/// No line is longer than a terminal, counted in characters.
inline std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::size_t length = 0;
    for (const char c : line) length += (c & 0xc0) != 0x80;
    longest = std::max(longest, length);
  }
  return longest;
}

}  // namespace stillpoint::made
