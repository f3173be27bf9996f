// How a model vibrates about its rest, by MCS.
#pragma once

#include <complex>
#include <vector>

#include "stillpoint/equilibrium.h"
#include "stillpoint/modes.h"

namespace stillpoint {

LinearSystem at_rest(const Model& model, EquilibriumRequest kind = EquilibriumRequest::nearest);

/// All roots, zeros among them.
Spectrum spectrum_of(const Model& model);

/// The true roots above the real axis, in their order.
std::vector<std::complex<double>> upper_roots(const Spectrum& spectrum);

/// Their imaginary parts.
std::vector<double> frequencies(const Spectrum& spectrum);
std::vector<double> frequencies(const Model& model);

}  // namespace stillpoint
