#include "support/elements/vibrations.h"

#include "stillpoint/linearize.h"

namespace stillpoint {

LinearSystem at_rest(const Model& model, EquilibriumRequest kind) {
  return linearize(model, find_equilibrium(model, {.rest = kind}));
}

Spectrum spectrum_of(const Model& model) {
  const LinearSystem system = at_rest(model);
  return solve_modes(system, minimal_form(system));
}

std::vector<std::complex<double>> upper_roots(const Spectrum& spectrum) {
  std::vector<std::complex<double>> roots;
  for (const Mode& mode : spectrum.modes) {
    if (mode.kind == ModeClass::genuine && mode.s.imag() > 0) roots.push_back(mode.s);
  }
  return roots;
}

std::vector<double> frequencies(const Spectrum& spectrum) {
  std::vector<double> all;
  for (const std::complex<double> s : upper_roots(spectrum)) all.push_back(s.imag());
  return all;
}

std::vector<double> frequencies(const Model& model) { return frequencies(spectrum_of(model)); }

}  // namespace stillpoint
